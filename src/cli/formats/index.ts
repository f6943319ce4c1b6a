/** The output formats of `check`. */
import type { Format } from './format';
import { json } from './json';
import { pretty } from './pretty';

export const FORMATS: Readonly<Record<string, Format>> = { pretty, json };
