/**
 * AG-UI's binary form: `application/vnd.ag-ui.event+proto`, a 4-byte big-endian length before each protobuf `Event`. Gives
 * the same JSON events that the text form has. Field numbers: npm @ag-ui/proto 1.0.0. Lengths and wire types are checked
 * and unknown fields skipped, so damaged bytes end the reading of their message, never the program.
 */
import { decodeBase64 } from '../bytes/base64';
import { createUtf8Decoder } from '../bytes/utf8';
import type { JsonObject } from './dialect';

type Field = { readonly number: number; readonly wire: number; readonly bytes: Uint8Array; readonly int: number };

/** Arm of `Event` → its type, and those of its string fields that are read, by number. Field 1 of each is the common base. */
const EVENTS: Readonly<Record<number, readonly [type: string, fields: Readonly<Record<number, string>>]>> = {
  1: ['TEXT_MESSAGE_START', { 2: 'messageId', 3: 'role', 5: 'subagentRunId' }],
  2: ['TEXT_MESSAGE_CONTENT', { 2: 'messageId', 3: 'delta', 4: 'subagentRunId' }],
  3: ['TEXT_MESSAGE_END', { 2: 'messageId', 3: 'subagentRunId' }],
  4: ['TOOL_CALL_START', { 2: 'toolCallId', 3: 'toolCallName', 5: 'subagentRunId' }],
  5: ['TOOL_CALL_ARGS', { 2: 'toolCallId', 3: 'delta', 4: 'subagentRunId' }],
  6: ['TOOL_CALL_END', { 2: 'toolCallId', 3: 'subagentRunId' }],
  7: ['STATE_SNAPSHOT', { 3: 'subagentRunId' }],
  8: ['STATE_DELTA', { 3: 'subagentRunId' }],
  9: ['MESSAGES_SNAPSHOT', {}],
  10: ['RAW', { 4: 'subagentRunId' }],
  11: ['CUSTOM', { 2: 'name', 4: 'subagentRunId' }],
  12: ['RUN_STARTED', { 2: 'threadId', 3: 'runId', 4: 'parentRunId', 6: 'protocolVersion' }],
  13: ['RUN_FINISHED', { 2: 'threadId', 3: 'runId', 5: 'outcome' }],
  14: ['RUN_ERROR', { 2: 'code', 3: 'message' }],
  15: ['STEP_STARTED', { 2: 'stepName', 3: 'subagentRunId' }],
  16: ['STEP_FINISHED', { 2: 'stepName', 3: 'subagentRunId' }],
  17: ['TEXT_MESSAGE_CHUNK', { 2: 'messageId', 3: 'role', 4: 'delta', 6: 'subagentRunId' }],
  18: ['TOOL_CALL_CHUNK', { 2: 'toolCallId', 3: 'toolCallName', 5: 'delta', 6: 'subagentRunId' }],
  19: ['SUBAGENT_STARTED', { 2: 'subagentRunId', 3: 'name' }],
  20: ['SUBAGENT_FINISHED', { 2: 'subagentRunId' }],
  21: ['SUBAGENT_ERROR', { 2: 'subagentRunId', 3: 'message', 4: 'code' }],
  22: ['TOOL_CALL_RESULT', { 2: 'subagentRunId', 3: 'messageId', 4: 'toolCallId', 5: 'content' }],
  23: ['ACTIVITY_SNAPSHOT', { 2: 'subagentRunId', 3: 'messageId' }],
  24: ['ACTIVITY_DELTA', { 2: 'subagentRunId', 3: 'messageId' }],
  25: ['REASONING_START', { 2: 'subagentRunId', 3: 'messageId' }],
  26: ['REASONING_MESSAGE_START', { 2: 'subagentRunId', 3: 'messageId' }],
  27: ['REASONING_MESSAGE_CONTENT', { 2: 'subagentRunId', 3: 'messageId', 4: 'delta' }],
  28: ['REASONING_MESSAGE_END', { 2: 'subagentRunId', 3: 'messageId' }],
  29: ['REASONING_MESSAGE_CHUNK', { 2: 'subagentRunId', 3: 'messageId', 4: 'delta' }],
  30: ['REASONING_END', { 2: 'subagentRunId', 3: 'messageId' }],
  31: ['REASONING_ENCRYPTED_VALUE', { 2: 'subagentRunId' }],
};
const INTERRUPT: Readonly<Record<number, string>> = { 1: 'id', 2: 'reason', 3: 'message', 4: 'toolCallId' };
const MESSAGE: Readonly<Record<number, string>> = { 1: 'id', 2: 'role', 3: 'content' };

const text = (bytes: Uint8Array): string => {
  // Ids and most deltas are short and plain; the decoder's buffer is not worth having for them.
  if (bytes.length < 256 && bytes.every((byte) => byte < 128)) return String.fromCharCode(...bytes);
  const decoder = createUtf8Decoder();
  return decoder.push(bytes) + decoder.end();
};

/** The fields of one message; null where the bytes are not one. */
const fieldsOf = (bytes: Uint8Array): readonly Field[] | null => {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number | null => {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) return null;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    return null;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag === null) return null;
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    let length = 0;
    if (wire === 0) {
      const int = varint();
      if (int === null) return null;
      fields.push({ number, wire, bytes: new Uint8Array(), int });
      continue;
    }
    if (wire === 1) length = 8;
    else if (wire === 5) length = 4;
    else if (wire === 2) {
      const said = varint();
      if (said === null) return null;
      length = said;
    } else return null;
    if (at + length > bytes.length) return null;
    fields.push({ number, wire, bytes: bytes.subarray(at, at + length), int: 0 });
    at += length;
  }
  return fields;
};

const record = (bytes: Uint8Array, names: Readonly<Record<number, string>>): Record<string, string> | null => {
  const fields = fieldsOf(bytes);
  if (fields === null) return null;
  const out: Record<string, string> = {};
  for (const field of fields) {
    const name = names[field.number];
    if (name !== undefined && field.wire === 2) out[name] = text(field.bytes);
  }
  return out;
};

/** A `google.protobuf.Value`: null, number, string, bool, struct or list. */
const jsonOf = (bytes: Uint8Array, depth = 0): unknown => {
  const field = fieldsOf(bytes)?.[0];
  if (field === undefined || depth > 40) return null;
  switch (field.number) {
    case 2:
      return field.bytes.length === 8 ? new DataView(field.bytes.buffer, field.bytes.byteOffset, 8).getFloat64(0, true) : null;
    case 3:
      return text(field.bytes);
    case 4:
      return field.int !== 0;
    case 5:
      return structOf(field.bytes, depth + 1);
    case 6:
      return (fieldsOf(field.bytes) ?? []).map((item) => jsonOf(item.bytes, depth + 1));
    default:
      return null;
  }
};
const structOf = (bytes: Uint8Array, depth: number): Record<string, unknown> => {
  const out: Record<string, unknown> = {};
  for (const entry of fieldsOf(bytes) ?? []) {
    const pair = fieldsOf(entry.bytes) ?? [];
    const key = pair.find((field) => field.number === 1);
    const value = pair.find((field) => field.number === 2);
    if (key !== undefined)
      Object.defineProperty(out, text(key.bytes), { value: value ? jsonOf(value.bytes, depth) : null, enumerable: true });
  }
  return out;
};

const eventOf = (bytes: Uint8Array): JsonObject | null => {
  const arm = fieldsOf(bytes)?.find((field) => field.number in EVENTS && field.wire === 2);
  if (arm === undefined) return null;
  const [type, names] = EVENTS[arm.number]!;
  const plain = record(arm.bytes, names);
  if (plain === null) return null;
  const event: Record<string, unknown> = { ...plain, type };
  for (const field of fieldsOf(arm.bytes) ?? []) {
    if (field.number === 1) {
      const metadata = (fieldsOf(field.bytes) ?? []).find((one) => one.number === 4);
      if (metadata) event.metadata = structOf(metadata.bytes, 0);
    }
    if (type === 'CUSTOM' && field.number === 3) event.value = jsonOf(field.bytes);
    if (type === 'ACTIVITY_SNAPSHOT' && field.number === 5) event.content = jsonOf(field.bytes);
    if (type === 'RUN_FINISHED' && field.number === 6)
      event.interrupts = [...((event.interrupts as unknown[]) ?? []), record(field.bytes, INTERRUPT)];
    if (type === 'RUN_FINISHED' && field.number === 8)
      event.pendingToolCallIds = [...((event.pendingToolCallIds as unknown[]) ?? []), text(field.bytes)];
    if (type === 'MESSAGES_SNAPSHOT' && field.number === 2)
      event.messages = [...((event.messages as unknown[]) ?? []), record(field.bytes, MESSAGE)];
  }
  return event as JsonObject;
};

export interface ProtoReader {
  /** Base64 of the next bytes; null stands for a message that could not be read. */
  push(base64: string): readonly (JsonObject | null)[];
}

/** Messages longer than this are damage: the length itself must be wrong. */
const LONGEST = 64 * 1024 * 1024;

export const createProtoReader = (): ProtoReader => {
  let pending: Uint8Array = new Uint8Array();
  let lost = false;
  return {
    push(base64) {
      const bytes = decodeBase64(base64);
      if (bytes === null) return [null];
      if (lost) return [];
      const all = new Uint8Array(pending.length + bytes.length);
      all.set(pending);
      all.set(bytes, pending.length);
      const out: (JsonObject | null)[] = [];
      let at = 0;
      while (all.length - at >= 4) {
        const length = new DataView(all.buffer, at, 4).getUint32(0);
        if (length > LONGEST) {
          lost = true;
          return [...out, null];
        }
        if (all.length - at - 4 < length) break;
        out.push(eventOf(all.subarray(at + 4, at + 4 + length)));
        at += 4 + length;
      }
      pending = all.slice(at);
      return out;
    },
  };
};
