/** The rules. Adding one: its file, its doc, its fixture folder, its line here. Ids are for ever. */
import type { Rule } from './rule';

export const RULES: readonly Rule[] = [];
