/** The story most fixtures vary: a page with a composer and a stop button asks, and a chat stream answers. */
import { CHAT, type FlowSetup, type RegionSetup, type Scene, scene } from '../../src/core/findings/scene';

export { CHAT, SSE, scene } from '../../src/core/findings/scene';
export type { Scene } from '../../src/core/findings/scene';

export type Verdicts = Readonly<Record<'fails' | 'passes' | 'cannot-tell' | 'does-not-apply', Readonly<Record<string, Scene>>>>;
export type Stories = Readonly<Record<string, Verdicts>>;

export const QUESTION = 'Is the migration safe to run?';
export const REPLY = 'The migration is safe to run. It adds one nullable column.';
export const HALF = 'The migration is safe to run.';
export const THOUGHT = 'I should verify the migration before I say anything.';

export const ASSISTANT: RegionSetup = { path: 'main › article › p', presentedAs: 'unknown' };
export const THINKING: RegionSetup = { path: 'main › article › details › p', label: 'Thinking', presentedAs: 'reasoning' };

/** The page at rest, the question sent, the page busy, the stream open. */
export const asked = (setup: FlowSetup = {}, question = QUESTION): Scene =>
  scene()
    .rest()
    .at(1000)
    .show('you', question, { path: 'main › article.user › p', presentedAs: 'user' })
    .open('flow-1', { headers: CHAT, body: { messages: [{ role: 'user', content: question }] }, ...setup })
    .at(1010)
    .busy();

/** The same without a screen. */
export const wire = (setup: FlowSetup = {}): Scene => scene().at(1000).open('flow-1', setup);

export const start = { type: 'start', messageId: 'm1' };
export const startStep = { type: 'start-step' };
export const finishStep = { type: 'finish-step' };
export const textStart = { type: 'text-start', id: 't1' };
export const text = (delta: string, id = 't1') => ({ type: 'text-delta', id, delta });
export const textEnd = { type: 'text-end', id: 't1' };
export const reasoningStart = { type: 'reasoning-start', id: 'r1' };
export const reasoning = (delta: string) => ({ type: 'reasoning-delta', id: 'r1', delta });
export const reasoningEnd = { type: 'reasoning-end', id: 'r1' };
export const finish = (finishReason?: string) => ({ type: 'finish', ...(finishReason === undefined ? {} : { finishReason }) });

/** Opens the text part and says this much; the region `reply` shows it a moment later. */
export const replying = (s: Scene, words = HALF, setup: RegionSetup = ASSISTANT): Scene =>
  s.at(1100).say(start, startStep, textStart, text(words)).wait(20).show('reply', words, setup);

/** The rest of the answer, settled as a normal finish. */
export const finishing = (s: Scene, reason = 'stop'): Scene => s.say(textEnd, finishStep, finish(reason), '[DONE]').end('eof');
