/** A tool call is shown done before its result, or done although it failed. */
import { eventRef, fail, inconclusive, isRoot, ms, pass, sighting } from './judgement';
import type { Judgement, Rule } from './rule';

/** A tick beside the word leaves no doubt what is meant. */
const TICK = /[✓✔✅☑]/u;

export const toolDoneEarly: Rule = {
  id: 'tool-done-early',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The page shows {tool} as done ({state}) at {shownMs} ms, but {because}.',
    inconclusive: 'The page perhaps shows {tool} as done ({state}) at {shownMs} ms, but {because}.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    if (screen === null || !isRoot(subject)) return null;
    const found: Judgement[] = [];
    let applies = false;
    for (const row of screen.toolRows) {
      const tool = attempt.tools.find((one) => one.id === row.tool);
      const called = subject.events.find((event) => event.type === 'tool.called' && (event.identity.toolCall ?? event.name) === row.tool);
      if (tool === undefined || called === undefined) continue;
      applies = true;
      const returned = subject.events.find(
        (event) => event.type === 'tool.returned' && !event.preliminary && event.identity.toolCall === row.tool,
      );
      // Standing when the result came, or to the end of what was seen.
      const early = row.states.find(
        (state) => state.as === 'finished' && state.seq > called.seq && (returned === undefined || state.seq < returned.seq),
      );
      const wrong =
        returned?.type === 'tool.returned' && returned.failed
          ? row.states.find(
              (state) =>
                state.as === 'finished' &&
                state.seq > returned.seq &&
                state.untilSeq === null &&
                !row.states.some((other) => other.as === 'unfinished' && other.untilSeq === null),
            )
          : undefined;
      const state = early ?? wrong;
      if (state === undefined) continue;
      const because =
        early === undefined
          ? 'the call failed'
          : returned === undefined
            ? 'no result has come'
            : `its result came ${ms(returned.at - state.at)} ms later`;
      const facts = {
        subject: early === undefined ? `${row.tool}:failed` : row.tool,
        voice: 'tool' as const,
        text: tool.name,
        region: row.region.key,
        evidence: [eventRef(called), sighting(state.seq), ...(early === undefined && returned !== undefined ? [eventRef(returned)] : [])],
        data: { tool: tool.name, state: state.text, shownMs: ms(state.at), because },
      };
      // A word alone may be about the input that is complete, not about the call.
      const byWords = state.text.startsWith('“') && !TICK.test(state.text);
      found.push(byWords && early !== undefined ? inconclusive(state.at, facts) : fail(state.at, facts));
    }
    return found.length > 0 ? found : applies ? pass(attempt.openedAt) : null;
  },
};
