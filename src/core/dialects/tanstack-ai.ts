/**
 * TanStack AI: AG-UI events over SSE or JSON lines, with its own CUSTOM events, finish reasons under
 * `metadata.tanstack`, and, with durability on, frames that carry `id: memory:v1:<run>:<n>` and can be taken up after any
 * of them. Spec: npm @tanstack/ai 0.58.0. Recognised by those marks. What the events mean: ag-ui-events.ts.
 */
import { jsonAgUi, readAgUi } from './ag-ui-events';
import { looksLikeAgUi } from './ag-ui-types';
import { asObject, asString, type Decoder, type Dialect, type FlowOpening, frameObject } from './dialect';

const CURSOR = /^[a-z]+:v\d+:(.+):\d+$/u;

const marked = (opening: FlowOpening): boolean =>
  opening.frames.some((frame) => {
    if (frame.id !== null && CURSOR.test(frame.id)) return true;
    const event = frameObject(frame);
    if (event === null) return false;
    return (event.type === 'CUSTOM' && event.name === 'run.accepted') || asObject(asObject(event.metadata)?.tanstack) !== null;
  });

export const isTanStack = (opening: FlowOpening): boolean =>
  marked(opening) && (looksLikeAgUi(opening) || opening.frames.some((frame) => asString(frameObject(frame)?.name) === 'run.accepted'));

const open = (opening: FlowOpening): Decoder => {
  const cursor = opening.frames.map((frame) => (frame.id === null ? null : CURSOR.exec(frame.id)?.[1])).find((run) => run != null) ?? null;
  return jsonAgUi(readAgUi(opening, cursor), (frame) => (frame.id !== null && CURSOR.test(frame.id) ? frame.id : null));
};

export const tanstackAi: Dialect = {
  id: 'tanstack-ai',
  title: 'TanStack AI',
  framings: ['sse', 'ndjson'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise: (opening) => (isTanStack(opening) ? 'certain' : 'no'),
  open,
};
