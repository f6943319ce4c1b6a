/** Fixtures of the rules that need only the stream. */
import { readFileSync } from 'node:fs';
import { createReader } from '../../src/core/capture/capture';
import { Scene, type SceneEntry } from '../../src/core/scenes/scene';
import {
  content,
  finish,
  finishing,
  finishStep,
  HALF,
  REPLY,
  reasoning,
  reasoningEnd,
  reasoningStart,
  SSE,
  type Stories,
  start,
  startStep,
  text,
  textEnd,
  textStart,
  wire,
} from './stories';

const REST = REPLY.slice(HALF.length);
const stopped = [textEnd, finishStep, finish('stop'), '[DONE]'] as const;
const chat = () => wire().at(1100).say(start, startStep, textStart, text(HALF));
const completions = () => wire({ headers: SSE, url: 'https://app.example/v1/chat/completions' }).at(1100);
const answers = () => wire({ headers: SSE, url: 'https://app.example/v1/responses' }).at(1100);
const WORDS = REPLY.split(/(?<= )/u);

/** A recording read as the command line reads it, as a scene that can go on. */
const recorded = (file: string, change: (entry: SceneEntry) => readonly SceneEntry[] = (entry) => [entry]): Scene => {
  const found = new Scene();
  const reader = createReader({
    document: () => undefined,
    entries: (entries) => {
      for (const entry of entries) for (const changed of change(entry)) found.entries.push({ ...changed, seq: found.entries.length });
    },
  });
  reader.push(readFileSync(new URL(`../../src/core/dialects/${file}`, import.meta.url)));
  reader.end();
  return found;
};
const ENDING = 'deepseek-harness.fixtures/malformed-ending.jsonl';
const isEnding = (entry: SceneEntry): boolean => entry.type === 'flow.chunk' && entry.text.includes('turn/end');

/** The events of one response, numbered as its protocol numbers them. */
const response = (...events: readonly (readonly [string, unknown])[]): string[] =>
  events.map(([type, more], i) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: i, ...(more as object) })}\n\n`);
const item = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const message = (words: string) => ({
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: words }],
});
const responding = (streamed: readonly string[], committed: string): string[] =>
  response(
    ['response.created', { response: { id: 'resp_1', object: 'response', status: 'in_progress' } }],
    ['response.output_item.added', { output_index: 0, item: { ...message(''), status: 'in_progress', content: [] } }],
    ['response.content_part.added', { ...item, part: { type: 'output_text', text: '' } }],
    ...streamed.map((delta) => ['response.output_text.delta', { ...item, delta }] as const),
    ['response.output_text.done', { ...item, text: committed }],
    ['response.output_item.done', { output_index: 0, item: message(committed) }],
    ['response.completed', { response: { id: 'resp_1', object: 'response', status: 'completed', output: [message(committed)] } }],
  );
/** The same with one word that commits. */
const committedOnce = (streamed: readonly string[], committed: string): string[] =>
  responding(streamed, committed).filter((event) => !/^event: response\.(output_text\.done|completed)/u.test(event));
const raws = (s: Scene, chunks: readonly string[]): Scene => chunks.reduce((scene, chunk) => scene.raw(chunk), s);

export const WIRE: Stories = {
  'event-after-settle': {
    fails: {
      'delta-after-the-end': completions()
        .say(content(HALF, 'assistant'), content(null, undefined, 'stop'))
        .wait(20)
        .say(content(REST))
        .say('[DONE]')
        .end(),
    },
    passes: {
      'nothing-after': finishing(chat()),
      'sentinel-after': completions()
        .say(content(HALF, 'assistant'), content(null, undefined, 'stop'), '[DONE]')
        .end(),
    },
    'cannot-tell': {
      'records-missing': completions()
        .say(content(HALF, 'assistant'), content(null, undefined, 'stop'))
        .gap('over-budget')
        .wait(20)
        .say(content(REST))
        .say('[DONE]')
        .end(),
    },
    'does-not-apply': {
      open: chat(),
      'guard-03-a-step-ended': chat().say(textEnd, finishStep, startStep, { type: 'text-start', id: 't2' }, text('More.', 't2')),
    },
  },
  'terminal-conflict': {
    fails: {
      'failed-then-finished': chat()
        .say({ type: 'error', errorText: 'The model is overloaded' })
        .wait(20)
        .say(finishStep, finish('stop'), '[DONE]')
        .end(),
    },
    passes: {
      'said-once': finishing(chat()),
      'guard-03-failed-and-a-polite-end': chat()
        .say({ type: 'error', errorText: 'The model is overloaded' }, finishStep, finish('error'), '[DONE]')
        .end(),
    },
    'cannot-tell': {
      'cancelled-then-failed': chat().say({ type: 'abort', reason: 'user' }).wait(20).say({ type: 'error', errorText: 'aborted' }).end(),
    },
    'does-not-apply': { 'nothing-said': chat().at(1500).end('eof') },
  },
  'commit-differs': {
    fails: {
      'other-words': raws(answers(), committedOnce(['There are two ', 'overdue invoices.'], 'There are three overdue invoices.')).end(),
    },
    passes: {
      'the-same': raws(answers(), responding(['There are three ', 'overdue invoices.'], 'There are three overdue invoices.')).end(),
      'guard-10-only-white-space': raws(
        answers(),
        responding(['There are three ', 'overdue invoices.\n'], 'There are three overdue invoices.'),
      ).end(),
    },
    'cannot-tell': {
      'guard-10-joined-in-the-middle': raws(answers(), responding(['three overdue invoices.'], 'There are three overdue invoices.')).end(),
    },
    'does-not-apply': { 'nothing-committed': chat() },
  },
  'settled-empty-answer': {
    fails: {
      'not-one-word': wire().at(1100).say(start, startStep, finishStep, finish('stop'), '[DONE]').end(),
      'reasoning-only': wire()
        .at(1100)
        .say(start, startStep, reasoningStart, reasoning('Nothing to add.'), reasoningEnd, finishStep, finish('stop'))
        .end(),
    },
    passes: {
      'an-answer': finishing(chat()),
      'a-call-instead': wire()
        .at(1100)
        .say(
          start,
          startStep,
          { type: 'tool-input-available', toolCallId: 'c1', toolName: 'lookup', input: {} },
          { type: 'tool-output-available', toolCallId: 'c1', output: 1 },
          finishStep,
          finish('stop'),
        )
        .end(),
    },
    'cannot-tell': {
      'records-missing': wire().at(1050).gap('over-budget').at(1100).say(start, startStep, finishStep, finish('stop'), '[DONE]').end(),
      'unknown-events': wire()
        .at(1100)
        .say(start, startStep, { type: 'picture-available', url: 'x' }, finishStep, finish('stop'), '[DONE]')
        .end(),
    },
    'does-not-apply': {
      'guard-08-cut-off-politely': wire().at(1100).say(start, startStep, finishStep, finish('other'), '[DONE]').end(),
      open: chat(),
    },
  },
  'settled-without-reason': {
    fails: {
      'guard-04-is-what-this-reports-sentinel-only': completions().say(content('', 'assistant'), content(HALF), '[DONE]').end('eof'),
    },
    passes: {
      'with-a-reason': completions()
        .say(content(HALF, 'assistant'), content(null, undefined, 'stop'), '[DONE]')
        .end(),
      'finish-without-one-is-allowed': chat().say(textEnd, finishStep, finish()).end(),
    },
    'cannot-tell': {
      'records-missing': completions().say(content('', 'assistant'), content(HALF)).gap('over-budget').say('[DONE]').end('eof'),
    },
    'does-not-apply': {
      'guard-03-no-terminal-word': wire({ headers: { 'content-type': 'text/plain; charset=utf-8' } })
        .at(1100)
        .raw('The backup ran ')
        .wait(50)
        .raw('at two.')
        .at(1500)
        .end('eof'),
      severed: chat().at(1500).end('eof'),
    },
  },
  'state-disagree': {
    fails: {
      'event-line-and-body': wire({ headers: SSE, url: 'https://app.example/commands/stream' })
        .at(1100)
        .raw(envelope(1, 'run.started', 'run.started', { sessionId: 'ses-1', eventType: 'user.message' }))
        .raw(envelope(2, 'run.console', 'run.progress', progress(2))),
    },
    passes: {
      agree: wire({ headers: SSE, url: 'https://app.example/commands/stream' })
        .at(1100)
        .raw(envelope(1, 'run.started', 'run.started', { sessionId: 'ses-1', eventType: 'user.message' }))
        .raw(envelope(2, 'run.progress', 'run.progress', progress(2))),
    },
    'cannot-tell': {
      'records-missing': wire({ headers: SSE, url: 'https://app.example/commands/stream' })
        .at(1100)
        .raw(envelope(1, 'run.started', 'run.started', { sessionId: 'ses-1', eventType: 'user.message' }))
        .gap('over-budget')
        .raw(envelope(2, 'run.console', 'run.progress', progress(2))),
    },
    'does-not-apply': {
      'no-run': wire({ headers: { 'content-type': 'application/json' }, url: 'https://app.example/settings' })
        .at(1100)
        .raw('{"theme":"dark"}')
        .end(),
    },
  },
  'malformed-ending': {
    fails: { 'kind-is-a-number': recorded(ENDING) },
    passes: {
      'kind-is-a-word': recorded(ENDING, (entry) =>
        entry.type === 'flow.chunk' && isEnding(entry)
          ? [{ ...entry, text: entry.text.replace(/"kind":\s*7|\\"kind\\":\s*7/u, '"kind":"completed"') }]
          : [entry],
      ),
    },
    'cannot-tell': {
      'records-missing': recorded(ENDING, (entry) =>
        isEnding(entry) && 'flow' in entry
          ? [{ type: 'gap', seq: 0, at: entry.at, flow: entry.flow, reason: 'over-budget', lost: 2 }, entry]
          : [entry],
      ),
    },
    'does-not-apply': {
      'guard-03-no-ending-in-the-interval': recorded(ENDING, (entry) => (isEnding(entry) ? [] : [entry])),
      'other-protocols': chat(),
    },
  },
  'malformed-event': {
    fails: {
      'not-json': chat()
        .say('{"type":"text-delta",')
        .say(text(REST), ...stopped)
        .end(),
    },
    passes: { 'all-well': finishing(chat()), 'guard-11-an-event-without-its-blank-line': chat().raw('data: {"type":"text-del').end() },
    'cannot-tell': {
      'records-missing': chat()
        .gap('over-budget')
        .say('{"type":"text-delta",')
        .say(text(REST), ...stopped)
        .end(),
    },
    'does-not-apply': {
      'no-run': wire({ headers: { 'content-type': 'application/json' }, url: 'https://app.example/settings' })
        .at(1100)
        .raw('{"theme":')
        .end(),
    },
  },
  'unterminated-last-event': {
    fails: { 'cut-inside-an-event': chat().raw('data: {"type":"text-delta","id":"t1","del').at(1500).end('eof') },
    passes: {
      whole: finishing(chat()),
      'guard-11-a-last-line-without-its-end': wire({
        headers: { 'content-type': 'application/x-ndjson' },
        url: 'https://app.example/api/generate',
      })
        .at(1100)
        .raw('{"model":"m","created_at":"2026-01-01T00:00:00Z","response":"The dragon","done":false}\n')
        .raw('{"model":"m","created_at":"2026-01-01T00:00:00Z","response":"","done":true,"done_reason":"stop"}')
        .end(),
    },
    'cannot-tell': { 'records-missing': chat().gap('over-budget').raw('data: {"type":"text-delta","id":"t1","del').at(1500).end('eof') },
    'does-not-apply': {
      open: chat().raw('data: {"type":"text-del'),
      'page-cut-it': chat().raw('data: {"type":"text-del').at(1500).end('aborted-by-page'),
    },
  },
  'out-of-order': {
    fails: { 'delta-without-its-start': wire().at(1100).say(start, startStep, text(HALF), finishStep, finish('stop')).end() },
    passes: { 'in-order': finishing(chat()) },
    'cannot-tell': {
      'records-missing': wire().at(1100).say(start, startStep).gap('over-budget').say(text(HALF), finishStep, finish('stop')).end(),
    },
    'does-not-apply': {
      'no-run': wire({ headers: { 'content-type': 'application/json' }, url: 'https://app.example/settings' })
        .at(1100)
        .raw('{"theme":"dark"}')
        .end(),
    },
  },
  'buffered-stream': {
    fails: {
      'all-at-once': finishing(
        wire()
          .at(5000)
          .say(start, startStep, textStart, ...WORDS.map((word) => text(word))),
      ),
    },
    passes: {
      'as-it-is-made': finishing(WORDS.reduce((s, word) => s.wait(120).say(text(word)), wire().at(1100).say(start, startStep, textStart))),
    },
    'cannot-tell': {
      'slow-to-start': wire()
        .at(5000)
        .say(start, startStep, textStart, ...WORDS.map((word) => text(word))),
    },
    'does-not-apply': {
      'one-delta': finishing(wire().at(5000).say(start, startStep, textStart, text(REPLY))),
      'guard-05-read-back-from-a-log': finishing(
        wire({ method: 'GET', url: 'https://app.example/api/chat/chat-1/stream' })
          .at(5000)
          .say(start, startStep, textStart, ...WORDS.map((word) => text(word))),
      ),
    },
  },
  stalled: {
    fails: { 'half-a-minute': wire().at(1100).say(start).at(40_000).tick() },
    passes: {
      'a-few-seconds': chat().at(9000).tick(),
      'guard-06-an-approval-is-awaited': chat()
        .say(
          textEnd,
          { type: 'tool-input-available', toolCallId: 'c1', toolName: 'refund', input: {} },
          { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' },
        )
        .at(90_000)
        .tick(),
    },
    'cannot-tell': { 'kept-alive': chat().at(20_000).raw(': keep-alive\n\n').at(39_000).raw(': keep-alive\n\n').at(40_000).tick() },
    'does-not-apply': { settled: finishing(chat()).at(90_000).tick() },
  },
  'unrecognised-event': {
    fails: {
      'a-new-type': chat()
        .say({ type: 'mood-changed', mood: 'calm' })
        .say(...stopped)
        .end(),
    },
    passes: { 'all-known': finishing(chat()) },
    'cannot-tell': {
      'records-missing': chat()
        .gap('over-budget')
        .say({ type: 'mood-changed', mood: 'calm' })
        .say(...stopped)
        .end(),
    },
    'does-not-apply': {
      'no-run': wire({ headers: { 'content-type': 'application/json' }, url: 'https://app.example/settings' })
        .at(1100)
        .raw('{"theme":"dark"}')
        .end(),
    },
  },
};

function envelope(n: number, event: string, type: string, payload: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify({ id: `evt-${n}`, type, ts: `2026-01-01T00:00:0${n}.000Z`, runId: 'run-1', sessionId: 'ses-1', payload })}\n\n`;
}

function progress(n: number) {
  return {
    update: {
      version: 'v1',
      runId: 'run-1',
      sessionId: 'ses-1',
      ts: `2026-01-01T00:00:0${n}.000Z`,
      seq: n,
      kind: 'stage',
      phase: 'engine',
      code: 'STEP_STARTED',
      message: 'Step 1 started.',
      persist: true,
    },
  };
}
