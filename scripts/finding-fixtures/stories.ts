/** The story most fixtures vary: a page with a composer and a stop button asks, and a chat stream answers. */
import { CHAT, type FlowSetup, type RegionSetup, type Scene, SSE, scene } from '../../src/core/scenes/scene';

export type { Scene } from '../../src/core/scenes/scene';
export { CHAT, SSE, scene } from '../../src/core/scenes/scene';

export type Verdicts = Readonly<Record<'fails' | 'passes' | 'cannot-tell' | 'does-not-apply', Readonly<Record<string, Scene>>>>;
export type Stories = Readonly<Record<string, Verdicts>>;

export const QUESTION = 'Is the migration safe to run?';
export const REPLY = 'The migration is safe to run. It adds one nullable column.';
export const HALF = 'The migration is safe to run.';
export const THOUGHT = 'I should verify the migration before I say anything.';
/** An answer beside which a thought is short, and that has words in common with it. */
export const LONG =
  'I should say first that the migration is safe: it adds one column that may be empty, takes no lock that readers would notice, and can be taken back with the second script in the folder. Run it when the nightly copy is done, and watch the replica for a minute.';

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

/** One chunk of a chat completion. */
export const content = (delta: string | null, role?: string, finishReason: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      delta: { ...(role === undefined ? {} : { role }), ...(delta === null ? {} : { content: delta }) },
      finish_reason: finishReason,
    },
  ],
});

/** A page at rest whose conversation asks with `say`, and the question that comes on the stream. */
export const REFUND = 'Refund order 77?';
/** An interrupt that carries its question, after these words. */
export const interrupting = (s: Scene, words = 'I can refund it.'): Scene =>
  s
    .at(1100)
    .say(
      { type: 'RUN_STARTED', threadId: 'th1', runId: 'run1' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: words },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
    )
    .wait(20)
    .show('reply', words)
    .at(1300)
    .say({
      type: 'RUN_FINISHED',
      threadId: 'th1',
      runId: 'run1',
      outcome: { type: 'interrupt', interrupts: [{ id: 'int-1', reason: 'tool_call', message: REFUND }] },
    });
export const AGUI: FlowSetup = { headers: SSE, url: 'https://app.example/agui' };

/** A draft streamed, another text committed. */
export const DRAFT = 'I think there are two invoices overdue.';
export const FINAL = 'There are three overdue invoices in total.';
const kestrel = (n: number, type: string, payload: unknown): string =>
  `event: ${type}\ndata: ${JSON.stringify({ id: `evt-${n}`, type, ts: `2026-01-01T00:00:0${n}.000Z`, runId: 'run-1', sessionId: 'ses-1', payload })}\n\n`;
const update = (n: number, more: unknown) => ({
  update: { version: 'v1', runId: 'run-1', sessionId: 'ses-1', ts: `2026-01-01T00:00:0${n}.000Z`, seq: n, ...(more as object) },
});
export const drafting = (s: Scene): Scene =>
  s
    .at(1100)
    .raw(kestrel(1, 'run.started', { sessionId: 'ses-1', eventType: 'user.message' }))
    .raw(kestrel(2, 'run.tool.started', update(2, { toolCallId: 'tool:1', toolName: 'FinalizeAnswer', input: { message: DRAFT } })));
export const committing = (s: Scene): Scene =>
  s.at(1400).raw(
    kestrel(3, 'run.completed', {
      result: {
        output: { status: 'COMPLETED', runId: 'run-1', sessionId: 'ses-1' },
        assistantText: FINAL,
      },
    }),
  );
/** A line of progress, as its producer says it. */
export const announcing = (s: Scene): Scene =>
  s
    .at(1100)
    .raw(kestrel(1, 'run.started', { sessionId: 'ses-1', eventType: 'user.message' }))
    .raw(kestrel(2, 'run.agent_progress', update(2, { message: ANNOUNCED })));
export const ANNOUNCED = 'Looking through the ledger of this quarter.';
export const drafted = (s: Scene): Scene => committing(drafting(s).wait(20).show('reply', DRAFT));
