/**
 * How the agents of the everyday pages speak: each protocol's own frames around one plan (thought, a tool, text, an end),
 * and what befalls the connection. Facts of the wire are those of the protocols' published descriptions.
 */
import type { Scenario } from '../page';
import { piecesOf } from '../words';
import type { Ends } from './frames';
import { TONGUES } from './tongues';
import type { Script } from './words';

const PACE_MS = 45;
const LATE_MS = 2_500;
const TOOL_MS = 1_500;
/** Long enough for a person to press stop; a page that goes on reading gets the rest afterwards. */
const HOLD_MS = 6_000;

/** A frame, and how long after the one before. */
export type Step = readonly [text: string, wait: number];

export interface Body {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly ending: 'close' | 'reset' | 'open';
}

export interface Wanted {
  readonly scenario: Scenario;
  readonly script: Script;
  /** A tool of the server: before the text, after it, or none. */
  readonly tool: string;
  /** No two answers have one id. */
  readonly n: number;
}

const HALVES: readonly Scenario[] = ['severed-mid-text', 'reset-mid-text', 'failed-after-text', 'truncated'];

/** Where a text of so many pieces is cut or held. */
export const middleOf = (pieces: readonly string[]): number => Math.ceil(pieces.length * 0.55);

const endOf = (scenario: Scenario): Ends => {
  if (scenario === 'failed-after-text') return 'failed';
  if (scenario === 'truncated') return 'length';
  return scenario === 'waiting' ? 'waiting' : 'done';
};

export const bodyOf = (name: string, { scenario, script, tool, n }: Wanted): Body => {
  const tongue = TONGUES[name]!(script, n);
  const all = piecesOf(script.answer);
  const half = middleOf(all);
  const steps: Step[] = [];
  const add = (frames: readonly string[], wait = PACE_MS): void => {
    for (const frame of frames) steps.push([frame, wait]);
  };
  const body = (ending: Body['ending']): Body => ({ type: tongue.type, headers: tongue.headers ?? {}, steps, ending });

  add(tongue.begin(), 150);
  if (script.reasoning !== '') add(tongue.reason(piecesOf(script.reasoning), scenario !== 'severed-after-reasoning'));
  if (scenario === 'severed-after-reasoning') return body('close');
  const callTool = (): void => {
    add(tongue.tool!.called());
    const [first, ...rest] = tongue.tool!.answered();
    add([first!], TOOL_MS);
    add(rest);
  };
  if (tool === 'before') callTool();

  const text = scenario === 'waiting' ? piecesOf(script.lead) : HALVES.includes(scenario) ? all.slice(0, half) : all;
  const said = tongue.say(text);
  const held = scenario === 'aborted-by-person' ? said.length - (text.length - half) : -1;
  for (const [at, frame] of said.entries()) steps.push([frame, at === held ? HOLD_MS : PACE_MS]);
  if (scenario === 'severed-mid-text') return body('close');
  if (scenario === 'reset-mid-text') return body('reset');
  if (tool === 'after') {
    add(tongue.said?.() ?? []);
    callTool();
  }
  const draft = scenario === 'waiting' ? [] : (tongue.before?.() ?? []);
  add(draft);
  const [first, ...rest] = tongue.end(endOf(scenario), text.join(''));
  add([first!], scenario === 'late-settlement' ? LATE_MS : draft.length > 0 ? TOOL_MS : PACE_MS);
  add(rest, 10);
  return body(scenario === 'left-open' ? 'open' : 'close');
};
