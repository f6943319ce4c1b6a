/**
 * HAR 1.2 files, as Chrome (with sockets and event streams), Firefox and others export them. HAR is one JSON document; its
 * entries are read one by one as the file comes, and only those that can be a stream are kept, so the pictures and
 * scripts that most of a large file consists of cost nothing. Their records leave at the end, in the order of their times.
 */

import { createArrayScan } from '../../json/array-scan';
import { isObject, parseJson } from '../../json/json';
import { canStream, inOrderOfTime, recordsOf, startOf } from './har-entry';
import { IMPORTED, type Importer, type Sink } from './importer';

/** Characters of entries with streams that are kept; a file with more is read up to there. */
const KEPT = 268_435_456;

const open = (sink: Sink) => {
  const entries: Record<string, unknown>[] = [];
  let kept = 0;
  let zero = Number.POSITIVE_INFINITY;
  let title = '';
  let stopped = false;

  const damaged = (line: number, detail: string): void => {
    stopped = true;
    sink.damaged(line, detail);
  };

  const scan = createArrayScan('log', ['entries', 'pages'], (name, text, index, line) => {
    if (stopped) return;
    const value = parseJson(text);
    if (name === 'pages') {
      if (title === '' && isObject(value) && typeof value.title === 'string' && /^https?:/u.test(value.title)) title = value.title;
      return;
    }
    if (value === undefined) return damaged(line, `entry ${index + 1} of this HAR file is not JSON`);
    if (!isObject(value)) return sink.skipped(line, 'a HAR entry is no object');
    zero = Math.min(zero, startOf(value) ?? zero);
    if (!canStream(value)) return;
    kept += text.length;
    if (kept > KEPT) return damaged(line, `more than ${KEPT / 1_048_576} MB of streams in one HAR file; split it, or use captures`);
    entries.push(value);
  });

  const end = (): void => {
    const { closed, line, inside, arrays } = scan.end();
    if (!stopped && !closed)
      damaged(
        line,
        inside?.name === 'entries'
          ? `this HAR file is cut off or broken in entry ${inside.index + 1}`
          : 'the JSON of this HAR file is cut off or broken',
      );
    else if (!stopped && !arrays.has('entries')) damaged(line, 'this HAR file has no entries');
    const from = zero === Number.POSITIVE_INFINITY ? 0 : zero;
    sink.document({ ...IMPORTED, url: title, timeOrigin: from });
    for (const record of inOrderOfTime(entries.flatMap((entry, i) => recordsOf(entry, `h${i + 1}`, from)))) sink.record(record);
  };
  return {
    push(piece: string) {
      if (!stopped) scan.push(piece);
    },
    end,
    cut: end,
  };
};

export const har: Importer = {
  id: 'har',
  title: 'HAR file',
  general: false,
  reads: 'text',
  recognise: (head) =>
    /^\s*\{\s*"log"\s*:\s*\{/u.test(head.text) && /"(?:version|creator|entries|pages|browser)"\s*:/u.test(head.text.slice(0, 4096)),
  open,
};
