/** Bedrock's messages are bytes, and a read may bring any number of them: the same events come of it. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { load, sessionOf } from '../../../scripts/dialect-fixtures';
import { decodeBase64 } from '../bytes/base64';
import type { TapRecord } from '../model';
import { membersOf } from '../text-event';

const DIR = join(dirname(fileURLToPath(import.meta.url)), 'bedrock-eventstream.fixtures');

/** The same body in reads of this many bytes. */
const inReads = (records: readonly TapRecord[], size: number): TapRecord[] => {
  const bytes = Buffer.concat(records.flatMap((record) => (record.type === 'flow.chunk' ? [decodeBase64(record.text)!] : [])));
  const chunk = records.find((record) => record.type === 'flow.chunk')!;
  const reads: TapRecord[] = [];
  for (let at = 0; at < bytes.length; at += size)
    reads.push({ ...chunk, text: bytes.subarray(at, at + size).toString('base64') } as TapRecord);
  return [
    ...records.filter(({ type }) => type !== 'flow.chunk' && type !== 'flow.ended'),
    ...reads,
    ...records.filter(({ type }) => type === 'flow.ended'),
  ].map((record, seq) => ({ ...record, seq }));
};

const told = (records: readonly TapRecord[]) =>
  sessionOf(records).events.map((event) => {
    const { seq: _seq, at: _at, frame: _frame, ...rest } = membersOf(event);
    return rest;
  });

test.each(readdirSync(DIR).filter((name) => name.endsWith('.jsonl') && name !== 'expected.jsonl'))('%s in reads of any size', (file) => {
  const records = load(join(DIR, file));
  const whole = told(records);
  expect(whole.length).toBeGreaterThan(0);
  for (const size of [7, 16, 200]) expect(told(inReads(records, size)), `${size} bytes a read`).toEqual(whole);
});
