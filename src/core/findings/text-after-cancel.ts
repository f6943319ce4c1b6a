/** Text of a cancelled attempt appears after the person stopped it. */
import type { AgentEvent } from '../model';
import { eventRef, excerpt, fail, inconclusive, isRoot, ms, pass, record, sighting } from './judgement';
import type { Rule } from './rule';

/** Shorter late words may be the rest of a word that was under way. */
const LEAST_CHARS = 12;

export const textAfterCancel: Rule = {
  id: 'text-after-cancel',
  title: 'Text appears after it was stopped',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: 'The run was cancelled at {settledMs} ms, and {afterMs} ms later “{excerpt}”, which came after that, is shown.',
    inconclusive: 'The run was cancelled at {settledMs} ms and its stream went on; whether “{excerpt}” is shown cannot be told.',
  },
  judge(subject) {
    const { attempt, screen } = subject;
    const { settlement } = attempt;
    if (screen === null || !isRoot(subject) || settlement?.outcome !== 'cancelled' || screen.regions.length === 0) return null;
    const late = subject.events.filter(
      (event): event is AgentEvent & { type: 'part.delta' } =>
        event.type === 'part.delta' && event.seq > settlement.seq && event.voice === 'assistant',
    );
    const said = late
      .map((event) => event.text)
      .join('')
      .trim();
    if (said.length < LEAST_CHARS) return pass(settlement.at);
    const needle = said.slice(0, 200);
    const region = screen.regions.find(
      (one) => one.visible && one.lastChangeSeq > settlement.seq && spaced(one.text).includes(spaced(needle)),
    );
    const data = {
      settledMs: ms(settlement.at),
      afterMs: ms((region?.lastChangeAt ?? settlement.at) - settlement.at),
      excerpt: excerpt(said),
    };
    const first = late[0]!;
    if (region !== undefined)
      return fail(region.lastChangeAt, {
        voice: 'assistant',
        text: said,
        region: region.region.key,
        evidence: [record(settlement.seq), eventRef(first), sighting(region.lastChangeSeq)],
        data,
      });
    const part = screen.regions.find((one) => one.visible && one.lastChangeSeq > first.seq && one.voice === 'assistant');
    if (part === undefined) return pass(settlement.at);
    return inconclusive(part.lastChangeAt, {
      voice: 'assistant',
      text: said,
      region: part.region.key,
      evidence: [record(settlement.seq), eventRef(first)],
      data,
    });
  },
};

const spaced = (text: string): string => text.replace(/[\s*_`#]+/gu, '');
