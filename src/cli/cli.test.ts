import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCapture, serialiseCapture } from '../core/capture/capture';
import type { Report } from '../core/report';
import { COMMANDS, helpOf } from './cli';
import { globToRegExp } from './files';
import { ran } from './ran';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'unsettled-cli-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(dir, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
};

const unsettled = (argv: readonly string[], stdin = '') => ran(argv, stdin === '' ? null : stdin);

const EVENT = (type: string, more: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ id: `${type}-1`, type, ts: '2026-01-01T00:00:00.000Z', runId: 'run-1', sessionId: 's-1', ...more })}\n\n`;
const STARTED = EVENT('run.started', { payload: { sessionId: 's-1', threadId: 's-1' } });
const DONE = EVENT('run.completed', {
  payload: { result: { output: { runId: 'run-1', status: 'COMPLETED', errors: [] }, assistantText: 'All good.' } },
});

describe('check', () => {
  it('prints the report in the agreed form', async () => {
    const path = file('done.txt', STARTED + DONE);
    const { code, out } = await unsettled(['check', '--format', 'json', path]);
    const report = JSON.parse(out) as Report;
    expect(report.format).toBe(1);
    expect(report.files[0]).toMatchObject({ file: path, source: 'sse-body', unjudged: null });
    expect(report.files[0]!.flows).toEqual([
      {
        id: 'c1',
        dialect: 'kestrel-runner',
        transport: 'fetch',
        url: '',
        frames: 2,
        events: expect.any(Number),
        unrecognised: 0,
        end: 'eof',
      },
    ]);
    expect(report.files[0]!.runs[0]).toMatchObject({
      parent: null,
      attempts: 1,
      outcome: 'completed',
      evidence: 'reason',
      endedBy: 'producer',
      waitingFor: null,
      text: { committed: { assistant: 'All good.', reasoning: '' }, provisional: { assistant: '', reasoning: '' } },
    });
    expect(report.summary).toMatchObject({ files: 1, runs: 1 });
    expect(code).toBe(0);
  });
  it('reads standard input and gzip alike', async () => {
    const packed = file('packed', gzipSync(STARTED + DONE));
    const a = JSON.parse((await unsettled(['check', '-f', 'json', packed])).out) as Report;
    const b = JSON.parse((await unsettled(['check', '-f', 'json', '-'], STARTED + DONE)).out) as Report;
    expect(a.files[0]!.runs).toEqual(b.files[0]!.runs);
    expect(b.files[0]!.file).toBe('(standard input)');
  });
  it.each([
    ['empty', '', 'The file is empty'],
    ['prose', 'Dear diary,\n', 'is not a file with streams in it'],
    ['image', '\u0000\u0001\u0002', 'This is not text'],
    ['newer', '{"format":"unsettled-capture","version":9}\n', 'Update Unsettled'],
    ['silent', 'data: {"hello":"world"}\n\n', 'No agent stream was recognised'],
    ['cut', `{"meta":{"url":"/x","status":200,"headers":{"content-type":"text/event-stream"}}}\n{"t":1,"chunk":"dat`, 'Damaged at line 2'],
  ])('cannot judge a file that is %s, and says what to do', async (name, content, words) => {
    const { code, out } = await unsettled(['check', file(name, content)]);
    expect(code).toBe(2);
    expect(out).toContain(words);
  });
  it.each([
    [{ where: [{ path: 'nothere' }] }, 'the first 2 frames have no "nothere" where recognise.where looks'],
    [{ where: [{ path: 'kind' }, { path: 'v', matches: '^2$' }] }, '"v" is "1" in the first 2 frames, which its pattern does not match'],
    [{ where: [{ path: 'kind' }], url: '/agent$' }, 'its url does not match ""'],
  ])('says what a mapping that fits nothing lacks (%j)', async (recognise, words) => {
    const mapping = file(
      'nomatch.json',
      JSON.stringify({
        unsettledMapping: 1,
        id: 'mine',
        recognise,
        type: 'kind',
        events: { a: { does: 'open-run' }, z: { does: 'sentinel' } },
      }),
    );
    const stream = file('mine.txt', 'data: {"kind":"a","v":1}\n\ndata: {"kind":"z","v":1}\n\n');
    for (const command of ['check', 'show']) {
      const { code, out, err } = await unsettled([command, '--mapping', mapping, stream]);
      expect(code).toBe(2);
      expect(out + err).toContain(`The mapping ${mapping} fits no stream in it: ${words}.`);
      expect(out + err).not.toContain('write a mapping');
    }
  });
  it('says in words how a connection ended', async () => {
    const path = file('severed.txt', STARTED);
    for (const argv of [['check'], ['show'], ...['junit', 'sarif', 'github'].map((format) => ['check', '-f', format])])
      expect((await unsettled([...argv, path])).out, argv.join(' ')).toContain('The connection ended (the server ended it)');
    expect((await unsettled(['check', '-f', 'json', path])).out).toContain('The connection ended (eof)');
  });
  it('names what is not there', async () => {
    const { code, out } = await unsettled(['check', join(dir, 'nowhere.har')]);
    expect(code).toBe(2);
    expect(out).toContain('There is no such file');
  });
  it('reads compressed data up to the damage', async () => {
    const whole = gzipSync(
      Array.from({ length: 20_000 }, (_, i) => EVENT('run.log', { id: `log-${i}`, payload: { message: `${Math.sin(i)}` } })).join(''),
    );
    const { code, out } = await unsettled(['check', '-f', 'json', file('half.gz', whole.subarray(0, whole.length / 2))]);
    const report = JSON.parse(out) as Report;
    expect(code).toBe(2);
    expect(report.files[0]!.unjudged).toContain('gzip data is damaged');
    expect(report.files[0]!.flows[0]!.frames).toBeGreaterThan(100);
  });
  it('passes an empty session only when told to', async () => {
    expect((await unsettled(['check', '--allow-empty', file('silent2', 'data: {"hello":"world"}\n\n')])).code).toBe(0);
  });
  it.each([
    ['HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\n\r\n{"error":{"message":"No key"}}', ['status 401', 'credentials']],
    ['HTTP/1.1 503 Service Unavailable\r\n\r\nAway', ['status 503', 'its own log']],
    ['{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}', ['refusal of a server', 'curl -iN']],
    ['*   Trying 127.0.0.1:80...\n> GET / HTTP/1.1\n>\n< HTTP/1.1 200 OK\n<\ndata: 1\n\n', ['curl -v', 'curl -iN']],
  ])('says what to do with %j', async (text, said) => {
    const { code, out } = await unsettled(['check', '-f', 'json', file(`refused-${said[0]}`, text)]);
    expect(code).toBe(2);
    for (const words of said) expect((JSON.parse(out) as Report).files[0]!.unjudged).toContain(words);
  });
  it('names the files that a folder does hold', async () => {
    for (const name of ['a.sse', 'b.sse', 'c.har', 'notes.md']) file(`other/${name}`, STARTED + DONE);
    const { code, err } = await unsettled(['check', join(dir, 'other')]);
    expect(code).toBe(2);
    expect(err).toContain('2 *.sse');
    expect(err).toContain("other/**/*.sse'");
  });
  it('says that a flow of a capture was never opened', async () => {
    const whole = [...serialiseCapture(readCapture(Buffer.from(STARTED + DONE)).capture)].join('');
    const lost = whole
      .split('\n')
      .filter((line) => !line.includes('"type":"flow.opened"'))
      .join('\n');
    const { out } = await unsettled(['check', file('lost.jsonl', lost)]);
    expect(out).toMatch(/entries belong to a flow that is not opened before \(the first at line 2/u);
  });
  it('takes patterns and folders, each file once, and every shard its share', async () => {
    for (let i = 0; i < 7; i++) file(`many/${i}.unsettled.jsonl`, STARTED + DONE);
    const names = async (...argv: string[]): Promise<string[]> =>
      (JSON.parse((await unsettled(['check', '-f', 'json', ...argv])).out) as Report).files.map((report) => report.file);
    const all = await names(join(dir, 'many'));
    expect(all).toHaveLength(7);
    expect(await names(join(dir, 'many/*.jsonl'), join(dir, 'many'))).toEqual(all);
    const shards = await Promise.all([1, 2, 3].map((i) => names(join(dir, '**/*.unsettled.jsonl'), '--shard', `${i}/3`)));
    expect(shards.flat().sort()).toEqual([...all].sort());
  });
  it.each([
    [['check'], 'Name at least one file'],
    [['check', '--formt', 'json', 'x'], 'Did you mean --format?'],
    [['check', '--format', 'jsn', 'x'], 'Did you mean json?'],
    [['check', '--format'], '--format needs a value'],
    [['check', '--shard', '4/3', '.'], '--shard takes I/N'],
    [['chekc', 'x'], 'Did you mean check?'],
    [['check', 'no/*.match'], 'No file matches'],
  ])('refuses %j', async (argv, words) => {
    const { code, err } = await unsettled(argv);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});

describe('mappings', () => {
  const stream = 'data: {"kind":"say","t":"Hello"}\n\ndata: {"kind":"bye"}\n\n';
  it('judge a protocol of ones own', async () => {
    const mapping = file(
      'map.json',
      JSON.stringify({
        unsettledMapping: 1,
        id: 'mine',
        title: 'Mine',
        type: 'kind',
        recognise: { where: [{ path: 'kind', matches: '^(say|bye)$' }] },
        events: { say: { does: 'delta', voice: 'assistant', text: 't' }, bye: { does: 'finish', outcome: 'completed' } },
      }),
    );
    const result = await unsettled(['check', '-f', 'json', '--mapping', mapping, file('own.sse', stream)]);
    expect(result.err).toBe('');
    const report = JSON.parse(result.out) as Report;
    expect(report.files[0]).toMatchObject({ unjudged: null, runs: [{ dialect: 'mine', outcome: 'completed' }] });
  });
  it('say what is wrong with them', async () => {
    const { code, err } = await unsettled([
      'check',
      '--mapping',
      file('bad.json', '{\n  "unsettledMapping": 1,\n  "evnts": {}\n}'),
      file('own2.sse', stream),
    ]);
    expect(code).toBe(2);
    expect(err).toMatch(/bad\.json:3: evnts/u);
    expect((await unsettled(['check', '--mapping', join(dir, 'none.json'), 'x'])).err).toContain('cannot be read');
  });
});

describe('shards', () => {
  it('joined are what one check of all files says', async () => {
    const paths = Array.from({ length: 23 }, (_, i) =>
      file(`many/${i}.unsettled.jsonl`, i % 5 === 0 ? 'not a capture' : STARTED + (i % 3 === 0 ? '' : DONE)),
    );
    const whole = await unsettled(['check', '-f', 'json', ...[...paths].sort()]);
    const parts = await Promise.all(
      [1, 2, 3, 4].map(async (i) => file(`part-${i}.json`, (await unsettled(['check', '-f', 'json', '--shard', `${i}/4`, ...paths])).out)),
    );
    const merged = await unsettled(['merge', '-f', 'json', ...parts]);
    const [all, joined] = [JSON.parse(whole.out) as Report, JSON.parse(merged.out) as Report];
    const byName = (report: Report) => [...report.files].sort((a, b) => a.file.localeCompare(b.file));
    expect(byName(joined)).toEqual(byName(all));
    expect(joined.summary).toEqual(all.summary);
    expect(merged.code).toBe(whole.code);
  });
});

describe('merge', () => {
  it('gives the report and the exit code of the whole', async () => {
    const good = file('good.json', (await unsettled(['check', '-f', 'json', file('g', STARTED + DONE)])).out);
    const bad = file('bad.json', (await unsettled(['check', '-f', 'json', file('b', '')])).out);
    const merged = await unsettled(['merge', '-f', 'json', good, bad]);
    expect((JSON.parse(merged.out) as Report).summary).toMatchObject({ files: 2, unjudged: 1, runs: 1 });
    expect(merged.code).toBe(2);
    expect((await unsettled(['merge', good])).code).toBe(0);
    expect((await unsettled(['merge', file('no.json', '{}')])).err).toContain('This is not a report');
  });
});

describe('files that are not what they seem', () => {
  it('a byte order mark alone is an empty file', async () => {
    const { code, out } = await unsettled(['check', file('bom', '\ufeff')]);
    expect(code).toBe(2);
    expect(out).toContain('The file is empty');
  });
  it('a list of right verdicts beside recordings is nothing to judge', async () => {
    const list = file('expected', `${JSON.stringify({ file: 'a.jsonl', class: 'completed', settled: true })}\n`);
    expect(await unsettled(['check', list])).toMatchObject({ code: 0 });
  });
});

describe('show', () => {
  it('prints text by voice, with a mark for its standing', async () => {
    const { code, out } = await unsettled(['show', file('show', STARTED + DONE)]);
    expect(code).toBe(0);
    expect(out).toMatch(/completed/u);
    expect(out).toMatch(/assistant {3}\| All good\./u);
  });
  it('a file with no run in it is no success, and what to do is said', async () => {
    const none = await unsettled(['show', file('none', 'data: {"hello":1}\n\n')]);
    expect(none.code).toBe(2);
    expect(none.err).toMatch(/No agent stream was recognised in it \(one connection\)\. .*--mapping/u);
    expect((await unsettled(['show', '--as-of', '3', file('early', 'data: {"hello":1}\n\n')])).err).toContain('no run by 3 ms');
  });
  it('shows a run as it stood at a time', async () => {
    const path = file(
      'timed',
      `{"meta":{"url":"/x","method":"POST","status":200,"headers":{"content-type":"text/event-stream"},"end":"eof"}}\n${JSON.stringify({ t: 10, chunk: STARTED })}\n${JSON.stringify({ t: 900, chunk: DONE })}\n`,
    );
    expect((await unsettled(['show', '--as-of', '500', path])).out).toMatch(/open/u);
    expect((await unsettled(['show', '--as-of', '900', path])).out).toMatch(/completed at 900 ms/u);
  });
  it('lets no escape sequence of a stream reach the terminal', async () => {
    const evil = EVENT('run.completed', {
      payload: { result: { output: { status: 'COMPLETED', errors: [] }, assistantText: 'a\u001b]0;pwned\u0007b\u202ec' } },
    });
    const { out } = await unsettled(['show', file('evil', STARTED + evil)]);
    expect(out).toContain('pwned');
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
  });
});

describe('diff', () => {
  it('is quiet about the same, and names what differs', async () => {
    const a = file('a', STARTED + DONE);
    expect(await unsettled(['diff', a, file('a2', STARTED + DONE)])).toMatchObject({ code: 0 });
    const changed = await unsettled(['diff', a, file('b2', STARTED + DONE.replace('All good.', 'All bad.'))]);
    expect(changed.code).toBe(1);
    expect(changed.out).toContain('committed assistant text');
    expect((await unsettled(['diff', a, file('b3', '')])).code).toBe(2);
  });
});

describe('redact and import', () => {
  const SECRET = ['ghp', '7aB'.repeat(12)].join('_');
  const stream = (): string =>
    STARTED +
    EVENT('run.completed', {
      payload: { result: { output: { status: 'COMPLETED', errors: [] }, assistantText: `Use ${SECRET} for now, Eleanor.` } },
    });

  it('make a capture without secrets, with the same verdicts', async () => {
    const [from, to] = [file('secret.sse', stream()), join(dir, 'clean.unsettled.jsonl.gz')];
    const { code, err } = await unsettled(['redact', from, '-o', to]);
    expect(code).toBe(0);
    expect(err).toBe('Replaced in 1 place: 1 key.\n');
    const text = gunzipSync(readFileSync(to)).toString('utf8');
    expect(text).toContain('"format":"unsettled-capture"');
    expect(text).not.toContain(SECRET);
    expect((await unsettled(['diff', from, to])).out).toContain('committed assistant text');
    expect((await unsettled(['redact', from, '-o', to])).err).toContain('is there already');
    expect((await unsettled(['redact', from, '-o', to, '--force'])).code).toBe(0);
  });
  it('scramble texts', async () => {
    const { code, out, err } = await unsettled(['redact', '--scramble', file('private.sse', stream())]);
    expect(code).toBe(0);
    expect(err).toContain('the verdicts are the same');
    expect(out).not.toContain('Eleanor');
    const report = JSON.parse((await unsettled(['check', '-f', 'json', '-'], out)).out) as Report;
    expect(report.files[0]!.runs[0]!.outcome).toBe('completed');
  });
  it('write HAR, and read it back', async () => {
    const { code, out } = await unsettled(['import', '--to', 'har', '--raw', file('x.sse', stream())]);
    expect(code).toBe(0);
    const report = JSON.parse((await unsettled(['check', '-f', 'json', '-'], out)).out) as Report;
    expect(report.files[0]).toMatchObject({
      source: 'har',
      runs: [{ outcome: 'completed', text: { committed: { assistant: expect.stringContaining(SECRET) } } }],
    });
  });
  it('say what cannot be read', async () => {
    expect(await unsettled(['redact', file('none', 'hm\n')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('not a file with streams'),
    });
    expect(await unsettled(['import', '--raw', '--scramble', file('y.sse', stream())])).toMatchObject({ code: 2 });
  });
});

describe('help', () => {
  it('teaches every command and fits a terminal', async () => {
    for (const command of COMMANDS) {
      const { code, out } = await unsettled([command.name, '--help']);
      expect(code).toBe(0);
      expect(out).toBe(helpOf(command));
      for (const option of Object.keys(command.options)) expect(out).toContain(`--${option}`);
      for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(140);
    }
    expect((await unsettled([])).code).toBe(2);
    expect((await unsettled(['--help'])).code).toBe(0);
  });
});

describe('patterns', () => {
  it.each([
    ['a/*.har', 'a/b.har', true],
    ['a/*.har', 'a/b/c.har', false],
    ['a/**/*.har', 'a/c.har', true],
    ['a/**/*.har', 'a/b/d/c.har', true],
    ['**/*.{har,sse}', 'x/y.sse', true],
    ['?[0-9].sse', 'a1.sse', true],
    ['?[!0-9].sse', 'a1.sse', false],
    ['a+b(c).har', 'a+b(c).har', true],
  ])('%s on %s: %s', (glob, path, fits) => {
    expect(globToRegExp(glob).test(path)).toBe(fits);
  });
});
