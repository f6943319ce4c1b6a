/**
 * Reads one file of records over and over; `profile-one.ts` runs it under the profiler. With `memory` after the file it prints
 * what was allocated, garbage included: bytes an event, by function.
 */
import { readFileSync } from 'node:fs';
import { type HeapProfiler, Session } from 'node:inspector/promises';
import { createSession } from '../src/core/session.ts';

const [, , file = '', mode] = process.argv;
const records = JSON.parse(readFileSync(file, 'utf8'));
let events = 0;
const readOver = (): void => {
  for (let i = 0; i < 80; i++) {
    const session = createSession({ rules: [] });
    session.ingest(records);
    events += session.counts.events;
  }
};

if (mode === 'memory') {
  const inspector = new Session();
  inspector.connect();
  await inspector.post('HeapProfiler.startSampling', {
    samplingInterval: 16_384,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  readOver();
  const { profile } = await inspector.post('HeapProfiler.stopSampling');
  const own = new Map<string, number>();
  const walk = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode): void => {
    const key = `${callFrame.functionName.padEnd(26)} line ${callFrame.lineNumber + 1}`;
    own.set(key, (own.get(key) ?? 0) + selfSize);
    children.forEach(walk);
  };
  walk(profile.head);
  for (const [key, size] of [...own].sort((a, b) => b[1] - a[1]).slice(0, 15))
    console.log(`${(size / events).toFixed(0).padStart(5)} B  ${key}`);
} else readOver();
