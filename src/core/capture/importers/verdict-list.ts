/**
 * The list of right verdicts that lies beside recordings (`expected.jsonl`): no stream, and nothing to judge, but a pattern that names
 * the recordings names it too. Recognised, so that it is not taken for a stream that nobody understands.
 */
import { isObject, parseJson } from '../../json/json';
import { firstLine, type Importer } from './importer';

/** The id by which it is told from files that should have held a stream. */
export const VERDICT_LIST = 'verdict-list';

export const verdictList: Importer = {
  id: VERDICT_LIST,
  title: 'List of right verdicts',
  general: false,
  reads: 'text',
  recognise(head) {
    const { line } = firstLine(head);
    const value = line.startsWith('{') ? parseJson(line) : undefined;
    return isObject(value) && typeof value.file === 'string' && typeof value.class === 'string' && typeof value.settled === 'boolean';
  },
  open: () => ({ push() {}, end() {} }),
};
