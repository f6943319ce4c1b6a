/** Text of a cancelled attempt appears after the person stopped it. */
import type { AgentEvent } from '../model';
import { isAfter, openingOf, type Place, placeOf } from '../order';
import { eventRef, excerpt, fail, inconclusive, isRoot, ms, pass, record, sighting } from './judgement';
import { landmarksOf } from './landmarks';
import type { Case, Rule } from './rule';

/** Shorter late words may be the rest of a word that was under way. */
const LEAST_CHARS = 12;
/** Between asking to stop and the answer to it text is still on its way. */
const ON_ITS_WAY_MS = 1000;

interface Stop extends Place {
  readonly at: number;
  /** Text shown before this time was on its way. */
  readonly until: number;
  readonly how: string;
}

export const textAfterCancel: Rule = {
  id: 'text-after-cancel',
  severity: 'serious',
  needs: ['wire', 'screen'],
  message: {
    fail: '{how} at {settledMs} ms, and {afterMs} ms later “{excerpt}”, which came after that, is shown.',
    inconclusive: '{how} at {settledMs} ms and its stream went on; whether “{excerpt}” is shown cannot be told.',
  },
  judge(subject) {
    const { screen } = subject;
    const stop = stopOf(subject);
    if (screen === null || !isRoot(subject) || stop === null || screen.regions.length === 0) return null;
    const late = subject.events.filter(
      (event): event is AgentEvent & { type: 'part.delta' } =>
        event.type === 'part.delta' && isAfter(event, stop) && event.voice === 'assistant',
    );
    const said = late
      .map((event) => event.text)
      .join('')
      .trim();
    if (said.length < LEAST_CHARS) return pass(stop.at);
    const first = late[0]!;
    const needle = spaced(said.slice(0, 200));
    const shown = screen.regions.filter((one) => one.visible && one.lastChangeSeq > stop.seq && one.lastChangeAt >= stop.until);
    const region = shown.find((one) => spaced(one.text).includes(needle));
    const data = {
      how: stop.how,
      settledMs: ms(stop.at),
      afterMs: ms((region?.lastChangeAt ?? stop.at) - stop.at),
      excerpt: excerpt(said),
    };
    if (region !== undefined)
      return fail(region.lastChangeAt, {
        voice: 'assistant',
        text: said,
        region: region.region.key,
        evidence: [record(stop.seq), eventRef(first), sighting(region.lastChangeSeq)],
        data,
      });
    const other = shown.find((one) => one.lastChangeSeq > first.seq && one.voice === 'assistant');
    if (other === undefined) return pass(stop.at);
    return inconclusive(other.lastChangeAt, {
      voice: 'assistant',
      text: said,
      region: other.region.key,
      evidence: [record(stop.seq), eventRef(first)],
      data,
    });
  },
};

/** The cancellation; or the page's asking for it, which the producer may not have honoured. */
const stopOf = ({ attempt, events }: Case): Stop | null => {
  const { settlement } = attempt;
  if (settlement?.outcome === 'cancelled')
    return { ...placeOf(settlement), at: settlement.at, until: settlement.at, how: 'The run was cancelled' };
  const asked = landmarksOf(events).stops.find((event) => isAfter(event, openingOf(attempt)) && attempt.flows.includes(event.flow));
  if (asked === undefined) return null;
  const outcome = settlement === null ? 'nothing has answered that' : `the run was ${settlement.outcome} all the same`;
  return {
    seq: asked.seq,
    ordinal: asked.ordinal,
    at: asked.at,
    until: asked.at + ON_ITS_WAY_MS,
    how: `The page asked to stop (${outcome})`,
  };
};

const spaced = (text: string): string => text.replace(/[\s*_`#]+/gu, '');
