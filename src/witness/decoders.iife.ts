/** Entry of the script that is injected when it is needed: leaves the decoders and the judge where the witness looks for them, out of the page's sight. */
import { decoders } from './decoders';
import { createJudge } from './judge';
import { DECODERS, type Loaded } from './load';

const loaded: Loaded = { ...decoders, createJudge };
Object.assign(globalThis, { [DECODERS]: loaded });
