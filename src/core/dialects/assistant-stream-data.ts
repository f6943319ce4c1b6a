/**
 * assistant-ui's assistant-stream, data encoding: the AI SDK 4 data stream with `aui-*` codes of its own. Spec: npm
 * assistant-stream 0.3.57, src/core/serialization/data-stream.
 *
 * Recognised by the shared header or its lines, and by what version 4 does not have: an `aui-*` code, `isFinal` on `c`, a
 * `path` in `d` or `e`, or a request of assistant-ui's runtime (`tools` is an object, contents are typed parts). Read like
 * version 4. Terminal words: `d`, `3`; after an error it just ends.
 */
import type { WireFrame } from '../model';
import { DATA_STREAM_HEADER, dataLine, dataLineDecoder } from './ai-sdk-data-v4';
import { asArray, asObject, type Dialect, mediaType, parseJson } from './dialect';

const isOwn = (frame: WireFrame): boolean => {
  const line = dataLine(frame);
  if (line === null) return false;
  const value = asObject(line.value);
  if (line.code.startsWith('aui-')) return true;
  if (line.code === 'c') return value?.isFinal === true;
  return (line.code === 'd' || line.code === 'e') && Array.isArray(value?.path);
};

const isOwnRequest = (requestBody: string | null): boolean => {
  const body = requestBody === null ? null : asObject(parseJson(requestBody));
  const messages = asArray(body?.messages);
  return (
    asObject(body?.tools) !== null &&
    messages.length > 0 &&
    messages.every((message) => asArray(asObject(message)?.content).every((part) => typeof asObject(part)?.type === 'string'))
  );
};

export const assistantStreamData: Dialect = {
  id: 'assistant-stream-data',
  title: 'assistant-stream data stream',
  spec: 'npm assistant-stream 0.3.57',
  framings: ['ndjson'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise({ headers, frames, requestBody }) {
    const type = mediaType(headers);
    if (!(DATA_STREAM_HEADER in headers) && type !== 'text/plain' && type !== '') return 'no';
    if (frames.some(isOwn)) return 'certain';
    return DATA_STREAM_HEADER in headers && isOwnRequest(requestBody) && frames.length > 0 ? 'certain' : 'no';
  },
  open: dataLineDecoder,
};
