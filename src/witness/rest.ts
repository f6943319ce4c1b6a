/**
 * The page at rest: which cues stood there before a run. Looked at once the page has loaded and is idle, and again just
 * before the page reacts to a person, because what it does then is already part of the run. Nothing is observed for it.
 */
import type { CuePicture } from './cues';

/** The page at rest, and when it was. */
export interface RestPicture {
  readonly at: number;
  readonly cues: CuePicture;
  readonly visible: boolean;
}

/** Who can look at the page. */
export interface Eyes {
  /** Looks at the whole page. */
  readonly look: () => CuePicture;
  /** While the page is watched it is not at rest. */
  readonly busy: () => boolean;
}

export interface RestOptions extends Eyes {
  readonly now: () => number;
  /** What has to be done before the first look, in an idle moment of its own: whoever asks the page for something waits for no more. */
  readonly prepare?: () => void;
}

export interface Rest {
  readonly picture: RestPicture | null;
  take(): void;
  close(): void;
}

/** A picture is good for this long. */
const GOOD_MS = 250;
/** What a person starts a run with. */
const REACTIONS = ['pointerdown', 'keydown', 'submit'] as const;

export const createRest = ({ now, look, busy, prepare }: RestOptions): Rest => {
  let picture: RestPicture | null = null;
  let closed = false;

  const take = (): void => {
    if (closed || document.body === null) return;
    const cues = look();
    picture = { at: now(), cues, visible: !document.hidden };
  };
  const beforeReaction = (event: Event): void => {
    if (!event.isTrusted || busy()) return;
    if (event.type === 'keydown' && (event as KeyboardEvent).key !== 'Enter') return;
    if (picture === null || now() - picture.at > GOOD_MS) take();
  };
  const first = (): void => {
    if (!busy() && picture === null) take();
  };
  const idly = (what: () => void): void => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(what, { timeout: 2_000 });
    else setTimeout(what, 200);
  };
  const whenIdle = (): void =>
    idly(() => {
      if (prepare === undefined || closed || busy() || picture !== null) return first();
      prepare();
      idly(first);
    });
  for (const type of REACTIONS) window.addEventListener(type, beforeReaction, true);
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });

  return {
    get picture() {
      return picture;
    },
    take,
    close() {
      closed = true;
      for (const type of REACTIONS) window.removeEventListener(type, beforeReaction, true);
      window.removeEventListener('load', whenIdle);
    },
  };
};
