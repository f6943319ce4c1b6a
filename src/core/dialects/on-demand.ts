/**
 * The dialects as something to be fetched one by one, for who must not carry them all: each with its light test (light.ts), and the
 * way to load it. Same ids and same order as index.ts; `on-demand.test.ts` holds both.
 */
import type { Dialect } from './dialect';
import { LIGHT, type Light } from './light';

export interface OnDemand extends Light {
  load(): Promise<Dialect>;
}

const LOAD: Readonly<Record<string, () => Promise<Dialect>>> = {
  'kestrel-runner': async () => (await import('./kestrel-runner')).kestrelRunner,
  'kestrel-mobile': async () => (await import('./kestrel-mobile')).kestrelMobile,
  'deepseek-harness': async () => (await import('./deepseek-harness')).deepseekHarness,
  mastra: async () => (await import('./mastra')).mastra,
  'assistant-transport': async () => (await import('./assistant-transport')).assistantTransport,
  'ai-sdk-ui': async () => (await import('./ai-sdk-ui')).aiSdkUi,
  'ai-sdk-ui-websocket': async () => (await import('./ai-sdk-ui-websocket')).aiSdkUiWebsocket,
  'cloudflare-ai-chat': async () => (await import('./cloudflare-ai-chat')).cloudflareAiChat,
  'assistant-stream-data': async () => (await import('./assistant-stream-data')).assistantStreamData,
  'ai-sdk-data-v4': async () => (await import('./ai-sdk-data-v4')).aiSdkDataV4,
  'anthropic-messages': async () => (await import('./anthropic-messages')).anthropicMessages,
  'openai-chat': async () => (await import('./openai-chat')).openaiChat,
  'openai-responses': async () => (await import('./openai-responses')).openaiResponses,
  'tanstack-ai': async () => (await import('./tanstack-ai')).tanstackAi,
  'copilotkit-v2': async () => (await import('./copilotkit-v2')).copilotkitV2,
  'ag-ui': async () => (await import('./ag-ui')).agUi,
  'gemini-generate-content': async () => (await import('./gemini-generate-content')).geminiGenerateContent,
  'gemini-interactions': async () => (await import('./gemini-interactions')).geminiInteractions,
  ollama: async () => (await import('./ollama')).ollama,
  'google-adk': async () => (await import('./google-adk')).googleAdk,
  a2a: async () => (await import('./a2a')).a2a,
  langgraph: async () => (await import('./langgraph')).langgraph,
  'langgraph-thread': async () => (await import('./langgraph-thread')).langgraphThread,
  acp: async () => (await import('./acp')).acp,
  'openai-assistants': async () => (await import('./openai-assistants')).openaiAssistants,
  'openai-realtime': async () => (await import('./openai-realtime')).openaiRealtime,
  'openai-chatkit': async () => (await import('./openai-chatkit')).openaiChatkit,
  'codex-app-server': async () => (await import('./codex-app-server')).codexAppServer,
  opencode: async () => (await import('./opencode')).opencode,
  'claude-stream-json': async () => (await import('./claude-stream-json')).claudeStreamJson,
  'mcp-streamable-http': async () => (await import('./mcp-streamable-http')).mcpStreamableHttp,
  dify: async () => (await import('./dify')).dify,
  'bedrock-eventstream': async () => (await import('./bedrock-eventstream')).bedrockEventstream,
  'n8n-chat': async () => (await import('./n8n-chat')).n8nChat,
  flowise: async () => (await import('./flowise')).flowise,
  'ai-sdk-text': async () => (await import('./ai-sdk-text')).aiSdkText,
};

export const ON_DEMAND: readonly OnDemand[] = LIGHT.map((light) => ({ ...light, load: LOAD[light.id]! }));
