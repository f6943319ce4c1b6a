/**
 * Page recordings with one line per request, answer, socket opening and socket message (`kind`: ws or fetch), each naming
 * its connection by `id`. Many connections, interleaved. What the recorder never saw closing stays open.
 */

import { isObject, parseJson } from '../../json/json';
import { createLineReader } from '../lines';
import { cleanBody, cleanHeaders, firstLine, IMPORTED, type Importer, type Sink } from './importer';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isLine = (value: unknown): value is Record<string, unknown> =>
  isObject(value) &&
  (value.kind === 'ws' || value.kind === 'fetch') &&
  typeof value.id === 'string' &&
  (value.dir === 'in' || value.dir === 'out');

const open = (sink: Sink) => {
  const flows = new Set<string>();
  let now = 0;
  let broken = false;

  const opened = (line: Record<string, unknown>): void => {
    const flow = line.id as string;
    if (flows.has(flow)) return;
    if (flows.size === 0) sink.document(IMPORTED);
    flows.add(flow);
    const socket = line.kind === 'ws';
    sink.record({
      at: now,
      type: 'flow.opened',
      flow,
      document: IMPORTED.key,
      transport: socket ? 'websocket' : 'fetch',
      method: text(line.method) ?? 'GET',
      url: text(line.url) ?? '',
      requestHeaders: {},
      requestBody: socket ? null : cleanBody(line.data),
    });
    if (socket) sink.record({ at: now, type: 'flow.head', flow, status: 101, headers: {} });
  };

  const answer = (line: Record<string, unknown>): void => {
    const flow = line.id as string;
    const data = text(line.data);
    // The recorder kept no headers; a body that is one JSON value came as JSON.
    const type = text(line.contentType) ?? (data !== null && parseJson(data) !== undefined ? 'application/json' : null);
    const status = typeof line.status === 'number' ? line.status : 200;
    sink.record({ at: now, type: 'flow.head', flow, status, headers: type === null ? {} : cleanHeaders({ 'content-type': type }) });
    if (data === null) sink.record({ at: now, type: 'gap', flow, reason: 'read-natively', lost: 0 });
    else sink.record({ at: now, type: 'flow.chunk', flow, direction: 'received', text: data, encoding: 'text', event: null, id: null });
    sink.record({ at: now, type: 'flow.ended', flow, how: 'eof', code: null, detail: null });
  };

  const lines = createLineReader((line, number, ended) => {
    if (broken || line.trim() === '') return;
    const value = parseJson(line);
    if (value === undefined) {
      broken = true;
      return sink.damaged(number, ended ? 'not JSON' : 'the file ends inside this line');
    }
    if (!isLine(value)) return sink.skipped(number, 'not a line of this kind of recording');
    const flow = value.id as string;
    if (typeof value.t === 'number') now = value.t;
    opened(value);
    if (value.kind === 'fetch') {
      if (value.dir === 'in') answer(value);
      return;
    }
    if (value.event === 'close') {
      sink.record({
        at: now,
        type: 'flow.ended',
        flow,
        how: value.dir === 'in' ? 'closed-by-server' : 'aborted-by-page',
        code: null,
        detail: null,
      });
      return;
    }
    const data = text(value.data);
    if (data !== null)
      sink.record({
        at: now,
        type: 'flow.chunk',
        flow,
        direction: value.dir === 'out' ? 'sent' : 'received',
        text: data,
        encoding: 'text',
        event: null,
        id: null,
      });
    else if (value.event === undefined) sink.record({ at: now, type: 'gap', flow, reason: 'binary', lost: 0 });
  });

  return { push: (piece: string) => lines.push(piece), end: () => lines.end() };
};

export const dshRecording: Importer = {
  id: 'page-recording',
  title: 'Page recording (JSON Lines with kind and id)',
  general: false,
  reads: 'text',
  recognise(head) {
    const { line, ended } = firstLine(head);
    if (!line.startsWith('{')) return false;
    const value = parseJson(line);
    if (value !== undefined) return isLine(value);
    // The first line is longer than the head, or cut off.
    return /^\{"t":[\d.]+,"kind":"(?:ws|fetch)","url":/u.test(line) || (!ended && /^\{\s*"kind"\s*:\s*"(?:ws|fetch)"/u.test(line));
  },
  open,
};
