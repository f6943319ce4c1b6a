/** The dialects, in order of precedence. Adding one: its file, its fixture folder, its line here. */
import { anthropicMessages } from './anthropic-messages';
import type { Dialect } from './dialect';
import { kestrelMobile } from './kestrel-mobile';
import { kestrelRunner } from './kestrel-runner';
import { openaiChat } from './openai-chat';

export const DIALECTS: readonly Dialect[] = [kestrelRunner, kestrelMobile, anthropicMessages, openaiChat];
