/** For tests: a run that answers in two pieces, on a page that shows them as they come; how it breaks off, and what is found then. */

import type { Finding } from '../model';
import { type Scene, scene } from './scene';

type Change = (s: Scene) => Scene;
const same: Change = (s) => s;

/** How the answer begins. */
export const start = [
  { type: 'start', messageId: 'm1' },
  { type: 'text-start', id: 't1' },
] as const;
export const delta = (text: string) => ({ type: 'text-delta', id: 't1', delta: text });

/** `cut`: where the second piece begins. `rest`, `beside`: what else stands at rest, and beside the run. */
export const answering =
  (text: string, asked: string, cut: number) =>
  (rest: Change = same, beside: Change = same): Scene =>
    beside(
      rest(scene().rest())
        .at(1000)
        .open('flow-1', { body: { messages: [{ role: 'user', content: asked }] } })
        .at(1005)
        .busy(),
    )
      .at(1100)
      .say(...start, delta(text.slice(0, cut)))
      .wait(10)
      .show('reply', text.slice(0, cut))
      .at(2000)
      .say(delta(text.slice(cut)))
      .wait(10)
      .show('reply', text);

export const broken: Change = (s) => s.at(2500).end('network-error').wait(20).idle();
export const over: Change = (s) => s.at(9000).still('reply').tick();

/** The rules that fail. */
export const failed = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);

/** What is found of a run that broke off: on a page that does not say so, and on one that does. */
export const SILENT = ['final-never-settled', 'severed-stream'];
export const HONEST = ['severed-stream'];
