/**
 * Runs every fixture of every listed rule: the folder is the verdict. Holds list, files, docs and fixtures to each other,
 * names a fixture for each of the fourteen guards, and checks that no finding outlives the records it points at.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding, Verdict } from '../model';
import { createSession, type Entry, isSighting } from '../session';
import { RULES } from '.';
import type { Rule } from './rule';
import { TITLES } from './titles';

const DIR = dirname(fileURLToPath(import.meta.url));
const FOLDERS = { fails: 'fail', passes: 'pass', 'cannot-tell': 'inconclusive', 'does-not-apply': 'inapplicable' } as const;
type Folder = keyof typeof FOLDERS;
const HEADINGS = [
  'What it says',
  'Why it matters',
  'When it fails',
  'When it cannot tell',
  'What it does not catch',
  'How to fix',
  'Examples',
];

const load = (path: string): readonly Entry[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Entry);

/** The worst that the rule says about any attempt of the capture. */
const judge = (rule: Rule, entries: readonly Entry[]): { verdict: Verdict; findings: readonly Finding[]; faults: readonly unknown[] } => {
  let passed = false;
  const session = createSession({
    rules: [
      {
        ...rule,
        judge(subject) {
          const judged = rule.judge(subject);
          const list = judged === null ? [] : Array.isArray(judged) ? judged : [judged];
          if (list.some((one) => one.verdict === 'pass')) passed = true;
          return judged;
        },
      },
    ],
  });
  session.ingest(entries);
  const { findings, faults } = session;
  const verdict = findings.some((finding) => finding.verdict === 'fail')
    ? 'fail'
    : findings.length > 0
      ? 'inconclusive'
      : passed
        ? 'pass'
        : 'inapplicable';
  return { verdict, findings, faults };
};

const fixturesOf = (rule: Rule, folder: Folder): readonly string[] => {
  const path = join(DIR, `${rule.id}.fixtures`, folder);
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith('.unsettled.jsonl'))
        .sort()
    : [];
};

describe.each(RULES.map((rule) => [rule.id, rule] as const))('%s', (_id, rule) => {
  for (const folder of Object.keys(FOLDERS) as Folder[]) {
    it(`has a fixture that ${folder}`, () => {
      expect(fixturesOf(rule, folder)).not.toEqual([]);
    });
    for (const name of fixturesOf(rule, folder)) {
      it(`${folder}: ${name}`, () => {
        const entries = load(join(DIR, `${rule.id}.fixtures`, folder, name));
        const { verdict, findings, faults } = judge(rule, entries);
        expect(faults).toEqual([]);
        expect({ verdict, said: findings.map((finding) => finding.message) }).toMatchObject({ verdict: FOLDERS[folder] });
        for (const finding of findings) {
          // The sentence a developer reads first has no hole in it.
          expect(finding.message).not.toMatch(/\{\w+\}|\bundefined\b|\bNaN\b|\bnull\b/u);
          expect(finding.evidence.length).toBeGreaterThan(0);
        }
      });
      if (folder === 'fails')
        it(`${folder}: ${name} rests on the records it points at`, () => {
          const entries = load(join(DIR, `${rule.id}.fixtures`, folder, name));
          for (const finding of judge(rule, entries).findings.filter((one) => one.verdict === 'fail'))
            for (const { seq } of finding.evidence) {
              const without = entries.filter((entry) => entry.seq !== seq);
              expect(without.length).toBe(entries.length - 1);
              const left = judge(rule, without).findings.filter((one) => one.verdict === 'fail' && one.key === finding.key);
              expect({ deleted: entries.find((entry) => entry.seq === seq), left: left.map((one) => one.message) }).toMatchObject({
                left: [],
              });
            }
        });
      it(`${folder}: ${name} is the same however it arrives`, () => {
        const entries = load(join(DIR, `${rule.id}.fixtures`, folder, name));
        const session = createSession({ rules: [rule] });
        for (const entry of entries) {
          session.ingest([entry]);
          void session.findings;
        }
        expect(session.findings).toEqual(judge(rule, entries).findings);
      });
    }
  }

  it('has a doc with the fixed headings', () => {
    const doc = readFileSync(join(DIR, `${rule.id}.md`), 'utf8');
    const headings = [...doc.matchAll(/^## (.+)$/gmu)].map((match) => match[1]);
    expect(headings).toEqual(HEADINGS);
    expect(doc.split('\n')[0]).toBe(`# ${TITLES[rule.id]}`);
    for (const folder of Object.keys(FOLDERS) as Folder[]) {
      const names = fixturesOf(rule, folder).map((name) => name.slice(0, -'.unsettled.jsonl'.length).replaceAll('-', ' '));
      expect(doc).toContain(`- \`${folder}\`: ${names.join(', ')}.`);
    }
  });

  it('has a file of its own', () => {
    expect(existsSync(join(DIR, `${rule.id}.ts`))).toBe(true);
  });
});

describe('the list', () => {
  it('has every rule file, doc and fixture folder, and no id twice', () => {
    const ids = RULES.map((rule) => rule.id);
    expect(new Set(ids).size).toBe(ids.length);
    const files = readdirSync(DIR);
    const docs = files.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
    const folders = files.filter((name) => name.endsWith('.fixtures')).map((name) => name.slice(0, -'.fixtures'.length));
    expect(docs.sort()).toEqual([...ids].sort());
    expect(folders.sort()).toEqual([...ids].sort());
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])('has a fixture that must stay silent for guard %i', (guard) => {
    const mark = `guard-${String(guard).padStart(2, '0')}-`;
    const found = RULES.flatMap((rule) =>
      (['passes', 'cannot-tell', 'does-not-apply'] as const).flatMap((folder) =>
        fixturesOf(rule, folder).filter((name) => name.startsWith(mark)),
      ),
    );
    expect(found).not.toEqual([]);
  });

  it('is silent on the guards whichever rule is asked', () => {
    const guards = RULES.flatMap((rule) =>
      (['passes', 'does-not-apply'] as const).flatMap((folder) =>
        fixturesOf(rule, folder)
          .filter((name) => name.startsWith('guard-'))
          .map((name) => join(DIR, `${rule.id}.fixtures`, folder, name)),
      ),
    );
    for (const path of guards) {
      const session = createSession();
      session.ingest(load(path));
      expect({
        path,
        said: session.findings.filter((finding) => finding.verdict === 'fail' && finding.severity === 'critical'),
      }).toMatchObject({ said: [] });
    }
  });
});

describe('never', () => {
  const all = RULES.flatMap((rule) =>
    (Object.keys(FOLDERS) as Folder[]).flatMap((folder) =>
      fixturesOf(rule, folder).map((name) => join(DIR, `${rule.id}.fixtures`, folder, name)),
    ),
  );

  it('throws, on captures that were cut up, shuffled and mixed', () => {
    const pool = all.map(load);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(30)), { minLength: 1, maxLength: 12 }), fc.boolean(), (cuts, reversed) => {
        const entries: Entry[] = [];
        for (const [which, from, count] of cuts) {
          const source = pool[which % pool.length]!;
          entries.push(...source.slice(from % source.length, (from % source.length) + count));
        }
        if (reversed) entries.reverse();
        const session = createSession();
        session.ingest(entries.map((entry, seq) => ({ ...entry, seq })));
        expect(session.faults).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('needs a screen for a wire rule', () => {
    for (const rule of RULES.filter((one) => !one.needs.includes('screen')))
      for (const folder of Object.keys(FOLDERS) as Folder[])
        for (const name of fixturesOf(rule, folder)) {
          const entries = load(join(DIR, `${rule.id}.fixtures`, folder, name)).filter((entry) => !isSighting(entry));
          expect({ name, verdict: judge(rule, entries).verdict }).toEqual({ name, verdict: FOLDERS[folder] });
        }
  });
});
