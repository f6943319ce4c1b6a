/**
 * Stream recordings: JSON Lines of `meta` (a connection opens) and what came over it, as text, base64 or bytes spelled as
 * Latin-1, with the way each connection ended. Bytes cut inside a character come out whole.
 *
 * A connection whose end the recorder did not see stays open. Only a recording that says of no connection how it ended is
 * taken to be complete: its responses end cleanly with the file, its sockets stay open.
 */

import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { createUtf8Decoder, encodeUtf8, type Utf8Decoder } from '../../bytes/utf8';
import { isObject, parseJson } from '../../json/json';
import type { Transport } from '../../model';
import { createLineReader } from '../lines';
import { cleanBody, cleanHeaders, firstLine, IMPORTED, type Importer, isBinary, type Sink } from './importer';

interface Connection {
  readonly flow: string;
  readonly meta: Record<string, unknown>;
  readonly openedAt: number;
  readonly binary: boolean;
  transport: Transport | null;
  decoder: Utf8Decoder;
  ended: boolean;
  last: number;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

const latin1 = (chunk: string): Uint8Array => {
  const bytes = new Uint8Array(chunk.length);
  for (let i = 0; i < chunk.length; i++) bytes[i] = chunk.charCodeAt(i);
  return bytes;
};

const isSocket = (meta: Record<string, unknown>): boolean =>
  meta.transport === 'websocket' || meta.status === 101 || /^wss?:/u.test(text(meta.url) ?? '');

const open = (sink: Sink) => {
  const connections = new Map<number, Connection>();
  let current: Connection | null = null;
  let now = 0;
  /** Whether the line says when it was written. */
  let timed = false;
  let anyEndSaid = false;
  let broken = false;

  const announce = (connection: Connection, transport: Transport): void => {
    if (connection.transport !== null) return;
    connection.transport = transport;
    const { meta, flow, openedAt: at } = connection;
    sink.record({
      at,
      type: 'flow.opened',
      flow,
      document: IMPORTED.key,
      transport,
      method: text(meta.method) ?? 'GET',
      url: text(meta.url) ?? '',
      requestHeaders: cleanHeaders(meta.requestHeaders),
      requestBody: cleanBody(meta.requestBody),
    });
    sink.record({ at, type: 'flow.head', flow, status: number(meta.status) ?? 200, headers: cleanHeaders(meta.headers) });
  };

  const chunk = (connection: Connection, direction: 'sent' | 'received', body: string, encoding: 'text' | 'base64'): void => {
    if (body === '' && connection.transport !== 'websocket') return;
    const { flow } = connection;
    sink.record({
      at: now,
      type: 'flow.chunk',
      flow,
      direction,
      text: body,
      encoding,
      event: null,
      id: null,
      ...(timed ? {} : { untimed: true }),
    });
  };

  const finish = (connection: Connection, said: string | null, at: number): void => {
    if (connection.ended) return;
    announce(connection, isSocket(connection.meta) ? 'websocket' : 'fetch');
    now = at;
    if (connection.transport === 'fetch' && !connection.binary) chunk(connection, 'received', connection.decoder.end(), 'text');
    connection.ended = true;
    const how = said === 'eof' ? 'eof' : said === 'aborted' || said === 'reset' ? 'network-error' : null;
    if (how !== null) sink.record({ at, type: 'flow.ended', flow: connection.flow, how, code: null, detail: null });
  };

  const begin = (meta: Record<string, unknown>): void => {
    const id = number(meta.conn) ?? connections.size + 1;
    const headers = cleanHeaders(meta.headers);
    current = {
      flow: `c${id}`,
      meta,
      openedAt: now,
      binary: isBinary(headers['content-type']),
      transport: null,
      decoder: createUtf8Decoder(),
      ended: false,
      last: now,
    };
    if (connections.size === 0) sink.document(IMPORTED);
    connections.set(id, current);
    if (text(meta.end) !== null) anyEndSaid = true;
    if (isSocket(meta)) announce(current, 'websocket');
  };

  const data = (connection: Connection, line: Record<string, unknown>, number: number): void => {
    const way = line.ws ?? line.dir;
    if (way !== undefined) announce(connection, 'websocket');
    announce(connection, 'fetch');
    const direction = way === 'out' ? 'sent' : 'received';
    const body = text(line.chunk) ?? text(line.data);
    const base64 = text(line.b64);
    let bytes: Uint8Array | null = null;
    if (base64 !== null) {
      bytes = decodeBase64(base64);
      if (bytes === null) {
        sink.skipped(number, 'b64 is not base64');
        return;
      }
    } else if (body === null) {
      sink.skipped(number, 'neither chunk, b64, data, end nor meta');
      return;
    } else if (line.enc === 'latin1') bytes = latin1(body);

    const socket = connection.transport === 'websocket';
    if (connection.binary || (socket && base64 !== null)) {
      chunk(connection, direction, encodeBase64(bytes ?? encodeUtf8(body ?? '')), 'base64');
      return;
    }
    if (socket) {
      // A message never holds half a character of the next.
      const decoder = createUtf8Decoder();
      chunk(connection, direction, bytes ? decoder.push(bytes) + decoder.end() : (body ?? ''), 'text');
      return;
    }
    if (bytes === null && connection.decoder.midCharacter) bytes = encodeUtf8(body ?? '');
    chunk(connection, direction, bytes ? connection.decoder.push(bytes) : (body ?? ''), 'text');
  };

  const lines = createLineReader((line, number_, ended) => {
    if (broken || line.trim() === '') return;
    const value = parseJson(line);
    if (!isObject(value)) {
      broken = true;
      return sink.damaged(number_, ended ? 'not a JSON object' : 'the file ends inside this line');
    }
    timed = number(value.t) !== null;
    now = number(value.t) ?? now;
    if (isObject(value.meta)) return begin(value.meta);
    const connection = number(value.c) === null ? current : (connections.get(value.c as number) ?? null);
    if (connection === null) return sink.skipped(number_, 'names a connection that was never opened');
    connection.last = now;
    const end = text(value.end);
    if (end === null) return data(connection, value, number_);
    anyEndSaid = true;
    finish(connection, end, now);
  });

  const announceAll = (): void => {
    for (const connection of connections.values()) announce(connection, isSocket(connection.meta) ? 'websocket' : 'fetch');
  };

  return {
    push: (piece: string) => lines.push(piece),
    cut: announceAll,
    end() {
      lines.end();
      if (broken) return announceAll();
      for (const connection of connections.values()) {
        const said = text(connection.meta.end);
        const complete = said ?? (anyEndSaid || isSocket(connection.meta) || connection.transport === 'websocket' ? null : 'eof');
        finish(connection, complete, connection.last);
      }
    },
  };
};

export const recording: Importer = {
  id: 'recording',
  title: 'Stream recording (JSON Lines with meta)',
  general: false,
  reads: 'text',
  recognise(head) {
    const { line, ended } = firstLine(head);
    if (!/^\{\s*(?:"t"\s*:\s*[\d.]+\s*,\s*)?"meta"\s*:\s*\{/u.test(line)) return false;
    if (!ended) return /"(?:url|status|headers)"\s*:/u.test(line);
    const value = parseJson(line);
    // A first line that is cut off is a damaged recording, not some other file.
    if (value === undefined) return /"(?:url|status|headers)"\s*:/u.test(line);
    return isObject(value) && isObject(value.meta) && ('url' in value.meta || 'status' in value.meta || 'headers' in value.meta);
  },
  open,
};
