/**
 * Has the decoders brought into this document by the background, which alone may run a file in it. The background may die
 * at any moment, so what counts is whether they are here; and it may be refused (a permission taken back, a frame that no
 * extension may run in), which is an answer for good.
 */
import type { DecodersAnswer, DecodersCall } from '../link/calls';
import { LINK_VERSION } from '../link/messages';
import type { Decoders, LoadDecoders } from './decoders';
import type { CreateJudge } from './judge';

/** The member of the isolated world's global object that holds them. */
export const DECODERS = 'unsettledDecoders';

/** What the script brings. */
export interface Loaded extends Decoders {
  readonly createJudge: CreateJudge;
}

/** Waits between the tries, of which each also wakes the background. */
const AGAIN_MS = [0, 50, 250, 1_000, 4_000];

export interface LoadOptions {
  readonly ask: (call: DecodersCall) => Promise<unknown>;
  readonly found: () => Decoders | undefined;
  readonly later: (what: () => void, ms: number) => void;
}

/** Loads them once, however often it is asked. */
export const createLoad = ({ ask, found, later }: LoadOptions): LoadDecoders => {
  let loading: Promise<Decoders | null> | null = null;
  const load = async (): Promise<Decoders | null> => {
    for (const ms of AGAIN_MS) {
      if (ms > 0) await new Promise<void>((done) => later(done, ms));
      let answer: DecodersAnswer | null = null;
      try {
        answer = (await ask({ link: LINK_VERSION, type: 'decoders' })) as DecodersAnswer | null;
      } catch {
        // The background died over it; whether it had run the file by then shows.
      }
      const here = found();
      if (here !== undefined) return here;
      if (answer?.ok === false) return null;
    }
    return null;
  };
  return () => {
    const here = found();
    if (here !== undefined) return here;
    loading ??= load();
    return loading;
  };
};
