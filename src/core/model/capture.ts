/** What we keep. */
import type { SourceDocument, TapRecord } from './record';
import type { Sighting } from './sighting';

/** In memory. On disk: JSON Lines, one header line, then raw records and sightings in order of seq. */
export interface Capture {
  readonly format: 'unsettled-capture';
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly producer: { readonly name: string; readonly version: string; readonly browser: string | null };
  readonly documents: readonly SourceDocument[];
  readonly entries: readonly (TapRecord | Sighting)[];
  readonly redaction: { readonly policy: string; readonly replaced: number } | null;
}
