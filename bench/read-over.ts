/** Reads one file of records over and over; `profile-one.ts` runs it under the profiler. */
import { readFileSync } from 'node:fs';
import { createSession } from '../src/core/session.ts';

const records = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
for (let i = 0; i < 80; i++) createSession({ rules: [] }).ingest(records);
