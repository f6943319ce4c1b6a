/**
 * What the panel holds, read from inside it: through the store that it offers to tests as `globalThis.unsettled`. Only plain
 * data comes back. Used by the end-to-end cases and by `npm start` where there is no display.
 */
import { type Panel, until } from '../drivers/driver';

/** One run as the panel has it. */
export interface RunReading {
  readonly key: string;
  readonly parent: string | null;
  readonly dialect: string;
  readonly outcome: string | null;
  readonly endedBy: string | null;
  readonly attempts: number;
  readonly events: number;
  /** The wire's own event ids, in order; events without one are left out. */
  readonly wireIds: readonly string[];
  /** Everything said in each voice, withdrawn parts left out. */
  readonly text: Readonly<Record<string, string>>;
}

/** One finding as the panel shows it. */
export interface FindingReading {
  readonly rule: string;
  readonly severity: string;
  readonly verdict: string;
  readonly run: string;
  readonly message: string;
  /** The offending words; '' where there are none. */
  readonly text: string;
  readonly voice: string | null;
}

/** One stream as the panel has it. */
export interface FlowReading {
  readonly url: string;
  readonly document: string;
  readonly dialect: string | null;
  readonly frames: number;
  readonly end: string | null;
  readonly gaps: readonly string[];
}

/** The state of the live session. */
export interface Reading {
  readonly runs: readonly RunReading[];
  readonly flows: readonly FlowReading[];
  readonly findings: readonly FindingReading[];
  readonly faults: readonly string[];
  readonly counts: {
    readonly records: number;
    readonly sightings: number;
    readonly events: number;
    readonly gaps: number;
    readonly lost: number;
  };
  /** `watch`: the last word of the page's witness, see `sight.watch` in the model; null if it said none. */
  readonly documents: readonly {
    readonly key: string;
    readonly url: string;
    readonly topLevel: boolean;
    readonly watch: string | null;
  }[];
  /** How long nothing new has been seen on the page, by the page's own clock. */
  readonly quietMs: number;
  readonly link: { readonly state: string; readonly lost: number; readonly rejected: number; readonly reconnects: number };
}

const READ = `(() => {
  const store = globalThis.unsettled;
  const { session } = store.live();
  return {
    runs: session.runs.map((run) => {
      const events = session.eventsOf(run.key);
      const text = {};
      for (const attempt of run.attempts)
        for (const part of attempt.parts) if (!part.withdrawn) text[part.voice] = (text[part.voice] ?? '') + part.text;
      return {
        key: run.key,
        parent: run.parent,
        dialect: run.attempts[0]?.dialect ?? '',
        outcome: run.settlement?.outcome ?? null,
        endedBy: run.settlement?.endedBy ?? null,
        attempts: run.attempts.length,
        events: events.length,
        wireIds: events.flatMap((event) => event.wireId ?? []),
        text,
      };
    }),
    flows: [...session.flows.values()].map(({ url, document, dialect, frames, end, gaps }) => ({
      url, document, dialect, frames, end: end?.how ?? null, gaps: gaps.map(({ reason }) => reason),
    })),
    findings: session.findings.map(({ rule, severity, verdict, run, message, text, voice }) => ({
      rule, severity, verdict, run, message, text, voice,
    })),
    faults: session.faults.map((fault) => JSON.stringify(fault)),
    counts: session.counts,
    documents: [...session.documents.values()].map(({ key, url, topLevel }) => ({
      key, url, topLevel,
      watch: session.entries.findLast((entry) => entry.type === 'sight.watch' && entry.document === key)?.state ?? null,
    })),
    quietMs: session.now - (session.entries.findLast(({ type }) => type.startsWith('sight.'))?.at ?? 0),
    link: store.link.value,
  };
})()`;

/** Reads the panel as it stands. */
export const readPanel = (panel: Panel): Promise<Reading> => panel.evaluate<Reading>(READ);

/** Reads until the reading is as wanted; the error says what it was last. */
export const readUntil = async (panel: Panel, what: string, wanted: (reading: Reading) => boolean, seconds = 30): Promise<Reading> => {
  let last: Reading | null = null;
  try {
    return await until(
      what,
      async () => {
        last = await readPanel(panel);
        return wanted(last) ? last : null;
      },
      seconds,
    );
  } catch (error) {
    throw new Error(`${String(error)}\nlast reading: ${JSON.stringify(last, null, 1)}`);
  }
};

/** Opens the finding of this rule in the panel. The list that is drawn follows the session a moment later. */
export const openFinding = async (panel: Panel, rule: string): Promise<void> => {
  await readUntil(panel, `${rule} is found`, ({ findings }) => findings.some((finding) => finding.rule === rule));
  await until('the finding is in the list', () =>
    panel.evaluate<boolean>(`(() => {
      const found = unsettled.findings.value.find(({ rule }) => rule === ${JSON.stringify(rule)});
      if (found !== undefined) unsettled.openFinding(found);
      return found !== undefined;
    })()`),
  );
};
