/**
 * Playwright traces (`trace.zip`): the network log in it is HAR entries, the bodies lie beside it under their digest.
 * What a trace does not hold (socket messages, when the pieces of a body came) is not invented.
 */

import { encodeBase64 } from '../../bytes/base64';
import { createUtf8Decoder } from '../../bytes/utf8';
import { isObject, parseJson } from '../../json/json';
import { bodyOf, canStream, type HarBody, inOrderOfTime, recordsOf, startOf } from './har-entry';
import { IMPORTED, type Importer, isBinary, type Sink } from './importer';
import { type ZipEntry, zipEntries } from './zip';

const utf8 = (bytes: Uint8Array): string => {
  const decoder = createUtf8Decoder();
  return decoder.push(bytes) + decoder.end();
};

const open = (sink: Sink) => {
  const pieces: Uint8Array[] = [];
  let size = 0;

  const read = (bytes: Uint8Array): void => {
    const entries = zipEntries(bytes);
    if (entries === null) {
      sink.damaged(null, 'the zip directory is missing or broken: the file was cut off');
      return;
    }
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    const logs = entries.filter((entry) => /(?:^|\/)[^/]*\.network$/u.test(entry.name));
    if (logs.length === 0) {
      sink.damaged(null, 'this zip file holds no network log of a trace; start the trace with { snapshots: true }');
      return;
    }
    const snapshots: Record<string, unknown>[] = [];
    for (const log of logs) {
      const content = log.read();
      if (content === null) {
        sink.skipped(null, `${log.name} in the zip file is damaged`);
        continue;
      }
      utf8(content)
        .split('\n')
        .forEach((line, i) => {
          if (line.trim() === '') return;
          const value = parseJson(line);
          if (isObject(value) && value.type === 'resource-snapshot' && isObject(value.snapshot)) snapshots.push(value.snapshot);
          else if (!isObject(value)) sink.skipped(i + 1, `a line of ${log.name} is not JSON`);
        });
    }
    let zero = Number.POSITIVE_INFINITY;
    for (const snapshot of snapshots) zero = Math.min(zero, startOf(snapshot) ?? zero);
    if (zero === Number.POSITIVE_INFINITY) zero = 0;
    sink.document({ ...IMPORTED, timeOrigin: zero });
    for (const record of inOrderOfTime(
      snapshots.filter(canStream).flatMap((snapshot, i) => recordsOf(snapshot, `t${i + 1}`, zero, storedBody(snapshot, byName))),
    ))
      sink.record(record);
  };

  return {
    push(piece: Uint8Array) {
      pieces.push(piece);
      size += piece.length;
    },
    end() {
      const all = new Uint8Array(size);
      let at = 0;
      for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
      }
      read(all);
    },
  };
};

/** The body that lies in the archive; undefined where the entry has it itself. */
const storedBody = (snapshot: Record<string, unknown>, byName: ReadonlyMap<string, ZipEntry>): HarBody | null | undefined => {
  const response = isObject(snapshot.response) ? snapshot.response : {};
  const content = isObject(response.content) ? response.content : {};
  const name = typeof content._sha1 === 'string' ? content._sha1 : typeof content._file === 'string' ? content._file : null;
  if (name === null) return undefined;
  // Newer traces name the file, older ones only its digest.
  const bytes = (byName.get(name) ?? byName.get(`resources/${name}`))?.read() ?? null;
  if (bytes === null) return null;
  const mimeType = typeof content.mimeType === 'string' ? content.mimeType : '';
  return isBinary(mimeType) ? { text: encodeBase64(bytes), encoding: 'base64' } : bodyOf({ text: utf8(bytes) }, mimeType);
};

export const playwrightTrace: Importer = {
  id: 'playwright-trace',
  title: 'Playwright trace',
  general: false,
  reads: 'bytes',
  recognise: ({ bytes }) => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04,
  open,
};
