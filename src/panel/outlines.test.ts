import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../core/dialects';
import { ON_DEMAND } from '../core/dialects/on-demand';
import { createStock } from './dialects';
import { createFeed, type Scheduler } from './feed';
import { outlinesOf } from './outlines';
import { SAMPLES } from './sample';

/** Every dialect is here from the start. */
const readers = { mapped: [], stock: createStock(ON_DEMAND, DIALECTS) };

/** Everything at once. */
const now: Scheduler = {
  now: () => 0,
  yield: (what) => what(),
  later: (what) => what(),
};

describe('what is outlined', () => {
  const capture = SAMPLES['kestrel-cut']();
  const feed = createFeed('sample', 'sample', now, readers);
  for (const document of capture.documents) feed.document(document);
  feed.replay(capture.entries);
  const findings = feed.session.findings;
  const title = (rule: string): string => `Rule ${rule}`;
  const marks = [...outlinesOf(feed, findings, title).values()].flat();

  test('is every region that stands, in the voice of what it shows', () => {
    const standing = feed.session.runs.flatMap(
      (run) => feed.screenOf(run.key)?.regions.filter((region) => region.removedSeq === null && region.voice !== null) ?? [],
    );
    expect(marks.map((mark) => mark.region).sort()).toEqual([...new Set(standing.map(({ region }) => region.key))].sort());
    for (const { region, voice } of standing) expect(marks.find((mark) => mark.region === region.key)?.voice).toBe(voice);
  });

  test('says what is committed and what is not', () => {
    const [completed, , severed] = feed.session.runs;
    const of = (run: string | undefined, voice: string) =>
      feed
        .screenOf(run!)!
        .regions.filter((region) => region.voice === voice)
        .map(({ region }) => marks.find((mark) => mark.region === region.key)?.standing);
    expect(new Set(of(completed?.key, 'assistant'))).toEqual(new Set(['committed']));
    expect(new Set(of(severed?.key, 'reasoning'))).toEqual(new Set(['provisional']));
  });

  test('names the finding, and how many more stand in the same place', () => {
    const failing = findings.filter((finding) => finding.verdict === 'fail' && finding.region !== null);
    const region = failing[0]!.region!;
    const here = failing.filter((finding) => finding.region === region);
    const more = here.length > 1 ? ` +${here.length - 1}` : '';
    expect(marks.find((mark) => mark.region === region)?.label).toBe(`Rule ${here[0]!.rule}${more}`);
    for (const mark of outlinesOf(feed, [], title).values()) expect(mark.every(({ label }) => label === null)).toBe(true);
  });
});
