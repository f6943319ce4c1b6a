/**
 * The light table against the dialects themselves: whatever a dialect recognises in any recording has told on itself by
 * then, frame by frame, and ordinary traffic wakes nobody but where this file says so.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { IMPORTERS } from '../capture/importers';
import type { TapRecord, TapRecordBody, WireFrame } from '../model';
import { createDecoder } from '../session';
import { RECOGNISE_WITHIN } from './dialect';
import { mayBeAgent } from './telltale';

const DIR = dirname(fileURLToPath(import.meta.url));

const load = (path: string): TapRecord[] => {
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  const importer = IMPORTERS.find((one) => one.recognise({ bytes, text, whole: true }));
  if (importer === undefined) return [];
  const records: TapRecord[] = [];
  const sink = {
    document: () => {},
    record: (record: { readonly at: number } & TapRecordBody) => records.push({ ...record, seq: records.length } as TapRecord),
    damaged: () => {},
    skipped: () => {},
  };
  if (importer.reads === 'text') {
    const reading = importer.open(sink);
    reading.push(text);
    reading.end();
  } else {
    const reading = importer.open(sink);
    reading.push(bytes);
    reading.end();
  }
  return records;
};

/** Flows of a recording: who recognised them, and whether they had told on themselves by then, or among their first frames at all. */
const look = (records: readonly TapRecord[]) => {
  const told = new Set<string>();
  const seen = new Map<string, number>();
  const recognised = new Map<string, { readonly dialect: string; readonly told: boolean }>();
  const framings = new Map<string, string>();
  const opened = new Map<string, TapRecord & { type: 'flow.opened' }>();
  const tells = (id: string, frame: WireFrame | null): boolean => {
    const { transport, method, requestBody, headers } = decoder.flows.get(id)!;
    return mayBeAgent({ transport, method, requestHeaders: opened.get(id)?.requestHeaders ?? {}, requestBody, headers, frame });
  };
  const decoder = createDecoder({
    onFrame(frame) {
      if (frame.kind !== 'data' || !frame.complete) return;
      const n = (seen.get(frame.flow) ?? 0) + 1;
      seen.set(frame.flow, n);
      framings.set(frame.flow, frame.framing);
      if (n > RECOGNISE_WITHIN) return;
      if (tells(frame.flow, frame)) told.add(frame.flow);
    },
  });
  for (const record of records) {
    if (record.type === 'flow.opened') opened.set(record.flow, record);
    decoder.push(record);
    if (record.type === 'flow.ended' && !seen.has(record.flow) && tells(record.flow, null)) told.add(record.flow);
    if (!('flow' in record) || record.flow === null || recognised.has(record.flow)) continue;
    const dialect = decoder.dialectOf(record.flow);
    if (dialect !== null) recognised.set(record.flow, { dialect: dialect.id, told: told.has(record.flow) });
  }
  return { told: [...told].map((flow) => framings.get(flow)), recognised: [...recognised.values()] };
};

const folders = readdirSync(DIR).filter((name) => name.endsWith('.fixtures'));
const recordings = (folder: string): string[] =>
  readdirSync(join(DIR, folder)).filter((name) => !/^(?:origin\.md|expected\.jsonl)$|\.events\.txt$/u.test(name));

describe('every recording that a dialect recognises tells', () => {
  for (const folder of folders.filter((name) => name !== 'ordinary.fixtures'))
    test(folder, () => {
      const missed = recordings(folder).filter((file) => look(load(join(DIR, folder, file))).recognised.some((flow) => !flow.told));
      expect(missed).toEqual([]);
    });
});

test('of ordinary answers and sockets, these look like an agent at first sight', () => {
  const woken = recordings('ordinary.fixtures').filter((file) =>
    look(load(join(DIR, 'ordinary.fixtures', file))).told.some((framing) => framing === 'body' || framing === 'message'),
  );
  expect(woken).toMatchInlineSnapshot(`
    [
      "booking-session-events.jsonl",
      "call-center.jsonl",
      "election-candidates.jsonl",
      "forum-message-sent.jsonl",
      "forum-rpc.jsonl",
      "human-chat-socket.jsonl",
      "json-rpc-initialize.jsonl",
      "json-rpc-resources-list.jsonl",
      "json-rpc-tools-call.jsonl",
      "language-server.jsonl",
      "mail-socket.jsonl",
      "one-ticket.jsonl",
      "quiz-choices.jsonl",
      "refused-car-order.jsonl",
      "refused-chat-room.jsonl",
      "refused-count-tokens-google.jsonl",
      "refused-count-tokens.jsonl",
      "refused-form-with-a-prompt.jsonl",
      "refused-forum-message.jsonl",
      "refused-job-with-trigger.jsonl",
      "refused-mail.jsonl",
      "refused-share-of-a-chat.jsonl",
      "room-socket.jsonl",
      "s3-select.jsonl",
      "saved-answers.jsonl",
      "shop-sessions.jsonl",
      "task-board.jsonl",
      "transcribe-stream.jsonl",
      "untyped-lines.jsonl",
      "uppercase-types.jsonl",
      "ws-event-method.jsonl",
    ]
  `);
});
