/** What watching costs a page of an ordinary size; see witness.ts. */
import { measure } from './witness';

export const bench = (): ReturnType<typeof measure> => measure(600);
