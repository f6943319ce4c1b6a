/** One test per row of the settle table, in its order. */
import { describe, expect, test } from 'vitest';
import type { FinishReason } from '../model';
import { type Facts, settle, type Terminal } from './settle';

const open: Facts = {
  terminal: null,
  sentinel: null,
  blockedOn: null,
  end: null,
  hasTerminalWord: true,
  gapAtTail: false,
  superseded: false,
};
const mark = { at: 5, seq: 5, evidence: [] };
const said = (reason: FinishReason['reason'], more: Partial<Terminal> = {}): Facts => ({
  ...open,
  terminal: { finish: { reason, raw: reason }, error: null, waitingFor: null, openAsks: [], openTools: 0, ...mark, ...more },
});
const ended = (how: NonNullable<Facts['end']>['how']): Facts => ({ ...open, end: { ...mark, how } });

describe('what the producer said', () => {
  const rows: readonly [string, Facts, string, string | null][] = [
    ['failed', said('error'), 'failed', null],
    ['refusal', said('refusal'), 'refused', null],
    ['content filter', said('content-filter'), 'refused', null],
    ['length', said('length'), 'truncated', null],
    ['cancelled', said('cancelled'), 'cancelled', null],
    ['waiting', said('waiting', { waitingFor: 'approval' }), 'waiting', 'approval'],
    ['waiting for what an open request says', said('waiting', { openAsks: ['auth'] }), 'waiting', 'auth'],
    ['waiting, not said for what', said('waiting'), 'waiting', 'other'],
    ['a polite end with an open question', said('stop', { openAsks: ['input'] }), 'waiting', 'input'],
    ['a polite end with a call the page owes', said('tool-calls', { openTools: 1 }), 'waiting', 'tool'],
    ['a question goes before a call', said('tool-calls', { openTools: 1, openAsks: ['approval'] }), 'waiting', 'approval'],
    ['tool calls with none open: a step limit', said('tool-calls'), 'completed', null],
    ['ended, not said how', said('other'), 'unattested', null],
    ['a good end', said('stop'), 'completed', null],
  ];
  test.each(rows)('%s', (_name, facts, outcome, waitingFor) => {
    expect(settle(facts)).toMatchObject({ outcome, waitingFor, strength: 'reason', endedBy: 'producer' });
    // What the transport does afterwards changes nothing.
    expect(settle({ ...facts, end: { ...mark, how: 'network-error' } })).toMatchObject({ outcome });
  });
  test('a failure does not become a wait because something is open', () => {
    expect(settle(said('error', { openAsks: ['input'], openTools: 2 }))).toMatchObject({ outcome: 'failed', waitingFor: null });
  });
});

describe('what was not said', () => {
  const rows: readonly [string, Facts, string | null, string, string][] = [
    ['still open', open, null, '', ''],
    ['only a sentinel', { ...open, sentinel: mark }, 'unattested', 'sentinel', 'producer'],
    ['only a sentinel, then the end', { ...ended('eof'), sentinel: mark }, 'unattested', 'sentinel', 'producer'],
    ['a later attempt took over', { ...ended('eof'), superseded: true }, 'superseded', 'none', 'page'],
    ['a later attempt, and this one still open', { ...open, superseded: true }, null, '', ''],
    ['the run stands still for an answer', { ...open, blockedOn: { ...mark, kind: 'approval' } }, 'waiting', 'reason', 'producer'],
    ['lost while it stood still', { ...ended('network-error'), blockedOn: { ...mark, kind: 'approval' } }, 'severed', 'none', 'transport'],
    ['a gap covers the tail', { ...ended('eof'), gapAtTail: true }, null, '', ''],
    ['the page aborted', ended('aborted-by-page'), 'cancelled', 'none', 'page'],
    ['the document went away', ended('document-gone'), 'cancelled', 'none', 'page'],
    ['clean end, dialect without a terminal word', { ...ended('eof'), hasTerminalWord: false }, 'unattested', 'sentinel', 'transport'],
    ['reset, dialect without a terminal word', { ...ended('network-error'), hasTerminalWord: false }, 'severed', 'none', 'transport'],
    ['clean end', ended('eof'), 'severed', 'none', 'transport'],
    ['reset', ended('network-error'), 'severed', 'none', 'transport'],
    ['closed by the server', ended('closed-by-server'), 'severed', 'none', 'transport'],
  ];
  test.each(rows)('%s', (_name, facts, outcome, strength, endedBy) => {
    const settlement = settle(facts);
    if (outcome === null) expect(settlement).toBeNull();
    else expect(settlement).toMatchObject({ outcome, strength, endedBy, finish: null });
  });
});

test('completed needs the producer: without a terminal nothing settles as completed', () => {
  for (const sentinel of [null, mark])
    for (const blockedOn of [null, { ...mark, kind: 'input' as const }])
      for (const how of [null, 'eof', 'network-error', 'aborted-by-page', 'closed-by-server', 'document-gone'] as const)
        for (const hasTerminalWord of [true, false])
          for (const gapAtTail of [true, false])
            for (const superseded of [true, false]) {
              const end = how === null ? null : { ...mark, how };
              expect(settle({ terminal: null, sentinel, blockedOn, end, hasTerminalWord, gapAtTail, superseded })?.outcome).not.toBe(
                'completed',
              );
            }
});
