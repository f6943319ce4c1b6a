/** A response saved to a file without the request it answers: what those importers have in common. */
import { IMPORTED, type Reading, type Sink } from './importer';

/** The flow of the response. Of what was asked for, and when, the file says nothing. */
export const openResponse = (sink: Sink): string => {
  const flow = 'c1';
  sink.document(IMPORTED);
  sink.record({
    at: 0,
    type: 'flow.opened',
    flow,
    document: IMPORTED.key,
    transport: 'fetch',
    // Not said. It is not GET: some protocols answer that with a replay, whose end says nothing.
    method: '',
    url: '',
    requestHeaders: {},
    requestBody: null,
  });
  return flow;
};

/** A piece of it, as it was read from the file; when it came, nobody noted. */
export const bodyPiece = (sink: Sink, flow: string, text: string, encoding: 'text' | 'base64' = 'text'): void => {
  if (text !== '')
    sink.record({ at: 0, type: 'flow.chunk', flow, direction: 'received', text, encoding, event: null, id: null, untimed: true });
};

/**
 * A body alone, which ended cleanly. The media type is told from the content and passed on as the one header, so that the framing is
 * the same as it was on the wire.
 */
export const bodyReading = (sink: Sink, contentType: string | null): Reading<string> => {
  const flow = openResponse(sink);
  sink.record({ at: 0, type: 'flow.head', flow, status: 200, headers: contentType === null ? {} : { 'content-type': contentType } });
  return {
    push: (text) => bodyPiece(sink, flow, text),
    end: () => sink.record({ at: 0, type: 'flow.ended', flow, how: 'eof', code: null, detail: null }),
  };
};
