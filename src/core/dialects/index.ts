/** The dialects, in order of precedence. Adding one: its file, its fixture folder, its line here. */
import { agUi } from './ag-ui';
import { anthropicMessages } from './anthropic-messages';
import { copilotkitV2 } from './copilotkit-v2';
import type { Dialect } from './dialect';
import { kestrelMobile } from './kestrel-mobile';
import { kestrelRunner } from './kestrel-runner';
import { openaiChat } from './openai-chat';
import { openaiResponses } from './openai-responses';
import { tanstackAi } from './tanstack-ai';

export const DIALECTS: readonly Dialect[] = [
  kestrelRunner,
  kestrelMobile,
  anthropicMessages,
  openaiChat,
  openaiResponses,
  tanstackAi,
  copilotkitV2,
  agUi,
];
