/** The dialects, in order of precedence. Adding one: its file, its fixture folder, its line here. */
import type { Dialect } from './dialect';
import { kestrelMobile } from './kestrel-mobile';
import { kestrelRunner } from './kestrel-runner';

export const DIALECTS: readonly Dialect[] = [kestrelRunner, kestrelMobile];
