/**
 * What a content script asks of the background by a single message, outside of any port: things that only the background may
 * do. Each is answered at once and leaves nothing behind there.
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

export const callSchema = v.variant('type', [v.object({ link: v.literal(LINK_VERSION), type: v.literal('decoders') })]);
