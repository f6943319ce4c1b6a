/**
 * Pictures of the page at the moment of a finding. One is asked for when a finding first appears, with where the region of the
 * finding stands before and after it; findings of the same moment share one. How long after the moment it was taken is said
 * with it, on the page's own clock. Pictures are held here and nowhere else: they are no part of the session, so no capture,
 * repro or history has them. What they take is bounded and counted.
 */
import { type Signal, signal } from '@preact/signals';
import type { Finding, PageTime } from '../core/model';
import type { NoPicture, Placed, RouterMessage } from '../link/messages';
import type { Shell } from './shell';
import type { Store } from './store';

/** `late`: the finding was no news any more. `gone`: its page does not answer. `dropped`: let go to make room. */
export type WhyNoPicture = NoPicture | 'late' | 'gone' | 'dropped';

export type Picture =
  | { readonly state: 'none'; readonly why: WhyNoPicture }
  | {
      readonly state: 'taken';
      readonly image: string;
      /** Milliseconds between the moment and the picture, at most. */
      readonly afterMs: number;
      /** Where the region stands, in the window's own pixels; null where it has no place there, or moved meanwhile. */
      readonly box: Placed['box'];
      readonly width: number;
      readonly height: number;
    };

/** A finding to be pictured. */
export interface Moment {
  readonly key: string;
  readonly document: string;
  readonly region: string | null;
  readonly at: PageTime;
}

export interface PicturesOptions {
  readonly place: (document: string, region: string | null) => Promise<Placed | null>;
  readonly picture: () => Promise<Pick<RouterMessage, 'image' | 'why'> | null>;
  readonly later: (what: () => void, ms: number) => void;
}

export interface Pictures {
  /** By the finding's key. */
  readonly all: Signal<ReadonlyMap<string, Picture>>;
  /** Characters held, all pictures together. */
  readonly held: Signal<number>;
  /** Findings as they are known now; those seen before are not pictured again. */
  take(moments: readonly Moment[]): void;
  clear(): void;
}

/** A finding that came to be known this long after its moment is not pictured: the page has gone on. */
const LATE_MS = 8_000;
/** Browsers allow two a second. */
const GAP_MS = 600;
const PICTURES = 24;
const HELD_CHARS = 12_000_000;
/** More than this in one go is a flood of findings; they share the first ones' picture time, and are not placed. */
const BATCH = 40;
/** Moved by less: rounding. */
const STILL_PX = 3;

const still = (a: Placed['box'], b: Placed['box']): boolean =>
  a !== null && b !== null && (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(a[side] - b[side]) <= STILL_PX);

export const createPictures = ({ place, picture, later }: PicturesOptions): Pictures => {
  const all = signal<ReadonlyMap<string, Picture>>(new Map());
  const held = signal(0);
  const known = new Set<string>();
  let waiting: Moment[] = [];
  let busy = false;
  /** Bumped by `clear`: what was under way belongs to what was cleared. */
  let age = 0;

  const put = (results: ReadonlyMap<string, Picture>): void => {
    const next = new Map([...all.peek(), ...results]);
    // Findings of one moment share an image; it is counted once, and let go with the last of them.
    const images = new Set<string>();
    let chars = 0;
    for (const [key, one] of [...next].reverse()) {
      if (one.state !== 'taken') continue;
      const fresh = !images.has(one.image);
      if (fresh && (images.size >= PICTURES || chars + one.image.length > HELD_CHARS)) {
        next.set(key, { state: 'none', why: 'dropped' });
        continue;
      }
      if (fresh) chars += one.image.length;
      images.add(one.image);
    }
    all.value = next;
    held.value = chars;
  };

  const shoot = async (): Promise<void> => {
    busy = true;
    const mine = age;
    const batch = waiting.splice(0, BATCH);
    const results = new Map<string, Picture>();
    const none = (moment: Moment, why: WhyNoPicture): unknown => results.set(moment.key, { state: 'none', why });
    const before = await Promise.all(batch.map(({ document, region }) => place(document, region)));
    const wanted: { readonly moment: Moment; readonly placed: Placed }[] = [];
    for (const [i, moment] of batch.entries()) {
      const placed = before[i] ?? null;
      if (placed === null) none(moment, 'gone');
      else if (!placed.visible) none(moment, 'hidden');
      else if (placed.at - moment.at > LATE_MS) none(moment, 'late');
      else wanted.push({ moment, placed });
    }
    if (wanted.length > 0) {
      const answer = await picture();
      const after = await Promise.all(wanted.map(({ moment }) => place(moment.document, moment.region)));
      for (const [i, { moment, placed }] of wanted.entries()) {
        const then = after[i] ?? null;
        const image = answer?.image ?? null;
        if (image === null) none(moment, answer?.why ?? 'failed');
        else if (then === null) none(moment, 'gone');
        else if (!then.visible) none(moment, 'hidden');
        else
          results.set(moment.key, {
            state: 'taken',
            image,
            afterMs: Math.max(0, then.at - moment.at),
            box: still(placed.box, then.box) ? then.box : null,
            width: then.width,
            height: then.height,
          });
      }
    }
    if (mine === age) put(results);
    later(() => {
      busy = false;
      if (waiting.length > 0) void shoot();
    }, GAP_MS);
  };

  return {
    all,
    held,
    take(moments) {
      for (const moment of moments) {
        if (known.has(moment.key)) continue;
        known.add(moment.key);
        waiting.push(moment);
      }
      if (!busy && waiting.length > 0) void shoot();
    },
    clear() {
      age++;
      known.clear();
      waiting = [];
      if (all.peek().size > 0) all.value = new Map();
      held.value = 0;
    },
  };
};

/** Pictures every failing finding of the inspected tab as it appears. */
export const followPictures = (store: Store, shell: Shell): Pictures => {
  const pictures = createPictures({
    place: shell.place,
    picture: shell.picture,
    later: (what, ms) => void setTimeout(what, ms),
  });
  let feed = store.live();
  const momentOf = (finding: Finding): readonly Moment[] => {
    const document = feed.screenOf(finding.run)?.document ?? store.documentOf(feed.session.run(finding.run)!)?.key;
    return document === undefined ? [] : [{ key: finding.key, document, region: finding.region, at: finding.at }];
  };
  store.liveFindings.subscribe((findings) => {
    if (!shell.hasTab) return;
    if (feed !== store.live()) {
      feed = store.live();
      pictures.clear();
    }
    pictures.take(findings.filter((finding) => finding.verdict === 'fail').flatMap(momentOf));
  });
  return pictures;
};
