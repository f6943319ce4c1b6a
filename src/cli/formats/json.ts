/** The report itself. */
import type { Format } from './format';

export const json: Format = (report) => `${JSON.stringify(report, null, 2)}\n`;
