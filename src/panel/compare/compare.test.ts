import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../core/dialects';
import { ON_DEMAND } from '../../core/dialects/on-demand';
import { createStock } from '../dialects';
import type { Scheduler } from '../feed';
import { createFeed } from '../feed';
import { SAMPLES } from '../sample';
import { alignPieces, MOST_PIECES, type Pair } from './align';
import { type Piece, piecesOf } from './pieces';
import { diffWords } from './words';

/** Every dialect is here from the start. */
const readers = { mapped: [], stock: createStock(ON_DEMAND, DIALECTS) };

const piece = (lane: Piece['lane'], text: string, more: Partial<Piece> = {}): Piece => ({
  kind: 'part',
  lane,
  name: '',
  text,
  at: 0,
  lasted: 0,
  standing: 'provisional',
  seq: 0,
  ...more,
});
const said = (pair: Pair): string => `${pair.a?.text ?? '–'} | ${pair.b?.text ?? '–'}${pair.moved ? ' moved' : ''}`;

describe('alignment', () => {
  test('the same runs are the same throughout', () => {
    const run = [piece('reasoning', 'Let me see.'), piece('assistant', 'It is safe.')];
    expect(alignPieces(run, run).map(said)).toEqual(['Let me see. | Let me see.', 'It is safe. | It is safe.']);
  });
  test('a changed part stays across from what it was, an extra one stands alone', () => {
    const a = [piece('reasoning', 'I look at the migration first.'), piece('assistant', 'It is safe.')];
    const b = [
      piece('reasoning', 'I look at the schema first.'),
      piece('tool', '{"path":"x"}', { kind: 'tool', name: 'read' }),
      piece('assistant', 'It is not safe.'),
    ];
    expect(alignPieces(a, b).map(said)).toEqual([
      'I look at the migration first. | I look at the schema first.',
      '– | {"path":"x"}',
      'It is safe. | It is not safe.',
    ]);
  });
  test('voices are never paired with each other', () => {
    expect(alignPieces([piece('reasoning', 'same words')], [piece('assistant', 'same words')]).map(said)).toEqual([
      'same words | –',
      '– | same words',
    ]);
  });
  test('what stands elsewhere has moved', () => {
    const a = [piece('progress', 'reading the file now'), piece('reasoning', 'one'), piece('reasoning', 'two')];
    const b = [piece('reasoning', 'one'), piece('reasoning', 'two'), piece('progress', 'reading the file now')];
    expect(alignPieces(a, b).map(said)).toEqual(['one | one', 'two | two', 'reading the file now | reading the file now moved']);
  });
  test('every piece is there exactly once, in its own order but for those that moved', () => {
    const lanes = ['reasoning', 'assistant', 'progress'] as const;
    const run = fc.array(
      fc.tuple(fc.constantFrom(...lanes), fc.constantFrom('a b c', 'a b d', 'x', 'y z', '')).map(([lane, text]) => piece(lane, text)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(run, run, (a, b) => {
        const pairs = alignPieces(a, b);
        const left = pairs.flatMap((pair) => pair.a ?? []);
        const right = pairs.flatMap((pair) => pair.b ?? []);
        expect(new Set(left)).toEqual(new Set(a));
        expect(left.length).toBe(a.length);
        expect(right.length).toBe(b.length);
        const stay = pairs.filter((pair) => !pair.moved);
        const places = stay.flatMap((pair) => (pair.a === null ? [] : [a.indexOf(pair.a)]));
        expect(places).toEqual([...places].sort((x, y) => x - y));
        for (const pair of pairs) if (pair.a !== null && pair.b !== null) expect(pair.a.lane).toBe(pair.b.lane);
      }),
    );
  });
  test('of thousands of pieces, all different, the first are paired', () => {
    const many = (word: string): Piece[] => Array.from({ length: MOST_PIECES + 10 }, (_, i) => piece('progress', `${word} ${i}`));
    expect(alignPieces(many('a'), many('b'))).toHaveLength(MOST_PIECES);
  });
});

describe('words', () => {
  test('a changed word is marked on both sides', () => {
    const { a, b, removed, added } = diffWords('I should verify the migration.', 'I should read the migration first.');
    expect(a.filter((each) => each.differs).map((each) => each.text)).toEqual(['verify']);
    expect(b.filter((each) => each.differs).map((each) => each.text.trim())).toEqual(['read', 'first']);
    expect([removed, added]).toEqual([1, 2]);
  });
  test('scripts without spaces are told apart by character', () => {
    expect(diffWords('运行已完成', '运行未完成').b.filter((each) => each.differs)).toEqual([{ text: '未', differs: true }]);
  });
  test('both sides are kept whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const result = diffWords(a, b);
        expect(result.a.map((each) => each.text).join('')).toBe(a);
        expect(result.b.map((each) => each.text).join('')).toBe(b);
      }),
    );
  });
  test('a long middle that differs throughout is not looked at word by word', () => {
    const long = (word: string): string => Array.from({ length: 20_000 }, (_, i) => `${word}${i}`).join(' ');
    const { a } = diffWords(`same ${long('a')} end`, `same ${long('b')} end`);
    expect(a.map((each) => each.differs)).toEqual([false, true, false]);
  });
});

test('pieces of the sample: thoughts, the tool with its result, the note, the end', () => {
  const turns: (() => void)[] = [];
  const scheduler: Scheduler = {
    now: () => 0,
    yield: (what) => turns.push(what),
    later: (what) => turns.push(what),
  };
  const feed = createFeed('sample', '', scheduler, readers);
  const capture = SAMPLES['kestrel-cut']();
  for (const document of capture.documents) feed.document(document);
  feed.replay(capture.entries);
  for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) turn();
  const pieces = piecesOf(feed, feed.session.runs[2]!);
  expect(pieces.map((each) => `${each.kind} ${each.lane} ${each.name}`)).toEqual([
    'part reasoning ',
    'tool tool fs.read_text',
    'part progress ',
    'part reasoning ',
    'end terminal severed',
  ]);
  expect(pieces[1]!.text).toContain('→ ');
  expect(pieces[1]!.lasted).toBe(392);
  expect(pieces[0]!.at).toBeGreaterThan(0);
});
