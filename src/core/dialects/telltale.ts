/**
 * What tells, without any dialect, that a flow could be an agent's: for those who must decide cheaply whether decoding it is
 * worth the while. Knows the members that the recognisers of the dialects ask for and nothing of their meaning. Errs on the
 * side of yes: a yes costs loading the decoders, a no hides a run. `telltale.test.ts` holds it to every recording there is.
 */
import type { Transport, WireFrame } from '../model';
import { mediaType } from './dialect';

/** What is known of a flow when one of its first data frames has come. */
export interface Subject {
  readonly transport: Transport;
  readonly method: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The frame; null: the flow ended without any. */
  readonly frame: Pick<WireFrame, 'framing' | 'encoding' | 'data'> | null;
}

/**
 * Members that stand together in one message of some dialect, before its run begins or in its first word. Streams by their
 * framing need none of this: there are few of them that are not agents'.
 */
const TOGETHER: readonly (readonly string[])[] = [
  ['jsonrpc', 'sessionId'],
  ['jsonrpc', 'parentSessionId'],
  ['jsonrpc', 'protocolVersion'],
  ['jsonrpc', 'progressToken'],
  ['jsonrpc', 'requestedSchema'],
  ['method', 'params', 'threadId'],
  ['method', 'params', 'approvalPolicy'],
  ['method', 'params', 'sandbox'],
  ['method', 'params', 'cwd'],
  ['method', 'params', 'modelProvider'],
  ['method', 'params', 'ephemeral'],
  ['method', 'params', 'namespace'],
  ['result', 'userAgent', 'platformFamily'],
  ['rpcId'],
  ['choices', 'object'],
  ['choices', 'delta'],
  ['output', 'object'],
  ['stop_reason', 'content', 'role'],
  ['sequence_number', 'type'],
  ['event_id', 'session'],
  ['event_id', 'response'],
  ['candidates', 'content'],
  ['candidates', 'finishReason'],
  ['promptFeedback'],
  ['requestId', 'chunk'],
  ['requestId', 'messages'],
  ['session_id', 'uuid', 'type'],
  ['session_id', 'subtype'],
  ['contextId', 'status'],
  ['statusUpdate'],
  ['artifactUpdate'],
  ['taskId', 'kind'],
  ['taskId', 'artifact'],
  ['messageId', 'parts'],
  ['invocationId', 'author'],
  ['invocation_id', 'author'],
  ['event', 'task_id'],
  ['nodeId', 'nodeName'],
  ['model', 'done'],
  ['payload', 'ts', 'type'],
  ['meta', 'applied_through_seq'],
];
/** Types that say by themselves whose message it is. */
const TYPES =
  /"type"\s*:\s*"(?:cf_agent_|message_start"|resume"|server\.connected"|(?:session|message|permission|question|response)\.|(?:RUN|STEP|TEXT_MESSAGE|REASONING|THINKING|TOOL_CALL|STATE|MESSAGES|ACTIVITY)_)/u;
/** And calls. */
const METHODS =
  /"method"\s*:\s*"(?:initialize"|(?:message|tasks|tools|prompts|resources|session|notifications|elicitation|turn|thread|item)\/|(?:Send|SendStreaming)Message"|(?:Get|Cancel|SubscribeTo)Task")/u;

const WORDS = new RegExp(`"(${[...new Set(TOGETHER.flat())].join('|')})"\\s*:`, 'gu');

/** Whether a message has members that some dialect asks for together. */
const tells = (text: string): boolean => {
  if (!text.includes('{')) return false;
  const found = new Set<string>();
  for (const [, word] of text.matchAll(WORDS)) found.add(word!);
  return (found.size > 0 && TOGETHER.some((row) => row.every((word) => found.has(word)))) || TYPES.test(text) || METHODS.test(text);
};

/** A talk with a model, whose answer may be an error. */
const TALK = /"(?:messages|contents|input|new_?[mM]essage)"\s*:[\s\S]*"(?:role|parts)"\s*:|"(?:input|prompt)"\s*:\s*"/u;

/** Headers that only agents' servers and clients send. */
const HEADERS = /^(?:x-vercel-ai-|x-kestrel-|x-workflow-|x-dify-|a2a-|acp-|mcp-)/u;
const headed = (headers: Readonly<Record<string, string>>): boolean => Object.keys(headers).some((name) => HEADERS.test(name));

/** Whether some dialect could recognise the flow by this frame, or by it and those before. */
export const mayBeAgent = ({ transport, method, requestHeaders, requestBody, headers, frame }: Subject): boolean => {
  const about = (): boolean => headed(headers) || headed(requestHeaders) || (requestBody !== null && tells(requestBody));
  if (frame === null) return mediaType(headers) === 'text/event-stream' || about();
  if (frame.encoding === 'base64') return true;
  switch (frame.framing) {
    case 'sse':
    case 'ndjson':
      // What carries neither JSON nor coded lines is a clock, a log, a heartbeat.
      return /[{[":]/u.test(frame.data) || headed(headers);
    case 'text':
      return (transport === 'fetch' || transport === 'xhr') && method.toUpperCase() !== 'GET';
    case 'body':
      return (
        tells(frame.data) ||
        about() ||
        (/"(?:error|message|detail)"\s*:/u.test(frame.data) && requestBody !== null && TALK.test(requestBody))
      );
    case 'message':
      return tells(frame.data);
  }
};
