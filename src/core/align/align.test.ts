import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Voice } from '../model';
import { createAligner, repeatedIn, type SaidText, type ShownText } from './align';
import { createFolder, fold } from './fold';

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
const place = (parts: readonly SaidText[], region: ShownText, taken?: ReadonlySet<string>) => createAligner().place(parts, region, taken);

/** What a page renders, against what was said. */
const rendered: readonly (readonly [name: string, said: string, shown: string])[] = [
  ['plain words', 'The migration is safe to run.', 'The migration is safe to run.'],
  ['emphasis', 'This is **very** _important_ and ~~old~~ `code`.', 'This is very important and old code.'],
  ['a heading', '## Result\n\nAll nine checks pass.', 'Result All nine checks pass.'],
  ['raw markdown', '## Result\n\n1. **Stop** the worker', '## Result\n\n1. **Stop** the worker'],
  ['a numbered list without its numbers', 'Steps:\n1. Stop the worker.\n2. Copy the files.', 'Steps:Stop the worker.Copy the files.'],
  ['nested bullets', '- one item\n  - two items\n    * three items', 'one item\ntwo items\nthree items'],
  ['a task list', '- [x] Write tests\n- [ ] Ship it today', 'Write tests Ship it today'],
  ['a table', '| Name | Age |\n|---|:-:|\n| Ada | 36 |\n| Alan | 41 |', 'Name\tAge\nAda\t36\nAlan\t41'],
  ['a link', 'See [the guide](https://example.org/a_(b)?q=1) for more.', 'See the guide for more.'],
  ['a reference link', 'See [the guide][1] for more.\n\n[1]: https://example.org/x', 'See the guide for more.'],
  ['an autolink', 'Read <https://example.org/docs> first.', 'Read https://example.org/docs first.'],
  ['a code block', 'Run this:\n```ts\nconst a = b[1](2);\n```\nDone.', 'Run this:\nconst a = b[1](2);\nDone.'],
  ['tags in the text', 'Line one<br>line two with <b>bold</b> words', 'Line one line two with bold words'],
  ['entities', 'Fish &amp; chips &copy; 2026 &#8364;5', 'Fish & chips © 2026 €5'],
  ['typographic quotes and dashes', '"Yes" -- it\'s done...', '“Yes” – it’s done…'],
  ['soft hyphens and zero width', 'An extraordinary situation', 'An extra\u00adordi\u00adnary\u200b situ\u200dation'],
  ['full-width and ligatures', 'ﬁle ＡＢＣ１２３ ready', 'file ABC123 ready'],
  ['Chinese', '数据库迁移已经完成，可以安全运行。', '数据库迁移已经完成，可以安全运行。'],
  ['Japanese with wrapping', '移行は完了しました。次に進みます。', '移行は完了し\nました。\n次に進みます。'],
  ['emoji with selectors', 'Done ✅ family 👩‍👩‍👧 ❤️', 'Done ✅ family 👩‍👩‍👧 ❤'],
  ['combining marks', 'cafe\u0301 naive\u0308', 'café naivë'],
  ['a footnote', 'It holds.[^1]\n\n[^1]: See the log.', 'It holds.1 1. See the log.'],
  ['Arabic', 'تم الانتهاء من الترحيل بنجاح', 'تم الانتهاء من الترحيل بنجاح'],
  ['a typing caret', 'The migration is', 'The migration is ▍'],
];

describe('plain-texting', () => {
  it.each(rendered)('%s: the region belongs to the part', (_name, wire, page) => {
    const placed = place([said('p', wire)], shown(page));
    expect(placed.owner).toBe('p');
    expect(placed.matches[0]!.share).toBeGreaterThanOrEqual(0.9);
    expect(placed.matches[0]!.covered).toBeGreaterThanOrEqual(0.7);
  });

  it('keeps case, and tells apart what letters and digits tell apart', () => {
    expect(fold('Run 12')).not.toBe(fold('run 12'));
    expect(fold('Run 12')).not.toBe(fold('Run 13'));
  });

  it('folds the same however the text grew', () => {
    const pieces = fc.array(
      fc.constantFrom('a', 'B', '1. ', '\n', '```', '```\n', '[x](y)', '**', '<b>', 'é', 'e\u0301', '👩', '\u200d', '漢', '| ', '- '),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(pieces, (list) => {
        const grown = createFolder();
        let text = '';
        for (const piece of list) {
          text += piece;
          expect(grown.of(text)).toEqual(createFolder().of(text));
        }
      }),
    );
  });

  it('starts over when a text is replaced', () => {
    const folder = createFolder();
    folder.of('one\ntwo\nthree');
    expect(folder.of('four\nfive').raw).toBe('fourfive');
    expect(folder.of('four').raw).toBe('four');
  });
});

describe('matching', () => {
  const answer = said('answer', 'First copy the table. Then swap the names. Finally drop the old one, once nobody reads from it any more.');

  it('matches each paragraph of a part that is split over regions', () => {
    for (const text of ['First copy the table.', 'Then swap the names.', 'Finally drop the old one, once nobody reads from it any more.'])
      expect(place([answer], shown(text)).owner).toBe('answer');
  });

  it('says where in the part a region begins and ends', () => {
    const [match] = place([answer], shown('Then swap the names.')).matches;
    expect(match!.from).toBe(fold('First copy the table.').length);
    expect(match!.to).toBe(fold('First copy the table. Then swap the names.').length);
  });

  it('matches a truncated text with words of the page after it', () => {
    const { owner, matches } = place([answer], shown('First copy the table. Then swap the… Show more'));
    expect(owner).toBe('answer');
    expect(matches[0]!.share).toBeLessThan(1);
    expect(matches[0]!.covered).toBeLessThan(0.5);
  });

  it('matches a text with words of the page in between', () => {
    const placed = place(
      [answer],
      shown('Assistant First copy the table. Then swap the names. Copy code Finally drop the old one, once nobody reads'),
    );
    expect(placed.owner).toBe('answer');
  });

  it('finds both parts in one region', () => {
    const thought = said('thought', 'The user wants no downtime at all.', { voice: 'reasoning' });
    const placed = place([thought, answer], shown(`${thought.text} ${answer.text}`));
    expect(placed.matches.map((match) => match.part).sort()).toEqual(['answer', 'thought']);
    expect(placed.owner).toBe('answer');
  });

  it('grows with the part, from its first characters on', () => {
    const aligner = createAligner();
    const text = '数据库迁移 is done, and nothing was lost on the way to the new system.';
    for (let n = 1; n <= text.length; n++) {
      const placed = aligner.place([said('p', text.slice(0, n), { lastSeq: 10 + n })], shown(text.slice(0, n), { changedSeq: 11 + n }));
      expect(placed.owner).toBe('p');
    }
  });

  it('leaves out what was not said', () => {
    expect(place([answer], shown('An error occurred. Please try again later.')).matches).toEqual([]);
    expect(place([answer], shown('')).matches).toEqual([]);
    expect(place([answer], shown('…')).matches).toEqual([]);
  });

  it('never shows a text before it was said', () => {
    expect(place([answer], shown(answer.text, { appearedSeq: 2, changedSeq: 5 })).owner).toBeNull();
  });

  it('calls a short stretch in the middle weak', () => {
    const placed = place([said('p', 'The request ended in an error in line 4.')], shown('error'));
    expect(placed.matches[0]?.weak).toBe(true);
  });
});

describe('the same words in two voices', () => {
  const words = 'I should verify the migration first.';
  const thought = said('thought', words, { voice: 'reasoning', openedSeq: 10, lastSeq: 20 });
  const answer = said('answer', words, { voice: 'assistant', openedSeq: 30, lastSeq: 40 });

  it('is what had been said when the region came to be', () => {
    expect(place([thought, answer], shown(words, { appearedSeq: 12, changedSeq: 22 })).owner).toBe('thought');
  });
  it('is what was being said when the region came to be', () => {
    expect(place([thought, answer], shown(words, { appearedSeq: 32, changedSeq: 42 })).owner).toBe('answer');
  });
  it('is the one that has no region yet', () => {
    expect(place([thought, answer], shown(words, { appearedSeq: 50, changedSeq: 50 }), new Set(['thought'])).owner).toBe('answer');
  });
  it('is neither when both had been said and nothing tells', () => {
    const placed = place([thought, answer], shown(words, { appearedSeq: 50, changedSeq: 50 }));
    expect(placed.owner).toBeNull();
    expect(placed.ambiguous).toBe(true);
    expect(placed.matches).toHaveLength(2);
  });
  it('of one voice is the freshest that stands', () => {
    const again = said('again', words, { openedSeq: 35, lastSeq: 45 });
    expect(place([answer, again], shown(words, { appearedSeq: 50, changedSeq: 50 })).owner).toBe('again');
    expect(place([answer, { ...again, stale: true }], shown(words, { appearedSeq: 50, changedSeq: 50 })).owner).toBe('answer');
  });
});

describe('repeated text', () => {
  it('is found where a replay was appended', () => {
    expect(repeatedIn('The report has four sections.', 'The report has The report has four sections.', 10)).toHaveLength(1);
    expect(repeatedIn('The report has four sections.', 'The report has four sections.', 10)).toEqual([]);
  });
  it('is not found where the said text repeats itself', () => {
    const chorus = 'We all live in a yellow house. We all live in a yellow house.';
    expect(repeatedIn(`${chorus} And then?`, `${chorus} And now?`, 10)).toEqual([]);
  });
});

describe('cost', () => {
  it('of a growing text does not grow with its square', () => {
    const line = 'The quick brown fox jumps over the lazy dog, and [links](https://example.org) are **not** slow.\n';
    const replace = String.prototype.replace;
    /** How many characters are gone through to fold them, while a text grows line by line. */
    const steps = (lines: number): number => {
      let read = 0;
      const spy = vi.spyOn(String.prototype, 'replace').mockImplementation(function (this: string, ...given: unknown[]) {
        read += this.length;
        return Reflect.apply(replace, this, given) as string;
      });
      try {
        const aligner = createAligner();
        let text = '';
        for (let n = 0; n < lines; n++) {
          text += line;
          aligner.place([said('p', text, { lastSeq: 10 + n })], shown(text, { changedSeq: 11 + n }));
        }
      } finally {
        spy.mockRestore();
      }
      return read;
    };
    const once = steps(200);
    expect(once).toBeGreaterThan(200 * line.length);
    // Twice as long a text takes twice as much, and not four times.
    expect(steps(400) / once).toBeLessThan(2.2);
  });
});
