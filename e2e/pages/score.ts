/**
 * Labels, and what the findings come to against them. Pure. A label says what is true of the page in one case, by somebody
 * who looked at it; the panel's findings are held against that, finding by finding.
 */

/** One entry of a page's labels.json. */
export interface Label {
  /** Ids of the findings that are true of the page here; none: an honest control. */
  readonly true: readonly string[];
  /** What one sees. */
  readonly seen: string;
  /** Ids that one may well argue about, with the reason: they count neither way. */
  readonly allowed?: Readonly<Record<string, string>>;
}

export type Labels = Readonly<Record<string, Label>>;

export interface CaseScore {
  readonly page: string;
  readonly name: string;
  readonly right: readonly string[];
  readonly missed: readonly string[];
  readonly falseAlarms: readonly string[];
  readonly honest: boolean;
}

export interface Total {
  readonly cases: number;
  readonly honest: number;
  readonly labelled: number;
  readonly right: number;
  readonly missed: number;
  readonly falseAlarms: number;
  readonly precision: number;
  readonly recall: number;
}

/** Thrown with what to do about it. */
export class LabelError extends Error {}

/** Reads labels.json; `ids` are the findings that there are, `names` the page's cases. */
export const readLabels = (page: string, text: string, ids: ReadonlySet<string>, names: readonly string[]): Labels => {
  const wrong = (what: string): never => {
    throw new LabelError(`${page}/labels.json: ${what}`);
  };
  let labels: unknown;
  try {
    labels = JSON.parse(text);
  } catch (error) {
    return wrong(`not JSON (${String(error)})`);
  }
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return wrong('wanted an object of cases');
  for (const [name, label] of Object.entries(labels as Labels)) {
    if (!names.includes(name)) wrong(`the page has no case "${name}"; it has ${names.join(', ')}`);
    if (!Array.isArray(label.true)) wrong(`"${name}" has no list "true"`);
    if (typeof label.seen !== 'string' || label.seen.trim() === '') wrong(`"${name}" does not say what one sees ("seen")`);
    for (const id of [...label.true, ...Object.keys(label.allowed ?? {})])
      if (!ids.has(id)) wrong(`"${name}" names "${id}", and there is no such finding`);
  }
  return labels as Labels;
};

export const scoreCase = (page: string, name: string, label: Label, told: readonly string[]): CaseScore => {
  const said = new Set(told);
  const isTrue = new Set(label.true);
  const allowed = new Set(Object.keys(label.allowed ?? {}));
  return {
    page,
    name,
    right: [...said].filter((id) => isTrue.has(id)),
    missed: [...isTrue].filter((id) => !said.has(id)),
    falseAlarms: [...said].filter((id) => !isTrue.has(id) && !allowed.has(id)),
    honest: isTrue.size === 0,
  };
};

/** Of nothing said, all is true; of nothing to be said, all was said. */
const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

export const total = (scores: readonly CaseScore[]): Total => {
  const count = (of: (score: CaseScore) => number): number => scores.reduce((sum, score) => sum + of(score), 0);
  const right = count((score) => score.right.length);
  const missed = count((score) => score.missed.length);
  const falseAlarms = count((score) => score.falseAlarms.length);
  return {
    cases: scores.length,
    honest: scores.filter((score) => score.honest).length,
    labelled: right + missed,
    right,
    missed,
    falseAlarms,
    precision: share(right, right + falseAlarms),
    recall: share(right, right + missed),
  };
};

/** What the whole run must reach. */
export const TARGET = { precision: 0.98, recall: 0.95, cases: 100, honest: 40 } as const;

/** What is below the target, in words; empty if all is reached. */
export const shortcomings = (reached: Total): readonly string[] => [
  ...(reached.precision < TARGET.precision ? [`precision ${percent(reached.precision)} is below ${percent(TARGET.precision)}`] : []),
  ...(reached.recall < TARGET.recall ? [`recall ${percent(reached.recall)} is below ${percent(TARGET.recall)}`] : []),
  ...(reached.cases < TARGET.cases ? [`${reached.cases} labelled cases, fewer than ${TARGET.cases}`] : []),
  ...(reached.honest < TARGET.honest ? [`${reached.honest} honest controls, fewer than ${TARGET.honest}`] : []),
];

export const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
