/**
 * The dialect that a mapping describes. It knows no wire word of its own: every meaning comes from the mapping, and a type
 * that the mapping does not name is unrecognised, kept and shown.
 */
import {
  asArray,
  asObject,
  asString,
  asText,
  type Decoder,
  type Dialect,
  frameObject,
  identityOf,
  type Json,
  type JsonObject,
  type Utterance,
  utter,
  utterFailed,
  utterFinished,
} from '../dialects/dialect';
import type { FinishReason, Voice, WireFrame } from '../model';
import type { MappedEvent, Mapping } from './mapping';

const REASONS: Readonly<Record<string, FinishReason['reason']>> = {
  completed: 'stop',
  waiting: 'waiting',
  failed: 'error',
  cancelled: 'cancelled',
  truncated: 'length',
  refused: 'refusal',
  unattested: 'other',
};

export const at = (event: JsonObject, path: string | undefined, frame: WireFrame): Json | undefined => {
  if (path === undefined) return undefined;
  if (path === '$event') return frame.event ?? undefined;
  let value: Json | undefined = event;
  for (const key of path.split('.')) {
    value = Array.isArray(value)
      ? asArray(value)[Number(key)]
      : Object.hasOwn(asObject(value) ?? {}, key)
        ? asObject(value)![key]
        : undefined;
    if (value === undefined) return undefined;
  }
  return value;
};
export const word = (value: Json | undefined): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

/** The entry for a type: its own name, the longest `prefix*` that fits, or `*`. */
const entryFor = (mapping: Mapping, type: string): MappedEvent | undefined => {
  if (Object.hasOwn(mapping.events, type)) return mapping.events[type];
  const fits = Object.keys(mapping.events)
    .filter((name) => name.endsWith('*') && type.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.length - a.length);
  return fits[0] === undefined ? undefined : mapping.events[fits[0]];
};

const open = (mapping: Mapping): Decoder => {
  const read = (frame: WireFrame): readonly Utterance[] => {
    const event = frameObject(frame);
    if (event === null) return [utter('(not JSON)', null, 'provisional', { type: 'malformed', detail: 'the data is not a JSON object' })];
    const type = word(at(event, mapping.type, frame)) ?? '';
    const entry = entryFor(mapping, type);
    const get = (path: string | undefined): Json | undefined => at(event, path, frame);
    const identity = identityOf(Object.fromEntries(Object.entries(mapping.identity ?? {}).map(([key, path]) => [key, get(path)])));
    const about = { identity, wireId: word(get(mapping.eventId)) };
    if (entry === undefined) return [utter(type || '(no type)', null, 'provisional', { type: 'unrecognised' }, about)];
    const partOf = (voice: Voice, path: string | undefined): string => `${voice}:${word(get(path)) ?? identity.message ?? ''}`;
    const missing = (key: string): readonly Utterance[] => [
      utter(type, null, 'provisional', { type: 'malformed', detail: `nothing at ${key}, where the mapping looks` }, about),
    ];

    switch (entry.does) {
      case 'open-run': {
        const resumed = get(entry.resumes);
        const resumes = Array.isArray(resumed)
          ? asArray(resumed).flatMap((id) => word(id) ?? [])
          : [word(resumed)].filter((id) => id !== null);
        return [utter(type, 'lifecycle', 'committed', { type: 'run.opened', resumes }, about)];
      }
      case 'delta': {
        const text = asText(get(entry.text));
        if (text === null) return missing(entry.text);
        return [utter(type, entry.voice, 'provisional', { type: 'part.delta', text }, { ...about, part: partOf(entry.voice, entry.part) })];
      }
      case 'replace': {
        const text = asText(get(entry.text));
        if (text === null) return missing(entry.text);
        return [
          utter(
            type,
            entry.voice,
            entry.standing ?? 'provisional',
            { type: 'part.replaced', text },
            { ...about, part: partOf(entry.voice, entry.part) },
          ),
        ];
      }
      case 'close':
        return [
          utter(
            type,
            entry.voice,
            entry.standing ?? 'committed',
            { type: 'part.closed', text: asText(get(entry.text)) },
            { ...about, part: partOf(entry.voice, entry.part) },
          ),
        ];
      case 'withdraw':
        return [utter(type, entry.voice, 'committed', { type: 'part.withdrawn' }, { ...about, part: partOf(entry.voice, entry.part) })];
      case 'commit-all':
        return [utter(type, 'lifecycle', 'committed', { type: 'parts.committed' }, about)];
      case 'withdraw-all':
        return [utter(type, 'lifecycle', 'committed', { type: 'parts.withdrawn', scope: 'provisional' }, about)];
      case 'tool-call': {
        const toolCall = word(get(entry.id));
        if (toolCall === null) return missing(entry.id);
        return [
          utter(
            type,
            'tool',
            'committed',
            {
              type: 'tool.called',
              name: asString(get(entry.name)) ?? '',
              input: asText(get(entry.input)),
              owedBy: entry.owedBy ?? 'producer',
            },
            { ...about, identity: { ...identity, toolCall } },
          ),
        ];
      }
      case 'tool-result': {
        const toolCall = word(get(entry.id));
        if (toolCall === null) return missing(entry.id);
        return [
          utter(
            type,
            'tool',
            'committed',
            { type: 'tool.returned', output: asText(get(entry.output)), failed: get(entry.failed) === true, preliminary: false },
            { ...about, identity: { ...identity, toolCall } },
          ),
        ];
      }
      case 'ask': {
        const request = word(get(entry.request));
        if (request === null) return missing(entry.request);
        return [
          utter(
            type,
            'interaction',
            'committed',
            { type: 'asked', request, kind: entry.kind, prompt: asText(get(entry.prompt)), blocking: entry.blocking ?? false },
            about,
          ),
        ];
      }
      case 'answer': {
        const request = word(get(entry.request));
        return request === null
          ? missing(entry.request)
          : [utter(type, 'interaction', 'committed', { type: 'answered', request, how: null }, about)];
      }
      case 'finish': {
        const raw = word(get(entry.reason));
        const named = raw !== null && entry.outcomes !== undefined && Object.hasOwn(entry.outcomes, raw) ? entry.outcomes[raw] : undefined;
        // A word that the mapping does not know says "ended", and not how.
        const outcome = named ?? entry.outcome ?? 'unattested';
        const commits = entry.commits ?? (outcome === 'completed' || outcome === 'truncated' || outcome === 'refused');
        return [
          ...(commits ? [utter(type, 'terminal', 'settling', { type: 'parts.committed' }, about)] : []),
          utterFinished(
            type,
            { reason: REASONS[outcome]!, raw: raw ?? type },
            outcome === 'waiting' ? (entry.waitingFor ?? 'other') : null,
            about,
          ),
        ];
      }
      case 'fail':
        return [utterFailed(type, asText(get(entry.message)) ?? '', word(get(entry.code)), about)];
      case 'sentinel':
        return [utter(type, 'log', 'committed', { type: 'sentinel' }, about)];
      case 'note':
        return [utter(type, entry.voice, entry.standing ?? 'committed', { type: 'note', text: asText(get(entry.text)) }, about)];
    }
  };
  return { frame: (frame) => (frame.direction === 'received' ? read(frame) : []), end: () => [] };
};

export const mappedDialect = (mapping: Mapping, settles: boolean): Dialect => {
  const url = mapping.recognise.url === undefined ? null : new RegExp(mapping.recognise.url, 'u');
  const where = mapping.recognise.where.map(({ path, matches }) => ({
    path,
    matches: matches === undefined ? null : new RegExp(matches, 'u'),
  }));
  return {
    id: mapping.id,
    title: mapping.title ?? mapping.id,
    framings: ['sse', 'ndjson', 'message', 'body'],
    hasTerminalWord: settles,
    runs: 'socket',
    recognise(opening) {
      if (url !== null && !url.test(opening.url)) return 'no';
      return opening.frames.some((frame) => {
        const event = frame.direction === 'received' ? frameObject(frame) : null;
        return (
          event !== null &&
          where.every(({ path, matches }) => {
            const value = at(event, path, frame);
            return value !== undefined && (matches === null || matches.test(word(value) ?? ''));
          })
        );
      })
        ? 'certain'
        : 'no';
    },
    open: () => open(mapping),
  };
};

/** The entry that an event, taken as an example, suggests; the person then says what it means. */
export const suggestFrom = (
  frame: WireFrame,
): { readonly type: string; readonly typePath: string; readonly paths: readonly { readonly path: string; readonly sample: string }[] } => {
  const event = frameObject(frame);
  const paths: { path: string; sample: string }[] = [];
  const walk = (value: Json, path: string, depth: number): void => {
    const object = asObject(value);
    if (object !== null && depth < 5)
      for (const [key, inner] of Object.entries(object)) walk(inner, path === '' ? key : `${path}.${key}`, depth + 1);
    else if (value !== null && typeof value !== 'object' && paths.length < 60) paths.push({ path, sample: String(value).slice(0, 80) });
  };
  if (event !== null) walk(event, '', 0);
  const typePath =
    ['type', 'event', 'kind', 'event_type', 'method', 'op', 'action'].find((key) => typeof event?.[key] === 'string') ??
    (frame.event === null ? (paths[0]?.path ?? 'type') : '$event');
  return {
    type: typePath === '$event' ? (frame.event ?? '') : (word(event === null ? undefined : at(event, typePath, frame)) ?? ''),
    typePath,
    paths,
  };
};
