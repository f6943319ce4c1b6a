/** The event types of AG-UI in both major versions, and how frames are known to be of it. */
import { asNumber, asString, type FlowOpening, frameObject, type JsonObject, requestOf } from './dialect';

/** Every event type of both major versions. */
export const AG_UI_TYPES: ReadonlySet<string> = new Set([
  'RUN_STARTED',
  'RUN_FINISHED',
  'RUN_ERROR',
  'STEP_STARTED',
  'STEP_FINISHED',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'TEXT_MESSAGE_CHUNK',
  'REASONING_START',
  'REASONING_END',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_MESSAGE_CHUNK',
  'REASONING_ENCRYPTED_VALUE',
  'THINKING_START',
  'THINKING_END',
  'THINKING_TEXT_MESSAGE_START',
  'THINKING_TEXT_MESSAGE_CONTENT',
  'THINKING_TEXT_MESSAGE_END',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_CHUNK',
  'TOOL_CALL_RESULT',
  'STATE_SNAPSHOT',
  'STATE_DELTA',
  'MESSAGES_SNAPSHOT',
  'ACTIVITY_SNAPSHOT',
  'ACTIVITY_DELTA',
  'SUBAGENT_STARTED',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
  'CUSTOM',
  'RAW',
]);

const MEMBERS = [
  'threadId',
  'messageId',
  'toolCallId',
  'subagentRunId',
  'stepName',
  'snapshot',
  'delta',
  'messages',
  'event',
  'name',
] as const;
/** Whether frames are AG-UI: the first says how it begins, or two agree where a stream is taken up in its middle. */
export const looksLikeAgUi = (opening: FlowOpening): boolean => {
  const known = opening.frames
    .map((frame) => (frame.direction === 'received' ? frameObject(frame) : null))
    .filter((event): event is JsonObject => event !== null && AG_UI_TYPES.has(asString(event.type) ?? '') && event.payload === undefined);
  const first = known[0];
  if (first === undefined) return false;
  if (first.type === 'RUN_STARTED' && asString(first.runId) !== null && asString(first.threadId) !== null) return true;
  // Alone it is known by its time, or by what every client of this protocol asks with.
  if (first.type === 'RUN_ERROR' && known.length === 1 && asString(first.message) !== null) {
    if (asNumber(first.timestamp) !== null) return true;
    const request = requestOf(opening);
    return asString(request?.threadId) !== null && asString(request?.runId) !== null && Array.isArray(request?.messages);
  }
  // Two such names are no accident, if one of them is about what this protocol is about.
  return known.length >= 2 && known.some((event) => MEMBERS.some((member) => event[member] !== undefined));
};
