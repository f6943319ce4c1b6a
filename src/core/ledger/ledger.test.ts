/** Joining, replays, waits that go on, children, late events, gaps: the ledger by itself, on a dialect made for it. */
import { describe, expect, test } from 'vitest';
import { asObject, type Dialect, identityOf, parseJson, utter } from '../dialects/dialect';
import type { AgentEventBody, FlowEnd, Identity, Standing, TapRecord, Voice } from '../model';
import { createSession, type Session } from '../session';

/** Frames say outright what they do. */
const plain: Dialect = {
  id: 'plain',
  title: '',
  framings: ['message'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise: () => 'certain',
  open: () => ({
    frame(frame) {
      const value = parseJson(frame.data) as unknown as Spoken | readonly Spoken[];
      return (Array.isArray(value) ? (value as readonly Spoken[]) : [value as Spoken]).map(
        ({ body, voice, standing, identity, lane, part, wireId }) =>
          utter(body.type, voice ?? 'lifecycle', standing ?? 'provisional', body, {
            identity: identityOf(asObject(identity) ?? {}),
            lane: lane ?? null,
            part: part ?? null,
            wireId: wireId ?? null,
          }),
      );
    },
    end: () => [],
  }),
};
interface Spoken {
  readonly body: AgentEventBody;
  readonly voice?: Voice;
  readonly standing?: Standing;
  readonly identity?: Identity;
  readonly lane?: string;
  readonly part?: string;
  readonly wireId?: string;
}

const stage = () => {
  const session = createSession({ dialects: [plain], rules: [] });
  let seq = 0;
  const put = (record: object): void => session.ingest([{ seq, at: seq++, ...record } as TapRecord]);
  const known = new Set<string>();
  return {
    session,
    say(flow: string, spoken: Spoken | readonly Spoken[]): void {
      if (!known.has(flow)) {
        known.add(flow);
        put({
          type: 'flow.opened',
          flow,
          document: 'd',
          transport: 'websocket',
          method: 'GET',
          url: '',
          requestHeaders: {},
          requestBody: null,
        });
      }
      put({ type: 'flow.chunk', flow, direction: 'received', text: JSON.stringify(spoken), encoding: 'text', event: null, id: null });
    },
    end: (flow: string, how: FlowEnd = 'eof') => put({ type: 'flow.ended', flow, how, code: null, detail: null }),
    gap: (flow: string | null) => put({ type: 'gap', flow, reason: 'over-budget', lost: 3 }),
  };
};

const open = (identity: Identity = {}, resumes: readonly string[] = []): Spoken => ({ body: { type: 'run.opened', resumes }, identity });
const delta = (text: string, more: Partial<Spoken> = {}): Spoken => ({
  body: { type: 'part.delta', text },
  voice: 'assistant',
  part: 'p',
  ...more,
});
const commit = (more: Partial<Spoken> = {}): Spoken => ({
  body: { type: 'part.closed', text: null },
  voice: 'assistant',
  standing: 'committed',
  part: 'p',
  ...more,
});
const finish = (reason: 'stop' | 'cancelled' | 'waiting' = 'stop', more: Partial<Spoken> = {}): Spoken => ({
  body: { type: 'finished', finish: { reason, raw: reason }, waitingFor: null, overrides: false },
  voice: 'terminal',
  standing: 'settling',
  ...more,
});
const fail = (overrides: boolean, more: Partial<Spoken> = {}): Spoken => ({
  body: { type: 'failed', message: 'no', code: null, retryable: null, overrides },
  voice: 'terminal',
  standing: 'settling',
  ...more,
});

const shape = (session: Session) =>
  session.runs.map((run) => ({
    outcome: run.settlement?.outcome ?? null,
    attempts: run.attempts.map(
      (attempt) =>
        `${attempt.settlement?.outcome ?? 'open'}${attempt.replaced ? ' replaced' : ''}: ${attempt.parts.map((part) => part.text).join('|')}`,
    ),
    parent: run.parent !== null,
  }));

describe('one run on several flows', () => {
  test('a reattach by event id goes on with the attempt, repeats are dropped, and the first break is forgotten', () => {
    const { session, say, end } = stage();
    const id = { run: 'r' };
    say('a', { ...open(id), wireId: '1' });
    say('a', delta('one ', { identity: id, wireId: '2' }));
    end('a', 'network-error');
    expect(session.runs[0]?.settlement?.outcome).toBe('severed');
    say('b', delta('one ', { identity: id, wireId: '2' }));
    expect(session.runs[0]?.settlement).toBeNull();
    say('b', delta('two', { identity: id, wireId: '3' }));
    say('b', finish('stop', { identity: id, wireId: '4' }));
    expect(shape(session)).toEqual([{ outcome: 'completed', attempts: ['completed: one two'], parent: false }]);
    expect(session.runs[0]).toMatchObject({ duplicates: 1, reattached: true });
  });
  test('without event ids the later flow starts the run over, and its text replaces the first', () => {
    const { session, say, end } = stage();
    const id = { run: 'r' };
    say('a', open(id));
    say('a', delta('half'));
    end('a', 'network-error');
    say('b', open(id));
    say('b', delta('half and whole'));
    say('b', finish('stop'));
    expect(shape(session)).toEqual([
      { outcome: 'completed', attempts: ['superseded replaced: half', 'completed: half and whole'], parent: false },
    ]);
  });
  test('a flow that is open keeps the run open when the other one ends', () => {
    const { session, say, end } = stage();
    say('a', { ...open({ run: 'r' }), wireId: '1' });
    say('b', delta('x', { identity: { run: 'r' }, wireId: '2' }));
    end('a', 'eof');
    expect(session.runs[0]?.settlement).toBeNull();
    end('b', 'eof');
    expect(session.runs[0]?.settlement?.outcome).toBe('severed');
  });
  test('a run that the wire names late is the run that was open', () => {
    const { session, say } = stage();
    say('a', open());
    say('a', delta('x'));
    say('a', finish('stop', { identity: { run: 'late' } }));
    expect(session.runs.length).toBe(1);
    expect(session.runs[0]?.identity.run).toBe('late');
  });
});

describe('waits', () => {
  test('the answer opens the next attempt of the same run', () => {
    const { session, say, end } = stage();
    say('a', open());
    say('a', { body: { type: 'asked', request: 'q1', kind: 'approval', prompt: null, blocking: false } });
    say('a', finish('stop'));
    end('a');
    expect(session.runs[0]?.settlement).toMatchObject({ outcome: 'waiting', waitingFor: 'approval' });
    say('b', open({ run: 'another id' }, ['q1']));
    say('b', { body: { type: 'answered', request: 'q1', how: 'yes' } });
    say('b', finish('stop'));
    expect(shape(session)).toEqual([{ outcome: 'completed', attempts: ['waiting: ', 'completed: '], parent: false }]);
    expect(session.runs[0]?.attempts[0]?.asks[0]?.answeredAt).not.toBeNull();
  });
  test('a call the page owes is a wait, one it has answered is none', () => {
    const called: Spoken = {
      body: { type: 'tool.called', name: 'pick', input: null, owedBy: 'page' },
      voice: 'tool',
      identity: { toolCall: 'c' },
    };
    const one = stage();
    one.say('a', open());
    one.say('a', called);
    one.say('a', finish('stop'));
    expect(one.session.runs[0]?.settlement).toMatchObject({ outcome: 'waiting', waitingFor: 'tool' });
    const two = stage();
    two.say('a', open());
    two.say('a', called);
    two.say('a', {
      body: { type: 'tool.returned', output: '', failed: false, preliminary: false },
      voice: 'tool',
      identity: { toolCall: 'c' },
    });
    two.say('a', finish('stop'));
    expect(two.session.runs[0]?.settlement?.outcome).toBe('completed');
  });
  test('a preliminary result leaves the call open', () => {
    const { session, say } = stage();
    say('a', open());
    say('a', { body: { type: 'tool.called', name: 'pick', input: null, owedBy: 'page' }, voice: 'tool', identity: { toolCall: 'c' } });
    say('a', {
      body: { type: 'tool.returned', output: '50 %', failed: false, preliminary: true },
      voice: 'tool',
      identity: { toolCall: 'c' },
    });
    say('a', finish('stop'));
    expect(session.runs[0]?.settlement?.outcome).toBe('waiting');
  });
  test('a live wait ends with its answer', () => {
    const { session, say } = stage();
    say('a', open());
    say('a', { body: { type: 'asked', request: 'q', kind: 'input', prompt: null, blocking: true } });
    expect(session.runs[0]?.settlement?.outcome).toBe('waiting');
    say('a', { body: { type: 'answered', request: 'q', how: null } });
    expect(session.runs[0]?.settlement).toBeNull();
  });
});

describe('event ids that start anew', () => {
  const ask: Spoken = { body: { type: 'asked', request: 'q1', kind: 'approval', prompt: null, blocking: false } };
  const first = { run: 'r1' };
  const second = { run: 'r2' };
  const waitThenAnswer = () => {
    const it = stage();
    it.say('a', { ...open(first), wireId: '0' });
    it.say('a', { ...ask, identity: first, wireId: '1' });
    it.say('a', finish('stop', { identity: first, wireId: '2' }));
    it.end('a');
    it.say('b', { ...open(second, ['q1']), wireId: '0' });
    it.say('b', delta('one ', { identity: second, wireId: '1' }));
    return it;
  };
  test('with the run that answers a wait repeat nothing', () => {
    const { session, say, end } = waitThenAnswer();
    say('b', finish('stop', { identity: second, wireId: '2' }));
    end('b');
    expect(shape(session)).toEqual([{ outcome: 'completed', attempts: ['waiting: ', 'completed: one '], parent: false }]);
    expect(session.runs[0]?.duplicates).toBe(0);
  });
  test('of that run and of the one before are repeats where either is joined again', () => {
    const { session, say, end } = waitThenAnswer();
    end('b', 'network-error');
    say('c', delta('one ', { identity: second, wireId: '1' }));
    say('c', delta('two', { identity: second, wireId: '2' }));
    say('c', finish('cancelled', { identity: second, wireId: '3' }));
    end('c');
    say('d', { ...open(first), wireId: '0' });
    say('d', { ...ask, identity: first, wireId: '1' });
    say('d', finish('stop', { identity: first, wireId: '2' }));
    end('d');
    expect(shape(session)).toEqual([{ outcome: 'cancelled', attempts: ['waiting: ', 'cancelled: one two'], parent: false }]);
    expect(session.runs[0]?.duplicates).toBe(4);
  });
  test('are those of the run also where one frame speaks of it by two names', () => {
    const { session, say } = stage();
    const frame = [
      { ...open(first), wireId: '1' },
      { ...open(second, ['r1']), wireId: '1' },
      delta('x', { identity: second, wireId: '1' }),
    ];
    say('a', frame);
    say('a', frame);
    expect(session.runs[0]?.attempts.flatMap(({ parts }) => parts.map(({ text }) => text))).toEqual(['x']);
    expect(session.runs[0]?.duplicates).toBe(3);
  });
});

describe('several runs on one flow', () => {
  test('lanes stay apart, and the next run on a lane is a run of its own', () => {
    const { session, say } = stage();
    say('a', { ...open(), lane: 'x' });
    say('a', { ...open(), lane: 'y' });
    say('a', delta('for x', { lane: 'x' }));
    say('a', delta('for y', { lane: 'y' }));
    say('a', finish('stop', { lane: 'x' }));
    say('a', { ...open(), lane: 'x' });
    say('a', delta('x again', { lane: 'x' }));
    expect(shape(session).map((run) => run.attempts[0])).toEqual(['completed: for x', 'open: for y', 'open: x again']);
  });
  test('a child settles itself and not its parent, and does not take its place on the flow', () => {
    const { session, say } = stage();
    say('a', open({ run: 'p' }));
    say('a', open({ run: 'c', parentRun: 'p' }));
    say('a', delta('child', { identity: { run: 'c', parentRun: 'p' } }));
    say('a', finish('cancelled', { identity: { run: 'c', parentRun: 'p' } }));
    say('a', delta('parent'));
    say('a', finish('stop'));
    expect(shape(session)).toEqual([
      { outcome: 'completed', attempts: ['completed: parent'], parent: false },
      { outcome: 'cancelled', attempts: ['cancelled: child'], parent: true },
    ]);
  });
});

describe('terminals', () => {
  test('the first one wins, and what came later is kept', () => {
    const { session, say } = stage();
    say('a', open());
    say('a', fail(false));
    say('a', finish('stop'));
    expect(session.runs[0]?.attempts[0]).toMatchObject({ settlement: { outcome: 'failed' }, laterTerminals: [{ outcome: 'completed' }] });
  });
  test('unless the dialect says that the later one overrides', () => {
    const { session, say } = stage();
    say('a', open());
    say('a', finish('stop'));
    say('a', fail(true));
    expect(session.runs[0]?.attempts[0]).toMatchObject({ settlement: { outcome: 'failed' }, laterTerminals: [{ outcome: 'completed' }] });
  });
  test('content after the end is counted, and committed text never changes', () => {
    const { session, say } = stage();
    say('a', open());
    say('a', delta('done.'));
    say('a', commit());
    say('a', finish('stop'));
    say('a', delta(' And more'));
    expect(session.runs[0]?.attempts[0]?.lateEvents).toBe(1);
    expect(session.runs[0]?.attempts[0]?.parts.map((part) => [part.standing, part.text])).toEqual([
      ['committed', 'done.'],
      ['provisional', ' And more'],
    ]);
  });
});

test('one frame may bring several events, of one number or of more; told again, each of them is a copy', () => {
  const { session, say } = stage();
  const frame = [delta('a', { wireId: '1' }), delta('b', { wireId: '2' }), delta('c', { wireId: '1' }), delta('d', { wireId: '2' })];
  say('a', open());
  say('a', frame);
  say('a', delta('e', { wireId: '3' }));
  say('a', frame);
  say('a', delta('f', { wireId: '2' }));
  say('a', delta('g', { wireId: '4' }));
  expect(session.runs[0]?.attempts[0]?.parts.map((part) => part.text)).toEqual(['abcdeg']);
  expect(session.runs[0]?.duplicates).toBe(5);
});

describe('gaps', () => {
  test('a gap before the end leaves the outcome open, a gap before later events does not', () => {
    const { session, say, end, gap } = stage();
    say('a', open());
    gap('a');
    end('a', 'eof');
    expect(session.runs[0]?.settlement).toBeNull();
    say('b', open());
    gap('b');
    say('b', delta('x'));
    end('b', 'eof');
    expect(session.runs[1]?.settlement?.outcome).toBe('severed');
  });
});

test('events that name no run open none by themselves', () => {
  const { session, say } = stage();
  say('a', { body: { type: 'note', text: 'hello' } });
  say('a', { body: { type: 'unrecognised' } });
  say('a', { body: { type: 'status', state: 'working', label: null } });
  expect(session.runs).toEqual([]);
  expect(session.events.length).toBe(3);
});

test('different text committed over what was streamed keeps both', () => {
  const { session, say } = stage();
  say('a', open());
  say('a', delta('draft'));
  say('a', { body: { type: 'part.replaced', text: 'final' }, voice: 'assistant', standing: 'committed', part: 'p' });
  expect(session.runs[0]?.attempts[0]?.parts[0]).toMatchObject({ text: 'final', streamedText: 'draft', standing: 'committed' });
});
