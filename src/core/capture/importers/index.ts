/** The importers. Each file is recognised by exactly one of them. Adding one: its file, its fixture, its line here. */
import { curl } from './curl';
import { dshRecording } from './dsh-recording';
import { har } from './har';
import type { Importer } from './importer';
import { jsonBody } from './json-body';
import { ndjsonBody } from './ndjson-body';
import { playwrightTrace } from './playwright-trace';
import { recording } from './recording';
import { sseBody } from './sse-body';
import { verdictList } from './verdict-list';

export const IMPORTERS: readonly Importer[] = [
  verdictList,
  recording,
  dshRecording,
  har,
  playwrightTrace,
  curl,
  sseBody,
  ndjsonBody,
  jsonBody,
];
