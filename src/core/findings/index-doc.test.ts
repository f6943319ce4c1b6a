/** `docs/findings.md` is the list of rules as it is. When it differs, `vitest -u` on this file writes it anew. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RULES } from '.';
import type { Rule } from './rule';
import { TITLES } from './titles';

const DIR = dirname(fileURLToPath(import.meta.url));
const DOC = join(DIR, '../../../docs/findings.md');

const GUARDS: readonly string[] = [
  'An answer that talks about `<think>` tags is not reasoning; only an opening tag at the very start of a message is.',
  'Reasoning in a labelled or visibly separate place is not a leak.',
  'Which terminal is due depends on which lifecycle was opened; the end of a step or a sub-run never stands in for it.',
  'Sentinel-only is a warning.',
  'A bounded replay that ends cleanly is not an end; a resume that answers 204 has nothing to resume.',
  'Busy is right while the terminal is withheld, and while a tool or an approval is awaited.',
  'Text that nobody said on a stream, or that belongs to no run, gives no finding.',
  'A reason that lies is not ours to detect.',
  'Nothing is classified by the wording of the answer.',
  'Cumulative deltas are not duplicates; a shorter final text is not proof of loss.',
  'A server-sent event without its blank line is not an event; a last line of newline-delimited JSON is a record.',
  'A cancel that is refused settles nothing.',
  'A page that keeps any honest sign of unfinished business has not presented the text as final.',
  'Typewriter, fade-in and smoothing make the page lag the stream; lag is not a finding.',
];

const table = (rules: readonly Rule[]): string =>
  [
    '| rule | severity | says |',
    '| --- | --- | --- |',
    ...rules.map((rule) => `| [\`${rule.id}\`](../src/core/findings/${rule.id}.md) | ${rule.severity} | ${TITLES[rule.id]} |`),
  ].join('\n');

const guardFixtures = (guard: number): string => {
  const mark = `guard-${String(guard).padStart(2, '0')}-`;
  const found: string[] = [];
  for (const rule of RULES)
    for (const folder of ['passes', 'cannot-tell', 'does-not-apply'])
      for (const name of readdirSync(join(DIR, `${rule.id}.fixtures`, folder)))
        if (name.startsWith(mark))
          found.push(`\`${rule.id}\`: ${name.slice(mark.length, -'.unsettled.jsonl'.length).replaceAll('-', ' ')}`);
  return found.join('; ');
};

it('docs/findings.md lists the rules and guards as they are', async () => {
  const screen = RULES.filter((rule) => rule.needs.includes('screen'));
  const wire = RULES.filter((rule) => !rule.needs.includes('screen'));
  const text = [
    '# The findings',
    '',
    `${RULES.length} rules. Each has a file, a doc and fixtures in \`src/core/findings/\`; the folder a fixture lies in is its verdict. How a page is`,
    'read as working or final is in `src/core/screen/`, how its text is matched to what was said in `src/core/align/`.',
    '',
    'A verdict is **fail**, **inconclusive** (the evidence allows more than one answer, or some of it is missing), **pass** or',
    '**inapplicable**. Only the first two are told. Where records or sightings are missing in the time that a rule judges, a fail',
    'becomes inconclusive. Ids are for ever.',
    '',
    '## Shown against said',
    '',
    'These need sightings of the page.',
    '',
    table(screen),
    '',
    '## On the wire alone',
    '',
    'These need only the stream, and also run on HAR files and raw bodies.',
    '',
    table(wire),
    '',
    '## What must stay silent',
    '',
    ...GUARDS.map((guard, i) => `${i + 1}. ${guard}\n   (${guardFixtures(i + 1)})`),
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot(DOC);
});
