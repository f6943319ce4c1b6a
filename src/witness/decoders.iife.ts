/** Entry of the script that is injected when it is needed: leaves the decoders where `load.ts` looks for them, out of the page's sight. */
import { decoders } from './decoders';
import { DECODERS } from './load';

Object.assign(globalThis, { [DECODERS]: decoders });
