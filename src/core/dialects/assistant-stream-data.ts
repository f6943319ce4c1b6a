/**
 * assistant-ui's assistant-stream, data encoding: the AI SDK 4 data stream with `aui-*` codes of its own. Spec: npm
 * assistant-stream 0.3.57, src/core/serialization/data-stream.
 *
 * Recognised by the shared header or its lines, and by what version 4 does not have: an `aui-*` code, `isFinal` on `c`, a
 * `path` in `d` or `e`, or a request of assistant-ui's runtime (`tools` is an object, contents are typed parts). Read like
 * version 4. Terminal words: `d`, `3`; after an error it just ends.
 */
import { DATA_STREAM_HEADER, dataLineDecoder, isAssistantStream } from './ai-sdk-data-v4';
import { type Dialect, mediaType } from './dialect';

export const assistantStreamData: Dialect = {
  id: 'assistant-stream-data',
  title: 'assistant-stream data stream',
  framings: ['ndjson'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise(opening) {
    const type = mediaType(opening.headers);
    if (!(DATA_STREAM_HEADER in opening.headers) && type !== 'text/plain' && type !== '') return 'no';
    return isAssistantStream(opening) ? 'certain' : 'no';
  },
  open: dataLineDecoder,
};
