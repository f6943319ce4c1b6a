/** HAR 1.2 files, as Chrome (with sockets and event streams), Firefox and others export them. Read whole: HAR is one JSON object. */

import { isObject, parseJson } from '../../json/json';
import { canStream, inOrderOfTime, recordsOf, startOf } from './har-entry';
import { IMPORTED, type Importer, type Sink } from './importer';

const open = (sink: Sink) => {
  const pieces: string[] = [];
  return {
    push(piece: string) {
      pieces.push(piece);
    },
    end() {
      const value = parseJson(pieces.join(''));
      const log = isObject(value) && isObject(value.log) ? value.log : null;
      if (log === null || !Array.isArray(log.entries)) {
        sink.damaged(null, value === undefined ? 'the JSON of this HAR file is cut off or broken' : 'this HAR file has no entries');
        return;
      }
      const objects = log.entries.filter(isObject);
      const entries = objects.filter(canStream);
      const starts = objects.flatMap((entry) => startOf(entry) ?? []);
      let zero = starts[0] ?? 0;
      for (const start of starts) zero = Math.min(zero, start);
      const page = Array.isArray(log.pages) ? log.pages.find(isObject) : undefined;
      const title = page && typeof page.title === 'string' && /^https?:/u.test(page.title) ? page.title : '';
      sink.document({ ...IMPORTED, url: title, timeOrigin: zero });
      for (const record of inOrderOfTime(entries.flatMap((entry, i) => recordsOf(entry, `h${i + 1}`, zero)))) sink.record(record);
      for (let i = objects.length; i < log.entries.length; i++) sink.skipped(null, 'a HAR entry is no object');
    },
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
