/** How runs end where a stream says it in an unusual way: more than one of them, against its own word, or under another name. */
import { describe, expect, test } from 'vitest';
import type { FlowEnd, TapRecord, TapRecordBody } from '../model';
import { createSession, type Session } from '../session';

interface Asked {
  readonly url?: string;
  readonly transport?: 'fetch' | 'websocket';
  readonly end?: FlowEnd | null;
}

/** A session over one flow that received these events, each in a frame of its own. */
const received = (events: readonly (object | string)[], asked: Asked = {}): Session => {
  const { url = 'https://app.test/api', transport = 'fetch', end = 'eof' } = asked;
  const bodies: TapRecordBody[] = [
    { type: 'flow.opened', flow: 'f', document: 'd', transport, method: 'POST', url, requestHeaders: {}, requestBody: null },
    { type: 'flow.head', flow: 'f', status: 200, headers: transport === 'fetch' ? { 'content-type': 'text/event-stream' } : {} },
    ...events.map((event): TapRecordBody => {
      const data = typeof event === 'string' ? event : JSON.stringify(event);
      const text = transport === 'fetch' ? `data: ${data}\n\n` : data;
      return { type: 'flow.chunk', flow: 'f', direction: 'received', text, encoding: 'text', event: null, id: null };
    }),
    ...(end === null ? [] : [{ type: 'flow.ended', flow: 'f', how: end, code: null, detail: null } as const]),
  ];
  const session = createSession();
  session.ingest(bodies.map((body, seq): TapRecord => ({ ...body, seq, at: seq * 10 })));
  expect(session.faults).toEqual([]);
  return session;
};
const outcomes = (session: Session): readonly string[] => session.runs.map((run) => run.settlement?.outcome ?? 'open');
describe('AG-UI', () => {
  const started = (runId: string, more = {}) => ({ type: 'RUN_STARTED', threadId: 't', runId, ...more });
  const finished = (runId: string, more = {}) => ({ type: 'RUN_FINISHED', threadId: 't', runId, ...more });
  const text = (messageId: string) => [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: 'It is 7 °C.' },
    { type: 'TEXT_MESSAGE_END', messageId },
  ];

  test.each([
    [{}, 'completed'],
    [{ outcome: null }, 'completed'],
    [{ outcome: { type: 'success' } }, 'completed'],
    [{ outcome: 'success' }, 'completed'],
    [{ outcome: { type: 'error' } }, 'failed'],
    [{ outcome: 'failed' }, 'failed'],
    [{ outcome: 'cancelled' }, 'cancelled'],
    [{ outcome: { type: 'max_tokens' } }, 'unattested'],
    [{ outcome: 'toString' }, 'unattested'],
    [{ outcome: {} }, 'unattested'],
    [{ outcome: 'interrupt', interrupt: { id: 'i', reason: 'human_approval' } }, 'waiting'],
    [{ metadata: { tanstack: { finishReason: 'error' } } }, 'failed'],
    [{ metadata: { tanstack: { finishReason: 'wearied' } } }, 'unattested'],
    [{ metadata: { tanstack: { finishReason: null } } }, 'completed'],
    [{ outcome: { type: 'error' }, metadata: { tanstack: { finishReason: 'stop' } } }, 'failed'],
  ])('RUN_FINISHED with %j', (more, outcome) => {
    expect(outcomes(received([started('r1'), ...text('m1'), finished('r1', more)]))).toEqual([outcome]);
  });

  test('each of two runs ends by its own end, in whatever order', () => {
    const session = received([
      started('r1'),
      ...text('m1'),
      started('r2'),
      ...text('m2'),
      finished('r1'),
      finished('r2', { outcome: 'failed' }),
    ]);
    expect(outcomes(session)).toEqual(['completed', 'failed']);
    const cut = received([started('r1'), ...text('m1'), started('r2'), ...text('m2'), finished('r2')], { end: 'network-error' });
    expect(outcomes(cut)).toEqual(['severed', 'completed']);
  });

  test('an end under an id that began no run here is of the open one, unless the connection breaks', () => {
    const told = (end: FlowEnd) => outcomes(received([started('r1'), ...text('m1'), finished('other')], { end }));
    expect(told('eof')).toEqual(['completed']);
    expect(told('network-error')).toEqual(['severed']);
  });
});
