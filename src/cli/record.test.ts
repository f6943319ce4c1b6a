import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Capture } from '../core/model';
import { ran } from './ran';
import { recordStream } from './record';

let server: Server;
let base = '';
let lastRequest = { headers: {} as Record<string, unknown>, body: '', method: '' };

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => {
      lastRequest = { headers: request.headers, body, method: request.method ?? '' };
      if (request.url === '/page') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
        return;
      }
      if (request.url === '/silent') return;
      if (request.url === '/endless-page') {
        response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html>');
        return;
      }
      const plain: Readonly<Record<string, [status: number, body: string, type?: string]>> = {
        '/boom': [500, 'boom'],
        '/no': [404, 'no', 'text/plain'],
        '/denied': [401, '{"detail":"no"}', 'application/json'],
        '/hello': [200, 'hello', 'text/plain'],
        '/empty': [204, ''],
        '/lines': [200, 'one line of prose\nand another\n', 'text/plain'],
      };
      const answer = plain[request.url ?? ''];
      if (answer !== undefined) {
        const [status, text, type] = answer;
        response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(text);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': 'sid=secret' });
      const bytes = Buffer.from('data: {"type":"start"}\n\ndata: "né"\n\n');
      // Cut inside the two bytes of é.
      response.write(bytes.subarray(0, bytes.indexOf(0xc3) + 1));
      setTimeout(() => {
        response.write(bytes.subarray(bytes.indexOf(0xc3) + 1));
        if (request.url === '/reset') setTimeout(() => response.destroy(), 20);
        else if (request.url === '/open') return;
        else response.end();
      }, 20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  base = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (path: string, limit: number | null = null, stop = new AbortController()) =>
  recordStream({ url: base + path, method: 'GET', headers: { authorization: 'Bearer abc' }, body: null, limit }, stop.signal);
const received = (capture: Capture): string => capture.entries.map((entry) => (entry.type === 'flow.chunk' ? entry.text : '')).join('');
const ending = (capture: Capture): string | undefined =>
  capture.entries.flatMap((entry) => (entry.type === 'flow.ended' ? [entry.how] : []))[0];

describe('record', () => {
  it('keeps what came, in whole characters, and how it ended', async () => {
    const { capture, failed } = await ask('/done');
    expect(failed).toBeNull();
    expect(received(capture)).toBe('data: {"type":"start"}\n\ndata: "né"\n\n');
    expect(ending(capture)).toBe('eof');
    expect(capture.entries.map((entry) => entry.seq)).toEqual(capture.entries.map((_, i) => i));
    expect(lastRequest.headers.authorization).toBe('Bearer abc');
    expect(JSON.stringify(capture)).not.toMatch(/Bearer|sid=secret/u);
  });
  it('tells a broken connection and a stop from an end', async () => {
    expect(ending((await ask('/reset')).capture)).toBe('network-error');
    expect(ending((await ask('/open', 150)).capture)).toBe('aborted-by-page');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    expect(ending((await ask('/open', null, stop)).capture)).toBe('aborted-by-page');
  });

  const unsettled = (...argv: string[]) => ran(argv, null, 80);
  it('sends what it is told to, and writes a capture', async () => {
    const { code, out, err } = await unsettled('record', `${base}/done`, '-d', '{"q":1}', '-H', 'X-Mine: 7');
    expect(code).toBe(0);
    expect(lastRequest).toMatchObject({ method: 'POST', body: '{"q":1}', headers: { 'x-mine': '7' } });
    expect(out.split('\n')[0]).toContain('"unsettled record"');
    expect(err).toContain('2 frames');
    expect(err).toMatch(/no known protocol.*\n.*--mapping/u);
    expect(err).toContain('docs/mapping.md');
    expect(err).toContain('Ended: the server ended it.');
  });
  it('says what is wrong', async () => {
    expect((await unsettled('record', 'ws://x/')).err).toContain('Sockets are recorded by');
    expect((await unsettled('record', 'nonsense')).err).toContain('no URL');
    expect((await unsettled('record', `${base}/page`, '-d', '{}')).err).toContain('answers with a page and no stream');
    expect((await unsettled('record', '--page', `${base}/page`, '-d', '{}')).err).toContain('--page goes without');
  });
  it.each([
    ['/boom', 'status 500'],
    ['/no', 'status 404'],
    ['/denied', 'status 401'],
    ['/hello', 'one text (text/plain)'],
    ['/lines', 'one text (text/plain)'],
    ['/empty', 'nothing'],
  ])('keeps nothing of an answer that is no stream (%s), and says what it is', async (path, words) => {
    expect(await unsettled('record', base + path)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(`${base}${path} answers with ${words}`),
    });
  });
  it('says that a server does not answer, while it waits and when that is all', async () => {
    const stop = new AbortController();
    // Told once, and only where there is no answer: it is stopped by what it tells.
    const silent = await recordStream({ url: `${base}/silent`, method: 'GET', headers: {}, body: null, limit: null }, stop.signal, {
      waiting: () => stop.abort(),
      waitingMs: 20,
    });
    expect(silent.failed).not.toBeNull();
    expect(await unsettled('record', `${base}/silent`, '--max-time', '0.2')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('had not answered'),
    });
  });
  it.each(['/page', '/endless-page'])('opens %s in a browser, and says what to do where there is none', async (path) => {
    const before = process.env.UNSETTLED_CHROMIUM;
    process.env.UNSETTLED_CHROMIUM = '/nowhere/chromium';
    try {
      const { code, err } = await unsettled('record', base + path);
      expect(code).toBe(2);
      expect(err).toContain('UNSETTLED_CHROMIUM is set to /nowhere/chromium');
    } finally {
      if (before === undefined) delete process.env.UNSETTLED_CHROMIUM;
      else process.env.UNSETTLED_CHROMIUM = before;
    }
  });
  it('says when nobody answers', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    expect(await unsettled('record', `http://127.0.0.1:${port}/`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Nothing listens on 127.0.0.1:${port}`),
    });
    expect(await unsettled('record', 'http://localhost:1/')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Port 1 belongs to another service'),
    });
  });
  it.each([
    [['http://localhost:99999/'], '99999 is no port'],
    [['http://localhost:80a0/'], '80a0 is no port'],
    [['http://localhost:0/'], 'Port 0 is none'],
    [['localhost:3000/chat'], 'Did you mean http://localhost:3000/chat?'],
    [['ftp://localhost/'], 'begins with http:// or https://'],
    [['ws://localhost/'], 'Sockets are recorded by'],
    [['http://localhost:9/', '-X', 'PO ST'], '--method takes a word'],
    [['http://localhost:9/', '-X', 'TRACE'], 'cannot ask by TRACE'],
    [['http://localhost:9/', '-X', 'GET', '-d', 'x'], 'GET carries no --data'],
    [['http://localhost:9/', '-H', 'na me: x'], '--header takes'],
    [['http://localhost:9/', '-H', 'x: \u{1f600}'], 'none that can be sent'],
    [['http://me:secret@localhost:9/'], 'Give them as a header'],
    [['http://localhost:9/', '--raw', '--scramble'], 'cannot go together'],
    [['http://localhost:9/', '--keep', 'text'], '--keep goes with --scramble'],
    [['http://localhost:9/', '--mapping', 'nowhere.json'], 'cannot be read: there is no such file'],
    [['http://localhost:9/', '-d', '@nowhere.json'], 'cannot be read: there is no such file'],
    [['http://localhost:9/', '-o', 'no/such/folder/out.jsonl'], 'The folder no/such/folder does not exist'],
  ])('refuses %j before anything is asked', async (argv, words) => {
    expect(await unsettled('record', ...argv)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});
