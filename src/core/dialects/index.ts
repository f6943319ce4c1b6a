/** The dialects, in order of precedence. Adding one: its file, its fixture folder, its line here. */
import { a2a } from './a2a';
import { acp } from './acp';
import { agUi } from './ag-ui';
import { aiSdkDataV4 } from './ai-sdk-data-v4';
import { aiSdkText } from './ai-sdk-text';
import { aiSdkUi } from './ai-sdk-ui';
import { aiSdkUiWebsocket } from './ai-sdk-ui-websocket';
import { anthropicMessages } from './anthropic-messages';
import { assistantStreamData } from './assistant-stream-data';
import { assistantTransport } from './assistant-transport';
import { bedrockEventstream } from './bedrock-eventstream';
import { claudeStreamJson } from './claude-stream-json';
import { cloudflareAiChat } from './cloudflare-ai-chat';
import { codexAppServer } from './codex-app-server';
import { copilotkitV2 } from './copilotkit-v2';
import { deepseekHarness } from './deepseek-harness';
import type { Dialect } from './dialect';
import { dify } from './dify';
import { flowise } from './flowise';
import { geminiGenerateContent } from './gemini-generate-content';
import { geminiInteractions } from './gemini-interactions';
import { googleAdk } from './google-adk';
import { kestrelMobile } from './kestrel-mobile';
import { kestrelRunner } from './kestrel-runner';
import { langgraph } from './langgraph';
import { langgraphThread } from './langgraph-thread';
import { mastra } from './mastra';
import { mcpStreamableHttp } from './mcp-streamable-http';
import { n8nChat } from './n8n-chat';
import { ollama } from './ollama';
import { openaiAssistants } from './openai-assistants';
import { openaiChat } from './openai-chat';
import { openaiChatkit } from './openai-chatkit';
import { openaiRealtime } from './openai-realtime';
import { openaiResponses } from './openai-responses';
import { opencode } from './opencode';
import { tanstackAi } from './tanstack-ai';

export const DIALECTS: readonly Dialect[] = [
  kestrelRunner,
  kestrelMobile,
  deepseekHarness,
  mastra,
  assistantTransport,
  aiSdkUi,
  aiSdkUiWebsocket,
  cloudflareAiChat,
  assistantStreamData,
  aiSdkDataV4,
  anthropicMessages,
  openaiChat,
  openaiResponses,
  tanstackAi,
  copilotkitV2,
  agUi,
  geminiGenerateContent,
  geminiInteractions,
  ollama,
  googleAdk,
  a2a,
  langgraph,
  langgraphThread,
  acp,
  openaiAssistants,
  openaiRealtime,
  openaiChatkit,
  codexAppServer,
  opencode,
  claudeStreamJson,
  mcpStreamableHttp,
  dify,
  bedrockEventstream,
  n8nChat,
  flowise,
  // Known by nothing on the wire: after everything else.
  aiSdkText,
];
