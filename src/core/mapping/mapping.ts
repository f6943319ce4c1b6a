/**
 * Private protocols: a mapping file says where an event's type is and what each type means, and becomes a dialect like any
 * other. The format is documented in docs/mapping.md and docs/mapping.schema.json. A wrong file gives errors that name the
 * line and the key.
 */
import * as v from 'valibot';
import type { Dialect } from '../dialects/dialect';
import { lineOf, syntaxError } from './json-lines';
import { mappedDialect } from './mapped-dialect';
import { mayNeverEnd } from './pattern';

const VOICES = ['lifecycle', 'assistant', 'reasoning', 'progress', 'tool', 'log', 'interaction', 'terminal', 'user'] as const;
const OUTCOMES = ['completed', 'waiting', 'failed', 'cancelled', 'truncated', 'refused', 'unattested'] as const;
const WAITS = ['input', 'approval', 'auth', 'tool', 'other'] as const;

/** A place in the event's JSON: names and indexes joined by dots. `$event` is the name of the server-sent event. */
const path = v.pipe(v.string(), v.regex(/^(?:\$event|[^.\s]+(?:\.[^.\s]+)*)$/u, 'must be a path such as data.text, or $event'));
const pattern = v.pipe(
  v.string(),
  v.check((text) => {
    try {
      new RegExp(text, 'u');
      return true;
    } catch {
      return false;
    }
  }, 'must be a regular expression'),
  v.check(
    (text) => text.length < 1000 && !mayNeverEnd(text),
    'may never end on some texts, as it repeats what can match in several ways: repeat once, such as a+ for (a+)+, or [\\w-]+ for (\\w|-)+',
  ),
);
const voice = v.picklist(VOICES);
const standing = v.picklist(['provisional', 'committed'] as const);

/** What an event of one type does. `does` decides which of the other keys are read. */
const eventSchema = v.variant('does', [
  v.strictObject({ does: v.literal('open-run'), resumes: v.optional(path) }),
  v.strictObject({ does: v.literal('delta'), voice, text: path, part: v.optional(path) }),
  v.strictObject({ does: v.literal('replace'), voice, text: path, part: v.optional(path), standing: v.optional(standing) }),
  v.strictObject({ does: v.literal('close'), voice, text: v.optional(path), part: v.optional(path), standing: v.optional(standing) }),
  v.strictObject({ does: v.literal('withdraw'), voice, part: v.optional(path) }),
  v.strictObject({ does: v.literal('commit-all') }),
  v.strictObject({ does: v.literal('withdraw-all') }),
  v.strictObject({
    does: v.literal('tool-call'),
    id: path,
    name: v.optional(path),
    input: v.optional(path),
    owedBy: v.optional(v.picklist(['page', 'producer'] as const)),
  }),
  v.strictObject({ does: v.literal('tool-result'), id: path, output: v.optional(path), failed: v.optional(path) }),
  v.strictObject({
    does: v.literal('ask'),
    request: path,
    kind: v.picklist(WAITS),
    prompt: v.optional(path),
    blocking: v.optional(v.boolean()),
  }),
  v.strictObject({ does: v.literal('answer'), request: path }),
  v.strictObject({
    does: v.literal('finish'),
    /** The outcome where it is always the same. */
    outcome: v.optional(v.picklist(OUTCOMES)),
    /** Where the outcome's word is, and what its values mean. */
    reason: v.optional(path),
    outcomes: v.optional(v.record(v.string(), v.picklist(OUTCOMES))),
    waitingFor: v.optional(v.picklist(WAITS)),
    commits: v.optional(v.boolean()),
  }),
  v.strictObject({ does: v.literal('fail'), message: v.optional(path), code: v.optional(path) }),
  v.strictObject({ does: v.literal('sentinel') }),
  v.strictObject({ does: v.literal('note'), voice, text: v.optional(path), standing: v.optional(standing) }),
]);

const mappingSchema = v.strictObject({
  $schema: v.optional(v.string()),
  unsettledMapping: v.literal(1, 'must be 1, the version of the mapping format'),
  id: v.pipe(v.string(), v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u, 'must be lower-case words joined by dashes')),
  title: v.optional(v.string()),
  /** All must hold of one of the first frames. `url` alone is not enough: it only narrows. */
  recognise: v.strictObject({
    where: v.pipe(
      v.array(v.strictObject({ path, matches: v.optional(pattern) })),
      v.minLength(1, 'must name at least one path that only this protocol has'),
    ),
    url: v.optional(pattern),
  }),
  /** Where an event's type is. */
  type: path,
  identity: v.optional(
    v.strictObject({
      conversation: v.optional(path),
      run: v.optional(path),
      parentRun: v.optional(path),
      agent: v.optional(path),
      message: v.optional(path),
      step: v.optional(path),
    }),
  ),
  /** Where the wire's own event id is, by which replays are recognised. */
  eventId: v.optional(path),
  /** Type → what it does. A type may end in `*`. `*` alone is for all others, which are unrecognised without it. */
  events: v.record(v.string(), eventSchema),
});

export type Mapping = v.InferOutput<typeof mappingSchema>;
export type MappedEvent = v.InferOutput<typeof eventSchema>;

export interface MappingProblem {
  /** 1-based; null where no line can be named. */
  readonly line: number | null;
  /** Such as `events.token.text`; '' for the file as a whole. */
  readonly key: string;
  readonly message: string;
}

export type MappingResult =
  | { readonly ok: true; readonly mapping: Mapping; readonly dialect: Dialect }
  | { readonly ok: false; readonly problems: readonly MappingProblem[] };

/** Reads a mapping file. Never throws. */
export const readMapping = (text: string): MappingResult => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { line, message } = syntaxError(text);
    return { ok: false, problems: [{ line, key: '', message }] };
  }
  const result = v.safeParse(mappingSchema, value);
  if (!result.success) return { ok: false, problems: result.issues.flatMap((issue) => problemsOf(text, issue)) };
  const mapping = result.output;
  const settles = Object.values(mapping.events).some((event) => event.does === 'finish' || event.does === 'fail');
  const unclear = Object.entries(mapping.events).filter(
    ([, event]) => event.does === 'finish' && event.outcome === undefined && event.reason === undefined,
  );
  const problems: MappingProblem[] = unclear.map(([name]) => ({
    line: lineOf(text, ['events', name]),
    key: `events.${name}`,
    message: 'says "finish" and not how: give "outcome", or "reason" with "outcomes"',
  }));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, mapping, dialect: mappedDialect(mapping, settles) };
};

const problemsOf = (text: string, issue: v.BaseIssue<unknown>): readonly MappingProblem[] => {
  const keys = (issue.path ?? []).map((item) => String((item as { key: unknown }).key));
  const key = keys.join('.');
  const line = lineOf(text, keys);
  const allowed = issue.expected;
  const message =
    issue.type === 'strict_object' && allowed === 'never'
      ? 'is not a key that belongs here'
      : issue.received === 'undefined'
        ? 'is missing'
        : issue.kind === 'validation' || issue.message.startsWith('must')
          ? issue.message
          : `is ${issue.received}, and must be ${allowed ?? 'something else'}`;
  return [{ line, key, message }];
};
