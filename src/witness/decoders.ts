/**
 * The half of the witness that understands streams. It is most of the witness's size, and most pages never need it, so the
 * extension loads it into a document when a stream comes that could be an agent's (`load.ts`), and so does the Playwright fixture.
 * Where size is no matter (tests) `bundled` gives it at once.
 */
import { createDecoder, type StreamDecoder } from '../core/decode';
import { DIALECTS } from '../core/dialects';
import type { Dialect } from '../core/dialects/dialect';
import { readMapping } from '../core/mapping/mapping';
import type { WireFrame } from '../core/model';

export interface Decoders {
  /** A decoder of all dialects, mapping files (as text) in front. One that is wrong is left out: the panel says what is wrong. */
  open(mappings: readonly string[], onFrame: (frame: WireFrame) => void): StreamDecoder;
}

/** At once where they are here, else when they come. Null: they cannot be had in this document. */
export type LoadDecoders = () => Decoders | null | Promise<Decoders | null>;

/** Mapping files as dialects. */
export const mappedDialects = (mappings: readonly string[]): readonly Dialect[] =>
  mappings.flatMap((text) => {
    const result = readMapping(text);
    return result.ok ? [result.dialect] : [];
  });

export const decoders: Decoders = {
  open: (mappings, onFrame) => createDecoder({ dialects: [...mappedDialects(mappings), ...DIALECTS], onFrame }),
};

export const bundled: LoadDecoders = () => decoders;
