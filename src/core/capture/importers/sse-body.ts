/** A server-sent event stream saved as it came (`curl -N > file`). A clean end is all a saved body can show. */
import { bodyReading } from './bodies';
import type { Importer } from './importer';

export const sseBody: Importer = {
  id: 'sse-body',
  title: 'Saved event stream body',
  general: true,
  reads: 'text',
  recognise(head) {
    const start = head.text.replace(/^\s+/u, '');
    // Comments may come first; some line must be a field that only event streams have.
    return (
      /^(?::[^\n]*\r?\n\s*)*(?:(?:data|event|id|retry):|event$)/u.test(start) || (/^:/u.test(start) && /^(?::[^\n]*\s*)+$/u.test(start))
    );
  },
  open: (sink) => bodyReading(sink, 'text/event-stream'),
};
