/** The protocols that the everyday pages speak with their servers. */
import type { Speak } from './frames';
import { agui, dify, gemini, kestrel, langgraph, ollama } from './tongues-agents';
import { chat, messages, responses, uiMessages } from './tongues-models';
import { a2a, acp } from './tongues-tasks';

/** By the name that the server gives the path. */
export const TONGUES: Readonly<Record<string, Speak>> = {
  chat,
  messages,
  responses,
  uiMessages,
  agui,
  kestrel,
  ollama,
  langgraph,
  gemini,
  dify,
  a2a,
  acp,
};
