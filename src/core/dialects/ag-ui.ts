/**
 * AG-UI, 0.x and 1.0, as SSE, as JSON lines and as protobuf. Spec: npm @ag-ui/core 1.0.0 and 0.0.59. Recognised by an
 * UPPER_SNAKE `type` of its list, RUN_STARTED with `threadId` and `runId` first (two agreeing frames otherwise), or by
 * `application/vnd.ag-ui.event+proto`. Terminal words: RUN_FINISHED and RUN_ERROR. What the events mean: ag-ui-events.ts.
 */
import { jsonAgUi, notAnEvent, readAgUi } from './ag-ui-events';
import { createProtoReader } from './ag-ui-proto';
import { looksLikeAgUi } from './ag-ui-types';
import { isCopilotKit } from './copilotkit-v2';
import { type Decoder, type Dialect, type FlowOpening, mediaType } from './dialect';
import { isTanStack } from './tanstack-ai';

const PROTO = 'application/vnd.ag-ui.event+proto';

const open = (opening: FlowOpening): Decoder => {
  const reader = readAgUi(opening);
  if (mediaType(opening.headers) !== PROTO) return jsonAgUi(reader);
  const proto = createProtoReader();
  return {
    frame: (frame) => proto.push(frame.data).flatMap((event) => (event === null ? [notAnEvent()] : reader.read(event, null))),
    end: reader.end,
  };
};

export const agUi: Dialect = {
  id: 'ag-ui',
  title: 'AG-UI',
  framings: ['sse', 'ndjson', 'message'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise(opening) {
    if (mediaType(opening.headers) === PROTO) return 'certain';
    if (isTanStack(opening) || isCopilotKit(opening)) return 'no';
    return looksLikeAgUi(opening) ? 'certain' : 'no';
  },
  open,
};
