/** The importers. Each file is recognised by exactly one of them. Adding one: its file, its fixture, its line here. */
import { dshRecording } from './dsh-recording';
import type { Importer } from './importer';
import { jsonBody } from './json-body';
import { ndjsonBody } from './ndjson-body';
import { recording } from './recording';
import { sseBody } from './sse-body';

export const IMPORTERS: readonly Importer[] = [recording, dshRecording, sseBody, ndjsonBody, jsonBody];
