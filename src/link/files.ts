/** Files of the built extension that one context names and another runs. The build writes them under these names. */

/** The decoders, for the isolated world of a document in which a stream came that could be an agent's. A classic script. */
export const DECODERS_FILE = 'src/witness/decoders.iife.js';
