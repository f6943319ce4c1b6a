/**
 * The voices as the panel draws them: order of lanes, badge letters, and the key that toggles each. One list, so that
 * timeline, table, chips and shortcut sheet cannot disagree. Colour and pattern per voice are in parts/tokens.css and
 * views/timeline/hatch.ts, under the same names.
 */
import type { AgentEvent, Standing, Voice } from '../core/model';

/** A voice, or what stands for events that no dialect knows. */
export type Lane = Voice | 'unrecognised';

/** Top to bottom, and left to right in the chips: who begins, who answers, what happens beside, what ends it. */
export const LANES: readonly Lane[] = [
  'lifecycle',
  'user',
  'assistant',
  'reasoning',
  'progress',
  'tool',
  'interaction',
  'log',
  'terminal',
  'unrecognised',
];

export const LETTER: Readonly<Record<Lane, string>> = {
  lifecycle: 'L',
  user: 'U',
  assistant: 'A',
  reasoning: 'R',
  progress: 'P',
  tool: 'T',
  interaction: 'I',
  log: 'G',
  terminal: 'X',
  unrecognised: '?',
};

export const STANDINGS: readonly Standing[] = ['provisional', 'committed', 'settling'];

export const laneOf = (event: AgentEvent): Lane => event.voice ?? 'unrecognised';
