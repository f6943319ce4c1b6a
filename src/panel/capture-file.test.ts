/** What is saved, worked out between frames: the same as at once, told as it goes on, and given up when that is wished. */
import { expect, test } from 'vitest';
import { serialiseCapture } from '../core/capture/capture';
import { exportHar } from '../core/capture/export-har';
import { redactCapture } from '../core/capture/redact';
import { DIALECTS } from '../core/dialects';
import { createSession } from '../core/session';
import { eventsFile, fileOf, type Pacing, prepare } from './capture-file';
import { largeSample } from './sample';

const capture = largeSample(1_500);

const pacing = (stopAt = Number.POSITIVE_INFINITY) => {
  const stop = new AbortController();
  const shares: (number | null)[] = [];
  const given: Pacing = {
    progress(share) {
      shares.push(share);
      if (shares.length >= stopAt) stop.abort();
    },
    signal: stop.signal,
  };
  return { given, shares };
};

/** The shares that could be told rise from 0 to 1. */
const expectRising = (shares: readonly (number | null)[]): void => {
  const told = shares.filter((share) => share !== null);
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(told.every((share) => share >= 0 && share <= 1)).toBe(true);
};

test('redaction comes to the same as at once, and says how far it is', async () => {
  const { given, shares } = pacing();
  const done = await prepare(capture, 'standard', ['answer'], [], given);
  const wanted = redactCapture(capture, { policy: 'standard', words: ['answer'] });
  expect(done).toEqual({ capture: wanted.capture, report: wanted.report });
  expect(shares.length).toBeGreaterThan(1);
  expectRising(shares);
});

test('scrambling keeps the verdicts, in steps as well', async () => {
  const verdicts = (of: typeof capture): unknown => {
    const session = createSession();
    for (const document of of.documents) session.document(document);
    session.ingest(of.entries);
    return [session.runs.map((run) => run.settlement?.outcome), session.findings.map((finding) => [finding.rule, finding.verdict])];
  };
  const { given, shares } = pacing();
  const done = await prepare(capture, 'scramble', [], DIALECTS, given);
  expect(done!.capture.redaction?.policy).toBe('scramble');
  expect(verdicts(done!.capture)).toEqual(verdicts(capture));
  expectRising(shares);
});

test('what is given up comes to nothing', async () => {
  const { given, shares } = pacing(1);
  expect(await prepare(capture, 'standard', [], [], given)).toBeNull();
  expect(shares).toHaveLength(1);
});

test('as it is: nothing is looked for', async () => {
  const { given, shares } = pacing();
  expect(await prepare(capture, 'none', ['answer'], [], given)).toEqual({ capture, report: null });
  expect(shares).toEqual([]);
});

test('the file has every line, and the rows that pass have theirs', async () => {
  const file = await fileOf(capture, 'capture', pacing().given);
  expect(await file!.text()).toBe([...serialiseCapture(capture)].join(''));
  const session = createSession();
  for (const document of capture.documents) session.document(document);
  session.ingest(capture.entries);
  const wanted = session.events.filter((_, at) => at % 7 === 0);
  const { given, shares } = pacing();
  const rows = await eventsFile(capture, wanted, DIALECTS, given);
  expectRising(shares);
  const lines = (await rows!.text()).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(wanted.map((event) => event.seq));
});

test('a HAR file is written between frames, too, and can be given up', async () => {
  // So long that no machine writes it within one slice.
  const long = largeSample(20_000);
  const { given, shares } = pacing();
  const file = await fileOf(long, 'har', given);
  expect(await file!.text()).toBe([...exportHar(long).text()].join(''));
  expect(shares.length).toBeGreaterThan(1);
  // How much text it comes to is not known ahead: that is no share of 0 after the others.
  expectRising(shares);
  expect(await fileOf(long, 'har', pacing(1).given)).toBeNull();
});
