/** A body of one JSON value a line, or of `code:json` lines, saved as it came. */

import { parseJson } from '../../json/json';
import { bodyReading } from './bodies';
import { type FileHead, firstLine, type Importer } from './importer';

const isRecord = (line: string): boolean => /^\u001e?\s*[[{]/u.test(line) && parseJson(line.replace(/^\u001e/u, '')) !== undefined;
/** `0:"text"`: the code is short, and what follows is JSON. */
const isCoded = (line: string): boolean =>
  /^[0-9a-z][0-9a-z-]{0,40}:[[{"\dtfn-]/u.test(line) && parseJson(line.slice(line.indexOf(':') + 1)) !== undefined;

const hasMore = (head: FileHead): boolean => {
  const text = head.text.trim();
  return text.includes('\n');
};

export const ndjsonBody: Importer = {
  id: 'ndjson-body',
  title: 'Saved body of JSON lines',
  general: true,
  reads: 'text',
  recognise(head) {
    const { line, ended } = firstLine(head);
    if (line.startsWith('\u001e')) return isRecord(line);
    if (!ended) return false;
    return isCoded(line) || (isRecord(line) && hasMore(head));
  },
  open: (sink) => bodyReading(sink, 'application/x-ndjson'),
};
