/** Which run of another file one is most usefully compared with. */
import type { Run } from '../../../core/model';
import type { Feed } from '../../feed';
import type { Store } from '../../store';

/** That of its place in the list, to the same address; else the first. */
export const likeliestIn = (store: Store, feed: Feed, of: Run | undefined): string => {
  const roots = feed.session.runs.filter((each) => each.parent === null);
  if (of === undefined) return roots[0]?.key ?? '';
  /** Very many runs are of a few addresses. */
  const paths = new Map<string, string>();
  const pathOf = (from: Feed, run: Run): string => {
    const url = from.session.flows.get(run.attempts[0]?.flows[0] ?? '')?.url ?? '';
    // Two recordings are often of two hosts.
    const path = paths.get(url) ?? (URL.canParse(url) ? new URL(url).pathname : url);
    paths.set(url, path);
    return path;
  };
  const here = store.feed.peek();
  const path = pathOf(here, of);
  const place = here.session.runs
    .filter((each) => each.parent === null && pathOf(here, each) === path)
    .findIndex((each) => each.key === of.key);
  const same = roots.filter((each) => pathOf(feed, each) === path);
  return (same[place] ?? same[0] ?? roots[0])?.key ?? '';
};
