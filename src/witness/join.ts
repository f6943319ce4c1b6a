/**
 * Joins what the tap recorded and what the page showed, in one order, into one sink, and says when the page is to be watched. Who
 * looks at the page is given: the Playwright fixture needs them at other times.
 */
import type { SourceDocument } from '../core/model';
import type { OutlineMark, Placed, Unstamped } from '../link/messages';
import { createActivity } from './activity';
import type { LoadDecoders } from './decoders';
import { createGate } from './gate';
import { openIntake, type TapEntry } from './intake';
import { createMerge } from './merge';
import type { PageObserver } from './observe';
import { documentOf, type Line } from './port';
import { createReading, type ReadingOptions } from './reading';

export interface WitnessOptions {
  /** The tap's port and the document's key, as `takePort` hands them over. */
  readonly port: MessagePort;
  readonly documentKey: string;
  /** Takes every entry in order, at most once. */
  readonly emit: (entry: Unstamped) => void;
  /** Asked for when a stream comes that could be an agent's. `bundled` (decoders.ts) where size is no matter. */
  readonly decoders: LoadDecoders;
  /** Whether a stream carries one run, whoever reads it, so that nobody has to be asked for (reading.ts). */
  readonly oneRun?: ReadingOptions['oneRun'];
  /** Hears every record of the tap, also of what is not kept. */
  readonly heard?: (entry: TapEntry) => void;
  /** The user's mapping files, as text. Asked for when the first flow comes. */
  readonly mappings?: () => readonly string[] | Promise<readonly string[]>;
}

export interface JoinOptions extends WitnessOptions {
  /** Who looks at the page, and tells what of it. */
  readonly observer: (emit: (sighting: Unstamped) => void) => PageObserver;
  /** The line to the tap. `rung`: the tap records something. */
  readonly line: (rung: () => void) => Line;
}

export interface Witness {
  readonly document: () => SourceDocument;
  /** The mapping files are others now. */
  learn(mappings: readonly string[]): void;
  /** Records nothing until it is switched on again; the hole is a gap. */
  record(on: boolean): void;
  /** Outlines a region on the page, or nothing. */
  point(region: string | null): void;
  /** Outlines these regions in the colours of their voices, and no others; null: nothing at all. */
  draw(marks: readonly OutlineMark[] | null): void;
  /** Nobody can be heard at present: outlines go if that lasts. */
  lapse(): void;
  /** Where a region is in the tab's window. */
  place(region: string | null): Placed;
  /** Where a region stands on the page now; null if it is gone. */
  elementOf(region: string): Element | null;
  /** The document goes away, or into the back/forward cache: what is known up to now is said. */
  leave(): void;
  /** For good. The page is left as if nobody had ever looked. */
  stop(): void;
}

const later = (what: () => void, ms: number): (() => void) => {
  const timer = setTimeout(what, ms);
  return () => clearTimeout(timer);
};

const now = (): number => performance.now();
const TICK_MS = 1_000;

export const joinWitness = ({
  port,
  documentKey,
  emit,
  decoders,
  oneRun,
  heard,
  mappings = () => [],
  observer: observerOf,
  line: lineOf,
}: JoinOptions): Witness => {
  let stopTicking: (() => void) | null = null;
  const tick = (): void => {
    stopTicking = later(tick, TICK_MS);
    merge.sighting({ at: now(), type: 'tick' });
  };

  const observer = observerOf((sighting) => merge.sighting(sighting));
  const activity = createActivity({
    later,
    began: () => observer.epoch(),
    watch: (on) => {
      stopTicking?.();
      stopTicking = null;
      if (on) {
        observer.start();
        stopTicking = later(tick, TICK_MS);
      } else observer.stop();
    },
    settled: () => observer.lookSoon(),
  });
  const reading = createReading({ load: decoders, mappings, ...(oneRun && { oneRun }) });
  const gate = createGate({ emit, flows: activity, reading, later });
  const merge = createMerge({
    record(entry) {
      heard?.(entry);
      gate.record(entry);
    },
    sighting: (entry) => gate.sighting(entry),
    flush: () => line.control('flush'),
    later,
  });
  const line = lineOf(() => observer.arm());
  openIntake({ port, now, batch: (records, upTo) => merge.batch(records, upTo) });

  return {
    document: () => documentOf(documentKey),
    learn: (texts) => reading.learn(texts),
    record(on) {
      line.control(on ? 'go' : 'stop');
      activity.pause(!on);
      if (!on) gate.record({ at: now(), type: 'gap', flow: null, reason: 'paused', lost: 0 });
    },
    point: (region) => observer.point(region),
    draw: (marks) => observer.draw(marks),
    lapse: () => observer.lapse(),
    place: (region) => observer.place(region),
    elementOf: (region) => observer.elementOf(region),
    leave() {
      merge.release();
      gate.leave(now());
    },
    stop() {
      line.control('stop');
      line.close();
      activity.stop();
      observer.close();
    },
  };
};
