/** What the demo's server says, as the core reads it: every scenario settles (or does not) as its story tells. */
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession, type Session } from '../core/session';
import { SCENARIOS } from './scenarios';
import { type DemoServer, startDemoServer } from './server';

let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer({ port: 0, pages: [tmpdir()] });
});
afterAll(() => server.close());

let seq = 0;
const post = (path: string, body: object): Promise<Response> =>
  fetch(`${server.origin}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Reads one response into a session as the tap would have recorded it. `seen` is called after every chunk. */
const record = async (
  session: Session,
  flow: string,
  path: string,
  body: object,
  seen: (text: string) => void = () => {},
  signal?: AbortSignal,
): Promise<string> => {
  const stamp = (): { seq: number; at: number } => ({ seq: ++seq, at: performance.now() });
  const url = `${server.origin}${path}`;
  session.ingest([
    {
      ...stamp(),
      type: 'flow.opened',
      flow,
      document: 'd',
      transport: 'fetch',
      method: 'POST',
      url,
      requestHeaders: {},
      requestBody: JSON.stringify(body),
    },
  ]);
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) });
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  session.ingest([{ ...stamp(), type: 'flow.head', flow, status: response.status, headers }]);
  let text = '';
  let how: 'eof' | 'network-error' = 'eof';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body!) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      session.ingest([
        { ...stamp(), type: 'flow.chunk', flow, direction: 'received', text: piece, encoding: 'text', event: null, id: null },
      ]);
      seen(text);
    }
  } catch {
    how = 'network-error';
  }
  session.ingest([{ ...stamp(), type: 'flow.ended', flow, how, code: null, detail: null }]);
  return text;
};

const start = (id: string, seen?: (text: string) => void, resumeRequestId?: string) => {
  const session = createSession();
  const body = { sessionId: 'sess-1', message: 'x', ...(resumeRequestId === undefined ? {} : { resumeRequestId }) };
  return record(session, id, `/api/agent/stream?scenario=${id}&pace=1`, body, seen).then((text) => ({ session, text }));
};
const events = (text: string): { id: string; type: string; runId: string; sessionId: string }[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data]) => JSON.parse(data!) as { id: string; type: string; runId: string; sessionId: string },
  );

describe('scenarios', () => {
  const outcomes: Record<string, { outcome: string; endedBy: string; last: string }> = {
    completed: { outcome: 'completed', endedBy: 'producer', last: 'run.completed' },
    'cut-after-reasoning': { outcome: 'severed', endedBy: 'transport', last: 'run.model.reasoning.delta' },
    'broken-connection': { outcome: 'severed', endedBy: 'transport', last: 'run.model.reasoning.delta' },
    waiting: { outcome: 'waiting', endedBy: 'producer', last: 'run.completed' },
    'failed-after-draft': { outcome: 'failed', endedBy: 'producer', last: 'run.failed' },
    'late-settlement': { outcome: 'completed', endedBy: 'producer', last: 'run.completed' },
    cancelled: { outcome: 'cancelled', endedBy: 'producer', last: 'run.cancelled' },
    'lost-and-found': { outcome: 'severed', endedBy: 'transport', last: 'run.model.reasoning.completed' },
  };

  it('all have an expected outcome here', () => {
    expect(Object.keys(outcomes).sort()).toEqual(SCENARIOS.map(({ id }) => id).sort());
  });

  it.each(SCENARIOS.map(({ id }) => id))('%s', async (id) => {
    let asked = false;
    const { session, text } = await start(id, (soFar) => {
      const held = events(soFar).find((event) => event.type === 'run.tool.started' && soFar.includes('FinalizeAnswer'));
      if (id !== 'cancelled' || asked || !held) return;
      asked = true;
      void post('/commands', { id: 'c', type: 'run.cancel', payload: { runId: held.runId, sessionId: held.sessionId } });
    });
    expect(session.runs).toHaveLength(1);
    expect(session.runs[0]!.settlement).toMatchObject({ outcome: outcomes[id]!.outcome, endedBy: outcomes[id]!.endedBy });
    expect(
      events(text)
        .filter(({ type }) => type !== 'run.progress')
        .at(-1)!.type,
    ).toBe(outcomes[id]!.last);
    expect(session.faults).toEqual([]);
    expect(session.events.filter(({ type }) => type === 'unrecognised' || type === 'malformed' || type === 'breach')).toEqual([]);
  });
});

describe('a run that went on', () => {
  it('is given to who asks for it by identity, without the text of its reasoning', async () => {
    const { session, text } = await start('lost-and-found');
    const last = events(text).at(-1)!;
    const leave = new AbortController();
    const body = { filter: { runId: last.runId, sessionId: last.sessionId, sinceEventId: last.id } };
    const rest = await record(
      session,
      'again',
      '/events/stream',
      body,
      (soFar) => {
        if (soFar.includes('"type":"run.completed"')) leave.abort();
      },
      leave.signal,
    );
    expect(events(rest).at(-1)!.type).toBe('run.completed');
    expect(session.runs).toHaveLength(1);
    expect(session.runs[0]!.settlement!.outcome).toBe('completed');

    const first = events(text)[0]!;
    const replay = new AbortController();
    const all = await record(
      createSession(),
      'all',
      '/events/stream',
      { filter: { runId: first.runId, sinceEventId: first.id } },
      () => replay.abort(),
      replay.signal,
    );
    expect(all).toContain('not_retained');
    expect(all).not.toContain('"delta":');
  });

  it('is not found where it was cut off', async () => {
    const { text } = await start('cut-after-reasoning');
    const last = events(text).at(-1)!;
    const answer = await post('/events/stream', { filter: { runId: last.runId, sinceEventId: last.id } });
    expect(answer.status).toBe(410);
    expect(await answer.json()).toMatchObject({ type: 'runner.error', payload: { code: 'RUNNER_EVENT_CURSOR_EXPIRED' } });
  });
});

describe('a question', () => {
  it('is answered by its request id, and by no other', async () => {
    const { text } = await start('waiting');
    const requestId = text.match(/"requestId":"([^"]+)"/)![1]!;
    const { session } = await start('waiting', undefined, requestId);
    expect(session.runs[0]!.settlement!.outcome).toBe('completed');
    const wrong = await post('/api/agent/stream?scenario=waiting', { sessionId: 's', message: 'x', resumeRequestId: 'request-none' });
    expect(wrong.status).toBe(400);
  });
});

describe('requests', () => {
  it('refuses a cancel of a run that is over', async () => {
    const { text } = await start('completed');
    const { runId, sessionId } = events(text)[0]!;
    expect((await post('/commands', { type: 'run.cancel', payload: { runId, sessionId } })).status).toBe(404);
  });

  it('serves nothing from outside its folder', async () => {
    expect((await fetch(`${server.origin}/..%2f..%2fetc/passwd`)).status).toBe(404);
  });
});
