/** How a flow of Chat Completions opens: what its chunks have, and how a call looks that failed before the first of them. */
import type { WireFrame } from '../model';
import { asObject, asObjects, asString, type Dialect, type FlowOpening, frameObject, type JsonObject } from './dialect';
import { failsAtOnce, isTalk } from './fails-at-once';

/** What a choice brings: a piece, the whole of it, or the bare text of a completion that is no chat. */
export const deltaOf = (choice: JsonObject): JsonObject | null =>
  asObject(choice.delta) ?? asObject(choice.message) ?? (typeof choice.text === 'string' ? { content: choice.text } : null);

/** All that can be in a delta, of whatever provider; anybody may have choices, and what changed in them. */
export const PIECES = [
  'role',
  'content',
  'tool_calls',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'refusal',
  'function_call',
  'audio',
  'images',
];

const hasDelta = (frame: WireFrame): boolean =>
  asObjects(frameObject(frame)?.choices).some((choice) => {
    const delta = asObject(choice.delta);
    return delta !== null && (typeof choice.finish_reason === 'string' || PIECES.some((name) => name in delta));
  });

/** Says nothing yet, of whatever dialect: no JSON, or a chunk without choices. */
const isEmpty = (frame: WireFrame): boolean => {
  const chunk = frameObject(frame);
  return chunk === null || (Array.isArray(chunk.choices) && chunk.choices.length === 0 && chunk.error === undefined);
};

const COMPLETIONS = /\/completions(?:[?#]|$)/u;

/** The call failed, and no word ever came; what a filter says of the prompt may have (Azure). */
const failed = (opening: FlowOpening): boolean => {
  const from = opening.frames.findIndex((frame) => !isEmpty(frame));
  return failsAtOnce(
    { ...opening, frames: opening.frames.slice(Math.max(0, from)) },
    ({ messages, prompt, model, stream }) =>
      (isTalk(messages) || (typeof prompt === 'string' && COMPLETIONS.test(opening.url))) &&
      typeof model === 'string' &&
      (stream === true || (opening.status ?? 0) >= 400),
    ({ type, object, error, message }, _event, whole) =>
      type !== 'error' &&
      // A string alone could be anybody's, and is Ollama's where it is all of the answer.
      (typeof error === 'string'
        ? !whole || COMPLETIONS.test(opening.url)
        : typeof (asObject(error)?.message ?? (object === 'error' ? message : null)) === 'string'),
  );
};

export const recognise: Dialect['recognise'] = (opening) => {
  const received = opening.frames.filter((frame) => frame.direction === 'received');
  if (
    received.some((frame) => {
      const { object, choices } = frameObject(frame) ?? {};
      return /^(?:chat\.completion|text_completion)/u.test(asString(object) ?? '') && Array.isArray(choices);
    })
  )
    return 'certain';
  const alike = received.filter(hasDelta).length;
  return alike >= 2 || failed(opening) ? 'certain' : alike === 1 ? 'plausible' : 'no';
};
