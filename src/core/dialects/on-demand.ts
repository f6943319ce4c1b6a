/**
 * The dialects as something to be fetched one by one, for who must not carry them all: each with a light test that says
 * whether a flow could be its, and the way to load it. Same ids and same order as index.ts; `on-demand.test.ts` holds both.
 *
 * A test errs on the side of yes: it asks for what `recognise` cannot do without, and for nothing more. A yes too many costs
 * loading a few kilobytes. For a no too many there is a net: where nothing that is here knows a flow that tells
 * (telltale.ts), the others are loaded before that is final.
 */
import type { Dialect, FlowOpening } from './dialect';
import { mediaType } from './dialect';

/** A flow as the light tests see it. */
export interface Look {
  readonly opening: FlowOpening;
  readonly type: string;
  /** Some frame has all these members, at whatever depth. */
  has(...members: readonly string[]): boolean;
  /** The data of some frame. */
  says(pattern: RegExp): boolean;
  /** The event name of some frame. */
  named(pattern: RegExp): boolean;
  asked(pattern: RegExp): boolean;
  /** Among the headers of request and answer. */
  headed(name: string): boolean;
}

export interface OnDemand {
  readonly id: string;
  mayBe(look: Look): boolean;
  /** The flow is this producer's beyond doubt, even where the dialect takes no notice of it: nobody else has to be asked. */
  owns?(look: Look): boolean;
  load(): Promise<Dialect>;
}

export const lookAt = (opening: FlowOpening): Look => {
  const { frames, headers, requestHeaders, requestBody } = opening;
  return {
    opening,
    type: mediaType(headers),
    has: (...members) => {
      const words = members.map((name) => `"${name}"`);
      return frames.some(({ data }) => words.every((word) => data.includes(word)));
    },
    says: (pattern) => frames.some(({ data }) => pattern.test(data)),
    named: (pattern) => frames.some(({ event }) => event !== null && pattern.test(event)),
    asked: (pattern) => requestBody !== null && pattern.test(requestBody),
    headed: (name) => name in headers || name in requestHeaders,
  };
};

/** Lines that begin with a code: AI SDK 4, and assistant-ui's own form of it. */
const coded = ({ headed, says }: Look): boolean => headed('x-vercel-ai-data-stream') || says(/^(?:aui-[a-z-]+|[0-9a-z]):/u);
const byHttp = ({ opening: { transport } }: Look): boolean => transport === 'fetch' || transport === 'xhr';

export const ON_DEMAND: readonly OnDemand[] = [
  {
    id: 'kestrel-runner',
    mayBe: ({ has }) => has('payload', 'type', 'id', 'ts'),
    load: async () => (await import('./kestrel-runner')).kestrelRunner,
  },
  {
    id: 'kestrel-mobile',
    mayBe: ({ has }) => has('turnId', 'createdAt'),
    load: async () => (await import('./kestrel-mobile')).kestrelMobile,
  },
  {
    id: 'deepseek-harness',
    mayBe: ({ has, says, asked }) =>
      has('rpcId', 'payload') ||
      asked(/"rpcId"/u) ||
      (has('jsonrpc', 'params') && says(/"method"\s*:\s*"(?:session\.(?:event|status)|subagent\.(?:started|finished))"/u)),
    // Its pages make many calls that are about no session.
    owns: ({ asked }) => asked(/^\s*\{\s*"type"\s*:\s*"client-request"\s*,\s*"rpcId"\s*:/u),
    load: async () => (await import('./deepseek-harness')).deepseekHarness,
  },
  {
    id: 'mastra',
    mayBe: ({ has }) => has('type', 'runId', 'from'),
    load: async () => (await import('./mastra')).mastra,
  },
  {
    id: 'assistant-transport',
    mayBe: ({ has }) => has('type', 'path'),
    load: async () => (await import('./assistant-transport')).assistantTransport,
  },
  {
    id: 'ai-sdk-ui',
    mayBe: ({ headed, says }) =>
      headed('x-vercel-ai-ui-message-stream') || says(/"type"\s*:\s*"(?:start|finish|reset|steering|text|reasoning|tool|source|message)-/u),
    load: async () => (await import('./ai-sdk-ui')).aiSdkUi,
  },
  {
    id: 'ai-sdk-ui-websocket',
    mayBe: ({ has }) => has('type', 'requestId'),
    load: async () => (await import('./ai-sdk-ui-websocket')).aiSdkUiWebsocket,
  },
  {
    id: 'cloudflare-ai-chat',
    mayBe: ({ says }) => says(/"type"\s*:\s*"cf_agent_/u),
    load: async () => (await import('./cloudflare-ai-chat')).cloudflareAiChat,
  },
  {
    id: 'assistant-stream-data',
    mayBe: coded,
    load: async () => (await import('./assistant-stream-data')).assistantStreamData,
  },
  {
    id: 'ai-sdk-data-v4',
    mayBe: coded,
    load: async () => (await import('./ai-sdk-data-v4')).aiSdkDataV4,
  },
  {
    id: 'anthropic-messages',
    mayBe: ({ says, named }) => says(/"type"\s*:\s*"message_start"/u) || (named(/^error$/u) && says(/"type"\s*:\s*"error"/u)),
    load: async () => (await import('./anthropic-messages')).anthropicMessages,
  },
  {
    id: 'openai-chat',
    mayBe: ({ has }) => has('choices'),
    load: async () => (await import('./openai-chat')).openaiChat,
  },
  {
    id: 'openai-responses',
    mayBe: ({ has, says }) => (has('sequence_number') && says(/"type"\s*:\s*"response\./u)) || has('object', 'output', 'status'),
    load: async () => (await import('./openai-responses')).openaiResponses,
  },
  {
    id: 'tanstack-ai',
    mayBe: ({ has, says, opening }) =>
      has('tanstack') || says(/"run\.accepted"/u) || opening.frames.some(({ id }) => id !== null && /^[a-z]+:v\d+:/u.test(id)),
    load: async () => (await import('./tanstack-ai')).tanstackAi,
  },
  {
    id: 'copilotkit-v2',
    mayBe: ({ opening, says }) => /\/agent\/[^/?#]+\/(?:run|connect)/u.test(opening.url) && says(/"type"\s*:\s*"[A-Z]/u),
    load: async () => (await import('./copilotkit-v2')).copilotkitV2,
  },
  {
    id: 'ag-ui',
    mayBe: ({ type, says }) => type === 'application/vnd.ag-ui.event+proto' || says(/"type"\s*:\s*"[A-Z]{3}/u),
    load: async () => (await import('./ag-ui')).agUi,
  },
  {
    id: 'gemini-generate-content',
    mayBe: ({ has }) => has('candidates') || has('promptFeedback'),
    load: async () => (await import('./gemini-generate-content')).geminiGenerateContent,
  },
  {
    id: 'gemini-interactions',
    mayBe: ({ has }) => has('event_type'),
    load: async () => (await import('./gemini-interactions')).geminiInteractions,
  },
  {
    id: 'ollama',
    mayBe: ({ has }) => has('model', 'done'),
    load: async () => (await import('./ollama')).ollama,
  },
  {
    id: 'google-adk',
    mayBe: ({ has }) => has('author', 'actions'),
    load: async () => (await import('./google-adk')).googleAdk,
  },
  {
    id: 'a2a',
    mayBe: ({ has, asked }) =>
      has('contextId', 'status') ||
      has('messageId', 'parts', 'role') ||
      has('taskId', 'status') ||
      has('taskId', 'artifact') ||
      (has('jsonrpc', 'error') &&
        asked(/"method"\s*:\s*"(?:message\/|tasks\/|Send(?:Streaming)?Message"|(?:Get|Cancel|SubscribeTo)Task")/u)),
    load: async () => (await import('./a2a')).a2a,
  },
  {
    id: 'langgraph',
    mayBe: ({ opening: { frames, last, headers, url }, type, named }) =>
      frames.length === 0
        ? last && type === 'text/event-stream' && url.includes('/threads/')
        : named(/^(?:metadata|messages)(?:\||$)/u) || (named(/./u) && (headers['content-location'] ?? '').includes('/threads/')),
    load: async () => (await import('./langgraph')).langgraph,
  },
  {
    id: 'langgraph-thread',
    mayBe: ({ has }) => has('seq', 'method', 'params', 'namespace'),
    load: async () => (await import('./langgraph-thread')).langgraphThread,
  },
  {
    id: 'acp',
    mayBe: ({ has, says, headed }) =>
      has('jsonrpc') &&
      (headed('acp-connection-id') ||
        (says(/"protocolVersion"\s*:\s*-?\d/u) &&
          (has('agentCapabilities') || has('authMethods') || says(/"method"\s*:\s*"initialize"/u))) ||
        (has('sessionId') && (has('sessionUpdate') || has('prompt')) && says(/"method"\s*:\s*"session\/(?:update|prompt)"/u))),
    load: async () => (await import('./acp')).acp,
  },
  {
    id: 'openai-assistants',
    mayBe: ({ named }) => named(/^thread\./u),
    load: async () => (await import('./openai-assistants')).openaiAssistants,
  },
  {
    id: 'openai-realtime',
    mayBe: ({ has }) => has('event_id', 'session') || has('event_id', 'response'),
    load: async () => (await import('./openai-realtime')).openaiRealtime,
  },
  {
    id: 'openai-chatkit',
    mayBe: ({ says, asked }) =>
      says(/"type"\s*:\s*"(?:thread\.item\.(?:added|done)|stream_options)"/u) ||
      (asked(/"type"\s*:\s*"threads\./u) && says(/"type"\s*:\s*"(?:thread\.|progress_update"|error")/u)),
    load: async () => (await import('./openai-chatkit')).openaiChatkit,
  },
  {
    id: 'codex-app-server',
    mayBe: ({ has, says }) => has('userAgent', 'platformFamily') || (has('params') && says(/"method"\s*:\s*"(?:turn|item|thread)\//u)),
    load: async () => (await import('./codex-app-server')).codexAppServer,
  },
  {
    id: 'opencode',
    mayBe: ({ has, says }) => has('properties') && says(/"type"\s*:\s*"(?:server\.connected"|(?:session|message|permission|question)\.)/u),
    load: async () => (await import('./opencode')).opencode,
  },
  {
    id: 'claude-stream-json',
    mayBe: ({ has }) => has('session_id', 'subtype') || has('session_id', 'uuid'),
    load: async () => (await import('./claude-stream-json')).claudeStreamJson,
  },
  {
    id: 'mcp-streamable-http',
    mayBe: (look) =>
      (byHttp(look) || look.opening.transport === 'eventsource') &&
      (look.headed('mcp-session-id') ||
        look.headed('mcp-protocol-version') ||
        (look.has('jsonrpc') && look.asked(/"jsonrpc"/u) && (look.opening.requestHeaders.accept ?? '').includes('text/event-stream')) ||
        look.has('protocolVersion', 'serverInfo', 'capabilities') ||
        look.says(/"method"\s*:\s*"(?:notifications\/progress|elicitation\/create)"/u)),
    load: async () => (await import('./mcp-streamable-http')).mcpStreamableHttp,
  },
  {
    id: 'dify',
    mayBe: ({ has }) => has('event', 'task_id'),
    load: async () => (await import('./dify')).dify,
  },
  {
    id: 'bedrock-eventstream',
    mayBe: ({ type, opening }) =>
      (type === '' || type === 'application/vnd.amazon.eventstream') && opening.frames.some(({ encoding }) => encoding === 'base64'),
    load: async () => (await import('./bedrock-eventstream')).bedrockEventstream,
  },
  {
    id: 'n8n-chat',
    mayBe: ({ has }) => has('metadata', 'nodeId', 'nodeName'),
    load: async () => (await import('./n8n-chat')).n8nChat,
  },
  {
    id: 'flowise',
    mayBe: ({ has, opening }) => has('event', 'data') && opening.frames.some(({ framing, event }) => framing === 'sse' && event === null),
    load: async () => (await import('./flowise')).flowise,
  },
  {
    id: 'ai-sdk-text',
    mayBe: (look) =>
      byHttp(look) && look.opening.method.toUpperCase() === 'POST' && look.opening.frames.some(({ framing }) => framing === 'text'),
    load: async () => (await import('./ai-sdk-text')).aiSdkText,
  },
];
