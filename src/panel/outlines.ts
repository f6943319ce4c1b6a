/**
 * What to outline on the page: every region that shows text of a run, in the voice of that text, with how far its producer
 * stands by it now, and the finding that stands there. Pure; the shell sends it to the page.
 */
import { effect } from '@preact/signals';
import type { Finding, Run } from '../core/model';
import { LABEL_CHARS, MARKS, type OutlineMark } from '../link/messages';
import type { Feed } from './feed';
import type { Shell } from './shell';
import type { Store } from './store';
import { strings } from './strings';

/** Older runs are history: what they showed is found in the panel. */
const RUNS = 20;

/** How far the producer stands by the text that a region shows. */
const standingOf = (feed: Feed, run: Run, owner: string | null): OutlineMark['standing'] => {
  for (const attempt of run.attempts) for (const part of attempt.parts) if (part.key === owner) return part.standing;
  const event = /^event:(.*):(\d+)$/u.exec(owner ?? '');
  if (event === null) return 'provisional';
  const said = feed.session.eventsOf(run.key).findLast((each) => each.flow === event[1] && each.ordinal === Number(event[2]));
  return said?.standing === 'committed' ? 'committed' : 'provisional';
};

/** By document. A document whose runs show nothing is there too, with no marks. */
export const outlinesOf = (
  feed: Feed,
  findings: readonly Finding[],
  title: (rule: string) => string,
): ReadonlyMap<string, readonly OutlineMark[]> => {
  const marks = new Map<string, Map<string, OutlineMark>>();
  for (const document of feed.session.documents.keys()) marks.set(document, new Map());
  const bad = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.verdict !== 'fail' || finding.region === null) continue;
    const key = `${finding.run} ${finding.region}`;
    const list = bad.get(key);
    if (list) list.push(finding);
    else bad.set(key, [finding]);
  }
  for (const run of feed.session.runs.slice(-RUNS)) {
    const screen = feed.screenOf(run.key);
    const here = screen === null ? undefined : marks.get(screen.document);
    if (screen === null || here === undefined) continue;
    for (const { region, removedSeq, voice, owner, matches } of screen.regions) {
      const [finding, ...others] = bad.get(`${run.key} ${region.key}`) ?? [];
      const spoken = voice ?? finding?.voice ?? null;
      // An earlier run's finding still stands where a later run only goes on.
      if (spoken === null || (finding === undefined && (here.get(region.key)?.label ?? null) !== null)) continue;
      if (removedSeq !== null) here.delete(region.key);
      else
        here.set(region.key, {
          region: region.key,
          voice: spoken,
          standing: standingOf(feed, run, owner ?? matches[0]?.part ?? null),
          label:
            finding === undefined ? null : `${title(finding.rule)}${others.length > 0 ? ` +${others.length}` : ''}`.slice(0, LABEL_CHARS),
        });
    }
  }
  // The newest, and every finding before them.
  const bounded = (all: readonly OutlineMark[]): readonly OutlineMark[] =>
    all.length <= MARKS
      ? all
      : [...all.filter((mark) => mark.label !== null), ...all.filter((mark) => mark.label === null).reverse()].slice(0, MARKS);
  return new Map([...marks].map(([document, byRegion]) => [document, bounded([...byRegion.values()])]));
};

/** Keeps the outlines on the page as the session judges, for as long as the person wants them there. */
export const followOutlines = (store: Store, shell: Shell): (() => void) => {
  const told = new Map<string, string>();
  return effect(() => {
    store.feed.value;
    const live = store.live();
    live.judged.value;
    const t = strings.value;
    const wanted = store.outlining.value;
    const now = wanted ? outlinesOf(live, store.liveFindings.value, (rule) => t.rules[rule]?.title ?? rule) : null;
    for (const document of new Set([...told.keys(), ...(now?.keys() ?? [])])) {
      const marks = now?.get(document) ?? null;
      const key = JSON.stringify(marks);
      if ((told.get(document) ?? 'null') === key) continue;
      if (marks === null) told.delete(document);
      else told.set(document, key);
      shell.draw(document, marks);
    }
  });
};
