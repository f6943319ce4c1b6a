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
    method: 'GET',
    url: '',
    requestHeaders: {},
    requestBody: null,
  });
  return flow;
};

/**
 * A body alone, which ended cleanly. The media type is told from the content and passed on as the one header, so that the framing is
 * the same as it was on the wire.
 */
export const bodyReading = (sink: Sink, contentType: string | null): Reading<string> => {
  const flow = openResponse(sink);
  sink.record({ at: 0, type: 'flow.head', flow, status: 200, headers: contentType === null ? {} : { 'content-type': contentType } });
  return {
    push(text) {
      if (text !== '')
        sink.record({ at: 0, type: 'flow.chunk', flow, direction: 'received', text, encoding: 'text', event: null, id: null });
    },
    end: () => sink.record({ at: 0, type: 'flow.ended', flow, how: 'eof', code: null, detail: null }),
  };
};
