/**
 * A run that fails before it said anything else. Such an error could be anybody's, so what was asked has to tell, too: a talk with a
 * model. It comes as the first word of a stream, or as a JSON answer in place of one.
 */
import type { WireFrame } from '../model';
import { asObjects, asString, type FlowOpening, frameObject, type JsonObject, requestOf } from './dialect';

/** Roles of a conversation with a model; people in a chat room have others. */
const ROLES = /^(?:system|developer|user|assistant|model|tool|function|human|ai|data)$/u;

/** A message to a model: it has a speaker, and something that it says. Mail and orders have messages, too. */
export const isMessage = (one: JsonObject): boolean =>
  ROLES.test(asString(one.role) ?? '') && ['content', 'parts', 'tool_calls', 'toolInvocations'].some((name) => name in one);
export const isTalk = (messages: unknown): boolean => asObjects(messages).some(isMessage);

/**
 * What the page says since the model spoke last. A request mostly repeats the whole conversation: what it answers is at its end,
 * and a call that was answered long ago is of another run.
 */
export const latest = (said: unknown): readonly JsonObject[] => {
  const all = asObjects(said);
  return all.slice(all.findLastIndex(({ role }) => role === 'assistant' || role === 'model') + 1);
};

/** Calls beside the talk itself, which ask the same thing and begin no run. */
const BESIDE = /count_?tokens|input_tokens|cached_?contents|embed|batch/iu;

/** Whether the first frame is such an error, and the request such a question. `whole`: it is all of the answer, and no stream. */
export const failsAtOnce = (
  opening: FlowOpening,
  asks: (request: JsonObject) => boolean,
  fails: (said: JsonObject, event: string | null, whole: boolean) => boolean,
  framing: WireFrame['framing'] = 'sse',
): boolean => {
  const [first] = opening.frames;
  const said = first === undefined ? null : frameObject(first);
  if (said === null) return false;
  const whole = first!.framing !== framing;
  // A JSON answer without its type is taken for lines.
  if (whole && ((first!.framing !== 'body' && first!.framing !== 'ndjson') || BESIDE.test(opening.url))) return false;
  const request = fails(said, first!.event, whole) ? requestOf(opening) : null;
  return request !== null && asks(request) && (!whole || (opening.status ?? 0) >= 400 || request.stream === true);
};
