/** Judges the capture of a case again, with today's code and without a browser: for whoever works on a rule. */
import { readFileSync } from 'node:fs';
import { createReader } from '../../src/core/capture/capture';
import { createSession } from '../../src/core/session';
import type { Play } from './page';
import type { Played } from './play';

export const rejudge = (page: string, play: Play, file: string): Played => {
  const session = createSession();
  const reader = createReader({ document: (document) => session.document(document), entries: (entries) => session.ingest(entries) });
  reader.push(readFileSync(file));
  reader.end();
  const told = session.findings.map(({ rule, verdict, message, text, data, at }) => ({
    rule,
    verdict,
    message,
    text,
    cue: String(data.cue ?? ''),
    at,
  }));
  return {
    page,
    play,
    told: told.filter(({ verdict }) => verdict === 'fail'),
    doubts: told.filter(({ verdict }) => verdict === 'inconclusive'),
    outcomes: session.runs.filter(({ parent }) => parent === null).map(({ settlement }) => settlement?.outcome ?? null),
    dialects: [...session.flows.values()].map(({ dialect }) => dialect),
    faults: session.faults.map((fault) => JSON.stringify(fault)),
    capture: '',
    shots: [],
    seconds: 0,
  };
};
