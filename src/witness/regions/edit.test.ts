/** Edits, applied one after the other, give the text again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editOf } from './edit';

const apply = (text: string, edit: ReturnType<typeof editOf>): string =>
  edit === null ? text : text.slice(0, edit.at) + edit.inserted + text.slice(edit.at + edit.removed);

const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/u;

describe('edits', () => {
  it('give the new text, and none for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (head, a, b) => {
        const [before, after] = [head + a + head, head + b + head];
        expect(apply(before, editOf(before, after))).toBe(after);
        expect(editOf(after, after)).toBe(null);
      }),
    );
  });

  it('never hold half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('😀', '😁', '🤀', 'a') }),
        fc.string({ unit: fc.constantFrom('😀', '😁', '🤀', 'a') }),
        (before, after) => {
          const edit = editOf(before, after);
          if (edit === null) return;
          expect(lone.test(edit.inserted)).toBe(false);
          expect(lone.test(before.slice(0, edit.at))).toBe(false);
          expect(apply(before, edit)).toBe(after);
        },
      ),
    );
  });

  it('are as short as the change', () => {
    expect(editOf('I should ', 'I should verify')).toEqual({ at: 9, removed: 0, inserted: 'verify' });
    expect(editOf('one two three', 'one 2 three')).toEqual({ at: 4, removed: 3, inserted: '2' });
    expect(editOf('aaa', 'aa')).toEqual({ at: 2, removed: 1, inserted: '' });
  });
});
