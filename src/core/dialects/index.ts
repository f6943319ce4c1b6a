/** The dialects, in order of precedence. Adding one: its file, its fixture folder, its line here. */
import type { Dialect } from './dialect';

export const DIALECTS: readonly Dialect[] = [];
