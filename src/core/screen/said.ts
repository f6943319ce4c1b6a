/**
 * Everything a run's stream said in words, as texts that may show up on a page: its parts, and the words of events that
 * make no part (status labels, notes, questions, errors, tool inputs and outputs). Grows with the run.
 */
import type { SaidText } from '../align/align';
import type { AgentEvent, Run, Voice } from '../model';

export interface Said {
  readonly texts: readonly SaidText[];
  /** Keys of texts that are the producer's error message, or a question to a person. */
  readonly errors: ReadonlySet<string>;
  readonly questions: ReadonlySet<string>;
  /** What the person had said: on the stream, or in the request. */
  readonly user: readonly string[];
}

export interface Speech {
  /** Everything said so far. The same object while nothing changed. */
  of(run: Run, events: readonly AgentEvent[], requestBodies: readonly string[]): Said;
}

/** Words of events beyond this many are not looked for: they are logs by then. */
const EVENTS_KEPT = 300;
const LONGEST = 20_000;
/** Words of events shorter than this are too common to be found ("done", "search"). */
const SHORTEST = 8;

/** Key of the text that was streamed before other text was committed over it. */
export const streamedKey = (part: string): string => `${part}#streamed`;
/** Key of an event's words. */
export const eventKey = (event: { readonly flow: string; readonly ordinal: number }): string => `event:${event.flow}:${event.ordinal}`;

/** The words of an event that makes no part; null where it has none. */
const wordsOf = (event: AgentEvent): string | null => {
  switch (event.type) {
    case 'status':
      return event.label;
    case 'note':
      return event.text;
    case 'asked':
      return event.prompt;
    case 'failed':
      return event.message;
    case 'tool.called':
      return event.input;
    case 'tool.returned':
      return event.output;
    case 'prompt.sent':
      return event.text;
    default:
      return null;
  }
};

/** The beginning of an answer, or what a person asked: a short line that a list has moved to another row, or that still grows. */
export const isSpoken = (text: string, { texts, errors, questions, user }: Said): boolean => {
  const words = text.trim();
  return (
    words.length >= SHORTEST &&
    !texts.some(({ key, text: said }) => (errors.has(key) || questions.has(key)) && said.includes(words)) &&
    (user.includes(words) || texts.some((said) => said.voice === 'assistant' && said.text.trimStart().startsWith(words)))
  );
};

const strings = (value: unknown, into: string[], depth: number): void => {
  if (into.length > 500 || depth > 12) return;
  if (typeof value === 'string') {
    if (value !== '') into.push(value);
  } else if (Array.isArray(value)) for (const item of value) strings(item, into, depth + 1);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) strings(item, into, depth + 1);
};

const requestWords = (body: string): readonly string[] => {
  const found: string[] = [];
  try {
    strings(JSON.parse(body), found, 0);
  } catch {
    found.push(body);
  }
  return found;
};

export const createSpeech = (): Speech => {
  let revision = -1;
  let read = 0;
  let source: readonly AgentEvent[] | null = null;
  let bodies = 0;
  let spoken: SaidText[] = [];
  let errors = new Set<string>();
  let questions = new Set<string>();
  let user: string[] = [];
  let said: Said = { texts: [], errors, questions, user };

  const event = (one: AgentEvent): void => {
    const words = wordsOf(one);
    if (words === null || words === '') return;
    if (one.type === 'prompt.sent' || one.voice === 'user') {
      user.push(words);
      return;
    }
    const key = eventKey(one);
    if (one.type === 'failed') errors.add(key);
    else if (one.type === 'asked') questions.add(key);
    else if (words.length < SHORTEST) return;
    spoken.push({
      key,
      voice: voiceOf(one),
      text: words.length > LONGEST ? words.slice(0, LONGEST) : words,
      openedSeq: one.seq,
      lastSeq: one.seq,
      // What a part says as well is the part's.
      stale: true,
    });
    if (spoken.length > EVENTS_KEPT * 2) spoken = spoken.slice(-EVENTS_KEPT);
  };

  return {
    of(run, events, requestBodies) {
      if (run.revision === revision && read === events.length && source === events && bodies === requestBodies.length) return said;
      if (source !== events || read > events.length) {
        source = events;
        read = 0;
        spoken = [];
        errors = new Set();
        questions = new Set();
        user = [];
        bodies = 0;
      }
      for (; bodies < requestBodies.length; bodies++) user.push(...requestWords(requestBodies[bodies]!));
      for (; read < events.length; read++) event(events[read]!);
      revision = run.revision;
      const texts: SaidText[] = [];
      const people = [...user];
      for (const attempt of run.attempts)
        for (const part of attempt.parts) {
          if (part.voice === 'user') {
            people.push(part.text);
            continue;
          }
          const base = { voice: part.voice, openedSeq: part.openedSeq, lastSeq: part.lastSeq, stale: part.withdrawn || attempt.replaced };
          if (part.text !== '') texts.push({ ...base, key: part.key, text: part.text });
          if (part.streamedText !== null && part.streamedText !== '')
            texts.push({ ...base, key: streamedKey(part.key), text: part.streamedText, stale: true });
        }
      texts.push(...spoken.slice(-EVENTS_KEPT));
      said = { texts, errors, questions, user: people };
      return said;
    },
  };
};

const voiceOf = (event: AgentEvent): Voice => event.voice ?? 'log';
