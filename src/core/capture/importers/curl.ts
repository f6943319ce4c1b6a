/** What `curl -i` prints: the head of the answer, then its body as it came. Heads of redirects and of `100 Continue` come before it. */
import { encodeBase64 } from '../../bytes/base64';
import { encodeUtf8 } from '../../bytes/utf8';
import { bodyPiece, openResponse } from './bodies';
import { cleanHeaders, type Importer, isBinary, type Sink } from './importer';

const STATUS = /^HTTP\/\d(?:\.\d)? (\d{3})[^\r\n]*\r?\n/u;
const HEAD = /^HTTP\/\d(?:\.\d)? (\d{3})[^\r\n]*\r?\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n]*\r?\n|[ \t][^\r\n]*\r?\n)*)\r?\n/u;

const open = (sink: Sink) => {
  const flow = openResponse(sink);
  let held = '';
  let binary = false;
  let inBody = false;

  const body = (text: string): void => {
    bodyPiece(sink, flow, binary ? encodeBase64(encodeUtf8(text)) : text, binary ? 'base64' : 'text');
  };

  /** Takes heads off the front until a body begins; true once it has. */
  const takeHeads = (last: boolean): boolean => {
    for (;;) {
      const head = HEAD.exec(held);
      if (head === null) return false;
      const rest = held.slice(head[0].length);
      // Another head may follow, and not all of its first line may be here yet.
      const interim = STATUS.test(rest) || (/^1/u.test(head[1]!) && rest === '');
      if (!interim && !last && /^(?:H|HT|HTT|HTTP|HTTP\/[^\n]*)?$/u.test(rest)) return false;
      held = rest;
      if (interim) continue;
      const lines = head[2]!.split(/\r?\n/u).filter((line) => line.includes(':'));
      const headers = cleanHeaders(
        Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()])),
      );
      binary = isBinary(headers['content-type']);
      sink.record({ at: 0, type: 'flow.head', flow, status: Number(head[1]), headers });
      return true;
    }
  };

  /** False: no body has begun. */
  const begun = (): boolean => {
    if (inBody) return true;
    inBody = takeHeads(true);
    if (inBody) body(held);
    return inBody;
  };

  return {
    push(piece: string) {
      if (inBody) {
        body(piece);
        return;
      }
      held += piece;
      inBody = takeHeads(false);
      if (inBody) body(held);
    },
    end() {
      if (begun()) sink.record({ at: 0, type: 'flow.ended', flow, how: 'eof', code: null, detail: null });
      else sink.damaged(1, 'the head of the answer is cut off');
    },
    cut: begun,
  };
};

export const curl: Importer = {
  id: 'curl',
  title: 'Output of curl -i',
  general: false,
  reads: 'text',
  recognise: (head) => STATUS.test(head.text),
  open,
};
