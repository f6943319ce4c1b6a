/**
 * Lines that stand in one block with an answer and are none of it: the person's question at its head, a notice of the page
 * at its end. What is left is what the run can have said there.
 */
import type { SaidText } from '../align/align';
import { fold } from '../align/fold';
import { editAfter, type Mark, type Stay, textAt } from './history';

/** A line that the page wrote itself, and when it came. */
export interface OwnLine extends Mark {
  readonly text: string;
}

export interface Lines {
  /** The region's text without the person's and the page's own lines. */
  readonly text: string;
  readonly own: readonly OwnLine[];
}

/** Shorter words of a person occur anywhere. */
const USERS_CHARS = 12;
const LETTERS = /\p{L}/u;
/** So much of the end of a text is looked for: more than chance, and never across its lines. */
const GLUE_CHARS = 16;
/** What a terminal writes where one broke off. */
const INTERRUPT = /^\^C$/u;
/** Two of these are a word. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The lines that a person wrote, of those that can be told from chance. */
export const usersLines = (user: readonly string[]): ReadonlySet<string> => {
  const lines = new Set<string>();
  for (const words of user)
    for (const line of words.split('\n')) {
      const trimmed = line.trim();
      if (trimmed.length >= USERS_CHARS) lines.add(trimmed);
    }
  return lines;
};

/** What of the stay's text can be the run's, and which lines the page added once all the text had been said. */
export const linesOf = (stay: Stay, texts: readonly SaidText[], users: ReadonlySet<string>): Lines => {
  const whole = unglued(stay, texts);
  if (!whole.includes('\n')) return { text: stay.text, own: [] };
  let lines: readonly string[] = whole.split('\n');
  // Words of a person that the run says again are the run's, too.
  if (users.size > 0 && lines.some((line) => users.has(line.trim())))
    lines = lines.filter((line) => !users.has(line.trim()) || texts.some((said) => said.text.includes(line.trim())));
  const own = ownLines(stay, lines, texts);
  const left = own.length === 0 ? lines : lines.filter((line) => own.every((one) => one.text !== line));
  return { text: left.length === 0 ? stay.text : left.join('\n'), own: left.length === 0 ? [] : own };
};

/** What stands close to the last word that was said, and is no end of that word, has its line by the style alone. */
const unglued = ({ text, changed }: Stay, texts: readonly SaidText[]): string => {
  for (const said of texts) {
    const at = text.lastIndexOf(said.text.trimEnd().slice(-GLUE_CHARS)) + GLUE_CHARS;
    if (
      at >= GLUE_CHARS &&
      said.text.length > GLUE_CHARS &&
      said.voice === 'assistant' &&
      said.lastSeq < changed.seq &&
      /^[\p{Lu}\p{Lo}\p{So}]/u.test(text.slice(at)) &&
      !WIDE.test(text.slice(at - 1, at + 1))
    )
      return `${text.slice(0, at)}\n${text.slice(at)}`;
  }
  return text;
};

/** Lines that came after the last word of the text, and that nobody said. */
const ownLines = (stay: Stay, lines: readonly string[], texts: readonly SaidText[]): readonly OwnLine[] => {
  const spoken = texts.filter((said) => said.voice === 'assistant' || said.voice === 'reasoning');
  if (spoken.length === 0) return [];
  const live = spoken.filter((said) => !said.stale);
  // What is said once more, by a later attempt or a summary, had been said.
  const firstSaid = ({ text }: SaidText): number => Math.min(...spoken.filter((said) => said.text === text).map((said) => said.lastSeq));
  const after = Math.max(...(live.length > 0 ? live : spoken).map(firstSaid));
  if (stay.changed.seq <= after) return [];
  const before = new Set((textAt(stay, after) ?? '').split('\n'));
  const late = lines.filter((line) => !before.has(line) && LETTERS.test(line));
  if (late.length === 0) return [];
  // Of two forms of a text the one without its markup: a line break may stand anywhere in it.
  const said = texts.map(({ text }) => fold(text));
  const unsaid = late.filter((line) => {
    if (INTERRUPT.test(line.trim())) return true;
    const folded = fold(line);
    return (
      folded.length > (WIDE.test(folded) ? 1 : 2) &&
      !said.some((text) => text.includes(folded) || (text.length > 2 && folded.includes(text)))
    );
  });
  return unsaid.length === 0 ? [] : firstSeen(stay, unsaid, after);
};

/** When each line came to stand in the region. */
const firstSeen = (stay: Stay, lines: readonly string[], after: number): readonly OwnLine[] => {
  const found: OwnLine[] = [];
  const left = new Set(lines);
  let text = textAt(stay, after) ?? '';
  for (const edit of stay.edits.slice(editAfter(stay, after))) {
    text = text.slice(0, edit.at) + edit.inserted + text.slice(edit.at + edit.removed);
    for (const line of left)
      if (text.includes(line)) {
        found.push({ text: line, seq: edit.seq, at: edit.time });
        left.delete(line);
      }
  }
  return found;
};

/** Numbers and words apart, even where two texts stand close; parts of a name ("notes.txt") stay together. */
const WORD = /[\p{L}\p{M}]+(?:[._'’-][\p{L}\p{M}]+)*|\p{N}+/gu;
const wordsIn = (text: string): readonly string[] => text.match(WORD) ?? [];

/** Lines of the first text that the second no longer has, and that did not only grow. */
const replaced = (before: string, after: string): readonly string[] => {
  const lines = after.split('\n');
  return before.split('\n').filter((line) => line.trim() !== '' && !lines.some((one) => one.startsWith(line)));
};

/** How much two texts share at their beginning. */
const sharedHead = (a: string, b: string): number => {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
};

/**
 * What a line says that the lines whose place it took did not, in every way to read it: of "report.pdf, version 1" after
 * "Writing report.pdf" the version. A line that took nobody's place is new as a whole.
 */
export const freshWords = (line: string, before: string, after: string): readonly string[] => {
  const old = replaced(before, after);
  const known = new Set(old.flatMap(wordsIn));
  const mine = wordsIn(line);
  const left = mine.filter((word) => !known.has(word));
  const forms = [left.length < mine.length ? left.join(' ') : line];
  // Two texts that stand close ("OnlineWriting…") are one word by the look of them.
  const head = Math.max(0, ...old.map((one) => sharedHead(one, line)));
  if (head > 0) forms.push(line.slice(head));
  return forms;
};

/** The words that a change took away without putting them elsewhere, line by line. */
export const droppedWords = (before: string, after: string): string => {
  const left = new Set(wordsIn(after));
  return replaced(before, after)
    .flatMap(wordsIn)
    .filter((word) => !left.has(word))
    .join(' ');
};

/** The text without whole lines that another text says and this one does not: its question, its tool's name. */
export const withoutOthers = (text: string, part: string, texts: readonly SaidText[]): string => {
  const mine = fold(texts.find((said) => said.key === part)?.text ?? '');
  const others = new Set(texts.filter((said) => said.key !== part).map((said) => fold(said.text)));
  return text
    .split('\n')
    .filter((line) => {
      const folded = fold(line);
      return folded === '' || mine.includes(folded) || !others.has(folded);
    })
    .join('\n');
};
