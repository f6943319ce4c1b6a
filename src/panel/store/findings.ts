/** What was found in the feed that is shown, less what the reader has muted: by run, counted, and announced. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Finding, Run, SourceDocument } from '../../core/model';
import type { Feed } from '../feed';
import { originOf } from '../format';
import type { Settings } from '../settings';

const NONE: readonly Finding[] = [];

/** `liveFeed`: the inspected tab's. */
export const createFindings = (feed: ReadonlySignal<Feed>, liveFeed: ReadonlySignal<Feed>, settings: Settings) => {
  const documentOf = (of: Run): SourceDocument | undefined => {
    const { session } = feed.value;
    const flow = session.flows.get(of.attempts[0]?.flows[0] ?? '');
    return session.documents.get(flow?.document ?? '');
  };

  const originOfRun = (key: string): string => {
    const found = feed.value.session.run(key);
    const url = found === undefined ? undefined : documentOf(found)?.url;
    return originOf(url ?? '');
  };
  const muteOf = (finding: Finding): string => `${originOfRun(finding.run)} ${finding.rule}`;
  const isMuted = (finding: Finding): boolean => settings.muted.value.length > 0 && settings.muted.value.includes(muteOf(finding));
  const heard = (of: Feed): readonly Finding[] => of.findings.value.filter((finding) => !isMuted(finding));

  const findings = computed<readonly Finding[]>(() => heard(feed.value));
  /** Of the inspected tab, whatever is looked at. */
  const liveFindings = computed<readonly Finding[]>(() => heard(liveFeed.value));
  const mutedFindings = computed<readonly Finding[]>(() => feed.value.findings.value.filter(isMuted));
  const findingsByRun = computed<ReadonlyMap<string, readonly Finding[]>>(() => {
    const by = new Map<string, Finding[]>();
    for (const finding of findings.value) {
      const list = by.get(finding.run);
      if (list) list.push(finding);
      else by.set(finding.run, [finding]);
    }
    return by;
  });
  const findingsOf = (key: string): readonly Finding[] => findingsByRun.value.get(key) ?? NONE;
  const failing = computed<readonly Finding[]>(() => findings.value.filter((finding) => finding.verdict === 'fail'));
  const failures = computed(() => failing.value.length);

  // New findings are said once to those who cannot see them arrive.
  let announced = 0;
  const announce = signal<{ readonly count: number; readonly finding: Finding } | null>(null);
  effect(() => {
    const count = failing.value.length;
    if (count > announced) announce.value = { count, finding: failing.value.at(-1)! };
    announced = count;
  });

  return {
    findings,
    mutedFindings,
    liveFindings,
    failures,
    findingsOf,
    announce,
    documentOf,
    originOfRun,
    isMuted,
    mute(finding: Finding, on: boolean): void {
      const key = muteOf(finding);
      const rest = settings.muted.peek().filter((each) => each !== key);
      settings.muted.value = on ? [...rest, key] : rest;
    },
    unmuteAll(): void {
      settings.muted.value = [];
    },
  };
};
