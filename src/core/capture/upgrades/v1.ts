/**
 * Capture format version 1, frozen. Imports nothing: what this file accepts never changes with the rest of the program.
 * A later version adds a file with its own types and a step from here to there.
 */

export interface HeaderV1 {
  readonly format: 'unsettled-capture';
  readonly version: 1;
  readonly createdAt: string;
  readonly producer: { readonly name: string; readonly version: string; readonly browser: string | null };
  readonly documents: readonly DocumentV1[];
  readonly redaction: { readonly policy: string; readonly replaced: number } | null;
}
export interface DocumentV1 {
  readonly key: string;
  readonly url: string;
  readonly topLevel: boolean;
  readonly timeOrigin: number;
}

type Test = (value: unknown) => boolean;
const isString: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number' && Number.isFinite(value);
const isBoolean: Test = (value) => typeof value === 'boolean';
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const oneOf = (...values: readonly string[]): Test => {
  const set = new Set<unknown>(values);
  return (value) => set.has(value);
};
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isHeaders: Test = (value) => isObject(value) && Object.values(value).every(isString);
const isEdit: Test = (value) => isObject(value) && isNumber(value.at) && isNumber(value.removed) && isString(value.inserted);
const isRegion: Test = (value) =>
  isObject(value) &&
  isString(value.key) &&
  isString(value.path) &&
  orNull(isString)(value.role) &&
  orNull(isString)(value.label) &&
  oneOf('lifecycle', 'assistant', 'reasoning', 'progress', 'tool', 'log', 'interaction', 'terminal', 'user', 'unknown')(value.presentedAs);

/** The fields of each entry type beyond `type`, `seq` and `at`. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  'flow.opened': {
    flow: isString,
    document: isString,
    transport: oneOf('fetch', 'eventsource', 'websocket', 'xhr', 'datachannel'),
    method: isString,
    url: isString,
    requestHeaders: isHeaders,
    requestBody: orNull(isString),
  },
  'flow.head': { flow: isString, status: isNumber, headers: isHeaders },
  'flow.chunk': {
    flow: isString,
    direction: oneOf('sent', 'received'),
    text: isString,
    encoding: oneOf('text', 'base64'),
    event: orNull(isString),
    id: orNull(isString),
  },
  'flow.ended': {
    flow: isString,
    how: oneOf('eof', 'network-error', 'aborted-by-page', 'closed-by-server', 'document-gone'),
    code: orNull(isNumber),
    detail: orNull(isString),
  },
  gap: {
    flow: orNull(isString),
    reason: oneOf('over-budget', 'binary', 'read-natively', 'attached-late', 'relay-lost', 'redacted', 'fault', 'paused'),
    lost: isNumber,
  },
  tick: {},
  'sight.watch': { document: isString, state: oneOf('rest', 'started', 'stopped'), visible: isBoolean },
  'sight.text': {
    document: isString,
    region: isRegion,
    change: oneOf('appeared', 'changed', 'rested', 'removed'),
    edit: orNull(isEdit),
    length: isNumber,
    visible: isBoolean,
    rest: isBoolean,
  },
  'sight.cue': {
    document: isString,
    key: isString,
    kind: oneOf('control', 'composer', 'busy', 'animation', 'class', 'attribute', 'text', 'caret', 'outright'),
    label: orNull(isString),
    region: orNull(isString),
    value: orNull(isString),
    rest: isBoolean,
  },
};

const TESTS = new Map(Object.entries(FIELDS).map(([type, fields]) => [type, Object.entries(fields)]));

/** What is wrong with the entry, in words; null if nothing is. */
export const faultOfEntryV1 = (value: unknown): string | null => {
  if (!isObject(value)) return 'not a JSON object';
  // Nearly every line is a chunk: a right one is let through without the walk below.
  if (
    value.type === 'flow.chunk' &&
    isNumber(value.seq) &&
    isNumber(value.at) &&
    typeof value.flow === 'string' &&
    typeof value.text === 'string' &&
    (value.direction === 'received' || value.direction === 'sent') &&
    (value.encoding === 'text' || value.encoding === 'base64') &&
    (value.event === null || typeof value.event === 'string') &&
    (value.id === null || typeof value.id === 'string')
  )
    return null;
  if (!isNumber(value.seq)) return 'seq is not a number';
  if (!isNumber(value.at)) return 'at is not a number';
  const tests = typeof value.type === 'string' ? TESTS.get(value.type) : undefined;
  if (tests === undefined) return `no entry type ${JSON.stringify(value.type)}`;
  for (const [field, test] of tests) if (!test(value[field])) return `${value.type as string} has a wrong ${field}`;
  return null;
};

const isDocument: Test = (value) =>
  isObject(value) && isString(value.key) && isString(value.url) && isBoolean(value.topLevel) && isNumber(value.timeOrigin);

/** What is wrong with the header, in words; null if nothing is. */
export const faultOfHeaderV1 = (value: unknown): string | null => {
  if (!isObject(value) || value.format !== 'unsettled-capture') return 'format is not unsettled-capture';
  if (value.version !== 1) return 'version is not 1';
  if (!isString(value.createdAt)) return 'createdAt is not a string';
  const { producer, documents, redaction } = value;
  if (!isObject(producer) || !isString(producer.name) || !isString(producer.version) || !orNull(isString)(producer.browser))
    return 'producer has a wrong field';
  if (!Array.isArray(documents) || !documents.every(isDocument)) return 'documents has a wrong entry';
  if (redaction === undefined) return 'redaction is missing (null: as recorded)';
  if (redaction !== null && !(isObject(redaction) && isString(redaction.policy) && isNumber(redaction.replaced)))
    return 'redaction has a wrong field';
  return null;
};
