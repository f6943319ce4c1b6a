/** What the screen showed, with no claim about truth. */
import type { Voice } from './event';
import type { Stamped } from './record';

/** A place on the page that holds text: the smallest block-level element that reads as one piece. */
export interface Region {
  readonly key: string;
  /** A short readable path, for people. Not a selector. */
  readonly path: string;
  readonly role: string | null;
  /** The nearest label: accessible name, heading, summary or data attribute of the region or a close ancestor. */
  readonly label: string | null;
  /** In a closed or open disclosure, a region named as thinking, a live status: from markup only. */
  readonly presentedAs: Voice | 'unknown';
}

/** What a cue is made of. Differences of these between rest and run say "working" or "final". */
export type CueKind =
  | 'control' // a button or link acting as one: enabled, disabled or gone
  | 'composer' // the text entry: enabled, disabled, readonly or gone
  | 'busy' // aria-busy, role=progressbar, <progress>
  | 'animation' // an endless animation
  | 'class' // a class token on a container
  | 'attribute' // a state attribute (data-*, aria-*) on a container
  | 'text' // short words that stood on the page at rest: a status line, the title
  | 'caret' // a typing caret glyph at the end of text
  | 'outright'; // data-unsettled, performance.mark: the page's own word

export type SightingBody =
  /**
   * `rest`: the picture of the page while no agent flow was open; every cue and candidate text that stood there follows,
   * with `rest` true (they may be delivered after the flow's opening; they still tell of the time before it).
   * `started`: from here on every change is reported. `stopped`: nothing is, until the next `rest` or `started`.
   */
  | { readonly type: 'sight.watch'; readonly state: 'rest' | 'started' | 'stopped'; readonly visible: boolean }
  /** Text of a region changed. `edit` is against the region's text before; on `appeared` that is empty. */
  | {
      readonly type: 'sight.text';
      readonly region: Region;
      readonly change: 'appeared' | 'changed' | 'rested' | 'removed';
      readonly edit: { readonly at: number; readonly removed: number; readonly inserted: string } | null;
      readonly length: number;
      readonly visible: boolean;
      /** True for text that was there before the flow opened. */
      readonly rest: boolean;
    }
  /**
   * A cue took a value. `value` null: it is gone. The key is stable across re-renders of the same thing.
   * Values: control and composer `enabled`, `disabled`, `readonly`; busy `true`; class its token; attribute its value;
   * animation and caret anything; outright `working` or `final`.
   */
  | {
      readonly type: 'sight.cue';
      readonly key: string;
      readonly kind: CueKind;
      /** The words on it, where it has any (accessible name, class token, attribute name). */
      readonly label: string | null;
      /** The region key it sits in or beside; null for page-wide cues. */
      readonly region: string | null;
      readonly value: string | null;
      readonly rest: boolean;
    };

export type Sighting = Stamped & { readonly document: string } & SightingBody;

/** How much of a region's text a part accounts for. Produced by align; the only inexact thing in the model. */
export interface Match {
  readonly part: string;
  readonly region: string;
  /** Share of the region's own text that the part explains, 0 to 1. */
  readonly share: number;
  /** Share of the part's text that the region shows, 0 to 1. */
  readonly covered: number;
}
