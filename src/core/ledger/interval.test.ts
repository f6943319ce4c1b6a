/**
 * Owned intervals through the whole session: what decides the finish reason, and that neither the order in which two sockets
 * are read nor holes filled later change it. `web` has two sockets without a common order, `sdk` one channel for everything.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fail } from '../findings/judgement';
import type { Rule } from '../findings/rule';
import type { Run, TapRecord, TapRecordBody } from '../model';
import { createSession, type Session } from '../session';

type Json = Record<string, unknown>;
interface LogEvent extends Json {
  readonly type: string;
  readonly seq: number;
  readonly data: Json;
}

const ROOT = 'root';
const CHILD = 'child';

/** One session's log under construction. */
const logOf = () => {
  const events: LogEvent[] = [];
  const add = (type: string, data: Json, more: Json = {}): LogEvent => {
    const event = { type, seq: events.length, time: 1796023705000 + events.length, data, ...more };
    events.push(event);
    return event;
  };
  const api = {
    events,
    add,
    receive: (id: string, kind = 'user') =>
      add('agent/inbox/spliced', {
        target: 'next-turn',
        start: 0,
        inserted: [{ id, role: 'user', content: [{ type: 'text', text: id }], source: kind === 'user' ? { kind, rpcId: id } : { kind } }],
      }),
    claim: () => add('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [] }),
    cancel: () => add('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [], outcome: 'canceled' }),
    start: (turn: number) => add('turn/start', { turn }),
    end: (turn: number, reason?: unknown) => add('turn/end', reason === undefined ? { turn } : { turn, reason }),
    say: (turn: number, text: string, commits = true) => {
      add('step/start', { turn, step: 1 });
      for (const word of text.split(/(?<= )/u))
        add('assistant/chunk', { turn, step: 1, chunk: { type: 'text-delta', index: 0, text: word } });
      if (commits)
        add('assistant/message', { turn, step: 1, message: { role: 'assistant', id: `m${turn}`, content: [{ type: 'text', text }] } });
      add('step/end', { turn, step: 1 });
    },
    turn: (turn: number, kind: string, text = `Answer ${turn}.`) => {
      api.start(turn);
      api.claim();
      api.say(turn, text, kind !== 'error');
      api.end(turn, { kind });
    },
  };
  return api;
};

const envelope = (payload: Json, rpcId = 'r') => JSON.stringify({ type: 'server-request', rpcId, method: payload.type, payload });
const event = (sessionId: string, one: LogEvent) => envelope({ type: 'session/event', sessionId, event: one });
const status = (sessionId: string, running: boolean) => envelope({ type: 'host/session-status', sessionId, running });
const added = (sessionId: string, more: Json = {}) => envelope({ type: 'host/session-added', sessionId, blank: true, ...more });
const subscribed = (sessionId: string, lastSeq: number) => envelope({ type: 'session/subscribed', sessionId, lastSeq });

/** A page under the tap: sockets, calls, time. */
const page = (rules?: readonly Rule[]) => {
  const session = createSession(rules === undefined ? {} : { rules });
  let seq = 0;
  let at = 0;
  const put = (body: TapRecordBody): void => session.ingest([{ ...body, seq: seq++, at } as TapRecord]);
  const opened = (flow: string, transport: 'websocket' | 'fetch', url: string, requestBody: string | null): void =>
    put({ type: 'flow.opened', flow, document: 'd', transport, method: 'POST', url, requestHeaders: {}, requestBody });
  const chunk = (flow: string, text: string): void =>
    put({ type: 'flow.chunk', flow, direction: 'received', text, encoding: 'text', event: null, id: null });
  const ended = (flow: string, how: 'eof' | 'network-error' | 'closed-by-server' | 'document-gone'): void =>
    put({ type: 'flow.ended', flow, how, code: null, detail: null });
  let calls = 0;
  const api = {
    session,
    later: (ms: number) => {
      at += ms;
      put({ type: 'tick' });
    },
    socket: (flow: string) => opened(flow, 'websocket', `/${flow}`, null),
    frame: (flow: string, text: string) => {
      at += 1;
      chunk(flow, text);
    },
    close: ended,
    call: (method: string, payload: Json, value: Json) => {
      const flow = `call${++calls}`;
      opened(flow, 'fetch', `/api/${method}`, JSON.stringify({ type: 'client-request', rpcId: flow, method, payload }));
      put({ type: 'flow.head', flow, status: 200, headers: { 'content-type': 'application/json' } });
      chunk(flow, JSON.stringify({ type: 'server-response', rpcId: flow, result: { ok: true, value } }));
      ended(flow, 'eof');
    },
    history: (sessionId: string, events: readonly LogEvent[]) =>
      api.call('session.history', { sessionId, maxMessages: 50 }, { events: events.map((one) => ({ event: one })), hasMore: false }),
  };
  return api;
};
type Page = ReturnType<typeof page>;

const roots = (session: Session): Run[] => session.runs.filter((run) => run.parent === null);
const texts = (run: Run, standing: 'committed' | 'provisional'): string =>
  run.attempts
    .flatMap((attempt) => attempt.parts)
    .filter((part) => part.voice === 'assistant' && part.standing === standing && !part.withdrawn)
    .map((part) => part.text)
    .join('|');
const summary = (session: Session) =>
  session.runs.map((run) => ({
    child: run.parent !== null,
    outcome: run.settlement?.outcome ?? null,
    ending: run.ending,
    turns: run.attempts.length,
    committed: texts(run, 'committed'),
    provisional: texts(run, 'provisional'),
    late: run.attempts.map((attempt) => attempt.lateEvents),
  }));
const endings = (session: Session) =>
  roots(session).map(({ ending, settlement }) => [ending.state, ending.raw, settlement?.outcome ?? null]);

/** The log on one socket, the statuses on the other. */
const web = (log: readonly LogEvent[], host: readonly boolean[], order: 'log-first' | 'host-first' = 'host-first'): Page => {
  const one = page();
  one.socket('mux');
  one.socket('host');
  const says = () => {
    for (const running of host) one.frame('host', status(ROOT, running));
  };
  if (order === 'host-first') says();
  for (const entry of log) one.frame('mux', event(ROOT, entry));
  if (order === 'log-first') says();
  return one;
};

/** Everything on one channel; strings are statuses of the root. */
const sdk = (...steps: readonly (LogEvent | 'running' | 'idle' | { child: LogEvent | 'running' | 'idle' })[]): Page => {
  const one = page();
  one.socket('rpc');
  const say = (sessionId: string, step: LogEvent | 'running' | 'idle') =>
    one.frame(
      'rpc',
      JSON.stringify({
        jsonrpc: '2.0',
        method: typeof step === 'string' ? 'session.status' : 'session.event',
        params: typeof step === 'string' ? { sessionId, status: step } : { sessionId, event: step },
      }),
    );
  one.frame(
    'rpc',
    JSON.stringify({ jsonrpc: '2.0', method: 'subagent.started', params: { parentSessionId: ROOT, childSessionId: CHILD } }),
  );
  for (const step of steps) {
    if (typeof step === 'object' && 'child' in step) say(CHILD, step.child as LogEvent);
    else say(ROOT, step as LogEvent);
  }
  return one;
};

describe('what the finish reason is', () => {
  test.each([
    ['completed', 'completed'],
    ['max-tokens', 'truncated'],
    ['error', 'failed'],
    ['aborted', 'cancelled'],
    ['blocked', 'refused'],
    ['interrupted', 'unattested'],
    ['rate-shaped', 'unattested'],
    ['constructor', 'unattested'],
    ['', 'unattested'],
  ])('the kind %o passes as it is and reads as %s', (kind, outcome) => {
    const log = logOf();
    log.receive('p');
    log.turn(1, kind);
    expect(endings(sdk('running', ...log.events, 'idle').session)).toEqual([['reported', kind, outcome]]);
    expect(endings(web(log.events, [true, false]).session)).toEqual([['reported', kind, outcome]]);
    expect(endings(web(log.events, [true, false], 'log-first').session)).toEqual([['reported', kind, outcome]]);
  });

  test.each([
    ['missing', undefined],
    ['not an object', 'completed'],
    ['null', null],
    ['a list', ['completed']],
    ['without kind', {}],
    ['with a number', { kind: 3 }],
    ['with null', { kind: null }],
    ['with an object', { kind: { kind: 'completed' } }],
  ])('a last ending whose reason is %s is a protocol error, and its frame is kept', (_name, reason) => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.say(1, 'Hello.');
    log.end(1, reason);
    for (const one of [sdk('running', ...log.events, 'idle'), web(log.events, [true, false])]) {
      expect(endings(one.session)).toEqual([['protocol-error', null, 'unattested']]);
      expect(one.session.runs[0]!.ending.detail).toBe(JSON.stringify(log.events.at(-1)!.data));
      expect(one.session.runs[0]!.settlement?.strength).toBe('sentinel');
    }
  });

  test('the whole reason is kept with the ending', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    const reason = { kind: 'error', error: { message: 'down', code: 'SERVER', status: 500 } };
    log.end(1, reason);
    const run = web(log.events, [true, false]).session.runs[0]!;
    expect(JSON.parse(run.ending.detail!)).toEqual(reason);
    expect(run.settlement?.error).toBe('SERVER · down');
  });
});

describe('which ending counts', () => {
  test('the last of several turns, whatever the earlier ones were', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.receive('q');
    log.end(1, { kind: 'error', error: { message: 'x', code: 'SERVER' } });
    log.turn(2, 'completed');
    for (const one of [
      sdk('running', ...log.events, 'idle'),
      web(log.events, [true, false]),
      web(log.events, [true, false], 'log-first'),
    ]) {
      expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
      expect(one.session.runs[0]!.attempts.map((attempt) => attempt.settlement?.outcome)).toEqual(['failed', 'completed']);
    }
  });

  test('only the last is checked: an earlier malformed one is passed over, a last malformed one is not', () => {
    for (const [first, second, right] of [
      [{ kind: 9 }, { kind: 'completed' }, ['reported', 'completed', 'completed']],
      [{ kind: 'completed' }, { kind: 9 }, ['protocol-error', null, 'unattested']],
    ] as const) {
      const log = logOf();
      log.receive('p');
      log.start(1);
      log.claim();
      log.receive('q');
      log.end(1, first);
      log.start(2);
      log.claim();
      log.end(2, second);
      expect(endings(sdk('running', ...log.events, 'idle').session)).toEqual([right]);
      expect(endings(web(log.events, [true, false]).session)).toEqual([right]);
    }
  });

  test('endings without their turns count too, the last one of them', () => {
    const log = logOf();
    log.receive('p');
    log.end(1, { kind: 4 });
    log.end(2, { kind: 'max-tokens' });
    expect(endings(sdk('running', ...log.events, 'idle').session)).toEqual([['reported', 'max-tokens', 'truncated']]);
  });

  test('a child that ends otherwise never counts, and its idle ends nothing', () => {
    const root = logOf();
    const child = logOf();
    root.receive('p');
    root.start(1);
    root.claim();
    child.receive('c');
    child.turn(1, 'max-tokens', 'Child text.');
    const before = root.events.length;
    root.say(1, 'Root text.');
    root.end(1, { kind: 'completed' });
    const one = sdk('running', ...root.events.slice(0, before), { child: 'running' }, ...child.events.map((entry) => ({ child: entry })), {
      child: 'idle',
    });
    expect(endings(one.session)).toEqual([['none', null, null]]);
    const whole = sdk(
      'running',
      ...root.events.slice(0, before),
      { child: 'running' },
      ...child.events.map((entry) => ({ child: entry })),
      { child: 'idle' },
      ...root.events.slice(before),
      'idle',
    );
    expect(endings(whole.session)).toEqual([['reported', 'completed', 'completed']]);
    expect(whole.session.runs.map((run) => run.parent)).toEqual([null, whole.session.runs[0]!.key]);
    expect(whole.session.runs[1]!.ending.raw).toBe('max-tokens');
    expect(texts(whole.session.runs[0]!, 'committed')).toBe('Root text.');
  });

  test('a child of a child is a child; a fork is not', () => {
    const one = page();
    one.socket('mux');
    one.socket('host');
    const prompt = (sessionId: string) => {
      const log = logOf();
      log.receive(sessionId);
      log.turn(1, 'completed');
      for (const entry of log.events) one.frame('mux', event(sessionId, entry));
      one.frame('host', status(sessionId, false));
    };
    prompt('a');
    // Lineage comes on the other socket, after the fact.
    prompt('b');
    prompt('c');
    prompt('fork');
    one.frame('host', added('c', { parentSessionId: 'b', origin: 'subagent' }));
    one.frame('host', added('b', { parentSessionId: 'a', origin: 'subagent' }));
    one.frame('host', added('fork', { parentSessionId: 'a' }));
    const [a, b, c, fork] = one.session.runs;
    expect([a!.parent, b!.parent, c!.parent, fork!.parent]).toEqual([null, a!.key, b!.key, null]);
  });

  test('lineage that would make a session its own ancestor is not believed', () => {
    const one = page();
    one.socket('mux');
    one.socket('host');
    const log = logOf();
    log.receive('p');
    for (const entry of log.events) one.frame('mux', event('a', entry));
    one.frame('host', added('a', { parentSessionId: 'a', origin: 'subagent' }));
    one.frame('host', added('a', { parentSessionId: 'b', origin: 'subagent' }));
    one.frame('host', added('b', { parentSessionId: 'a', origin: 'subagent' }));
    expect(one.session.runs).toHaveLength(1);
  });

  test('one before the receipt does not count', () => {
    const log = logOf();
    log.end(7, { kind: 'error' });
    log.receive('p');
    log.cancel();
    expect(endings(sdk('running', ...log.events, 'idle').session)).toEqual([['none', null, 'cancelled']]);
    expect(endings(web(log.events, [true, false]).session)).toEqual([['none', null, 'cancelled']]);
  });

  test('nor one of a turn that nobody here had asked for, in the same stretch of work', () => {
    const log = logOf();
    log.start(6);
    log.say(6, 'Old.');
    log.end(6, { kind: 'error' });
    log.receive('p');
    log.cancel();
    const { session } = sdk('running', ...log.events, 'idle');
    expect(endings(session).at(-1)).toEqual(['none', null, 'cancelled']);
  });

  test('one after idle does not count', () => {
    const log = logOf();
    log.receive('p');
    log.turn(1, 'completed');
    const late = log.end(2, { kind: 'error' });
    const { session } = sdk('running', ...log.events.slice(0, -1), 'idle', late);
    expect(endings(session)).toEqual([['reported', 'completed', 'completed']]);
    // Where idle has no place in the log: an ending of no turn, when all had come to rest.
    expect(endings(web(log.events, [true, false]).session)).toEqual([['reported', 'completed', 'completed']]);
  });

  test('idle on one channel ends the interval even with a turn open', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    const { session } = sdk('running', ...log.events, 'idle');
    expect(endings(session)).toEqual([['none', null, 'unattested']]);
  });
});

describe('none', () => {
  test('a message taken out of the queue before any turn', () => {
    const log = logOf();
    log.receive('p');
    log.cancel();
    for (const one of [sdk('running', ...log.events, 'idle'), web(log.events, [true, false])]) {
      expect(endings(one.session)).toEqual([['none', null, 'cancelled']]);
      expect(one.session.runs[0]!.attempts).toHaveLength(1);
    }
  });

  test('even when the run before it had an ending; and it settles no earlier than it began', () => {
    const log = logOf();
    log.receive('p');
    log.turn(1, 'completed');
    log.receive('q');
    log.cancel();
    const { session } = web(log.events, [true, false]);
    expect(endings(session)).toEqual([
      ['reported', 'completed', 'completed'],
      ['none', null, 'cancelled'],
    ]);
    const [, none] = session.runs;
    expect(none!.settlement!.seq).toBeGreaterThan(none!.openedSeq);
  });

  test('a receipt that no turn follows is over after a grace, and goes on if its turn comes after all', () => {
    const log = logOf();
    log.receive('p');
    const one = web(log.events, [true, false]);
    expect(endings(one.session)).toEqual([['none', null, null]]);
    one.later(1999);
    expect(endings(one.session)).toEqual([['none', null, null]]);
    one.later(10);
    expect(endings(one.session)).toEqual([['none', null, 'unattested']]);
    log.turn(1, 'completed');
    for (const entry of log.events.slice(1)) one.frame('mux', event(ROOT, entry));
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
    expect(one.session.runs[0]!.attempts).toHaveLength(1);
  });

  test('a slash command opens no run', () => {
    const one = page();
    one.socket('mux');
    one.call('session.prompt', { sessionId: ROOT, mode: 'queue', content: [{ type: 'text', text: '/clear' }] }, { accepted: true });
    const log = logOf();
    log.add('command/run', { commandId: 'c', name: 'clear', source: 'user' });
    log.add('command/done', { commandId: 'c', kind: 'success' });
    for (const entry of log.events) one.frame('mux', event(ROOT, entry));
    expect(one.session.runs).toEqual([]);
  });
});

describe('when an interval is over', () => {
  const oneTurn = () => {
    const log = logOf();
    log.receive('p');
    log.turn(1, 'completed');
    return log;
  };

  test('not at the end of its turn, not at idle, only at both', () => {
    const log = oneTurn();
    const early = web(log.events.slice(0, -1), [true, false]);
    expect(endings(early.session)).toEqual([['none', null, null]]);
    early.frame('mux', event(ROOT, log.events.at(-1)!));
    expect(endings(early.session)).toEqual([['reported', 'completed', 'completed']]);
    const slow = web(log.events, [true]);
    expect(endings(slow.session)).toEqual([['none', null, null]]);
    expect(slow.session.runs[0]!.attempts[0]!.settlement?.outcome).toBe('completed');
    slow.frame('host', status(ROOT, false));
    expect(endings(slow.session)).toEqual([['reported', 'completed', 'completed']]);
  });

  test('the time is that of the later of the two, and later news do not move it', () => {
    const one = web(oneTurn().events, [true], 'host-first');
    one.frame('host', status(ROOT, false));
    const settled = one.session.runs[0]!.settlement!;
    one.later(5000);
    one.frame('mux', subscribed(ROOT, 9));
    one.frame('mux', envelope({ type: 'session/projection', sessionId: ROOT, key: 'title', value: 'x', seq: 9 }));
    one.call('session.list', {}, { items: [{ sessionId: ROOT, running: false }] });
    one.frame('host', envelope({ type: 'host/session-removed', sessionId: ROOT }));
    expect(one.session.runs[0]!.settlement).toEqual(settled);
    expect(settled.evidence.length).toBe(2);
  });

  test('what is queued behind a turn that ends by itself shares its interval', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.say(1, 'One.');
    log.receive('q');
    const first = log.end(1, { kind: 'completed' });
    const one = web(log.events, [true, false]);
    expect(first.seq).toBe(log.events.at(-1)!.seq);
    // Idle was seen and the first turn has ended: its successor is still on the way.
    expect(endings(one.session)).toEqual([['none', null, null]]);
    log.turn(2, 'max-tokens');
    for (const entry of log.events.slice(first.seq + 1)) one.frame('mux', event(ROOT, entry));
    expect(endings(one.session)).toEqual([['reported', 'max-tokens', 'truncated']]);
  });

  test('what is queued behind a cancelled turn stays there; the next prompt is a run of its own', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.receive('q');
    log.end(1, { kind: 'aborted', reason: { kind: 'user' } });
    const one = web(log.events, [true, false]);
    expect(endings(one.session)).toEqual([['reported', 'aborted', 'cancelled']]);
    const n = log.events.length;
    log.receive('r');
    log.start(2);
    log.claim();
    log.claim();
    log.say(2, 'To both.');
    log.end(2, { kind: 'completed' });
    one.frame('host', status(ROOT, true));
    for (const entry of log.events.slice(n)) one.frame('mux', event(ROOT, entry));
    one.frame('host', status(ROOT, false));
    expect(endings(one.session)).toEqual([
      ['reported', 'aborted', 'cancelled'],
      ['reported', 'completed', 'completed'],
    ]);
  });

  test('what stayed in the queue runs with the next prompt, in one interval with it', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.receive('q');
    log.end(1, { kind: 'aborted', reason: { kind: 'user' } });
    const n = log.events.length;
    log.receive('r');
    log.turn(2, 'completed', 'To q.');
    const m = log.events.length;
    log.turn(3, 'max-tokens', 'To r.');
    const one = web(log.events.slice(0, n), [true, false, true, false]);
    for (const entry of log.events.slice(n, m)) one.frame('mux', event(ROOT, entry));
    expect(endings(one.session).at(-1)).toEqual(['none', null, null]);
    for (const entry of log.events.slice(m)) one.frame('mux', event(ROOT, entry));
    expect(endings(one.session)).toEqual([
      ['reported', 'aborted', 'cancelled'],
      ['reported', 'max-tokens', 'truncated'],
    ]);
    expect(texts(one.session.runs[1]!, 'committed')).toBe('To q.|To r.');
  });

  test('context that stays in the queue holds a run up for the grace, and no later prompt joins it', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.receive('ctx', 'plugin');
    log.end(1, { kind: 'completed' });
    const one = web(log.events, [true, false]);
    expect(endings(one.session)).toEqual([['none', null, null]]);
    one.later(3000);
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
    const n = log.events.length;
    log.receive('q');
    log.turn(2, 'max-tokens');
    for (const entry of log.events.slice(n)) one.frame('mux', event(ROOT, entry));
    one.later(3000);
    expect(endings(one.session)).toEqual([
      ['reported', 'completed', 'completed'],
      ['reported', 'max-tokens', 'truncated'],
    ]);
  });

  test('an agent that nothing ever said a word of the state of is at rest when its log is', () => {
    const one = page();
    one.history(ROOT, oneTurn().events);
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
    const live = page();
    live.socket('mux');
    for (const entry of oneTurn().events) live.frame('mux', event(ROOT, entry));
    expect(endings(live.session)).toEqual([['none', null, null]]);
    live.later(2500);
    expect(endings(live.session)).toEqual([['reported', 'completed', 'completed']]);
  });

  test('an approval that blocks is a wait while it is open, asked twice and answered twice', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.add('approval/asked', { id: 'a', toolName: 'bash', reason: 'why' });
    const one = web(log.events, [true]);
    one.frame('mux', envelope({ type: 'approval/requested', sessionId: ROOT, approvalId: 'a', toolName: 'bash' }));
    one.frame('mux', envelope({ type: 'approval/requested', sessionId: ROOT, approvalId: 'a', toolName: 'bash' }));
    const run = () => one.session.runs[0]!;
    expect([run().settlement?.outcome, run().settlement?.waitingFor, run().attempts[0]!.asks.length]).toEqual(['waiting', 'approval', 1]);
    one.frame('mux', envelope({ type: 'approval/resolved', sessionId: ROOT, approvalId: 'a', outcome: 'rejected' }));
    expect(run().settlement).toBeNull();
    one.frame('mux', event(ROOT, log.add('approval/decided', { id: 'a', outcome: 'rejected' })));
    expect(run().settlement).toBeNull();
  });

  test('a question whose resolution was lost does not make a finished turn a wait', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    const one = web(log.events, [true]);
    one.frame('mux', envelope({ type: 'question/requested', sessionId: ROOT, questions: [{ id: 'q1', question: 'Which?' }] }, 'ask-1'));
    expect(one.session.runs[0]!.settlement).toMatchObject({ outcome: 'waiting', waitingFor: 'input' });
    one.frame('mux', event(ROOT, log.end(1, { kind: 'completed' })));
    one.frame('host', status(ROOT, false));
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
  });

  test('a question whose resolution was lost is waited for no longer than until the next step', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    const one = web(log.events, [true]);
    one.frame('mux', envelope({ type: 'question/requested', sessionId: ROOT, questions: [] }, 'ask-1'));
    expect(one.session.runs[0]!.settlement?.outcome).toBe('waiting');
    one.frame('mux', event(ROOT, log.add('step/start', { turn: 1, step: 2 })));
    expect(one.session.runs[0]!.settlement).toBeNull();
  });

  test('a run whose child still works is not done, though its interval has ended', () => {
    const log = oneTurn();
    const child = logOf();
    child.receive('c');
    child.turn(1, 'completed', 'Late.');
    const one = web(log.events.slice(0, -1), [true]);
    one.frame('host', added(CHILD, { parentSessionId: ROOT, origin: 'subagent' }));
    one.frame('host', status(CHILD, true));
    for (const entry of child.events.slice(0, 4)) one.frame('mux', event(CHILD, entry));
    one.frame('host', status(ROOT, false));
    one.frame('mux', event(ROOT, log.events.at(-1)!));
    expect(endings(one.session)).toEqual([['reported', 'completed', null]]);
    for (const entry of child.events.slice(4)) one.frame('mux', event(CHILD, entry));
    one.frame('host', status(CHILD, false));
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
  });

  test('a child that is put to work again holds up the run that did so', () => {
    const log = oneTurn();
    const child = logOf();
    child.receive('c');
    child.turn(1, 'completed', 'One.');
    const one = web(log.events, [true, false]);
    one.frame('host', added(CHILD, { parentSessionId: ROOT, origin: 'subagent' }));
    one.frame('host', status(CHILD, true));
    for (const entry of child.events) one.frame('mux', event(CHILD, entry));
    // Its ending was read; that it is idle was not, when the root is asked again and asks it again.
    expect(endings(one.session).map(([, , outcome]) => outcome)).toEqual([null]);
    const n = log.events.length;
    log.receive('q');
    log.turn(2, 'completed');
    for (const entry of log.events.slice(n)) one.frame('mux', event(ROOT, entry));
    const m = child.events.length;
    child.receive('d');
    child.start(2);
    child.claim();
    for (const entry of child.events.slice(m)) one.frame('mux', event(CHILD, entry));
    expect(endings(one.session).map(([, , outcome]) => outcome)).toEqual(['completed', null]);
    one.frame('mux', event(CHILD, child.end(2, { kind: 'completed' })));
    one.frame('host', status(CHILD, false));
    expect(endings(one.session).map(([, , outcome]) => outcome)).toEqual(['completed', 'completed']);
  });

  test('an idle child whose ending never comes holds it up only for the grace', () => {
    const log = oneTurn();
    const child = logOf();
    child.receive('c');
    child.start(1);
    const one = web(log.events, [true]);
    one.frame('host', added(CHILD, { parentSessionId: ROOT, origin: 'subagent' }));
    for (const entry of child.events) one.frame('mux', event(CHILD, entry));
    one.frame('host', status(ROOT, false));
    one.frame('host', status(CHILD, false));
    expect(endings(one.session)).toEqual([['reported', 'completed', null]]);
    one.later(2500);
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
  });
});

describe('transport', () => {
  const running = () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.say(1, 'Half an answer', false);
    return log;
  };

  test.each(['network-error', 'closed-by-server', 'document-gone', 'eof'] as const)(
    'losing the sockets (%s) is severed and no finish reason',
    (how) => {
      const log = running();
      log.end(1, { kind: 'completed' });
      for (const events of [log.events.slice(0, -1), log.events]) {
        const one = web(events, [true]);
        one.close('mux', how);
        one.close('host', how);
        expect(endings(one.session)).toEqual([['none', null, 'severed']]);
      }
    },
  );

  test('losing the SDK channel is severed and no finish reason', () => {
    const log = running();
    log.end(1, { kind: 'completed' });
    const one = sdk('running', ...log.events);
    one.close('rpc', 'closed-by-server');
    expect(endings(one.session)).toEqual([['none', null, 'severed']]);
  });

  test('a reconnect joins: the run is open again at once, and ends as it ends', () => {
    const log = running();
    const one = web(log.events, [true]);
    one.close('mux', 'network-error');
    one.close('host', 'network-error');
    expect(endings(one.session)).toEqual([['none', null, 'severed']]);
    one.socket('mux2');
    one.socket('host2');
    one.frame('mux2', subscribed(ROOT, log.events.length - 1));
    expect(endings(one.session)).toEqual([['none', null, null]]);
    const n = log.events.length;
    log.end(1, { kind: 'completed' });
    one.frame('host2', status(ROOT, false));
    for (const entry of log.events.slice(n)) one.frame('mux2', event(ROOT, entry));
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
    expect(one.session.runs[0]!.reattached).toBe(true);
  });

  test('a run on a socket that had been reopened before it is no joined run', () => {
    const one = web([], [true]);
    one.frame('mux', subscribed(ROOT, -1));
    one.socket('mux2');
    one.frame('mux2', subscribed(ROOT, -1));
    const log = running();
    for (const entry of log.events) one.frame('mux2', event(ROOT, entry));
    expect(one.session.runs[0]!.reattached).toBe(false);
    // The first socket carries it too: losing the second alone severs nothing.
    one.close('mux2', 'network-error');
    expect(endings(one.session)).toEqual([['none', null, null]]);
  });

  test('idle that was said while the socket was down comes with the session list', () => {
    const log = running();
    const one = web(log.events, [true]);
    one.close('mux', 'network-error');
    one.close('host', 'network-error');
    log.end(1, { kind: 'completed' });
    one.socket('mux2');
    one.frame('mux2', subscribed(ROOT, log.events.length - 1));
    one.call('session.list', {}, { items: [{ sessionId: ROOT, running: false }] });
    one.history(ROOT, log.events);
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
  });

  test('a list that was answered late does not set an idle agent running', () => {
    const log = running();
    log.end(1, { kind: 'completed' });
    const one = web(log.events, [true, false]);
    one.call('session.list', {}, { items: [{ sessionId: ROOT, running: true }] });
    expect(endings(one.session)).toEqual([['reported', 'completed', 'completed']]);
  });
});

describe('order', () => {
  /** Two intervals of the root (the second unprompted), a queued turn in the first, and a child. */
  const story = () => {
    const root = logOf();
    const child = logOf();
    root.receive('p');
    root.start(1);
    root.claim();
    root.say(1, 'First answer.');
    root.receive('q');
    root.end(1, { kind: 'error', error: { message: 'x', code: 'SERVER' } });
    root.turn(2, 'max-tokens', 'Second answer.');
    root.receive('report', 'subagent-settled');
    root.turn(3, 'completed', 'Third answer.');
    root.receive('r');
    root.turn(4, 'aborted', 'Fourth answer.');
    child.receive('c');
    child.turn(1, 'max-tokens', 'Child answer.');
    const mux = [
      ...root.events.slice(0, 6).map((entry) => event(ROOT, entry)),
      ...child.events.map((entry) => event(CHILD, entry)),
      ...root.events.slice(6).map((entry) => event(ROOT, entry)),
    ];
    const host = [
      status(ROOT, true),
      added(CHILD, { parentSessionId: ROOT, origin: 'subagent' }),
      status(CHILD, true),
      status(CHILD, false),
      status(ROOT, false),
      status(ROOT, true),
      status(ROOT, false),
      status(ROOT, true),
      status(ROOT, false),
    ];
    return { root, child, mux, host };
  };
  const right = [
    ['reported', 'max-tokens', 'truncated'],
    ['reported', 'completed', 'completed'],
    ['reported', 'aborted', 'cancelled'],
  ];

  test('any interleaving of the two sockets that keeps each in order gives the same runs', () => {
    const { mux, host } = story();
    const play = (hostFirst: (muxLeft: number, hostLeft: number) => boolean) => {
      const one = page();
      one.socket('mux');
      one.socket('host');
      for (let m = 0, h = 0; m < mux.length || h < host.length; ) {
        const fromHost = m === mux.length || (h < host.length && hostFirst(mux.length - m, host.length - h));
        if (fromHost) one.frame('host', host[h++]!);
        else one.frame('mux', mux[m++]!);
      }
      return one.session;
    };
    const reference = summary(play(() => true));
    expect(endings(play(() => true))).toEqual(right);
    expect(endings(play(() => false))).toEqual(right);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: mux.length + host.length, maxLength: mux.length + host.length }), (picks) => {
        let i = 0;
        const session = play(() => picks[i++]!);
        expect(endings(session)).toEqual(right);
        expect(summary(session).filter((run) => !run.child)).toEqual(reference.filter((run) => !run.child));
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  test('holes filled by history pages, and copies, give the same runs and the same keys', () => {
    const { root, child, host } = story();
    const live = page();
    live.socket('mux');
    live.socket('host');
    for (const entry of root.events.slice(0, 6)) live.frame('mux', event(ROOT, entry));
    for (const text of host.slice(0, 3)) live.frame('host', text);
    for (const entry of child.events) live.frame('mux', event(CHILD, entry));
    for (const entry of root.events.slice(6)) live.frame('mux', event(ROOT, entry));
    for (const text of host.slice(3)) live.frame('host', text);
    const whole = summary(live.session);

    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: root.events.length, maxLength: root.events.length }),
        fc.array(fc.nat({ max: root.events.length }), { maxLength: 3 }),
        (heard, pages) => {
          const one = page();
          one.socket('mux');
          one.socket('host');
          for (const text of host.slice(0, 3)) one.frame('host', text);
          const read = [...new Set(pages)].sort((a, b) => a - b);
          root.events.forEach((entry, i) => {
            if (heard[i]) one.frame('mux', event(ROOT, entry));
            if (i === 5) for (const said of child.events) one.frame('mux', event(CHILD, said));
            if (read.includes(i)) one.history(ROOT, root.events.slice(Math.max(0, i - 8), i + 1));
          });
          for (const text of host.slice(3)) one.frame('host', text);
          one.history(ROOT, root.events.slice(-12));
          one.history(ROOT, root.events.slice(0, -12));
          const got = summary(one.session);
          expect(got.filter((run) => !run.child)).toEqual(whole.filter((run) => !run.child));
          // Every event is filed with the run that now holds it, once.
          const { session } = one;
          for (const run of session.runs) {
            const ids = session
              .eventsOf(run.key)
              .flatMap((each) => (each.wireId === null ? [] : [`${each.wireId} ${each.raw} ${each.type} ${each.part}`]));
            expect(new Set(ids).size).toBe(ids.length);
            for (const each of session.eventsOf(run.key)) expect(session.runOf(each)).toBe(run.key);
          }
          expect(session.events.filter((each) => each.type === 'turn.ended' && each.identity.conversation === ROOT)).toHaveLength(4);
          expect(new Set(session.runs.map((run) => run.key)).size).toBe(session.runs.length);
        },
      ),
      { numRuns: 150, seed: 3 },
    );
  });

  test('what was found of a run that a filled hole made part of another is found no more', () => {
    const probe: Rule = {
      id: 'probe',
      severity: 'minor',
      needs: [],
      message: { fail: '', inconclusive: '' },
      judge: ({ run }) => fail(run.openedAt, {}),
    };
    const { root } = story();
    let most = 0;
    // Every second event is heard, then the pages of history come, the newest first; verdicts are asked for all the while.
    for (const odd of [0, 1]) {
      const one = page([probe]);
      const check = (): void => {
        most = Math.max(most, one.session.runs.length);
        expect([...new Set(one.session.findings.map((finding) => finding.run))].sort()).toEqual(
          one.session.runs.map((run) => run.key).sort(),
        );
      };
      one.socket('mux');
      root.events.forEach((entry, i) => {
        if (i % 2 === odd) one.frame('mux', event(ROOT, entry));
        check();
      });
      for (let end = root.events.length; end > 0; end -= 3) {
        one.history(ROOT, root.events.slice(Math.max(0, end - 3), end));
        check();
      }
      expect(one.session.runs.length).toBeLessThan(most);
    }
  });

  test('a hole filled later moves no key, and files its events where they belong', () => {
    const log = logOf();
    log.receive('p');
    log.turn(1, 'completed', 'One two three four.');
    const one = web([...log.events.slice(0, 5), ...log.events.slice(7)], [true, false]);
    const key = one.session.runs[0]!.key;
    one.history(ROOT, log.events);
    expect(one.session.runs.map((run) => run.key)).toEqual([key]);
    expect(one.session.eventsOf(key).filter((each) => each.order !== null)).toHaveLength(log.events.length);
    expect(texts(one.session.runs[0]!, 'committed')).toBe('One two three four.');
    expect(one.session.runs[0]!.duplicates).toBe(log.events.length - 2);
  });

  test('an older page read afterwards puts its runs before the newer ones', () => {
    const log = logOf();
    log.receive('p');
    log.turn(1, 'max-tokens');
    const n = log.events.length;
    log.receive('q');
    log.turn(2, 'completed');
    const one = web(log.events.slice(n), [true, false]);
    const key = one.session.runs[0]!.key;
    one.history(ROOT, log.events.slice(0, n));
    expect(endings(one.session)).toEqual([
      ['reported', 'max-tokens', 'truncated'],
      ['reported', 'completed', 'completed'],
    ]);
    expect(one.session.runs[1]!.key).toBe(key);
  });

  test('the prompt is filed with the run it opened', () => {
    const one = page();
    one.socket('mux');
    one.call('session.prompt', { sessionId: ROOT, mode: 'queue', content: [{ type: 'text', text: 'Hello' }] }, { accepted: true });
    const log = logOf();
    log.receive('call1');
    for (const entry of log.events) one.frame('mux', event(ROOT, entry));
    const [run] = one.session.runs;
    expect(one.session.eventsOf(run!.key).map((each) => each.type)).toEqual(['prompt.sent', 'inbox.changed']);
  });

  test('a long log in order costs the same per event; one hole in it is folded once', () => {
    const log = logOf();
    log.receive('p');
    log.start(1);
    log.claim();
    log.add('step/start', { turn: 1, step: 1 });
    for (let i = 0; i < 4000; i++) log.add('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: `${i} ` } });
    const one = web([...log.events.slice(0, 2000), ...log.events.slice(2001)], [true]);
    one.history(ROOT, log.events.slice(1990, 2010));
    expect(one.session.runs[0]!.attempts[0]!.parts[0]!.text).toContain('1995 1996 1997');
  });
});
