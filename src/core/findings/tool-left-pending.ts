/** The run is settled and a tool call is still shown running. */
import { fail, inconclusive, isLast, isRoot, ms, pass, record, sighting } from './judgement';
import type { Judgement, Rule } from './rule';
import { seenUntil } from './shown';

const GRACE_MS = 1000;

export const toolLeftPending: Rule = {
  id: 'tool-left-pending',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run was settled ({outcome}) at {settledMs} ms, and {lateMs} ms later the page still shows {tool} as running ({state}).',
    inconclusive:
      'The run was settled ({outcome}) at {settledMs} ms; whether the page still shows {tool} as running ({state}) cannot be told.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || !isLast(subject) || settlement === null) return null;
    // While something is awaited an open call is as it should be.
    if (settlement.outcome === 'waiting' || settlement.strength === 'none') return null;
    const found: Judgement[] = [];
    let applies = false;
    for (const row of screen.toolRows) {
      const tool = attempt.tools.find((one) => one.id === row.tool);
      if (tool === undefined) continue;
      applies = true;
      if (row.removedSeq !== null) continue;
      const standing = row.states.filter((state) => state.untilSeq === null);
      const state = standing.find((one) => one.as === 'working');
      if (state === undefined) continue;
      const late = seenUntil(subject) - settlement.at;
      if (late < GRACE_MS) continue;
      const facts = {
        subject: row.tool,
        voice: 'tool' as const,
        text: tool.name,
        region: row.region.key,
        evidence: [record(settlement.seq), sighting(state.seq)],
        data: { outcome: settlement.outcome, settledMs: ms(settlement.at), lateMs: ms(late), tool: tool.name, state: state.text },
      };
      found.push(standing.some((one) => one.as !== 'working') ? inconclusive(settlement.at, facts) : fail(settlement.at, facts));
    }
    return found.length > 0 ? found : applies ? pass(settlement.at) : null;
  },
};
