/**
 * CopilotKit v2: AG-UI events from `{base}/agent/{id}/run`, and from `/connect`, which replays past runs, compacted, and
 * then goes on live. Spec: npm @copilotkit/runtime 1.75.0. The frames are AG-UI's own, so the path tells them apart. A
 * replay has no event ids: a run that the page has seen is started over. What the events mean: ag-ui-events.ts.
 */
import { jsonAgUi, readAgUi } from './ag-ui-events';
import { looksLikeAgUi } from './ag-ui-types';
import type { Dialect, FlowOpening } from './dialect';

const ROUTE = /\/agent\/[^/?#]+\/(?:run|connect)(?:[?#]|$)/u;

export const isCopilotKit = (opening: FlowOpening): boolean => ROUTE.test(opening.url) && looksLikeAgUi(opening);

export const copilotkitV2: Dialect = {
  id: 'copilotkit-v2',
  title: 'CopilotKit v2',
  framings: ['sse'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise: (opening) => (isCopilotKit(opening) ? 'certain' : 'no'),
  open: (opening) => jsonAgUi(readAgUi(opening)),
};
