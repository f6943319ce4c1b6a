/** Reads a recording or saved body into records, for the benches. */
import { IMPORTERS } from '../src/core/capture/importers/index.ts';
import type { TapRecord, TapRecordBody } from '../src/core/model/index.ts';

export const openCapture = (bytes: Buffer): TapRecord[] => {
  const head = { bytes, text: bytes.toString('utf8'), whole: true };
  const importer = IMPORTERS.find((one) => one.recognise(head));
  if (importer === undefined) throw new Error('no importer reads this');
  const records: TapRecord[] = [];
  const sink = {
    document: () => {},
    record: (record: { readonly at: number } & TapRecordBody) => void records.push({ ...record, seq: records.length } as TapRecord),
    damaged: (line: number | null, detail: string) => {
      throw new Error(`line ${line}: ${detail}`);
    },
    skipped: () => {},
  };
  if (importer.reads === 'text') {
    const reading = importer.open(sink);
    reading.push(head.text);
    reading.end();
  } else {
    const reading = importer.open(sink);
    reading.push(bytes);
    reading.end();
  }
  return records;
};
