/** A body that is one JSON value, saved as it came, also one that was cut off before its end. */

import { parseJson } from '../../json/json';
import { bodyReading } from './bodies';
import { firstLine, type Importer } from './importer';

/** Whether the text is the beginning of a JSON object or array: nothing in it is out of place, and it is not closed yet. */
const isBeginning = (text: string): boolean => {
  const open: string[] = [];
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted) {
      if (c === '\\') i++;
      else if (c === '"') quoted = false;
      else if (c < ' ') return false;
      continue;
    }
    if (c === '"') quoted = true;
    else if (c === '{' || c === '[') open.push(c);
    else if (c === '}' || c === ']') {
      if (open.pop() !== (c === '}' ? '{' : '[')) return false;
      if (open.length === 0) return false;
    } else if (!/[\s,:\d.eE+\-truefalsn]/u.test(c)) return false;
  }
  return open.length > 0;
};

export const jsonBody: Importer = {
  id: 'json-body',
  title: 'Saved JSON body',
  general: true,
  reads: 'text',
  recognise(head) {
    const text = head.text.trim();
    if (!/^(?:\{\s*["}]|\[\s*["[{\]\d-])/u.test(text)) return false;
    if (head.whole) return parseJson(text) !== undefined || (/^\{\s*"|^\[\s*\{\s*"/u.test(text) && isBeginning(text));
    // Longer than the head: one value over many lines, or one long line.
    const { line, ended } = firstLine(head);
    return (!ended || parseJson(line) === undefined) && isBeginning(text);
  },
  open: (sink) => bodyReading(sink, 'application/json'),
};
