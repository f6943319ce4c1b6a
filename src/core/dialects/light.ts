/**
 * A light test for each dialect: whether a flow could be its, for who does not have the dialects at hand. Same ids and same order as
 * index.ts; `on-demand.test.ts` holds both.
 *
 * A test errs on the side of yes: it asks for what `recognise` cannot do without, and for nothing more. A yes too many costs
 * loading a few kilobytes. For a no too many there is a net: where nobody's test knows a flow that tells (telltale.ts), all are
 * loaded before that is final.
 */
import type { FlowOpening } from './dialect';
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

export interface Light {
  readonly id: string;
  /** Flows of it outlive their runs (`Dialect.runs` is not `flow`): only its decoder knows when a run is over. */
  readonly outlives?: true;
  mayBe(look: Look): boolean;
  /** The flow is this producer's beyond doubt, even where the dialect takes no notice of it: nobody else has to be asked. */
  owns?(look: Look): boolean;
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

export const LIGHT: readonly Light[] = [
  {
    id: 'kestrel-runner',
    mayBe: ({ has }) => has('payload', 'type', 'id', 'ts'),
  },
  {
    id: 'kestrel-mobile',
    mayBe: ({ has }) => has('turnId', 'createdAt'),
  },
  {
    id: 'deepseek-harness',
    outlives: true,
    mayBe: ({ has, says, asked }) =>
      has('rpcId', 'payload') ||
      asked(/"rpcId"/u) ||
      (has('jsonrpc', 'params') && says(/"method"\s*:\s*"(?:session\.(?:event|status)|subagent\.(?:started|finished))"/u)),
    // Its pages make many calls that are about no session.
    owns: ({ asked }) => asked(/^\s*\{\s*"type"\s*:\s*"client-request"\s*,\s*"rpcId"\s*:/u),
  },
  {
    id: 'mastra',
    mayBe: ({ has }) => has('type', 'runId', 'from'),
  },
  {
    id: 'assistant-transport',
    mayBe: ({ has }) => has('type', 'path'),
  },
  {
    id: 'ai-sdk-ui',
    mayBe: ({ headed, says, asked, opening: { status } }) =>
      headed('x-vercel-ai-ui-message-stream') ||
      (asked(/"messages"/u) && ((asked(/"trigger"/u) && (status ?? 0) >= 400) || says(/"errorText"/u))) ||
      says(/"type"\s*:\s*"(?:start|finish|reset|steering|text|reasoning|tool|source|message)-/u),
  },
  {
    id: 'ai-sdk-ui-websocket',
    outlives: true,
    mayBe: ({ has }) => has('type', 'requestId'),
  },
  {
    id: 'cloudflare-ai-chat',
    outlives: true,
    mayBe: ({ says }) => says(/"type"\s*:\s*"cf_agent_/u),
  },
  {
    id: 'assistant-stream-data',
    mayBe: coded,
  },
  {
    id: 'ai-sdk-data-v4',
    mayBe: coded,
  },
  {
    id: 'anthropic-messages',
    mayBe: ({ says, has }) =>
      says(/"type"\s*:\s*"message_start"/u) ||
      has('stop_reason', 'content', 'usage') ||
      (says(/"type"\s*:\s*"error"/u) &&
        says(
          /"(?:(?:invalid_request|authentication|billing|permission|not_found|rate_limit|timeout|api|overloaded)_error|request_too_large)"/u,
        )),
  },
  {
    id: 'openai-chat',
    mayBe: ({ has, asked, opening: { url, frames } }) =>
      has('choices') ||
      (asked(/"(?:messages|prompt)"/u) &&
        asked(/"model"/u) &&
        (has('error', 'message') ||
          has('object', 'message') ||
          (has('error') && (url.includes('/completions') || frames.some(({ framing }) => framing === 'sse'))))),
  },
  {
    id: 'openai-responses',
    outlives: true,
    mayBe: ({ has, says, asked }) =>
      (has('sequence_number') && says(/"type"\s*:\s*"(?:response\.|error")/u)) ||
      has('object', 'output', 'status') ||
      (has('status', 'error') && says(/"type"\s*:\s*"response\.create"/u)) ||
      (asked(/"input"/u) && !has('event_type') && says(/"error"\s*:\s*\{|"type"\s*:\s*"error"/u)),
  },
  {
    id: 'tanstack-ai',
    outlives: true,
    mayBe: ({ has, says, opening }) =>
      has('tanstack') || says(/"run\.accepted"/u) || opening.frames.some(({ id }) => id !== null && /^[a-z]+:v\d+:/u.test(id)),
  },
  {
    id: 'copilotkit-v2',
    outlives: true,
    mayBe: ({ opening, says }) => /\/agent\/[^/?#]+\/(?:run|connect)/u.test(opening.url) && says(/"type"\s*:\s*"[A-Z]/u),
  },
  {
    id: 'ag-ui',
    outlives: true,
    mayBe: ({ type, says }) => type === 'application/vnd.ag-ui.event+proto' || says(/"type"\s*:\s*"[A-Z]{3}/u),
  },
  {
    id: 'gemini-generate-content',
    mayBe: ({ has, asked }) => has('candidates') || has('promptFeedback') || (has('error') && asked(/"contents"/u)),
  },
  {
    id: 'gemini-interactions',
    mayBe: ({ has }) => has('event_type'),
  },
  {
    id: 'ollama',
    mayBe: ({ has, asked }) => has('model', 'done') || (has('error') && asked(/"model"/u)),
  },
  {
    id: 'google-adk',
    mayBe: ({ has, asked }) => has('author', 'actions') || ((has('error') || has('detail')) && asked(/"new_?[mM]essage"/u)),
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
  },
  {
    id: 'langgraph',
    mayBe: ({ opening: { frames, last, headers, url }, type, named, says, asked }) =>
      frames.length === 0
        ? last && type === 'text/event-stream' && url.includes('/threads/')
        : named(/^(?:metadata|messages)(?:\||$)/u) ||
          (named(/./u) &&
            ((headers['content-location'] ?? '').includes('/threads/') || (says(/"error"\s*:\s*"/u) && asked(/"assistant_id"/u)))),
  },
  {
    id: 'langgraph-thread',
    outlives: true,
    mayBe: ({ has }) => has('seq', 'method', 'params', 'namespace'),
  },
  {
    id: 'acp',
    outlives: true,
    mayBe: ({ has, says, headed }) =>
      has('jsonrpc') &&
      (headed('acp-connection-id') ||
        (says(/"protocolVersion"\s*:\s*-?\d/u) &&
          (has('agentCapabilities') || has('authMethods') || says(/"method"\s*:\s*"initialize"/u))) ||
        (has('sessionId') && (has('sessionUpdate') || has('prompt')) && says(/"method"\s*:\s*"session\/(?:update|prompt)"/u))),
  },
  {
    id: 'openai-assistants',
    mayBe: ({ named, asked }) => named(/^thread\./u) || (named(/^error$/u) && asked(/"assistant_id"/u)),
  },
  {
    id: 'openai-realtime',
    outlives: true,
    mayBe: ({ has }) => has('event_id', 'session') || has('event_id', 'response'),
  },
  {
    id: 'openai-chatkit',
    mayBe: ({ says, asked }) =>
      says(/"type"\s*:\s*"(?:thread\.item\.(?:added|done)|stream_options)"/u) ||
      (asked(/"type"\s*:\s*"threads\./u) && says(/"type"\s*:\s*"(?:thread\.|progress_update"|error")/u)),
  },
  {
    id: 'codex-app-server',
    outlives: true,
    mayBe: ({ has, says }) => has('userAgent', 'platformFamily') || (has('params') && says(/"method"\s*:\s*"(?:turn|item|thread)\//u)),
  },
  {
    id: 'opencode',
    outlives: true,
    mayBe: ({ has, says }) => has('properties') && says(/"type"\s*:\s*"(?:server\.connected"|(?:session|message|permission|question)\.)/u),
  },
  {
    id: 'claude-stream-json',
    outlives: true,
    mayBe: ({ has }) => has('session_id', 'subtype') || has('session_id', 'uuid'),
  },
  {
    id: 'mcp-streamable-http',
    mayBe: (look) =>
      (byHttp(look) || look.opening.transport === 'eventsource') &&
      (look.headed('mcp-session-id') ||
        look.headed('mcp-protocol-version') ||
        (look.has('jsonrpc') && look.asked(/"method"\s*:\s*"(?:initialize"|(?:tools|prompts|resources)\/)/u)) ||
        look.has('protocolVersion', 'serverInfo', 'capabilities') ||
        look.says(/"method"\s*:\s*"(?:notifications\/progress|elicitation\/create)"/u)),
  },
  {
    id: 'dify',
    mayBe: ({ has, asked }) => has('event', 'task_id') || (has('event', 'code') && asked(/"response_mode"/u)),
  },
  {
    id: 'bedrock-eventstream',
    mayBe: ({ type, opening }) =>
      (type === '' || type === 'application/vnd.amazon.eventstream') && opening.frames.some(({ encoding }) => encoding === 'base64'),
  },
  {
    id: 'n8n-chat',
    mayBe: ({ has }) => has('metadata', 'nodeId', 'nodeName'),
  },
  {
    id: 'flowise',
    mayBe: ({ has, opening }) => has('event', 'data') && opening.frames.some(({ framing, event }) => framing === 'sse' && event === null),
  },
  {
    id: 'ai-sdk-text',
    mayBe: (look) =>
      byHttp(look) && look.opening.method.toUpperCase() === 'POST' && look.opening.frames.some(({ framing }) => framing === 'text'),
  },
];

/**
 * Whether the flow, a stream that tells, carries one run and ends with it, whoever may read it. Then no decoder is needed to know
 * when the run is on: it is for as long as the flow is open. The net holds here, too: by the end of its beginning somebody's
 * test must have known it.
 */
export const carriesOneRun = (opening: FlowOpening): boolean => {
  const look = lookAt(opening);
  return !LIGHT.some((one) => one.outlives === true && one.mayBe(look)) && (!opening.last || LIGHT.some((one) => one.mayBe(look)));
};
