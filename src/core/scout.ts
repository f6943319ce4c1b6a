/**
 * Goes ahead of a session whose dialects are fetched when they are needed: says, before a record goes in, which dialects have
 * to be here first. So the session stays synchronous, and reads every stream as it would with the whole list at hand.
 *
 * It frames the beginning of each flow as the decoder does, and asks the dialects that are here in the very openings in which
 * the decoder will ask them; for those that are not, the light tests of light.ts stand in. A flow that nobody is certain
 * of by the end of its beginning has seen all dialects, unless it never told (telltale.ts): what neither a recogniser's own
 * members nor the telling ones were found in is nobody's stream, and page after page has a socket like that.
 */
import { createDecoder } from './decode';
import type { Dialect, FlowOpening } from './dialects/dialect';
import { lookAt } from './dialects/light';
import type { OnDemand } from './dialects/on-demand';
import { mayBeAgent } from './dialects/telltale';
import type { FlowId, TapRecord } from './model';

/** The dialects of a session: some here, others not yet. */
export interface Shelf {
  /** In order of precedence, those in front that are always here. */
  readonly mapped: readonly Dialect[];
  readonly listed: readonly OnDemand[];
  /** Null: not here yet. */
  get(id: string): Dialect | null;
  /** Everything is here. */
  complete(): boolean;
}

export interface Scout {
  /** Looks at the record that is to go in next. Once for each, in order of seq. */
  note(record: TapRecord): void;
  /** What has to be loaded before that record goes in. Ask again once it is here: empty, the record may go. */
  wants(): readonly OnDemand[];
}

const NOTHING: readonly OnDemand[] = [];

/** Whether some frame, or the end without any, tells of an agent. */
const tells = ({ frames, ...of }: FlowOpening): boolean =>
  frames.length === 0 ? mayBeAgent({ ...of, frame: null }) : frames.some((frame) => mayBeAgent({ ...of, frame }));

const answerOf = (dialect: Dialect, opening: FlowOpening): ReturnType<Dialect['recognise']> => {
  try {
    return dialect.recognise(opening);
  } catch {
    // The session comes to the same, and reports it.
    return 'no';
  }
};

export const createScout = ({ mapped, listed, get, complete }: Shelf): Scout => {
  /** The openings that the noted record brings about. */
  let openings: FlowOpening[] = [];
  const decoder = createDecoder({
    dialects: [
      {
        id: 'scout',
        title: '',
        framings: [],
        hasTerminalWord: false,
        runs: 'flow',
        recognise(opening) {
          // The decoder goes on with its list.
          openings.push({ ...opening, frames: opening.frames.slice() });
          return 'no';
        },
        open: () => ({ frame: () => [], end: () => [] }),
      },
    ],
  });
  const undecided = new Set<FlowId>();
  let flow: FlowId = '';

  const decided = (): void => {
    openings = [];
    undecided.delete(flow);
    decoder.forget(flow);
  };

  return {
    note(record) {
      if (complete()) return;
      switch (record.type) {
        case 'flow.opened':
          undecided.add(record.flow);
          break;
        case 'flow.head':
        case 'flow.chunk':
        case 'flow.ended':
          if (undecided.has(record.flow)) break;
          return;
        default:
          return;
      }
      flow = record.flow;
      decoder.push(record);
      if (record.type === 'flow.ended' && openings.length === 0) decided();
    },
    wants() {
      for (const opening of openings) {
        const look = lookAt(opening);
        let plausible = false;
        const answers = (dialect: Dialect): boolean => {
          const answer = answerOf(dialect, opening);
          if (answer === 'plausible') plausible = true;
          return answer === 'certain';
        };
        if (mapped.some(answers)) {
          decided();
          return NOTHING;
        }
        for (const one of listed) {
          const dialect = get(one.id);
          // One at a time: whoever is certain settles it for all that stand behind.
          if (dialect === null) {
            if (one.mayBe(look)) return [one];
          } else if (answers(dialect)) {
            decided();
            return NOTHING;
          }
        }
        if (!opening.last) continue;
        const known = plausible || !tells(opening) || listed.some((one) => one.owns?.(look) === true);
        const rest = known ? NOTHING : listed.filter((one) => get(one.id) === null);
        if (rest.length === 0) decided();
        return rest;
      }
      openings = [];
      return NOTHING;
    },
  };
};
