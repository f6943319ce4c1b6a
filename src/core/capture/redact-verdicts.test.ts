/** Redaction and scrambling leave every verdict alone: on every fixture of the project, and on all recordings at hand. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model';
import { verdictsOf } from '../report';
import { createSession } from '../session';
import { CaptureError, readCapture } from './capture';
import { redactCapture, ScrambleError } from './redact';

const CORE = join(import.meta.dirname, '..');
const SHARED = join(CORE, '../../../shared');

const filesIn = (root: string): string[] =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:jsonl|ndjson|sse|har|json)$/u.test(name) && !/expected\.jsonl|verdicts\.json$/u.test(name))
        .map((name) => join(root, name))
        .sort()
    : [];

const load = (path: string): Capture | null => {
  try {
    return readCapture(readFileSync(path), { createdAt: '', producer: { name: 't', version: '0', browser: null } }).capture;
  } catch (error) {
    if (error instanceof CaptureError) return null;
    throw error;
  }
};

const verdict = (capture: Capture): string => {
  const session = createSession();
  for (const document of capture.documents) session.document(document);
  session.ingest(capture.entries);
  return verdictsOf(session);
};

const fixtures = readdirSync(CORE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.fixtures') && /^(?:dialects|findings)\//u.test(name))
  .flatMap((name) => filesIn(join(CORE, name)));
/** Most recordings at hand are fixtures too; every third is enough. */
const recordings = ['wire/streams', 'repros'].flatMap((name) => filesIn(join(SHARED, name))).filter((_, i) => i % 3 === 0);
const PATIENCE = 180_000;

/** Words of some length that people wrote, of which none may be left after scrambling. */
const wordsOf = (capture: Capture): Set<string> => {
  const words = new Set<string>();
  const session = createSession();
  session.ingest(capture.entries);
  for (const run of session.runs)
    for (const attempt of run.attempts)
      for (const part of attempt.parts)
        for (const [word] of part.text.matchAll(/(?<![A-Za-z0-9])[A-Za-z]{5,}(?![A-Za-z0-9])/gu)) words.add(word);
  return words;
};

/** The recordings only where they are at hand: a fresh clone has none, and has nothing to skip. */
const sets = [['fixtures', fixtures] as const, ...(recordings.length > 0 ? [['recordings', recordings] as const] : [])];

describe.each(sets)('of all %s', (_, files) => {
  it(
    'the verdicts are the same after redaction',
    () => {
      for (const path of files) {
        const capture = load(path);
        if (capture) expect(verdict(redactCapture(capture, { policy: 'standard' }).capture), relative(CORE, path)).toBe(verdict(capture));
      }
    },
    PATIENCE,
  );
  it(
    'the verdicts are the same after scrambling, and the words are gone',
    () => {
      const byLetters: string[] = [];
      const byWords: string[] = [];
      const left: string[] = [];
      for (const path of files) {
        const capture = load(path);
        if (!capture) continue;
        let result: ReturnType<typeof redactCapture>;
        try {
          result = redactCapture(capture, { policy: 'scramble', key: 'test', verdict });
        } catch (error) {
          // A verdict that is read from the words of a message: the error names a member that saves it.
          expect(error, relative(CORE, path)).toBeInstanceOf(ScrambleError);
          const [member] = (error as ScrambleError).members;
          expect(member, relative(CORE, path)).toBeDefined();
          result = redactCapture(capture, { policy: 'scramble', key: 'test', verdict, keep: [member!] });
          byWords.push(`${relative(CORE, path)}: ${member}`);
        }
        const { capture: scrambled, style } = result;
        expect(verdict(scrambled), path).toBe(verdict(capture));
        if (style === 'letters') byLetters.push(relative(CORE, path));
        const before = wordsOf(capture);
        const kept = [...wordsOf(scrambled)].filter((word) => before.has(word) && !/^think(?:ing)?$/u.test(word));
        if (kept.length > 0 && !byWords.some((one) => one.startsWith(relative(CORE, path))))
          left.push(`${relative(CORE, path)}: ${kept.join(' ')}`);
      }
      expect(left).toEqual([]);
      expect(byWords.length, byWords.join('\n')).toBeLessThan(files.length / 50);
      // The weaker way is for the few streams whose words cannot be followed.
      expect(byLetters.length, byLetters.join('\n')).toBeLessThan(files.length / 50);
    },
    PATIENCE,
  );
});

describe('a stream whose verdict hangs on the words of a message', () => {
  it('is not scrambled unless those are kept, and says which', () => {
    const path = join(CORE, 'dialects/codex-app-server.fixtures/incomplete.jsonl');
    const capture = load(path)!;
    const scramble = (keep: readonly string[]) => redactCapture(capture, { policy: 'scramble', key: 'test', verdict, keep });
    try {
      scramble([]);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ScrambleError);
      expect((error as ScrambleError).members).toEqual(['message']);
    }
    expect(scramble(['message']).style).toBe('words');
  });
});
