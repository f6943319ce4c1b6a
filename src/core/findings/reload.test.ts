/** A question that is still wanted, and a page that was loaded anew: its clock starts over, and what it shows is what counts. */
import { describe, expect, it } from 'vitest';
import { type Scene, SSE, scene } from '../scenes/scene';
import { createSession, type Entry } from '../session';

const QUESTION = 'Refund order 77 in full?';
const events = [
  { type: 'RUN_STARTED', threadId: 'th1', runId: 'run1' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'I can refund it.' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
  {
    type: 'RUN_FINISHED',
    threadId: 'th1',
    runId: 'run1',
    outcome: { type: 'interrupt', interrupts: [{ id: 'int-1', reason: 'tool_call', message: QUESTION }] },
  },
];
const setup = { url: 'https://app.example/agui', headers: SSE };

/** The first page asks late in its life; the second replays the run soon after it was loaded. */
const first = (): Scene =>
  scene()
    .rest()
    .at(60_000)
    .open('flow-1', setup)
    .at(60_010)
    .busy()
    .say(...events)
    .wait(10)
    .show('reply', 'I can refund it.')
    .show('card', QUESTION)
    .end()
    .wait(30)
    .idle()
    .at(63_000)
    .still('reply', 'card');
const second = (): Scene =>
  scene()
    .rest()
    .at(500)
    .open('flow-2', setup)
    .at(520)
    .busy()
    .sayOn('flow-2', ...events)
    .wait(10)
    .show('reply', 'I can refund it.')
    .end('eof', 'flow-2')
    .wait(30)
    .idle();

const told = (after: Scene): readonly string[] => {
  const before = first().entries;
  const session = createSession();
  for (const key of ['doc-1', 'doc-2'])
    session.document({ key, url: 'https://app.example/chat', topLevel: true, timeOrigin: key === 'doc-1' ? 0 : 70_000 });
  session.ingest([
    ...before,
    ...after.entries.map(
      (entry) => ({ ...entry, seq: entry.seq + before.length, ...('document' in entry ? { document: 'doc-2' } : {}) }) as Entry,
    ),
  ]);
  expect(session.faults).toEqual([]);
  expect(session.runs).toHaveLength(1);
  return session.findings.map((finding) => `${finding.verdict} ${finding.rule}`);
};

describe('after a reload', () => {
  it('a question that the new page does not show is lost', () => {
    expect(told(second().at(4_000).still('reply').tick())).toContain('fail waiting-lost');
  });
  it('a question that it shows again is not', () => {
    expect(told(second().show('card', QUESTION).at(4_000).still('reply', 'card').tick())).not.toContain('fail waiting-lost');
  });
  it('a page that has only just been loaded has time to draw it', () => {
    expect(told(second())).not.toContain('fail waiting-lost');
  });
  it('a stream that has only just begun is not called silent', () => {
    const open = scene().rest().at(500).open('flow-2', setup).at(520).sayOn('flow-2', events[0]).tick();
    expect(told(open)).not.toContain('fail stalled');
  });
});
