/**
 * What a content script or a panel asks of the background by a single message, outside of any port: things that only the
 * background may do. Each is answered at once and leaves nothing behind there.
 */
import * as v from 'valibot';
import { LINK_VERSION } from './messages';

/** Bring the decoders into the frame that this comes from. */
export interface DecodersCall {
  readonly link: typeof LINK_VERSION;
  readonly type: 'decoders';
}
/** `ok` false: the browser does not let them run there. */
export interface DecodersAnswer {
  readonly ok: boolean;
}

/** From a frame: so many findings stand in its document. Handed on to the tab's own document, which adds them up. */
export interface CountCall {
  readonly link: typeof LINK_VERSION;
  readonly type: 'count';
  readonly document: string;
  readonly count: number;
}
/** From the tab's own document: so many in all. */
export interface BadgeCall {
  readonly link: typeof LINK_VERSION;
  readonly type: 'badge';
  readonly count: number;
}

/** From a panel: whether this tab is of a private window, which only the background can tell. */
export interface PrivateCall {
  readonly link: typeof LINK_VERSION;
  readonly type: 'private';
  readonly tab: number;
}
/** `private` null: there is no such tab (any more). */
export interface PrivateAnswer {
  readonly private: boolean | null;
}

const link = v.literal(LINK_VERSION);
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));
export const countSchema = v.object({
  link,
  type: v.literal('count'),
  document: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  count,
});
export const callSchema = v.variant('type', [
  v.object({ link, type: v.literal('decoders') }),
  countSchema,
  v.object({ link, type: v.literal('badge'), count }),
]);

export const privateCallSchema = v.object({ link, type: v.literal('private'), tab: v.pipe(v.number(), v.integer(), v.minValue(0)) });
export const privateAnswerSchema = v.object({ private: v.nullable(v.boolean()) });
