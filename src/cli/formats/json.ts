/** The report itself. */
import { plainJson } from '../style';
import type { Format } from './format';

export const json: Format = (report) => `${plainJson(JSON.stringify(report, null, 2))}\n`;
