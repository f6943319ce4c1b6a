/**
 * Session and decoder over every built-in dialect: for all who can have the whole list at hand (command line, fixture,
 * library, tests). The panel cannot: what imports this file carries every dialect.
 */
import { type DecoderOptions, createDecoder as decoderOver, type StreamDecoder } from './decode';
import { DIALECTS } from './dialects';
import type { Dialect } from './dialects/dialect';
import { createEngine, type EngineOptions, type Session } from './engine';

export { type Counts, type Entry, isSighting, type Session } from './engine';

export interface SessionOptions extends Omit<EngineOptions, 'dialects'> {
  /** In order of precedence. Default: the built-in list. */
  readonly dialects?: readonly Dialect[];
}

export interface DecodeOptions extends Omit<DecoderOptions, 'dialects'> {
  /** In order of precedence. Default: the built-in list. User mappings go in front of it. */
  readonly dialects?: readonly Dialect[];
}

export const createSession = (options: SessionOptions = {}): Session =>
  createEngine({ ...options, dialects: options.dialects ?? DIALECTS });

export const createDecoder = (options: DecodeOptions = {}): StreamDecoder =>
  decoderOver({ ...options, dialects: options.dialects ?? DIALECTS });
