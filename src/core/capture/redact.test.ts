import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model';
import type { CaptureEntry } from './capture';
import { redactCapture, redactText } from './redact';
import { hasCheckDigit } from './redaction/numbers';
import { findSecrets } from './redaction/secrets';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const noise = (length: number, alphabet: string, seed: number): string => {
  let state = (seed * 2654435761) >>> 0;
  let out = '';
  while (out.length < length) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    out += alphabet[(state >>> 7) % alphabet.length];
  }
  return out;
};
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const HEX = '0123456789abcdef';
const an = (length: number, seed: number): string => `7${noise(length - 2, ALNUM, seed)}q`;
const hex = (length: number, seed: number): string => `a7${noise(length - 2, HEX, seed)}`;
const b64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Secrets that are found by their own shape. */
const SHAPED: readonly string[] = [
  `sk-${an(48, 1)}`,
  `sk-proj-${an(60, 2)}`,
  `sk-ant-api03-${an(80, 3)}`,
  `sk-or-v1-${hex(64, 4)}`,
  `sk_live_${an(24, 5)}`,
  `rk_test_${an(24, 6)}`,
  `whsec_${an(32, 7)}`,
  `ghp_${an(36, 8)}`,
  `gho_${an(36, 9)}`,
  `github_pat_${an(22, 10)}_${an(59, 11)}`,
  `glpat-${an(20, 12)}`,
  `xoxb-${noise(12, '123456789', 13)}-${an(24, 14)}`,
  `xapp-1-${an(30, 15)}`,
  `AKIA${noise(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`,
  `AIza${an(35, 17)}`,
  `ya29.${an(60, 18)}`,
  `GOCSPX-${an(28, 19)}`,
  `hf_${an(34, 20)}`,
  `npm_${an(36, 21)}`,
  `pypi-${an(60, 22)}`,
  `SG.${an(22, 23)}.${an(43, 24)}`,
  `dop_v1_${hex(64, 25)}`,
  `shpat_${hex(32, 26)}`,
  `lin_api_${an(40, 27)}`,
  `gsk_${an(52, 28)}`,
  `r8_${an(37, 29)}`,
  `pplx-${an(48, 30)}`,
  `xai-${an(80, 31)}`,
  `tvly-${an(32, 32)}`,
  `nvapi-${an(64, 33)}`,
  `lsv2_pt_${hex(32, 34)}_${hex(10, 35)}`,
  `phc_${an(43, 36)}`,
  `sbp_${hex(40, 37)}`,
  `dapi${hex(32, 38)}`,
  `ntn_${an(46, 39)}`,
  `figd_${an(40, 40)}`,
  `PMAK-${hex(24, 41)}-${hex(34, 42)}`,
  `glsa_${an(32, 43)}_${hex(8, 44)}`,
  `pscale_tkn_${an(43, 45)}`,
  `hvs.${an(90, 46)}`,
  `${b64url('{"alg":"HS256","typ":"JWT"}')}.${b64url('{"sub":"1234","name":"Ann"}')}.${an(43, 47)}`,
  `${noise(9, '123456789', 48)}:AA${an(33, 49)}`,
  ...Array.from({ length: 4 }, (_, i) => `sk-ant-${['api03', 'admin01', 'oat01', 'ort01'][i]}-${an(86, 300 + i)}AA`),
  ...['ghu', 'ghs', 'ghr'].map((name, i) => `${name}_${an(36, 310 + i)}`),
  ...['gldt', 'glrt', 'glft', 'glptt'].map((name, i) => `${name}-${an(20, 320 + i)}`),
  ...['sk_test', 'pk_live', 'rk_live'].map((name, i) => `${name}_${an(32, 330 + i)}`),
  ...['xoxp', 'xoxa', 'xoxs'].map((name, i) => `${name}-${noise(12, '123456789', 340 + i)}-${an(28, 345 + i)}`),
  `ASIA${noise(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 350)}`,
  `1//0${an(60, 351)}`,
  `key-${hex(32, 352)}`,
  `${hex(32, 353)}-us14`,
  `shpss_${hex(32, 354)}`,
  `sq0atp-${an(22, 355)}`,
  `EAAC${an(60, 356)}`,
  `csk-${noise(46, 'abcdefghijklmnopqrstuvwxyz0123456789', 357)}7`,
  `fc-${hex(32, 358)}`,
  `jina_${an(60, 359)}`,
  `pcsk_${an(60, 360)}`,
  `e2b_${hex(40, 361)}`,
  `sb_secret_${an(32, 362)}`,
  `nfp_${an(36, 363)}`,
  `dp.pt.${an(43, 364)}`,
  `pat${an(14, 365)}.${hex(64, 366)}`,
  `NRAK-${noise(26, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 367)}7`,
  `pul-${hex(40, 368)}`,
  `CFPAT-${an(43, 369)}`,
  `tskey-auth-${an(30, 370)}`,
  `AC${hex(32, 371)}`,
  `M${an(23, 372)}.${an(6, 373)}.${an(38, 374)}`,
  `${b64url('{"alg":"RS256"}')}.${b64url(`{"iss":"https://id.test","sub":"${an(20, 375)}"}`)}.${an(86, 376)}`,
  'jane.doe@corp-mail.com',
  'j+filter@sub.domain.co.uk',
  "o'neil_77@example.org",
  'ann@xn--mller-kva.example',
  'ann@xn--e1afmkfd.xn--p1ai',
  'ann@firma.rs',
  'ann@corp.md',
  'ann.b@empresa.py',
  'ann@archive.zip',
  'UPPER.Case@Example.COM',
  'x@y.io',
];

/** The number with its check digit (ISO/IEC 7812). */
const card = (digits: string): string => {
  for (let check = 0; check < 10; check++) if (hasCheckDigit(`${digits}${check}`)) return `${digits}${check}`;
  throw new Error('no check digit');
};
const grouped = (digits: string, ...sizes: readonly number[]): string => {
  const ends = sizes.map((_, i) => sizes.slice(0, i + 1).reduce((a, b) => a + b));
  return sizes.map((size, i) => digits.slice(ends[i]! - size, ends[i])).join(' ');
};
const VISA = card('453981620357184');
const AMEX = card('37144963529841');

/** Numbers that are found by their own shape: payment cards and telephones. */
const NUMBERS: readonly string[] = [
  VISA,
  grouped(VISA, 4, 4, 4, 4),
  grouped(VISA, 4, 4, 4, 4).replaceAll(' ', '-'),
  card('520082828282821'),
  grouped(card('222300484800123'), 4, 4, 4, 4),
  AMEX,
  grouped(AMEX, 4, 6, 5),
  card('601100099013942'),
  card('3056930902590'),
  card('353011133330871'),
  card('620000000000531'.replace(/0{6}/u, '123456')),
  card('675964982643845'),
  '+1 415 726 3917',
  '+14157263917',
  '+1 (415) 726-3917',
  '+44 20 7946 8391',
  '+44 (0)20 7946 8391',
  '+447911283746',
  '+49 30 901820473',
  '+49 (0)171 2839475',
  '+49-171-2839475',
  '+33 6 12 84 57 93',
  '+33.6.12.84.57.93',
  '+91 98123 74650',
  '+81 90-1823-4756',
  '+55 (11) 91837-2645',
  '+86 138 1829 3746',
  '+7 916 283 47 56',
  '+353 87 182 9374',
  '+971 50 182 9374',
  '(415) 726-3917',
  '415-726-3917',
  '1-800-726-3917',
  '415.726.3917',
  '020 7946 8391',
  '07911 283746',
  '(030) 9018204',
  '0171/2839475',
  '0171 2839475',
  '06 12 84 57 93',
  '01.42.68.53.19',
];

/** Secrets that are found by what stands before them: [before, secret, after]. */
const NAMED: readonly (readonly [string, string, string])[] = [
  ['password: ', 'hunter2!', ''],
  ['The password is ', 'Tr0ub4dor&3', ', write it down.'],
  ['export DB_PASSWORD=', 'correcthorsebattery', '\n'],
  ['PGPASSWORD="', 'pa55 word?'.replace(' ', '-'), '" psql'],
  ['api_key=', an(24, 60), '&x=1'],
  ["apiKey: '", an(20, 61), "',"],
  ['const clientSecret = "', an(32, 62), '";'],
  ['AWS_SECRET_ACCESS_KEY=', an(40, 63), ''],
  ['--token ', an(30, 64), ' --verbose'],
  ['Authorization: Bearer ', an(40, 65), ''],
  ['authorization: Basic ', Buffer.from('ann:hunter22').toString('base64'), '\r\n'],
  ['x-api-key: ', an(32, 66), '\n'],
  ['Cookie: sid=', an(26, 67), '; theme=dark'],
  ['Set-Cookie: session=', an(26, 68), '; Path=/; HttpOnly; Secure'],
  ['postgres://', 'admin:s3cr3t-pw', '@db.internal:5432/app'],
  ['https://', 'user77:p4ssw0rd', '@example.org/x'],
  ['redis://', ':r3d1s-p4ss', '@cache:6379'],
  ['https://api.test/v1?access_token=', an(40, 69), '&n=1'],
  ['https://api.test/cb#id_token=', an(60, 70), ''],
  ['https://x.blob.test/f?sv=2024&sig=', `${an(40, 71)}%3D`, ''],
  ['https://hooks.slack.com/services/', `T${an(8, 72)}/B${an(8, 73)}/${an(24, 74)}`, ''],
  ['https://discord.com/api/webhooks/', `${noise(18, '123456789', 75)}/${an(60, 76)}`, ''],
  ['AccountKey=', `${an(86, 77)}==`, ';EndpointSuffix=core'],
  ['refresh_token = ', an(44, 78), ''],
  ['"client_secret": "', an(24, 79), '"'],
  ['secret => "', an(24, 80), '"'],
  ['_', `sk-${an(40, 400)}`, '_'],
  ['the key: __', `ghp_${an(36, 401)}`, '__'],
  ['_', 'emph.asis@corp.example', '_'],
  ['-', 'listed@corp.example', ''],
  ['https://api.test/v1?access_token=', 'abcdefghijklmnopqrst', ''],
  ['https://api.test/v1?api_key=', '1234567890123456', '&n=1'],
  ['-----BEGIN RSA PRIVATE KEY-----', `\n${an(64, 81)}\n${an(64, 82)}\n`, '-----END RSA PRIVATE KEY-----'],
  ['-----BEGIN PRIVATE KEY-----', an(120, 83), '-----END PRIVATE KEY-----'],
];

/** Secrets that are found by the JSON member they stand under. */
const MEMBERS: readonly (readonly [string, string])[] = [
  ['password', 'letmein'],
  ['userPassword', 'opensesame'],
  ['apiKey', 'plain-words-key'],
  ['api_key', an(12, 90)],
  ['client_secret', 'shared-words'],
  ['accessToken', 'opaque.opaque'],
  ['refresh_token', an(30, 91)],
  ['authorization', `Bearer ${an(20, 92)}`],
  ['x-api-key', an(16, 93)],
  ['privateKey', an(50, 94)],
  ['token', an(24, 95)],
  ['phone', '4157263917'],
  ['phoneNumber', '0171 2839475'],
  ['mobile_phone', '491712839475'],
  ['tel', '030/9018204'],
  ['contactPhone', '7263917'],
  ['cardNumber', '4539816203571840'],
  ['card_number', '4539 8162 0357 1840'],
  ['iban', 'DE89 3704 0044 0532 0130 00'],
  ['pass', 'opensesame1'],
  ['pw', 'opensesame'],
  ['password', 'correct horse battery'],
  ['userPassword', 'Blue Harbour 77!'],
  ['passwords', 'letmein-too'],
  ['OPENAI_KEY', an(20, 97)],
  ['connectionString', `Server=db;Pwd=${an(10, 96)}`],
];

const HEADER: Omit<Capture, 'entries'> = {
  format: 'unsettled-capture',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  producer: { name: 't', version: '0', browser: null },
  documents: [{ key: 'd', url: 'http://localhost/', topLevel: true, timeOrigin: 0 }],
  redaction: null,
};

type Loose = { readonly type: string; readonly [key: string]: unknown };
const captureOf = (entries: readonly Loose[], url = 'http://localhost/'): Capture => ({
  ...HEADER,
  documents: [{ ...HEADER.documents[0]!, url }],
  entries: entries.map((entry, seq) => ({ seq, at: seq, ...entry }) as unknown as CaptureEntry),
});
const opened = (more: object = {}): Loose => ({
  type: 'flow.opened',
  flow: 'f',
  document: 'd',
  transport: 'fetch',
  method: 'POST',
  url: '/api',
  requestHeaders: {},
  requestBody: null,
  ...more,
});
const chunk = (text: string, more: object = {}): Loose => ({
  type: 'flow.chunk',
  flow: 'f',
  direction: 'received',
  text,
  encoding: 'text',
  event: null,
  id: null,
  ...more,
});
const head = (type = 'text/event-stream'): Loose => ({ type: 'flow.head', flow: 'f', status: 200, headers: { 'content-type': type } });
const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? [];

const redact = (capture: Capture): Capture => redactCapture(capture, { policy: 'standard' }).capture;

/** Everything that can be read out of a capture, by means that share no code with the redactor. */
const readings = (capture: Capture): string[] => {
  const out = [JSON.stringify(capture.documents), ...capture.entries.map((entry) => JSON.stringify(entry))];
  const streams = new Map<string, string>();
  for (const entry of capture.entries)
    if (entry.type === 'flow.chunk')
      streams.set(
        `${entry.flow}${entry.direction}`,
        (streams.get(`${entry.flow}${entry.direction}`) ?? '') +
          (entry.encoding === 'base64' ? Buffer.from(entry.text, 'base64').toString('latin1') : entry.text),
      );
  const strings: string[] = [];
  const byKey = new Map<string, string>();
  const collect = (value: unknown, key = ''): void => {
    if (typeof value === 'string') {
      strings.push(value);
      byKey.set(key, (byKey.get(key) ?? '') + value);
      try {
        collect(JSON.parse(value));
      } catch {
        // No JSON in this string.
      }
    } else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        strings.push(name);
        collect(member, name);
        const own = (value as { id?: unknown }).id;
        if (typeof own === 'string' && typeof member === 'string')
          byKey.set(`${name} ${own}`, (byKey.get(`${name} ${own}`) ?? '') + member);
      }
  };
  for (const text of streams.values()) {
    out.push(text);
    for (const line of text.split('\n'))
      try {
        collect(JSON.parse(line.replace(/^data: ?/u, '')));
      } catch {
        // Not a line of JSON.
      }
  }
  for (const text of byKey.values()) {
    out.push(text);
    if (text.startsWith('{'))
      try {
        collect(JSON.parse(text));
      } catch {
        // Deltas of something else.
      }
  }
  for (const entry of capture.entries) collect(entry);
  out.push(...strings);
  for (const text of [...out]) {
    if (text.includes('%'))
      out.push(text.replace(/%([0-9a-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))));
    for (const [word] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/gu)) out.push(Buffer.from(word, 'base64').toString('latin1'));
  }
  return out;
};

const leaks = (capture: Capture, secret: string): boolean => readings(capture).some((text) => text.includes(secret));

/** Ways a text with a secret in it can get into a capture. */
const PLACES: Readonly<Record<string, (text: string) => Capture>> = {
  'one delta': (text) => captureOf([opened(), head(), chunk(sse({ type: 'text-delta', id: 't1', delta: text }))]),
  'deltas of 3': (text) =>
    captureOf([opened(), head(), ...pieces(text, 3).map((delta) => chunk(sse({ type: 'text-delta', id: 't1', delta })))]),
  'deltas of 1, in chunks of 7': (text) =>
    captureOf([
      opened(),
      head(),
      ...pieces(
        pieces(text, 1)
          .map((delta) => sse({ type: 'text-delta', id: 't1', delta }))
          .join(''),
        7,
      ).map((part) => chunk(part)),
    ]),
  'two parts that alternate': (text) =>
    captureOf([
      opened(),
      head(),
      ...pieces(text, 4).flatMap((delta) => [
        chunk(sse({ type: 'text-delta', id: 'a', delta })),
        chunk(sse({ type: 'text-delta', id: 'b', delta: 'other words ' })),
      ]),
    ]),
  'events with ids of their own': (text) =>
    captureOf([opened(), head(), ...pieces(text, 5).map((delta, i) => chunk(sse({ id: `ev-${i}`, type: 'delta', payload: { delta } })))]),
  'escaped JSON': (text) =>
    captureOf([
      opened(),
      head(),
      chunk(`data: {"delta":"${[...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}\n\n`),
    ]),
  'the name of a member': (text) =>
    captureOf([opened({ requestBody: JSON.stringify({ users: { [text]: { n: 1 } } }) }), head(), chunk(sse({ map: { [text]: 1 } }))]),
  'the name of a member, in deltas of JSON': (text) =>
    captureOf([
      opened(),
      head(),
      ...pieces(JSON.stringify({ a: { [text]: 'x' } }), 4).map((delta) => chunk(sse({ type: 'input', id: 'c', delta }))),
    ]),
  'JSON in JSON': (text) => captureOf([opened(), head(), chunk(sse({ type: 'tool', arguments: JSON.stringify({ note: text, n: 1 }) }))]),
  'JSON in JSON, in deltas': (text) =>
    captureOf([
      opened(),
      head(),
      ...pieces(JSON.stringify({ note: text }), 6).map((part) => chunk(sse({ type: 'tool-input', toolCallId: 'c', inputTextDelta: part }))),
    ]),
  base64: (text) =>
    captureOf([opened(), head(), chunk(sse({ type: 'file', data: Buffer.from(`some lead ${text} and more`).toString('base64') }))]),
  'a binary body': (text) =>
    captureOf([
      opened(),
      head('application/vnd.ag-ui.event+proto'),
      ...pieces(`\u0000\u0001${text}\u0002`, 9).map((part) =>
        chunk(Buffer.from(part, 'latin1').toString('base64'), { encoding: 'base64' }),
      ),
    ]),
  'a socket message': (text) =>
    captureOf([opened({ transport: 'websocket' }), chunk(JSON.stringify({ type: 'x', text }), { direction: 'sent' })]),
  'JSON lines': (text) => captureOf([opened(), head('application/x-ndjson'), chunk(`${JSON.stringify({ message: { content: text } })}\n`)]),
  'a JSON body over many lines': (text) =>
    captureOf([opened(), head('application/json'), chunk(JSON.stringify({ a: [{ b: text }] }, null, 2))]),
  'bare text in chunks': (text) => captureOf([opened(), head('text/plain'), ...pieces(`Look: ${text} ok`, 5).map((part) => chunk(part))]),
  'a request body': (text) => captureOf([opened({ requestBody: JSON.stringify({ messages: [{ role: 'user', content: text }] }) }), head()]),
  'the words on a control': (text) =>
    captureOf([{ type: 'sight.cue', document: 'd', key: 'k', kind: 'control', label: text, region: null, value: text, rest: false }]),
  'the text of the page, in base64': (text) => captureOf([shows(`see ${Buffer.from(`some lead ${text} and more`).toString('base64')}`)]),
  'the text of the page, as JSON': (text) => captureOf([shows(JSON.stringify({ note: text, inner: JSON.stringify({ [text]: 1 }) }))]),
  'the text of the page, typed': (text) => {
    const all = `Here: ${text} done`;
    return captureOf(
      [...all].map((inserted, at) => ({
        type: 'sight.text',
        document: 'd',
        region: { key: 'r', path: 'main', role: null, label: null, presentedAs: 'unknown' },
        change: at === 0 ? 'appeared' : 'changed',
        edit: { at, removed: 0, inserted },
        length: at + 1,
        visible: true,
        rest: false,
      })),
    );
  },
};

/** Texts that the page shows whole. */
const shows = (inserted: string): Loose => ({
  type: 'sight.text',
  document: 'd',
  region: { key: 'r', path: 'main', role: null, label: null, presentedAs: 'unknown' },
  change: 'appeared',
  edit: { at: 0, removed: 0, inserted },
  length: inserted.length,
  visible: true,
  rest: false,
});

/** How long the text of an entry is. */
const lengthOf = (entry: CaptureEntry): number =>
  entry.type === 'flow.chunk'
    ? entry.text.length
    : entry.type === 'sight.text'
      ? entry.length
      : entry.type === 'flow.opened'
        ? (entry.requestBody?.length ?? 0)
        : 0;

/** The text of the page after all edits. */
const shownText = (capture: Capture): string => {
  let text = '';
  for (const entry of capture.entries)
    if (entry.type === 'sight.text' && entry.edit)
      text = text.slice(0, entry.edit.at) + entry.edit.inserted + text.slice(entry.edit.at + entry.edit.removed);
  return text;
};

describe('planted secrets', () => {
  const planted: (readonly [string, string])[] = [
    ...SHAPED.map((secret) => [`see ${secret} there`, secret] as const),
    ...NAMED.map(([before, secret, after]) => [before + secret + after, secret] as const),
    ...NUMBERS.map((secret) => [`call ${secret} today`, secret] as const),
  ];

  it('are enough of them', () => {
    expect(new Set([...planted.map(([, secret]) => secret), ...MEMBERS.map(([, secret]) => secret)]).size).toBeGreaterThanOrEqual(120);
    expect(planted.length * Object.keys(PLACES).length).toBeGreaterThan(1000);
  });
  it.each(Object.keys(PLACES))(
    'none is left in %s, and nothing has moved',
    (place) => {
      const left: string[] = [];
      // The places with an entry for every character are slow to read back; a third of the secrets will do there.
      const slow = /of 1|typed/u.test(place);
      for (const [text, secret] of planted.filter((_, i) => !slow || i % 3 === 0)) {
        // Line ends in a typed text or an escape are not what is tried here.
        const capture = PLACES[place]!(text.replaceAll(/[\r\n]/gu, place.startsWith('bare') || place === 'a binary body' ? '' : '\n'));
        const bare = secret.replaceAll(/[\r\n]/gu, '');
        expect(
          leaks(capture, secret) || leaks(capture, bare) || shownText(capture).includes(secret),
          `${place} does not hold ${secret}`,
        ).toBe(true);
        const clean = redact(capture);
        for (const part of secret.split('\n').filter((line) => line.length > 3))
          if (leaks(clean, part) || shownText(clean).includes(part)) left.push(`${place}: ${text} -> ${redactText(text)}`);
        expect(clean.entries.map(lengthOf)).toEqual(capture.entries.map(lengthOf));
        expect(shownText(clean)).toHaveLength(shownText(capture).length);
      }
      expect(left).toEqual([]);
    },
    120_000,
  );
  it('none is left under a member that names it, whole, escaped, nested or in deltas', () => {
    const left: string[] = [];
    for (const [key, secret] of MEMBERS)
      for (const capture of [
        captureOf([opened(), head(), chunk(sse({ type: 'x', nested: { [key]: secret } }))]),
        captureOf([opened(), head(), chunk(sse({ arguments: JSON.stringify({ [key]: secret }) }))]),
        captureOf([
          opened(),
          head(),
          ...pieces(JSON.stringify({ a: 1, [key]: secret, b: 2 }), 4).map((delta) => chunk(sse({ type: 'input', id: 'c', delta }))),
        ]),
        captureOf([opened({ requestBody: JSON.stringify({ [key]: secret }) }), head()]),
        captureOf([opened({ transport: 'websocket' }), chunk(JSON.stringify({ [key]: secret }))]),
      ])
        if (leaks(redact(capture), secret)) left.push(`${key}: ${JSON.stringify(redact(capture).entries.at(-1))}`);
    expect(left).toEqual([]);
  });
  it('none is left where a name beside it, or the object around it, says what it is', () => {
    const secret = 'abcdefgh12345678';
    for (const body of [
      { env: [{ name: 'OPENAI_API_KEY', value: secret }] },
      { env: [{ value: secret, Name: 'OPENAI_API_KEY' }] },
      { variables: [{ key: 'db_password', value: secret }] },
      {
        attributes: [
          { key: 'http.request.header.x-api-key', value: { stringValue: secret } },
          { key: 'api_key', value: { stringValue: secret } },
        ],
      },
      {
        headers: [
          ['Accept', 'a/b'],
          ['Authorization', secret],
        ],
      },
      { headers: [['Authorization', `Bearer ${secret}`]] },
      { headers: [{ name: 'X-Api-Key', value: secret }] },
      { rawHeaders: ['Accept', 'a/b', 'Authorization', `Bearer ${secret}`] },
      { credentials: { user: 'x', pw: secret } },
      { credentials: [{ user: 'x', k: secret }] },
      { secrets: { openai: secret } },
      { passwords: [secret, 'other words'] },
    ]) {
      const wire = JSON.stringify(body).replace('{"key":"http.request.header.x-api-key","value":{"stringValue":"abcdefgh12345678"}},', '');
      for (const capture of [
        captureOf([opened({ requestBody: wire })]),
        captureOf([opened(), head(), chunk(`data: ${wire}\n\n`)]),
        captureOf([opened(), head(), ...pieces(wire, 4).map((delta) => chunk(sse({ type: 'input', id: 'c', delta })))]),
        captureOf([opened({ transport: 'websocket' }), chunk(wire, { direction: 'sent' })]),
      ]) {
        expect(leaks(redact(capture), secret), wire).toBe(false);
        expect(leaks(redactCapture(capture, { policy: 'scramble', key: 'k' }).capture, secret), wire).toBe(false);
      }
    }
  });
  it('a password that JSON holds as a number stays a number, and is found no more', () => {
    for (const [key, secret] of [
      ['password', '83746521'],
      ['otp', '493817'],
      ['pin', '4711'],
      ['passcode', '837465219283746'],
    ]) {
      const capture = captureOf([opened({ requestBody: `{"${key}":${secret},"n":1}` })]);
      for (const policy of ['standard', 'scramble'] as const) {
        const clean = redactCapture(capture, { policy, key: 'k' }).capture;
        const body = (clean.entries[0] as { requestBody: string }).requestBody;
        expect(body).not.toContain(secret);
        expect(String((JSON.parse(body) as Record<string, number>)[key!])).toHaveLength(secret!.length);
        if (policy === 'standard') expect(redact(clean).entries).toEqual(clean.entries);
      }
    }
  });
  it('none is left of addresses in other letters, in bytes as well', () => {
    for (const secret of [
      'anna@m\u00fcller.example',
      'j\u00f6rg@corp.example',
      '\u0438\u0432\u0430\u043d@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444',
    ]) {
      const base64 = (text: string): string => Buffer.from(text).toString('base64');
      const [local] = secret.split('@') as [string];
      const clean = redact(
        captureOf([
          opened({ requestBody: JSON.stringify({ t: `to ${secret}.`, b: base64(`the address is ${secret} here`) }) }),
          head(),
          ...pieces(`mail ${secret} now`, 3).map((delta) => chunk(sse({ delta }))),
        ]),
      );
      const body = JSON.parse((clean.entries[0] as { requestBody: string }).requestBody) as { t: string; b: string };
      expect(JSON.stringify(clean)).not.toContain(local);
      expect(body.t).toMatch(/^to [!-~]+\.$/u);
      expect(Buffer.from(body.b, 'base64').toString()).toMatch(/^the address is [!-~]+ here$/u);
    }
    // No spaces between words: the address ends where its letters do.
    expect(redactText('\u8054\u7cfbann@corp.com\u8bf7')).toMatch(/^\u8054\u7cfb[!-~]{12}\u8bf7$/u);
  });
  it('none is left in a form in parts', () => {
    const part = (name: string, value: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const clean = redact(
      captureOf([opened({ requestBody: `${part('user', 'ann')}${part('password', 'correcthorse')}${part('note', 'hello')}--b--` })]),
    );
    const body = (clean.entries[0] as { requestBody: string }).requestBody;
    expect(body).not.toContain('correcthorse');
    expect(body).toContain(part('user', 'ann'));
    expect(body).toContain(part('note', 'hello'));
  });
  it('none is left in URLs, headers, forms and ends', () => {
    const secret = an(40, 200);
    const capture = captureOf(
      [
        opened({
          url: `https://user:pw-${secret}@host/p?api_key=${secret}&alt=sse#access_token=${secret}`,
          requestHeaders: { accept: 'a/b', 'x-auth-token': secret, 'mcp-session-id': 'kept' },
          requestBody: `client_secret=${secret}&grant=x`,
        }),
        { type: 'flow.head', flow: 'f', status: 200, headers: { 'content-type': 'text/plain', 'set-cookie': `a=${secret}` } },
        { type: 'flow.ended', flow: 'f', how: 'network-error', code: null, detail: `GET /?token=${secret} failed` },
      ],
      `http://localhost/?session_token=${secret}`,
    );
    const clean = redact(capture);
    expect(leaks(clean, secret)).toBe(false);
    expect(JSON.stringify(clean)).toContain('alt=sse');
    expect(JSON.stringify(clean)).toContain('"accept":"a/b"');
  });
  it('what was found once is replaced wherever it stands, by the same alias', () => {
    const secret = 'Blue-Harbour-77';
    const clean = redact(
      captureOf([
        opened(),
        head(),
        chunk(sse({ arguments: JSON.stringify({ password: secret }) })),
        chunk(sse({ text: `I used ${secret} to log in.` })),
        chunk(sse({ url: `/?q=${encodeURIComponent(secret)}` })),
      ]),
    );
    const text = clean.entries.map((entry) => (entry.type === 'flow.chunk' ? entry.text : '')).join('');
    expect(text).not.toContain(secret);
    expect(new Set(text.match(/redacted-[a-z0-9-]+/gu))).toHaveLength(1);
  });
  it('what was found once goes from names of members, too, and what reads like a name of the protocol stays one', () => {
    const secret = 'Blue-Harbour-77';
    const body = JSON.stringify({ password: secret, [secret]: 1, PASS: 'tool_calls', tool_calls: [], message: 'x' }).replace(
      'PASS',
      'pass\\u0077ord',
    );
    const clean = redact(captureOf([opened({ requestBody: body }), head(), chunk(sse({ by: { [secret]: 'y' }, tool_calls: 1 }))]));
    expect(JSON.stringify(clean)).not.toContain(secret);
    expect(JSON.stringify(clean)).toContain('tool_calls');
  });
  it('a page that shows in base64 what its stream said in base64 shows what the stream says now', () => {
    const secret = SHAPED[0]!;
    const base64 = Buffer.from(`the key is ${secret} and that is it`).toString('base64');
    const clean = redact(captureOf([opened(), head(), ...pieces(base64, 7).map((delta) => chunk(sse({ delta }))), shows(base64)]));
    const said = clean.entries
      .flatMap((entry) => (entry.type === 'flow.chunk' ? [(JSON.parse(entry.text.slice(6)) as { delta: string }).delta] : []))
      .join('');
    expect(Buffer.from(said, 'base64').toString()).not.toContain(secret);
    expect(shownText(clean)).toBe(said);
  });
  it('a text that repeats itself as it grows does not show a secret that is still being written', () => {
    const secret = SHAPED[0]!;
    const texts = [...secret].map((_, i) => `Key: ${secret.slice(0, i + 1)}`);
    const clean = redact(captureOf([opened(), head(), ...texts.map((text) => chunk(sse({ type: 'snapshot', text })))]));
    const shown = clean.entries.flatMap((entry) =>
      entry.type === 'flow.chunk' ? [(JSON.parse(entry.text.slice(6)) as { text: string }).text] : [],
    );
    for (let i = 8; i < shown.length; i++)
      expect(shown[i]!.startsWith(shown[i - 1]!) || i < 9, `${shown[i - 1]} -> ${shown[i]}`).toBe(true);
    expect(shown.join(' ')).not.toContain(secret.slice(0, 9));
  });
  it('finds the same again after redaction: nothing', () => {
    const capture = captureOf([opened(), head(), ...planted.map(([text]) => chunk(sse({ delta: `${text} ` })))]);
    const once = redact(capture);
    const twice = redactCapture(once, { policy: 'standard' });
    expect(twice.capture.entries).toEqual(once.entries);
  });
  it('binary messages with checksums stay sound, also with base64 inside', () => {
    const secret = SHAPED[0]!;
    const message = (payload: string): Buffer => {
      const headers = Buffer.from('0b3a6576656e742d747970650700056368756e6b', 'hex');
      const body = Buffer.from(payload);
      const out = Buffer.alloc(16 + headers.length + body.length);
      out.writeUInt32BE(out.length, 0);
      out.writeUInt32BE(headers.length, 4);
      out.writeUInt32BE(crc32(out.subarray(0, 8)), 8);
      headers.copy(out, 12);
      body.copy(out, 12 + headers.length);
      out.writeUInt32BE(crc32(out.subarray(0, out.length - 4)), out.length - 4);
      return out;
    };
    const bytes = Buffer.concat([
      message(JSON.stringify({ text: `key ${secret.slice(0, 10)}` })),
      message(JSON.stringify({ text: secret.slice(10) })),
      message(JSON.stringify({ bytes: Buffer.from(JSON.stringify({ t: `é ${secret}` })).toString('base64') })),
    ]);
    const capture = captureOf([
      opened(),
      head('application/vnd.amazon.eventstream'),
      ...[bytes.subarray(0, 50), bytes.subarray(50, 61), bytes.subarray(61)].map((part) =>
        chunk(part.toString('base64'), { encoding: 'base64' }),
      ),
    ]);
    const clean = redact(capture);
    const after = Buffer.concat(
      clean.entries.map((entry) => (entry.type === 'flow.chunk' ? Buffer.from(entry.text, 'base64') : Buffer.alloc(0))),
    );
    expect(after).toHaveLength(bytes.length);
    const texts: string[] = [];
    for (let at = 0; at < after.length; ) {
      const total = after.readUInt32BE(at);
      expect(crc32(after.subarray(at, at + total - 4))).toBe(after.readUInt32BE(at + total - 4));
      texts.push(after.subarray(at + 12 + after.readUInt32BE(at + 4), at + total - 4).toString('utf8'));
      at += total;
    }
    const [a, b, c] = texts.map((text) => JSON.parse(text) as { text: string; bytes: string });
    const inner = (JSON.parse(Buffer.from(c!.bytes, 'base64').toString('utf8')) as { t: string }).t;
    expect(a!.text + b!.text).toMatch(/^key redacted-k\d+-x+$/u);
    expect(inner).toBe(`é ${(a!.text + b!.text).slice(4)}`);
  });
  it('reports kinds, aliases and counts, and no secret', () => {
    const { report } = redactCapture(captureOf([opened(), head(), chunk(sse({ a: SHAPED[0], b: SHAPED[0], c: 'x@y.io' }))]), {
      policy: 'standard',
    });
    expect(report.replacements).toEqual([
      { kind: 'key', alias: expect.stringMatching(/^redacted-k1-x+$/u), length: SHAPED[0]!.length, count: 2 },
      { kind: 'e-mail', alias: expect.any(String), length: 6, count: 1 },
    ]);
    expect(report.replaced).toBe(3);
  });
});

/** Digits that are no card and nobody's telephone: ids, times, hashes, versions, amounts, coordinates. */
const FIGURES: readonly string[] = [
  'run 1764511200123 began at 1764511200 and ended at 1764511261',
  '1764511200123456',
  '1764511200123456789',
  'at 2026-11-30T14:15:06.123456Z, 2026-11-30 14:15:06+0100',
  '20261130141506',
  '2026-11-30 2026-12-01 2027-01-02',
  '30.11.2026 01.12.2026',
  'id 4532015112830367 of the log', // no check digit
  'order 4539-8162-0357-1841',
  'snowflake 1312345678901234567',
  '550e8400-e29b-41d4-a716-446655440000',
  '12345678-1234-1234-1234-123456789012',
  'sha 4539816203571845aabbccdd',
  'ab4539816203571845',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '0x4539816203571845',
  '3.14159265358979323846',
  '0.4539816203571845',
  '1,234,567,890.12',
  'EUR 1 234 567,89',
  '$415.726.391',
  '48.858370, 2.294481',
  '+48.8577+002.295/',
  'lat +37.774929 lon -122.419416',
  '-122.4194155, 37.7749295',
  'v1.22.333.4444',
  'version 10.0.19045.4170',
  '192.168.100.200:8080',
  '415.726.391.7',
  '10 000 000 000 rows',
  '1 000 000 1 000 000',
  'ISBN 978-3-16-148410-0',
  'EAN 4006381333931',
  'UPC 012345678905',
  'page 0123 456 of the index of 2026 entries',
  '@@ -415,726 +391,7391 @@',
  '+1764511200',
  '+0100 +0200 -0800',
  '01 02 03 04 05',
  '00 01 02 03 04 05 06 07 08 09',
  '01 00 00 00 00',
  'de ad be ef 01 22 33 44 55 66',
  '0123456789',
  '1234567890123456',
  '4444444444444444',
  '0000000000000000',
  '4000000000000000',
  'RFC 7231 6585 7230 7232',
  'CVE-2026-415726',
  'port 5432 5433 5434 5435',
  '1920x1080 2560x1440 3840x2160',
  'tokens 4096 8192 16384 32768 65536',
  'pid 4157 2639 1708 exited',
  'ticket 415-726 closed',
  'case 2026-415-726-3917',
  'SKU 415-726-3917-A',
  '+1764511200123',
  'x = a +49301234567b',
  'path /items/4539816203571845/edit',
  'https://example.org/p/4539816203571845',
  'ref #4539816203571845',
  'span 415-726',
  'score 100-200-3000',
  '999-999-9999',
  '555-555-5555',
  '12:34:56.789012345',
  'took 4539.816203571845 ms',
  '[4539, 8162, 357, 1845]',
  '{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}',
  'matrix 0.12 0.23 0.34 0.45 0.56',
  '06 07 08 09 10',
  '1-2-3-4-5-6-7-8-9-10-11-12',
  'Q1 2026 1 415 Q2 2026 1 726',
];

/** Sentences, code and logs that have the look of a secret about them and are none. */
const TRICKY: readonly string[] = [
  ...FIGURES,
  'Your password must be at least 8 characters long.',
  'Forgot your password? Reset it here.',
  'The token count is 4096 and max_tokens is 1024.',
  'token: string;',
  'password: string',
  'apiKey?: string | undefined;',
  'const apiKey = process.env.OPENAI_API_KEY;',
  'const token = await getToken(user);',
  'api_key=os.environ["OPENAI_API_KEY"]',
  'client = OpenAI(api_key=settings.api_key)',
  'export OPENAI_API_KEY=$KEY',
  'export API_KEY=<your key here>',
  'API_KEY=your-api-key-here',
  'Set API_KEY to "YOUR_API_KEY".',
  'Authorization: Bearer <token>',
  `Authorization: Bearer $${'{token}'}`,
  `headers: { Authorization: \`Bearer $${'{apiKey}'}\` }`,
  'Basic authentication is not supported.',
  'bearer certificates are different from bearer tokens',
  'The secret is to keep the pan hot.',
  'the secret: patience',
  'password is required',
  'Password was changed successfully.',
  'pin: the board is pinned',
  'PIN entry is optional',
  'git clone git@github.com:owner/repo.git',
  'npm install react@18.2.0 lodash@latest',
  'import x from "@scope/package";',
  'logo@2x.png and icon@3x.webp',
  '@Component({ selector: "app" })',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  'uuid 123e4567-e89b-12d3-a456-426614174000',
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'The sk-learn package is called scikit-learn.',
  'task-list-with-a-very-long-name-and-many-parts',
  'sk-very-long-words-joined-by-hyphens-only',
  'Cookie banners annoy people; cookie: chocolate chip.',
  'set-cookie headers are read by the browser',
  'https://example.org/search?q=token&page=2',
  'https://example.org/a?code=404&state=open',
  'https://example.org/docs#authentication-token',
  'http://localhost:3000/api/chat?alt=sse',
  'See https://user-guide.example.org:8080/start',
  'ratio 16:9, time 12:30:45, path C:\\Users\\me',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'internationalization and counterrevolutionaries',
  'src/core/capture/importers/recording.ts',
  'AKIA is the prefix of access keys.',
  'A JWT starts with eyJ and has three parts.',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  '{"type":"token","token":"Hello"}',
  '{"nextPageToken":"CAUQAA","max_tokens":100}',
  '{"usage":{"input_tokens":12,"output_tokens":3}}',
  '{"password":{"type":"string","minLength":8}}',
  '{"properties":{"apiKey":{"description":"The key"}}}',
  'The keys of the map are strings; values are numbers.',
  'private key cryptography uses two keys',
  'Access key figures in the table below.',
  'Use the secret_name parameter = "db".'.replace('"db"', 'name'),
  'if (password === confirmPassword) submit();',
  'validatePassword(input.password)',
  'SELECT token FROM sessions WHERE id = 7',
  'WATER boils at 100 degrees; H2O.',
  'v1.2.3-beta.4+build.567',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  '2026-11-30T10:00:00.000Z INFO request id=42 took 12ms',
  'run_01HXYZABCDEF msg_0123456789abcdef call_abc123',
  'chatcmpl-AbCdEfGh1234567890 resp_68a1b2c3d4',
  'thread_1 run_1 tool_call_7 step-3',
  'The api key is missing.',
  'Your session token has expired; sign in again.',
  'the auth token was refreshed',
  'Bearer of good news, basic facts, token gesture.',
  'x = a @ b.T  # matrix product',
  'Reply to @ann and @bob.',
  '1,234.56 EUR; 50%; 3 > 2 && 2 < 3',
  '東京の天気は晴れです。パスワードを忘れました。',
  'Das Passwort ist falsch.',
  'La contraseña es obligatoria.',
  'Token bucket1234 algorithm',
  'basic auth2024 is old',
  'Bearer authentication2',
  'Digest access2023 was a draft, token ring802 a network',
  'pin: 1234 pins',
  'otp: 123456 codes sent',
  'foo_sk-learn_is_a_name_of_something_longer',
  'see docs@main.md and lib@v2.rs',
  '{"required":["password","email","apiKey","model"]}',
  '{"required":["password","username2"]}',
  '{"errors":{"password":"is too short"}}',
  '{"password":"Your password"}',
  '{"password":"must be at least 8 characters"}',
  '{"password":"Passwort vergessen?"}',
  '{"pass":"3 of 5"}',
  '{"pass":true,"passwords":[],"credentials":{"user":"ann","type":"basic"}}',
  '{"name":"password","value":"required"}',
  '{"fields":[["password","text"],["email","email"]]}',
  '{"credentials":{"provider":"aws","region":"eu-west-1"}}',
  '{"auth":{"type":"oauth2","scope":"read"}}',
  '{"pins":{"led":13,"pin":7}}',
  'https://example.org/?api_key=YOUR_API_KEY_GOES_HERE&access_token=my_access_token_value',
  'emoji 😀😀 and ‘quotes’ — dashes…',
];

describe('ordinary texts', () => {
  const root = join(import.meta.dirname, '../../..');
  const lines = ['docs', 'src/core', 'src/panel', 'src/cli', 'src/tap']
    .flatMap((folder) => {
      try {
        return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name));
      } catch {
        return [];
      }
    })
    .filter((path) => /\.(?:ts|tsx|md)$/u.test(path) && !/redact|\.test\.ts/u.test(relative(root, path)) && statSync(path).isFile())
    .sort()
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .filter((line) => line.trim().length > 20);
  const sample = lines.filter((_, i) => i % Math.max(1, Math.floor(lines.length / 600)) === 0);

  it('come out as they went in', () => {
    expect(TRICKY.length + sample.length).toBeGreaterThan(500);
    const mangled = [...TRICKY, ...sample].filter((text) => redactText(text) !== text).map((text) => `${text} -> ${redactText(text)}`);
    expect(mangled).toEqual([]);
  });
  it('come out as they went in through a stream, whole and in deltas', () => {
    for (const text of TRICKY)
      for (const place of ['one delta', 'deltas of 3', 'JSON in JSON', 'the text of the page, typed', 'bare text in chunks'])
        expect(redact(PLACES[place]!(text)).entries, `${place}: ${text}`).toEqual(PLACES[place]!(text).entries);
  });
});

describe('numbers', () => {
  it('under a member that holds ids, times or counts are nobody\u2019s', () => {
    for (const key of ['id', 'run_id', 'messageId', 'created', 'timestamp', 'seq', 'updated_at', 'startMs', 'total_tokens'])
      for (const value of [VISA, '4157263917', '+14157263917']) {
        const capture = captureOf([opened(), head(), chunk(sse({ [key]: value }))]);
        expect(redact(capture).entries, `${key} ${value}`).toEqual(capture.entries);
      }
  });
  it('stay written as they were, so that a page that checks their form goes on as it did', () => {
    expect(redactText('call +49 (0)171 2839475 or pay by 4539-8162-0357-1845.replace')).toMatch(
      /^call \+\d\d \(\d\)\d{3} \d{7} or pay by /u,
    );
    expect(redactText(`card ${grouped(VISA, 4, 4, 4, 4)} ok`)).toMatch(/^card 1000 0000 0000 000\d ok$/u);
  });
  it('are found as JSON numbers under a member that says what they are, and stay JSON', () => {
    const capture = captureOf([opened(), head(), chunk(sse({ user: { phone: 4157263917, cardNumber: Number(VISA), n: 4157263917 } }))]);
    for (const policy of ['standard', 'scramble'] as const) {
      const [, , said] = redactCapture(capture, { policy, key: 'k' }).capture.entries;
      const { user } = JSON.parse((said as { text: string }).text.slice(6)) as { user: Record<string, number> };
      expect(String(user.phone)).toMatch(/^1000/u);
      expect(String(user.cardNumber)).toMatch(/^1000/u);
      expect(JSON.stringify(user)).not.toContain(VISA);
    }
  });
  it('the same number has the same alias, and another one another', () => {
    const text = redactText(`${VISA} and ${AMEX} and ${VISA}`);
    const [a, , b, , c] = text.split(' ');
    expect(a).toBe(c);
    expect(a).not.toBe(b);
  });
});

describe('any capture', () => {
  it('keeps its shape and never fails', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constantFrom(...SHAPED)), { maxLength: 12 }),
        fc.constantFrom('fetch', 'websocket'),
        (texts, transport) => {
          const capture = captureOf([opened({ transport }), ...texts.map((text) => chunk(text))]);
          const clean = redact(capture);
          expect(clean.entries.map((entry) => (entry.type === 'flow.chunk' ? entry.text.length : 0))).toEqual(
            capture.entries.map((entry) => (entry.type === 'flow.chunk' ? entry.text.length : 0)),
          );
          for (const [i, text] of texts.entries()) {
            let whole = false;
            try {
              JSON.parse(text);
              whole = true;
            } catch {
              // Not JSON before, need not be after.
            }
            const after = clean.entries[i + 1]!;
            if (whole && transport === 'websocket' && after.type === 'flow.chunk') expect(() => JSON.parse(after.text)).not.toThrow();
          }
        },
      ),
      { numRuns: 300 },
    );
  });
  it('is looked through in time that grows with its length, whatever it holds', () => {
    for (const text of [
      'a'.repeat(200_000),
      ':'.repeat(100_000),
      `x://${':'.repeat(50_000)}`,
      'a@a.'.repeat(50_000),
      '0'.repeat(200_000),
      'eyJ'.repeat(60_000),
      'cookie: a='.repeat(20_000),
      '-----BEGIN PRIVATE KEY-----'.repeat(5000),
      '{"a":'.repeat(20_000),
      '%41'.repeat(50_000),
      'password=token='.repeat(10_000),
    ]) {
      const started = performance.now();
      findSecrets(text);
      expect(performance.now() - started, text.slice(0, 20)).toBeLessThan(2000);
    }
  });
});
