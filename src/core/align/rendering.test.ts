/**
 * What pages make of markdown, and how much of it is still recognised: each row is what was said, what a usual page shows of
 * it, and the least that must be found of either side. What cannot be found is said as a share, never guessed.
 */
import { describe, expect, it } from 'vitest';
import type { Voice } from '../model';
import { createAligner, type SaidText, type ShownText } from './align';

const said = (key: string, text: string, more: Partial<SaidText> = {}): SaidText => ({
  key,
  voice: 'assistant' as Voice,
  text,
  openedSeq: 10,
  lastSeq: 20,
  stale: false,
  ...more,
});
const shown = (text: string, more: Partial<ShownText> = {}): ShownText => ({ region: 'r', text, appearedSeq: 15, changedSeq: 30, ...more });

const TABLE = '| Service | State | Since |\n| :-- | :-: | --: |\n| **billing** | `up` | 09:12 |\n| search \\| index | down | 10:40 |';
const NESTED =
  '1. Prepare\n   - stop the worker\n   - copy `orders`\n     1. to the archive\n     2. to the new table\n2. Switch\n\n   Only after the check.';
const CODE = 'Run:\n\n```python\ndef f(a):\n    # *not* emphasis\n    return a[0](1)  # [not](a link)\n```\n\nThen look at `a_b_c`.';

const rows: readonly (readonly [name: string, wire: string, page: string, share: number, covered: number])[] = [
  // Tables.
  ['a table, cells apart', TABLE, 'Service State Since\nbilling up 09:12\nsearch | index down 10:40', 0.95, 0.8],
  ['a table, cells run together', TABLE, 'ServiceStateSincebillingup09:12search | indexdown10:40', 0.95, 0.8],
  ['a table not yet closed, shown as text', TABLE.slice(0, 60), TABLE.slice(0, 60), 0.95, 0.9],
  // Code.
  [
    'code with a bar above it',
    CODE,
    'Run:\npython Copy\ndef f(a):\n    # *not* emphasis\n    return a[0](1)  # [not](a link)\nThen look at a_b_c.',
    0.75,
    0.9,
  ],
  [
    'code with line numbers',
    CODE,
    'Run:\n1\n2\n3\ndef f(a):\n    # *not* emphasis\n    return a[0](1)  # [not](a link)\nThen look at a_b_c.',
    0.85,
    0.9,
  ],
  ['indented code', 'Do this:\n\n    npm ci\n    npm test\n\nDone.', 'Do this:\nnpm ci\nnpm test\nDone.', 0.95, 0.95],
  // Links.
  [
    'a link and its address',
    'Read [the guide](https://example.org/a_(b)) now.',
    'Read the guide (https://example.org/a_(b)) now.',
    0.4,
    0.6,
  ],
  ['a link with a title', 'Read [the guide](https://example.org "All of it") now.', 'Read the guide now.', 0.95, 0.95],
  ['a link still being written', 'Read [the gui', 'Read the gui', 0.9, 0.9],
  [
    'a bare address cut short',
    'See https://example.org/a/very/long/path/to/it for the rest of this.',
    'See https://example.org/a/very/lo… for the rest of this.',
    0.8,
    0.6,
  ],
  ['an image by its words', 'Before ![A chart of orders](x.png) after it all.', 'Before A chart of orders after it all.', 0.8, 0.6],
  ['an image without words', 'Before it all ![A chart](x.png) and after it all.', 'Before it all and after it all.', 0.9, 0.6],
  // Math.
  [
    'math as its source',
    'The sum $\\sum_{i=1}^{n} i$ is known to all of us.',
    'The sum \\sum_{i=1}^{n} i is known to all of us.',
    0.8,
    0.8,
  ],
  ['math as drawn', 'So the energy is $E = mc^2$ in the rest frame of it.', 'So the energy is E=mc2 in the rest frame of it.', 0.7, 0.7],
  [
    'display math in brackets',
    'Then we have:\n\n\\[ a^2 + b^2 = c^2 \\]\n\nwhich was to be shown.',
    'Then we have:\na^2 + b^2 = c^2\nwhich was to be shown.',
    0.9,
    0.8,
  ],
  // Footnotes.
  [
    'a footnote as a number with a way back',
    'It holds for all.[^a]\n\n[^a]: As the log of today says.',
    'It holds for all.1\nAs the log of today says. ↩',
    0.9,
    0.8,
  ],
  [
    'citations as numbers',
    'It holds for all [1] and for each [2](https://example.org/2) of them.',
    'It holds for all 1 and for each 2 of them.',
    0.9,
    0.8,
  ],
  // Lists.
  [
    'nested lists, with numbers of the page',
    NESTED,
    '1. Prepare\nstop the worker\ncopy orders\n1. to the archive\n2. to the new table\n2. Switch\nOnly after the check.',
    0.9,
    0.85,
  ],
  [
    'nested lists, without numbers',
    NESTED,
    'Prepare\nstop the worker\ncopy orders\nto the archive\nto the new table\nSwitch\nOnly after the check.',
    0.95,
    0.85,
  ],
  [
    'a list with bullets of the page',
    '* one thing\n* another thing\n* a third thing',
    '• one thing\n• another thing\n• a third thing',
    0.9,
    0.9,
  ],
  // Characters.
  [
    'entities, by name, by number and in hexadecimal',
    'a &lt;b&gt; &amp;&nbsp;&#39;c&#x27; &hellip; end of it',
    "a <b> & 'c' … end of it",
    0.9,
    0.8,
  ],
  ['an escaped sign is no markup', '5 \\* 3 \\_is\\_ not \\# a heading', '5 * 3 _is_ not # a heading', 0.9, 0.9],
  [
    'emoji with skin, flags and joins',
    'Team 👩🏽‍💻 and 🇨🇭 and 👨‍👩‍👧‍👦 are here 1️⃣',
    'Team 👩🏽‍💻 and 🇨🇭 and 👨‍👩‍👧‍👦 are here 1️⃣',
    0.95,
    0.95,
  ],
  [
    'short names of emoji as emoji',
    'The whole of it is done :tada: and it was shipped :rocket: to all of them today',
    'The whole of it is done 🎉 and it was shipped 🚀 to all of them today',
    0.8,
    0.6,
  ],
  [
    'combining marks, composed and not',
    'Ångström, Việt Nam, naïve'.normalize('NFD'),
    'Ångström, Việt Nam, naïve'.normalize('NFC'),
    0.95,
    0.95,
  ],
  ['Devanagari and Thai', 'माइग्रेशन पूरा हुआ। ย้ายข้อมูลเสร็จแล้ว', 'माइग्रेशन पूरा हुआ। ย้ายข้อมูลเสร็จแล้ว', 0.95, 0.95],
  [
    'soft hyphens put in by the page',
    'Donaudampfschifffahrtsgesellschaft is a long word',
    'Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesell\u00adschaft is a long word',
    0.95,
    0.95,
  ],
  ['marks of direction around a name', 'הקובץ orders.sql הועבר בהצלחה', 'הקובץ \u2068orders.sql\u2069 הועבר בהצלחה\u200f', 0.95, 0.95],
  ['ruby and width', '東京（とうきょう）で１２３件', '東京（とうきょう）で123件', 0.95, 0.95],
  [
    'tags that the page drops',
    'Line one<br/>line <sub>two</sub> <kbd>Ctrl</kbd>+<kbd>C</kbd> is it',
    'Line one\nline two Ctrl+C is it',
    0.95,
    0.9,
  ],
  ['spaces that do not break', 'a\u00a0b\u202fc\u2009d are four letters here', 'a b c d are four letters here', 0.95, 0.95],
];

describe('a page renders', () => {
  it.each(rows)('%s', (_name, wire, page, share, covered) => {
    const placed = createAligner().place([said('p', wire)], shown(page));
    expect(placed.owner).toBe('p');
    expect(placed.matches[0]!.share).toBeGreaterThanOrEqual(share);
    expect(placed.matches[0]!.covered).toBeGreaterThanOrEqual(covered);
    expect(placed.matches[0]!.share).toBeLessThanOrEqual(1);
    expect(placed.matches[0]!.covered).toBeLessThanOrEqual(1);
  });

  it.each(rows)('%s, while it grows', (_name, wire) => {
    // Shown raw and a little behind, as by a page that renders when a block is whole.
    const aligner = createAligner();
    for (let n = 16; n <= wire.length; n += 7) {
      const placed = aligner.place([said('p', wire.slice(0, n), { lastSeq: 10 + n })], shown(wire.slice(0, n - 5), { changedSeq: 11 + n }));
      expect(placed.owner, wire.slice(0, n)).toBe('p');
    }
  });
});

describe('how much was seen', () => {
  const text = Array.from({ length: 12 }, (_, n) => `Sentence number ${n} says something of its own.`).join(' ');

  it('is told of a text cut short behind "show more", and again when it is opened', () => {
    const aligner = createAligner();
    const cut = `${text.slice(0, 120)}… Show more`;
    const [folded] = aligner.place([said('p', text)], shown(cut)).matches;
    expect(folded!.covered).toBeGreaterThan(0.15);
    expect(folded!.covered).toBeLessThan(0.35);
    expect(folded!.share).toBeGreaterThan(0.85);
    const [opened] = aligner.place([said('p', text)], shown(`${text} Show less`, { changedSeq: 40 })).matches;
    expect(opened!.covered).toBeGreaterThan(0.98);
  });

  it('is told of a text cut in its middle', () => {
    const [match] = createAligner().place([said('p', text)], shown(`${text.slice(0, 100)} … ${text.slice(-100)}`)).matches;
    expect(match!.covered).toBeGreaterThan(0.3);
    expect(match!.covered).toBeLessThan(0.5);
  });

  it('is the same however the words are put into elements', () => {
    const whole = createAligner().place([said('p', text)], shown(text)).matches[0]!;
    for (const glue of ['\n', '\u200b', ' \u200b ', '\t'])
      expect(createAligner().place([said('p', text)], shown(text.split(' ').join(glue))).matches[0]).toMatchObject({
        share: whole.share,
        covered: whole.covered,
      });
  });

  it('is nothing where other words are shown', () => {
    const other = 'The weather will be fine tomorrow, with some clouds in the evening and rain at night.';
    const match = createAligner().place([said('p', text)], shown(other)).matches[0];
    expect(match === undefined || match.weak || match.share < 0.3).toBe(true);
  });
});

describe('two voices', () => {
  const words = 'I should verify the migration before I say that it is done.';

  it('with one sentence in common, and more of their own, are told apart', () => {
    const thought = said('thought', `The column is unused. ${words} Let me see the log.`, { voice: 'reasoning', openedSeq: 1, lastSeq: 5 });
    const answer = said('answer', `${words} The log has no reader of it since June.`, { openedSeq: 6, lastSeq: 9 });
    expect(createAligner().place([thought, answer], shown(answer.text)).owner).toBe('answer');
    expect(createAligner().place([thought, answer], shown(thought.text)).owner).toBe('thought');
  });

  it('that said the very same are not guessed at', () => {
    const thought = said('thought', words, { voice: 'reasoning', openedSeq: 1, lastSeq: 3 });
    const answer = said('answer', words, { openedSeq: 4, lastSeq: 6 });
    const placed = createAligner().place([thought, answer], shown(words, { appearedSeq: 10, changedSeq: 12 }));
    expect(placed.owner).toBeNull();
    expect(placed.matches.map((match) => match.part).sort()).toEqual(['answer', 'thought']);
  });
});

describe('re-rendering', () => {
  const full = 'First the table is copied. Then the names are swapped. Finally the old one is dropped.';

  it('of the whole text for each piece is one text that grows', () => {
    const aligner = createAligner();
    let before = 0;
    for (let n = 20; n <= full.length; n += 6) {
      const text = full.slice(0, n);
      const [match] = aligner.place([said('p', text, { lastSeq: 10 + n })], shown(text, { changedSeq: 11 + n })).matches;
      expect(match!.share).toBe(1);
      expect(match!.covered).toBe(1);
      expect(match!.to).toBeGreaterThanOrEqual(before);
      before = match!.to;
    }
  });

  it('that takes markup for text for a moment, and then renders it, stays with its part', () => {
    const aligner = createAligner();
    const wire = 'It is **very** important to [look](https://example.org/x) at `this`.';
    for (const page of ['It is **ver', 'It is very important to [look](https://exa', 'It is very important to look at this.'])
      expect(aligner.place([said('p', wire)], shown(page, { changedSeq: 30 + page.length })).owner).toBe('p');
  });
});
