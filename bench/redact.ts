/**
 * `unsettled redact` and `import` of files of 200 MB, as processes of their own: time and the memory they take, against a quarter
 * of the file. A capture with an address every few hundred deltas; and a HAR file, of which most is pictures as in real ones.
 */
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli, CLI, run, write } from './check.ts';
import type { Measured } from './run.ts';

const EVENTS = 1_000_000;
/** Of a command, in MB, and times that of a quarter of the file. */
const LIMITS = { peak: 400, growth: 2 };

const har = async (path: string, megabytes: number): Promise<void> => {
  const sample = JSON.parse(
    readFileSync(join(import.meta.dirname, '../src/core/capture/importers/importers.fixtures/har~chrome.har'), 'utf8'),
  ) as { log: { entries: unknown[] } };
  const picture = (n: number): object => ({
    _resourceType: 'image',
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 5,
    request: { method: 'GET', url: `http://localhost/${n}.png`, headers: [] },
    response: {
      status: 200,
      headers: [],
      content: { size: 300_000, mimeType: 'image/png', encoding: 'base64', text: 'iVBORw0KGgo'.repeat(30_000) },
    },
  });
  const out = createWriteStream(path);
  out.write('{"log":{"version":"1.2","entries":[');
  const entries = [...sample.log.entries];
  for (let size = 0, n = 0; size < megabytes * 1e6; n++) {
    const text = `${n === 0 ? '' : ','}${JSON.stringify(n % 10 === 0 && entries.length > 0 ? entries.pop() : picture(n))}`;
    size += text.length;
    if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise<void>((resolve) => out.end(']}}', resolve));
};

export const bench = async (): Promise<Measured> => {
  buildCli();
  const dir = mkdtempSync(join(tmpdir(), 'unsettled-bench-'));
  const lines: string[] = [];
  try {
    const of = async (what: string, argv: readonly string[], small: string, large: string): Promise<void> => {
      const out = join(dir, 'out.unsettled.jsonl');
      const quarter = await run([CLI, argv[0]!, small, '-o', out, '--force', ...argv.slice(1)]);
      const whole = await run([CLI, argv[0]!, large, '-o', out, '--force', ...argv.slice(1)]);
      const good = whole.peak <= LIMITS.peak && whole.peak <= quarter.peak * LIMITS.growth;
      lines.push(
        `${what}, ${(statSync(large).size / 1e6).toFixed(0)} MB: ${whole.seconds.toFixed(1)} s (${whole.cpu.toFixed(1)} s of processor time), memory at most ${whole.peak.toFixed(0)} MB, for a quarter of it ${quarter.peak.toFixed(0)} MB (${good ? 'within' : 'OVER'} ${LIMITS.peak} MB)`,
      );
    };
    const [small, large] = [join(dir, 'small.unsettled.jsonl'), join(dir, 'large.unsettled.jsonl')];
    await write(small, EVENTS / 4, true);
    await write(large, EVENTS, true);
    await of('redact of a capture', ['redact'], small, large);
    await of('import --raw of a capture', ['import', '--raw'], small, large);
    const [smallHar, largeHar] = [join(dir, 'small.har'), join(dir, 'large.har')];
    await har(smallHar, 50);
    await har(largeHar, 200);
    await of('import of a HAR file', ['import'], smallHar, largeHar);
    return { name: 'redact and import of 200 MB', lines };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};
