/** Pages that do nothing wrong in ways that look like it: what whole sessions must stay silent about. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createReader } from '../capture/capture';
import { type Scene, scene } from '../scenes/scene';
import { createSession, type Entry } from '../session';

const start = { type: 'start', messageId: 'm1' };
const open = { type: 'text-start', id: 't1' };
const text = (delta: string) => ({ type: 'text-delta', id: 't1', delta });
const over = [{ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]'] as const;
const ANSWER = 'The migration is safe to run. It adds one nullable column.';
const HALF = ANSWER.slice(0, 29);

const told = (entries: readonly Entry[]): readonly string[] => {
  const session = createSession();
  session.ingest(entries);
  expect(session.faults).toEqual([]);
  return session.findings.map((finding) => `${finding.verdict} ${finding.rule}: ${finding.message}`);
};
const asked = (): Scene =>
  scene()
    .rest()
    .at(990)
    .show('you', 'Is it safe?', { presentedAs: 'user' })
    .at(1000)
    .open('flow-1', { body: { messages: [{ role: 'user', content: 'Is it safe?' }] } });

describe('a page that does nothing wrong', () => {
  it('names the chat with a call of its own while it is at rest', () => {
    const s = asked()
      .at(1005)
      .busy()
      .at(1100)
      .say(start, open, text(HALF))
      .wait(10)
      .show('reply', HALF)
      .at(1500)
      .open('title', { body: { task: 'title' } })
      .sayOn(
        'title',
        { type: 'start', messageId: 't' },
        { type: 'text-start', id: 'x' },
        { type: 'text-delta', id: 'x', delta: 'Safe migrations ' },
      )
      .wait(10)
      .show('title', 'Safe migrations ', { path: 'nav › a' })
      .at(1800)
      .say(text(ANSWER.slice(29)), ...over)
      .end()
      .wait(10)
      .show('reply', ANSWER)
      .idle()
      .at(2600)
      .sayOn(
        'title',
        { type: 'text-delta', id: 'x', delta: 'in practice' },
        { type: 'text-end', id: 'x' },
        { type: 'finish', finishReason: 'stop' },
      )
      .end('eof', 'title')
      .wait(10)
      .show('title', 'Safe migrations in practice', { path: 'nav › a' })
      .at(5000)
      .still('reply', 'title')
      .tick();
    expect(told(s.entries)).toEqual([]);
  });

  it('shows its stop button only with a late first word', () => {
    const s = asked().at(6000).say(start, open, text(HALF)).wait(10).show('reply', HALF).wait(200).busy();
    s.at(7000)
      .say(text(ANSWER.slice(29)))
      .wait(10)
      .show('reply', ANSWER)
      .at(7500)
      .say(...over)
      .end()
      .wait(20)
      .idle()
      .at(11_000)
      .still('reply')
      .tick();
    expect(told(s.entries)).toEqual([]);
  });

  it('shows its thoughts where the answer will stand, while it works', () => {
    const s = asked()
      .at(1005)
      .busy()
      .at(1100)
      .say(
        start,
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'I should look at the change log first.' },
      )
      .wait(10)
      .show('reply', 'I should look at the change log first.', { presentedAs: 'assistant' });
    expect(told(s.entries)).toEqual([]);
    s.at(2000)
      .say({ type: 'reasoning-end', id: 'r' }, open, text(ANSWER), ...over)
      .end()
      .wait(10)
      .show('reply', ANSWER)
      .idle()
      .at(5000)
      .still('reply')
      .tick();
    expect(told(s.entries)).toEqual([]);
  });

  it('has an answer in paragraphs, lists and code, with controls that come and go', () => {
    const parts = ['Three steps:', 'Copy the table.', 'Swap the names.', 'ALTER TABLE orders ADD note text;'];
    const s = asked()
      .at(1005)
      .busy()
      .at(1100)
      .say(
        start,
        open,
        text('Three **steps**:\n\n1. Copy the table.\n2. Swap the names.\n\n```sql\nALTER TABLE orders ADD note text;\n```\n'),
      );
    for (const [i, part] of parts.entries()) s.wait(60).show(`p${i}`, part);
    s.cue('code', 'control', 'enabled', 'Copy code', { region: 'p3' })
      .at(1700)
      .cue('copy', 'control', 'enabled', 'Copy')
      .at(1900)
      .cue('copy', 'control', null, 'Copy')
      .at(2500)
      .say(...over)
      .end()
      .wait(20)
      .idle()
      .cue('copy', 'control', 'enabled', 'Copy')
      .cue('again', 'control', 'enabled', 'Regenerate')
      .at(7000)
      .still('p0', 'p1', 'p2', 'p3')
      .tick();
    expect(told(s.entries)).toEqual([]);
  });

  it('answers at once, from a cache', () => {
    const s = asked()
      .at(1005)
      .busy()
      .at(1100)
      .say(start, open, text(ANSWER), ...over)
      .end()
      .wait(10)
      .show('reply', ANSWER)
      .idle()
      .at(5000)
      .still('reply')
      .tick();
    expect(told(s.entries)).toEqual([]);
  });

  it('asks its next question as soon as the first is answered', () => {
    const s = asked()
      .at(1005)
      .busy()
      .at(1100)
      .say(start, open, text(ANSWER), ...over)
      .end()
      .wait(10)
      .show('reply', ANSWER);
    s.at(1300)
      .open('flow-2', { body: { messages: [{ role: 'user', content: 'Go on.' }] } })
      .at(1400)
      .sayOn(
        'flow-2',
        { type: 'start', messageId: 'm2' },
        { type: 'text-start', id: 't2' },
        { type: 'text-delta', id: 't2', delta: 'Then drop the old column.' },
      )
      .wait(10)
      .show('reply-2', 'Then drop the old column.')
      .at(1800)
      .sayOn('flow-2', { type: 'text-end', id: 't2' }, { type: 'finish', finishReason: 'stop' })
      .end('eof', 'flow-2')
      .wait(20)
      .idle()
      .at(6000)
      .still('reply', 'reply-2')
      .tick();
    expect(told(s.entries)).toEqual([]);
  });
});

describe('a page that comes to rest on idle, which comes before the ending', () => {
  const recorded = (name: string): readonly Entry[] => {
    const entries: Entry[] = [];
    const reader = createReader({ document: () => undefined, entries: (more) => entries.push(...more) });
    reader.push(readFileSync(fileURLToPath(new URL(`../dialects/deepseek-harness.fixtures/${name}`, import.meta.url))));
    reader.end();
    return entries;
  };

  it.each(['approval-allow.jsonl', 'cut-retry.jsonl', 'length-tool.jsonl', 'subagent.jsonl'])('%s', (name) => {
    const wire = recorded(name);
    const session = createSession();
    session.ingest(wire);
    const run = session.runs.find(
      (one) =>
        one.parent === null &&
        one.attempts.some((attempt) => attempt.parts.some((part) => part.voice === 'assistant' && part.text.length > 12)),
    );
    expect(run).toBeDefined();
    const idle = session.eventsOf(run!.key).findLast((event) => event.type === 'agent.status' && event.state === 'idle');
    expect(idle).toBeDefined();
    const part = run!.attempts.flatMap((attempt) => attempt.parts).findLast((one) => one.voice === 'assistant' && one.text.length > 12)!;
    const page = scene().rest().at(1).busy().show('reply', part.text).at(2).idle();
    const opened = wire.find((entry) => entry.type === 'flow.opened');
    const document = opened?.type === 'flow.opened' ? opened.document : '';
    const [watch, composer, send, gone, stop, reply, stopGone, sendBack] = page.entries;
    const at = (entry: Entry, time: number): Entry => ({ ...entry, at: time, ...('document' in entry ? { document } : {}) }) as Entry;
    const entries: Entry[] = [watch!, composer!, send!].map((entry) => at(entry, run!.openedAt - 1000));
    for (const entry of wire) {
      entries.push(entry);
      if (entry.seq === run!.openedSeq) entries.push(at(gone!, entry.at), at(stop!, entry.at));
      if (entry.seq === part.lastSeq) entries.push(at(reply!, entry.at + 1));
      if (entry.seq === idle!.seq) entries.push(at(stopGone!, entry.at + 1), at(sendBack!, entry.at + 1));
    }
    const found = told(entries.map((entry, seq) => ({ ...entry, seq }) as Entry));
    expect(found.filter((one) => one.includes('final-before-settle') || one.includes('final-never-settled'))).toEqual([]);
  });
});
