/** What goes in and out as files: paths, options and names that are wrong, files that are damaged, and captures that are not held in memory. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../core/report';
import { ran } from './ran';

const FIXTURES = join(import.meta.dirname, '../core/capture');
const CAPTURE = readFileSync(join(FIXTURES, 'upgrades/upgrades.fixtures/v1.unsettled.jsonl'), 'utf8');
const HAR = readFileSync(join(FIXTURES, 'importers/importers.fixtures/har~chrome.har'), 'utf8');
const SSE = readFileSync(join(FIXTURES, 'importers/importers.fixtures/sse-body.sse'), 'utf8');

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'unsettled-files-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const at = (name: string): string => join(dir, name);
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(at(name), content);
  return at(name);
};

const unsettled = (argv: readonly string[], stdin: string | Uint8Array = '') => ran(argv, stdin);

const check = async (path: string): Promise<Report['files'][number] & { code: number }> => {
  const { code, out } = await unsettled(['check', '-f', 'json', '--fail-on', 'none', path]);
  return { ...(JSON.parse(out) as Report).files[0]!, code };
};

const SECRET = 'sk-proj-Abcdefgh12345678Ijklmnop90123456';
/** A stream whose key is split over deltas. */
const leaky = (`The key is ${SECRET} indeed.`.match(/.{1,5}/gu) ?? [])
  .map((delta) => `data: ${JSON.stringify({ type: 'text-delta', id: 't', delta })}\n\n`)
  .join('');
const said = (capture: string): string =>
  capture
    .split('\n')
    .filter((line) => line.includes('flow.chunk'))
    .map((line) => (JSON.parse(line) as { text: string }).text)
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => (JSON.parse(line.slice(6)) as { delta: string }).delta)
    .join('');

describe.each(['redact', 'import', 'record'])('the output of %s', (command) => {
  const source = (): string => (command === 'record' ? 'http://127.0.0.1:9/' : file('in.sse', SSE));
  it('into a folder that is not there is refused, with what to do', async () => {
    const { code, err } = await unsettled([command, source(), '-o', at('no/where/out.jsonl')]);
    expect(code).toBe(2);
    expect(err).toContain(`The folder ${at('no/where')} does not exist. Make it (mkdir -p ${at('no/where')})`);
    expect(err).not.toContain('ENOENT');
  });
  it('is refused where a folder or a file is in its way', async () => {
    mkdirSync(at('folder'), { recursive: true });
    expect((await unsettled([command, source(), '-o', at('folder')])).err).toContain('is a folder. Name a file in it');
    expect((await unsettled([command, source(), '-o', join(file('plain', ''), 'out')])).err).toContain('is no folder');
    expect((await unsettled([command, source(), '-o', file('there', 'old')])).err).toContain('pass --force');
    expect(readFileSync(at('there'), 'utf8')).toBe('old');
  });
});

describe('a file is written whole or not at all', () => {
  it('also over itself, and through a link', async () => {
    const path = file('self.sse', leaky);
    symlinkSync(path, at('link'));
    expect(await unsettled(['redact', path, '-o', at('link'), '--force'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 key'),
    });
    const written = readFileSync(path, 'utf8');
    expect(written).toContain('"format":"unsettled-capture"');
    expect(said(written)).toMatch(/^The key is redacted-k1-x+ indeed\.$/u);
  });
  it('keeps what stood there where the file cannot be read, and leaves nothing behind', async () => {
    const out = file('kept', 'old');
    expect((await unsettled(['redact', file('prose', 'Dear diary'), '-o', out, '--force'])).code).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('old');
    expect(readdirSync(dir).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('redact and import without holding the file', () => {
  it('come to the same from a file, packed, and from standard input', async () => {
    const plain = await unsettled(['redact', file('leak.sse', leaky)]);
    expect(said(plain.out)).toMatch(/^The key is redacted-k1-x+ indeed\.$/u);
    const dated = (text: string): string => text.replace(/"createdAt":"[^"]*"/u, '');
    expect(dated((await unsettled(['redact', file('leak.gz', gzipSync(leaky))])).out)).toBe(dated(plain.out));
    const piped = await unsettled(['redact', '-'], leaky);
    expect(dated(piped.out)).toBe(dated(plain.out));
    expect(piped.err).toBe(plain.err);
    expect((await unsettled(['redact', '-', '-o', at('packed.gz')], gzipSync(leaky))).code).toBe(0);
    expect(dated(gunzipSync(readFileSync(at('packed.gz'))).toString())).toBe(dated(plain.out));
    expect(readdirSync(tmpdir()).filter((name) => /^unsettled-\w{6}$/u.test(name) && existsSync(join(tmpdir(), name, 'input')))).toEqual(
      [],
    );
  });
  it('say in the header how many places were replaced, and add to what was before', async () => {
    const once = await unsettled(['redact', file('leak2.sse', leaky)]);
    expect(JSON.parse(once.out.split('\n')[0]!)).toMatchObject({ redaction: { policy: 'standard', replaced: expect.any(Number) } });
    expect(once.out).not.toContain('"replaced":0');
    const twice = await unsettled(['redact', file('once.jsonl', once.out)]);
    expect(twice.out).toBe(once.out);
    expect(twice.err).toContain('No secrets were found');
  });
  it('leave a capture as it is with --raw', async () => {
    expect((await unsettled(['import', '--raw', file('raw.jsonl', CAPTURE)])).out).toBe(CAPTURE);
  });
  it('write what came before the damage, and say so', async () => {
    const cut = file('cut.jsonl', CAPTURE.slice(0, -30));
    const { code, out, err } = await unsettled(['redact', cut]);
    expect(code).toBe(2);
    expect(err).toContain('Damaged at line 15');
    expect(out.trimEnd().split('\n')).toHaveLength(14);
    const many = Array.from({ length: 40_000 }, (_, i) => `data: ${JSON.stringify({ n: i, x: Math.sin(i) })}\n\n`).join('');
    const packed = gzipSync(many);
    const half = await unsettled(['import', file('half.gz', packed.subarray(0, packed.length / 2))]);
    expect(half.code).toBe(2);
    expect(half.err).toContain('gzip data is damaged');
    expect(half.out.split('\n').length).toBeGreaterThan(3);
    const piped = await unsettled(['import', '-'], packed.subarray(0, packed.length / 2));
    expect(piped.code).toBe(2);
    expect(piped.err).toContain('(standard input): The gzip data is damaged');
    expect(piped.out.split('\n')).toHaveLength(half.out.split('\n').length);
  });
  it('refuse --keep of a member that is not there, with the ones that are', async () => {
    const path = file('keep.sse', leaky);
    const wrong = await unsettled(['redact', path, '--scramble', '--keep', 'detla']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/--keep detla: no text.*Did you mean delta\?.*type/su);
    expect((await unsettled(['redact', path, '--scramble', '--keep', 'delta'])).code).toBe(0);
    expect((await unsettled(['redact', path, '--keep', 'delta'])).err).toContain('--keep goes with --scramble');
  });
});

describe('files that a newcomer has', () => {
  it('UTF-16, as PowerShell writes it, is read', async () => {
    const plain = await check(file('u8.sse', SSE));
    for (const name of ['u16.sse', 'u16.jsonl', 'u16.har']) {
      const content = name.endsWith('sse') ? SSE : name.endsWith('har') ? HAR : CAPTURE;
      const read = await check(file(name, Buffer.from(`\ufeff${content}`, 'utf16le')));
      expect(read.unjudged, name).toBe((await check(file(`u8-${name}`, content))).unjudged);
      expect(read.runs, name).toEqual((await check(file(`u8-${name}`, content))).runs);
    }
    expect(plain.runs.length).toBeGreaterThan(0);
  });
  it('a HAR that is cut keeps the connections before the cut, and names the entry', async () => {
    const whole = await check(file('whole.har', HAR));
    const cut = await check(file('cut.har', HAR.slice(0, HAR.lastIndexOf('"startedDateTime"') + 40)));
    expect(cut.code).toBe(2);
    expect(cut.unjudged).toMatch(/^Damaged at line \d+: this HAR file is cut off or broken in entry \d+\. What came before was read/u);
    expect(cut.flows.length).toBeGreaterThan(0);
    expect(cut.flows[0]).toEqual(whole.flows[0]);
  });
  it('a HAR without bodies is told from one without streams', async () => {
    const entry = (response: object): object => ({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 9,
      request: { method: 'POST', url: 'http://localhost/chat', headers: [] },
      response: { status: 200, headers: [{ name: 'content-type', value: 'text/event-stream' }], ...response },
    });
    for (const response of [
      { content: { size: -1, mimeType: 'text/event-stream' } },
      { content: { size: -1 }, _failureText: 'net::ERR_ABORTED' },
    ]) {
      const bare = await check(file('bare.har', JSON.stringify({ log: { version: '1.2', entries: [entry(response)] } })));
      expect(bare.unjudged).toContain('The file does not hold what 1 answer said: save it with bodies');
    }
    const empty = await check(file('none.har', JSON.stringify({ log: { version: '1.2', entries: [] } })));
    expect(empty.unjudged).toContain('no connection');
  });
  it('a capture without its header is read, and the header is named, not a mapping', async () => {
    const capture = (await unsettled(['import', file('head.sse', SSE)])).out;
    const body = capture.slice(capture.indexOf('\n') + 1);
    const whole = await check(file('with.jsonl', capture));
    const without = await check(file('without.jsonl', body));
    expect(without).toMatchObject({ source: 'unsettled-capture', unjudged: null, runs: whole.runs, findings: whole.findings });
    expect(without.faults[0]).toMatchObject({ line: 1, message: expect.stringContaining('its header, is missing or broken') });
    expect(JSON.stringify(without)).not.toContain('write a mapping');
    const shown = await unsettled(['show', at('without.jsonl')]);
    expect(shown.err).toContain('its header, is missing');
  });
});

describe('names out of closed sets', () => {
  it('rules', async () => {
    const { code, err } = await unsettled(['check', '--mute', 'severd-stream', file('any.sse', SSE)]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /--mute severd-stream: There is no rule "severd-stream"\. Did you mean severed-stream\? There are: .*reasoning-as-answer/u,
    );
    expect((await unsettled(['check', '--mute', 'severed-stream', '--fail-on', 'none', at('any.sse')])).code).toBe(0);
  });
});

describe('reports of shards', () => {
  const report = async (shard: string, name: string): Promise<string> => {
    const files = Array.from({ length: 5 }, (_, i) => file(`shard-${i}.sse`, SSE));
    return file(name, (await unsettled(['check', '-f', 'json', '--fail-on', 'none', '--shard', shard, ...files])).out);
  };
  it('are joined where all are there, and refused where one is missing, twice, or of another check', async () => {
    const parts = [await report('1/3', 'p1.json'), await report('2/3', 'p2.json'), await report('3/3', 'p3.json')] as const;
    const whole = await unsettled(['merge', '-f', 'json', '--fail-on', 'none', ...parts]);
    expect((JSON.parse(whole.out) as Report).summary.files).toBe(5);
    expect((JSON.parse(whole.out) as Report).shard).toBeUndefined();
    expect(await unsettled(['merge', parts[0], parts[2]])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Shard 2 of 3 is missing'),
    });
    expect(await unsettled(['merge', parts[0], parts[0]])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${parts[0]} is named twice`),
    });
    expect((await unsettled(['merge', parts[0]])).err).toContain('Shards 2, 3 of 3 are missing');
    expect((await unsettled(['merge', ...parts, await report('2/3', 'again.json')])).err).toContain('are both shard 2 of 3');
    expect((await unsettled(['merge', ...parts, await report('1/2', 'other.json')])).err).toContain('not parts of one check');
  });
  it('come to what one check of all says: in its order, and with the runs of what is damaged', async () => {
    mkdirSync(at('parts/b'), { recursive: true });
    for (const name of ['b-c', 'b/d', 'a', 'c', 'e']) file(`parts/${name}.unsettled.jsonl`, CAPTURE);
    file('parts/b/cut.unsettled.jsonl.gz', gzipSync(SSE).subarray(0, -9));
    const shards = await Promise.all(
      [1, 2, 3].map(async (i) => file(`all-${i}.json`, (await unsettled(['check', '-f', 'json', '--shard', `${i}/3`, at('parts')])).out)),
    );
    for (const format of ['json', 'pretty'])
      expect((await unsettled(['merge', '-f', format, ...shards])).out).toBe((await unsettled(['check', '-f', format, at('parts')])).out);
    const damaged = (await unsettled(['check', at('parts')])).out.split('cut.unsettled.jsonl.gz\n')[1]!.split('\n\n')[0]!;
    expect(damaged).toMatch(/could not be judged: .*\n {2}\w+ {2}/u);
  });
  it.each([
    ['{"format":1,"files":[{}]}', 'File 1 in this report is not as check writes it'],
    ['{"format":2,"files":[]}', 'has format 2'],
    ['{"format":1,"files":[],"shard":{"index":3,"of":2}}', 'shard of this report is none'],
    ['{"format":1,"fil', 'not JSON, or it was cut off'],
    ['[]', 'not a report'],
  ])('that are none (%s) are told', async (content, words) => {
    expect(await unsettled(['merge', file('none.json', content)])).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});

describe('what cannot be meant', () => {
  it.each([
    [['show', 'x', '--as-of', ''], '--as-of takes milliseconds'],
    [['show', 'x', '--as-of=-3'], '--as-of takes milliseconds'],
    [['help', 'chekc'], 'Did you mean check?'],
    [['redact', 'a', 'b'], '2 are named'],
    [['check', '--shard', '1/2', '-'], 'Standard input has no shards'],
  ])('%j is refused', async (argv, words) => {
    expect(await unsettled(argv)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});

describe('diff', () => {
  it('of a file with itself comes to the same', async () => {
    const path = file('one.sse', SSE);
    expect(await unsettled(['diff', path, path])).toMatchObject({ code: 0, out: 'They come to the same.\n' });
    expect((await unsettled(['diff', path])).err).toContain('Name two files; 1 is named');
    expect((await unsettled(['diff', '-', '-'])).err).toContain('Standard input comes only once');
  });
});

describe('captures put one behind the other', () => {
  const line = CAPTURE.trimEnd().split('\n').length + 1;
  it.each([
    ['plain', (): Uint8Array => Buffer.from(CAPTURE + CAPTURE)],
    ['packed', (): Uint8Array => Buffer.concat([gzipSync(CAPTURE), gzipSync(CAPTURE)])],
  ])('%s: the first is judged, the second is named, and the end is 2', async (name, content) => {
    const one = (JSON.parse((await unsettled(['check', '-f', 'json', file('one.jsonl', CAPTURE)])).out) as Report).files[0]!;
    const { code, out } = await unsettled(['check', '-f', 'json', '--fail-on', 'none', file(`two-${name}`, content())]);
    const both = (JSON.parse(out) as Report).files[0]!;
    expect(code).toBe(2);
    expect(both.unjudged).toMatch(new RegExp(`line ${line}: a second capture begins here.*split them`, 'u'));
    expect(both).toMatchObject({ runs: one.runs, findings: one.findings, gaps: one.gaps });
  });
});

describe('packed data that is cut off', () => {
  /** Cut so early that it is told by its first 64 kB and less, as most files are. */
  const many = Array.from(
    { length: 300 },
    (_, i) => `data: ${JSON.stringify({ type: 'text-delta', id: '0', delta: `${Math.sin(i)} ` })}\n\n`,
  ).join('');
  const stream = `data: {"type":"start","messageId":"m1"}\n\ndata: {"type":"text-start","id":"0"}\n\n${many}`;
  const entry = (i: number, text: string): object => ({
    startedDateTime: `2026-01-01T00:00:0${i}.000Z`,
    time: 9,
    request: { method: 'POST', url: 'http://localhost/chat', headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'text/event-stream' }],
      content: { mimeType: 'text/event-stream', text },
    },
  });
  const har = JSON.stringify({ log: { version: '1.2', entries: [entry(1, stream), entry(2, stream), entry(3, many)] } });
  const cut = (text: string, share = 0.6): Uint8Array => {
    const packed = gzipSync(text);
    return packed.subarray(0, packed.length * share);
  };
  const cases = async (): Promise<[string, Uint8Array][]> => {
    const capture = (await unsettled(['import', file('many.sse', stream)])).out;
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
    // Its chunks are of 64 kB; a capture of small ones is cut between two.
    const [first, ...rest] = capture.trimEnd().split('\n');
    const chunk = JSON.parse(rest.find((line) => line.includes('flow.chunk'))!) as { text: string };
    const small = chunk.text.split(/(?<=\n\n)/u).map((text) => JSON.stringify({ ...chunk, text }));
    const opening = rest.slice(
      0,
      rest.findIndex((line) => line.includes('flow.chunk')),
    );
    return [
      ['capture', cut([first, ...opening, ...small].join('\n'))],
      ['sse', cut(stream)],
      ['curl', cut(head + stream)],
      ['har', cut(har, 0.9)],
    ];
  };

  it('is read up to there by every command, from a file and from standard input, and stays open', async () => {
    for (const [name, bytes] of await cases()) {
      const path = file(`cut.${name}.gz`, bytes);
      const read = await check(path);
      expect(read, name).toMatchObject({ code: 2, unjudged: expect.stringContaining('gzip data is damaged (unexpected end of file)') });
      expect(read.flows[0]!.frames, name).toBeGreaterThan(100);
      // Nobody saw the end of a body that was cut.
      expect(read.flows[0]!.end, name).toBe(name === 'har' ? 'eof' : null);
      const piped = (JSON.parse((await unsettled(['check', '-f', 'json', '-'], bytes)).out) as Report).files[0]!;
      expect({ ...piped, code: 2 }, name).toEqual({ ...read, file: '(standard input)' });

      const shown = await unsettled(['show', path]);
      expect(shown, name).toMatchObject({ code: 2, err: expect.stringContaining('gzip data is damaged') });
      expect(shown.err, name).toContain('What came before was read');
      expect(shown.out, name).toContain(String(Math.sin(99)));
      expect((await unsettled(['show', path, '--as-of', '5000000'])).out, name).toContain(String(Math.sin(99)));

      for (const command of ['import', 'redact']) {
        const made = await unsettled([command, path]);
        expect(made, name).toMatchObject({ code: 2, err: expect.stringContaining('What came before was read') });
        const again = await check(file('again.jsonl', made.out));
        expect(again.flows, name).toEqual(read.flows);
        expect(again.runs, name).toEqual(read.runs);
      }
    }
  });
  it('of which nothing could be read is told by its packing', async () => {
    const path = file('nothing.gz', gzipSync(stream).subarray(0, 14));
    for (const command of ['show', 'import', 'redact'])
      expect(await unsettled([command, path])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('gzip data is damaged') });
    expect((await check(path)).unjudged).toContain('gzip data is damaged');
  });
});

describe('bytes after the end of packed data', () => {
  const packed = Buffer.concat([gzipSync(SSE), Buffer.from('left behind')]);
  it('are said, and everything that was packed is judged', async () => {
    const plain = await unsettled(['check', '-f', 'json', file('plain.sse', SSE)]);
    const whole = (JSON.parse(plain.out) as Report).files[0]!;
    const path = file('tail.gz', packed);
    for (const [name, stdin] of [
      [path, undefined],
      ['-', packed],
    ] as const) {
      const { code, out } = await unsettled(['check', '-f', 'json', name], stdin);
      const read = (JSON.parse(out) as Report).files[0]!;
      expect(code).toBe(plain.code);
      expect(read).toMatchObject({ unjudged: null, runs: whole.runs, findings: whole.findings });
      expect(read.faults[0]!.message).toContain('11 bytes after the end of the packed data were ignored');
    }
    expect((await unsettled(['check', path])).out).toContain('after the end of the packed data');
    expect((await unsettled(['import', path])).err).toContain('11 bytes after the end of the packed data were ignored');
  });
});
