/**
 * A run that fails before it said anything else. Such an error could be anybody's, so what was asked has to tell, too. Only of
 * answers that stream: an error that is the whole body of a response is HTTP's.
 */
import type { WireFrame } from '../model';
import { asObjects, asString, type FlowOpening, frameObject, type JsonObject, requestOf } from './dialect';

/** Messages to a model: each has a speaker. Mail and orders have messages, too. */
export const isTalk = (messages: unknown): boolean => asObjects(messages).some(({ role }) => asString(role) !== null);

/** Whether the first frame is such an error, and the request such a question. */
export const failsAtOnce = (
  opening: FlowOpening,
  asks: (request: JsonObject) => boolean,
  fails: (said: JsonObject, event: string | null) => boolean,
  framing: WireFrame['framing'] = 'sse',
): boolean => {
  const first = opening.frames[0];
  const said = first?.framing === framing ? frameObject(first) : null;
  const request = said !== null && fails(said, first!.event) ? requestOf(opening) : null;
  return request !== null && asks(request);
};
