/** The output formats of `check` and `merge`. */
import type { Format } from './format';
import { github } from './github';
import { json } from './json';
import { junit } from './junit';
import { pretty } from './pretty';
import { sarif } from './sarif';

export const FORMATS: Readonly<Record<string, Format>> = { pretty, json, junit, sarif, github };
