/**
 * Parts of OpenCode messages, in both families of events: `message.part.*` (a part whole, or a delta of one of its fields)
 * and `session.next.*` (started, delta, ended). A part is committed when its end time is set, or its `ended` event comes.
 *
 * A delta does not say what kind of part it is for: deltas of a part that was never announced wait for its whole text.
 */
import type { Identity, Voice } from '../model';
import { asNumber, asObject, asString, asText, type JsonObject, table, type Utterance, unrecognised, utter } from './dialect';

export type About = { readonly identity: Identity; readonly lane: string; readonly wireId: string | null };

export interface Session {
  readonly id: string;
  parent: string | null;
  /** The last thing the person said that is not being worked on yet. */
  prompt: string | null;
  run: string | null;
  running: boolean;
  /** How often it has set to work. */
  turn: number;
  finish: string | null;
  error: { readonly name: string; readonly message: string } | null;
  rejected: boolean;
  /** Which family of events brings the content; a server that sends both says everything twice. */
  family: 'parts' | 'next' | null;
  readonly messages: Map<string, { readonly role: string; readonly turn: number }>;
  readonly parts: Map<string, { readonly type: string; readonly message: string }>;
  /** Call id → how far it was told: called without its input, or with it. */
  readonly tools: Map<string, 'called' | 'running'>;
  /** Open requests, and the tool call each is about. */
  readonly asks: Map<string, string | null>;
  usage: { input: number; output: number; reasoning: number };
}

const VOICES: Readonly<Record<string, Voice>> = table({ text: 'assistant', reasoning: 'reasoning' });

const usageOf = (session: Session, tokens: JsonObject | null, raw: string, at: About): readonly Utterance[] => {
  if (tokens === null) return [];
  session.usage.input += asNumber(tokens.input) ?? 0;
  session.usage.output += asNumber(tokens.output) ?? 0;
  session.usage.reasoning += asNumber(tokens.reasoning) ?? 0;
  const { input, output, reasoning } = session.usage;
  return [
    utter(raw, 'log', 'committed', { type: 'usage', usage: { inputTokens: input, outputTokens: output, reasoningTokens: reasoning } }, at),
  ];
};

const tool = (session: Session, part: JsonObject, at: About, raw: string): Utterance => {
  const id = asString(part.callID) ?? '';
  const state = asObject(part.state);
  const status = asString(state?.status) ?? '';
  const name = `${raw} tool ${status}`.trimEnd();
  const about = { ...at, identity: { ...at.identity, toolCall: id } };
  if (status === 'completed' || status === 'error')
    return utter(
      name,
      'tool',
      'committed',
      { type: 'tool.returned', output: asText(state?.output ?? state?.error), failed: status === 'error', preliminary: false },
      about,
    );
  const told = session.tools.get(id);
  if (told === 'running' || (told === 'called' && status !== 'running'))
    return utter(name, 'tool', 'provisional', { type: 'note', text: null }, about);
  session.tools.set(id, status === 'running' ? 'running' : 'called');
  return utter(
    name,
    'tool',
    'provisional',
    { type: 'tool.called', name: asString(part.tool) ?? '', input: status === 'running' ? asText(state?.input) : null, owedBy: 'producer' },
    about,
  );
};

export const partUpdated = (session: Session, part: JsonObject, delta: string | null, at: About, type: string): readonly Utterance[] => {
  const id = asString(part.id) ?? '';
  const kind = asString(part.type) ?? '';
  const raw = `${type} ${kind}`.trimEnd();
  const message = asString(part.messageID) ?? '';
  const time = asObject(part.time);
  const text = asString(part.text) ?? '';
  const role = session.messages.get(message)?.role ?? (time === null ? 'user' : 'assistant');
  // Only what the model says has a time; what a person says comes as parts all the same.
  if (role === 'user') return [utter(raw, 'user', 'committed', { type: 'note', text: kind === 'text' ? text : null }, at)];
  if (session.family === 'next' && (VOICES[kind] !== undefined || kind === 'tool'))
    return [utter(raw, 'log', 'committed', { type: 'note', text: null }, at)];
  session.family = 'parts';
  const voice = VOICES[kind];
  if (voice !== undefined) {
    if (part.synthetic === true || part.ignored === true) return [utter(raw, 'log', 'committed', { type: 'note', text }, at)];
    const about = { ...at, part: id };
    const known = session.parts.has(id);
    session.parts.set(id, { type: kind, message });
    if (time?.end !== undefined && time.end !== null) return [utter(raw, voice, 'committed', { type: 'part.closed', text }, about)];
    if (!known && text === '') return [utter(raw, voice, 'provisional', { type: 'part.opened' }, about)];
    if (known && delta !== null) return [utter(raw, voice, 'provisional', { type: 'part.delta', text: delta }, about)];
    return [utter(raw, voice, 'provisional', { type: 'part.replaced', text }, about)];
  }
  switch (kind) {
    case 'tool':
      return [tool(session, part, at, type)];
    case 'step-start':
      return [utter(raw, 'lifecycle', 'committed', { type: 'step.opened' }, at)];
    case 'step-finish':
      if (session.running) session.finish = asString(part.reason) ?? session.finish;
      return [
        ...usageOf(session, asObject(part.tokens), raw, at),
        utter(`${raw} ${asString(part.reason) ?? ''}`.trimEnd(), 'lifecycle', 'committed', { type: 'step.closed' }, at),
      ];
    case 'retry':
    case 'patch':
    case 'snapshot':
    case 'file':
    case 'agent':
    case 'subtask':
    case 'compaction':
      return [utter(raw, 'log', 'committed', { type: 'note', text: null }, at)];
  }
  return [unrecognised(raw, at)];
};

export const partDelta = (session: Session, properties: JsonObject, at: About, raw: string): readonly Utterance[] => {
  const id = asString(properties.partID) ?? '';
  const voice = VOICES[session.parts.get(id)?.type ?? ''];
  if (properties.field !== 'text' || voice === undefined || session.family === 'next')
    return [utter(raw, 'log', 'provisional', { type: 'note', text: null }, at)];
  return [utter(raw, voice, 'provisional', { type: 'part.delta', text: asString(properties.delta) ?? '' }, { ...at, part: id })];
};

/** `session.next.*`, less the prompts. */
export const nextEvent = (session: Session, raw: string, properties: JsonObject, at: About): readonly Utterance[] => {
  const [kind, ...rest] = raw.slice('session.next.'.length).split('.');
  const step = rest.join('.');
  const message = asString(properties.assistantMessageID) ?? '';
  const said = { ...at, identity: message === '' ? at.identity : { ...at.identity, message } };
  const note = (voice: Voice, text: string | null = null): readonly Utterance[] => [
    utter(raw, voice, 'committed', { type: 'note', text }, said),
  ];
  if (kind === 'step') {
    if (step === 'started') return [utter(raw, 'lifecycle', 'committed', { type: 'step.opened' }, said)];
    if (step === 'ended') {
      session.finish = asString(properties.finish) ?? session.finish;
      return [
        ...usageOf(session, asObject(properties.tokens), raw, said),
        utter(raw, 'lifecycle', 'committed', { type: 'step.closed' }, said),
      ];
    }
    const error = asObject(properties.error);
    session.error = { name: asString(error?.type) ?? asString(error?.name) ?? 'error', message: asString(error?.message) ?? '' };
    return note('log', session.error.message);
  }
  const content = kind === 'text' || kind === 'reasoning' || kind === 'tool';
  if (!content) return note(kind === 'shell' ? 'tool' : kind === 'retried' || kind === 'compaction' ? 'log' : 'lifecycle');
  if (session.family === 'parts') return note('log');
  session.family = 'next';
  const voice = VOICES[kind];
  if (voice !== undefined) {
    const part = `${message}:${kind}:${asString(properties[`${kind}ID`]) ?? ''}`;
    session.parts.set(part, { type: kind, message });
    const about = { ...said, part };
    if (step === 'started') return [utter(raw, voice, 'provisional', { type: 'part.opened' }, about)];
    if (step === 'delta') return [utter(raw, voice, 'provisional', { type: 'part.delta', text: asString(properties.delta) ?? '' }, about)];
    if (step === 'ended') return [utter(raw, voice, 'committed', { type: 'part.closed', text: asString(properties.text) }, about)];
  } else {
    const about = { ...said, identity: { ...said.identity, toolCall: asString(properties.callID) ?? '' } };
    const name = asString(properties.name) ?? asString(properties.tool) ?? '';
    if (step === 'input.started' || step === 'called')
      return [utter(raw, 'tool', 'provisional', { type: 'tool.called', name, input: asText(properties.input), owedBy: 'producer' }, about)];
    if (step === 'input.delta')
      return [utter(raw, 'tool', 'provisional', { type: 'tool.input', text: asString(properties.delta) ?? '' }, about)];
    if (step === 'success' || step === 'failed')
      return [
        utter(
          raw,
          'tool',
          'committed',
          {
            type: 'tool.returned',
            output: asText(properties.result ?? properties.content ?? properties.error),
            failed: step === 'failed',
            preliminary: false,
          },
          about,
        ),
      ];
    if (step === 'input.ended' || step === 'progress') return [utter(raw, 'tool', 'provisional', { type: 'note', text: null }, about)];
  }
  return [unrecognised(raw, said)];
};
