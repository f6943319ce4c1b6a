/** Open, and no bytes for a while. Never more than that: silence is not an end. */
import { eventRef, fail, inconclusive, isLast, isRoot, isUntimed, ms, pass } from './judgement';
import type { Rule } from './rule';

const SILENT_MS = 30_000;

export const stalled: Rule = {
  id: 'stalled',
  severity: 'minor',
  needs: ['wire'],
  message: {
    fail: 'The run is open and nothing has come for {silentMs} ms; the last event was {raw}. It may still go on: silence is not an end.',
    inconclusive: 'The run is open and no event has come for {silentMs} ms, but its connection is in use ({why}).',
  },
  judge(subject) {
    const { attempt, flows, now } = subject;
    if (attempt.settlement !== null || isUntimed(flows) || !isRoot(subject) || !isLast(subject)) return null;
    const open = flows.filter((flow) => flow.end === null);
    if (open.length === 0) return null;
    const last = subject.events.findLast((event) => open.some((flow) => flow.id === event.flow));
    if (last === undefined) return null;
    const silent = now - last.at;
    if (silent < SILENT_MS) return pass(last.at);
    // An answer is awaited, or a call of the page's own: nothing is to come until then.
    if (
      attempt.asks.some((ask) => ask.answeredAt === null) ||
      attempt.tools.some((tool) => tool.owedBy === 'page' && tool.returnedAt === null)
    )
      return pass(last.at);
    const bytes = Math.max(...open.map((flow) => flow.lastChunkAt ?? flow.openedAt));
    const facts = {
      voice: last.voice,
      until: null,
      evidence: [eventRef(last)],
      data: { silentMs: ms(silent), raw: last.raw, lastMs: ms(last.at), why: 'keep-alives, or other runs on it' },
    };
    return now - bytes < SILENT_MS ? inconclusive(last.at, facts) : fail(last.at, facts);
  },
};
