/** The server of the seventh exam: who answers, and with what tool. */
import type { Asked, Reply } from '../odd-jobs/agents';
import { SCRIPTS } from './words';

/** A tool of the server belongs to these pages, where their run goes to its end or is cut in its text. */
const TOOLS: Readonly<Record<string, string>> = { bubble: 'after', tools: 'before', smooth: 'before' };

export const replyTo = ({ from }: Asked): Reply => {
  const app = from.searchParams.get('app') ?? '';
  return { script: SCRIPTS[app]!, tool: from.searchParams.get('scenario') === 'completed' ? (TOOLS[app] ?? '') : '' };
};
