/**
 * One model step of a DeepSeek Harness turn: the streamed chunks, and the message that commits them. Chunks name their block
 * by an index that starts over after a retry; the message names none, so its blocks are matched to the streamed ones here.
 */
import type { AgentEventBody, Identity, Voice } from '../model';
import {
  type About,
  asArray,
  asNumber,
  asObject,
  asString,
  asText,
  delta,
  identityOf,
  type JsonObject,
  type Utterance,
  utter,
} from './dialect';

/** A streamed block, and what its deltas are about. */
interface Block {
  type: string | null;
  blank: boolean;
  about: About | null;
}

/** What is known of the blocks streamed in the current step of a session, by index. */
export interface Step {
  readonly key: string;
  readonly blocks: Map<number, Block>;
}

/** Its number in the log, as the ledger wants it. */
export interface Head {
  readonly wireId: string | null;
  readonly order: number | null;
}

/** Says something of the log event at hand. */
export type Say = (body: AgentEventBody, more?: { voice?: Voice; identity?: Identity; part?: string; raw?: string }) => Utterance;

/** The text of the blocks of one type, joined. */
export const textOf = (content: unknown, type = 'text'): string =>
  asArray(content)
    .map(asObject)
    .filter((block) => block !== null && block.type === type)
    .map((block) => asString(block!.text) ?? '')
    .join('');

/** What there is of the words, or null. */
export const joined = (...words: unknown[]): string | null => {
  const said = words.map(asText).filter((word) => word !== null && word !== '');
  return said.length === 0 ? null : said.join(' · ');
};

const VOICES: ReadonlyMap<string, Voice> = new Map([
  ['text', 'assistant'],
  ['reasoning', 'reasoning'],
  ['tool-call', 'tool'],
]);

/** Chunks that bring a piece of text: the wire's name of the event, the voice, and the type of the block. */
const PIECES = {
  'text-delta': { raw: 'assistant/chunk text-delta', voice: 'assistant', type: 'text' },
  'reasoning-delta': { raw: 'assistant/chunk reasoning-delta', voice: 'reasoning', type: 'reasoning' },
} as const;

/** What is learned of a block from a chunk of it. */
const learn = (step: Step, index: number, type: string | null, text: string): Block => {
  let block = step.blocks.get(index);
  if (block === undefined) {
    block = { type: null, blank: true, about: null };
    step.blocks.set(index, block);
  }
  block.type ??= type;
  if (block.blank && text.trim() !== '') block.blank = false;
  return block;
};

/** A chunk as what it says: always provisional. */
export const readChunk = (chunk: JsonObject, step: Step, base: Identity, head: Head): readonly Utterance[] => {
  const kind = asString(chunk.type) ?? '?';
  const index = asNumber(chunk.index);
  const text = asString(chunk.text);
  // Nearly all events of a long log are one more piece of the same block.
  const piece = kind === 'text-delta' || kind === 'reasoning-delta' ? PIECES[kind] : null;
  if (piece !== null && index !== null && text !== null) {
    const block = learn(step, index, piece.type, text);
    block.about ??= { identity: { ...base, ...identityOf({ part: index }) }, part: `${step.key}:${index}` };
    return [delta(piece.raw, piece.voice, text, block.about, head.wireId, head.order)];
  }
  return readOther(kind, index, chunk, step, base, head);
};

const readOther = (kind: string, index: number | null, chunk: JsonObject, step: Step, base: Identity, head: Head): readonly Utterance[] => {
  const part = index === null ? null : `${step.key}:${index}`;
  const say = (voice: Voice | null, body: AgentEventBody, identity: Identity = {}): readonly Utterance[] => [
    utter(`assistant/chunk ${kind}`, voice, 'provisional', body, {
      identity: { ...base, ...identityOf({ part: index ?? undefined }), ...identity },
      part: voice === 'assistant' || voice === 'reasoning' ? part : null,
      ...head,
    }),
  ];
  const note = (type: string, text: string): void => {
    if (index !== null) learn(step, index, type, text);
  };

  switch (kind) {
    case 'block-start': {
      const type = asString(chunk.blockType) ?? '';
      note(type, '');
      const voice = VOICES.get(type) ?? 'log';
      return say(voice, voice === 'assistant' || voice === 'reasoning' ? { type: 'part.opened' } : { type: 'note', text: type });
    }
    case 'text-delta':
    case 'reasoning-delta':
      return say(PIECES[kind].voice, { type: 'malformed', detail: 'a delta without text or index' });
    case 'tool-call-delta':
      note('tool-call', '');
      return say('tool', { type: 'tool.input', text: asString(chunk.argumentsDelta) ?? '' }, identityOf({ toolCall: chunk.id }));
    case 'block-end': {
      // Looks complete and is not: an error can still follow, and only the message commits.
      const block = asObject(chunk.block);
      const type = asString(block?.type) ?? '';
      const voice = VOICES.get(type) ?? 'log';
      if (voice !== 'assistant' && voice !== 'reasoning')
        return say(voice, { type: 'note', text: type }, identityOf({ toolCall: block?.id }));
      note(type, asString(block?.text) ?? '');
      return say(voice, { type: 'part.closed', text: asString(block?.text) });
    }
    case 'usage':
      return say('log', { type: 'usage', usage: usageOf(asObject(chunk.usage) ?? {}) });
    case 'finish': {
      // The end of one model call, never of a turn: a message, a retry or the turn's own ending follows.
      const reason = asObject(chunk.reason);
      const failure = asObject(reason?.failure);
      return say('lifecycle', { type: 'note', text: joined(reason?.kind, failure?.code, failure?.message) });
    }
    default:
      return say(null, { type: 'unrecognised' });
  }
};

/**
 * The blocks of a committed message onto the streamed ones, in order and by type. A block that was not streamed here (the
 * flow joined later) takes the next free index; what the message leaves out is withdrawn.
 */
export const commit = (message: JsonObject, step: Step, say: Say): Utterance[] => {
  const out: Utterance[] = [];
  const identity = identityOf({ message: message.id, agent: undefined });
  const streamed = [...step.blocks.entries()].sort(([a], [b]) => a - b);
  const used = new Set<number>();
  let last = -1;
  for (const block of asArray(message.content).map(asObject)) {
    const type = asString(block?.type) ?? '';
    if (type === 'tool-call') {
      const call = identityOf({ toolCall: block?.id, message: message.id });
      const input = asText(block?.arguments);
      out.push(
        say({ type: 'tool.called', name: asString(block?.name) ?? '', input, owedBy: 'producer' }, { voice: 'tool', identity: call }),
      );
    }
    const voice = VOICES.get(type);
    if (voice !== 'assistant' && voice !== 'reasoning') {
      if (type !== 'tool-call') out.push(say({ type: 'note', text: type }, { voice: 'log', identity }));
      last = place(streamed, type, last, '');
      continue;
    }
    const text = asString(block?.text) ?? '';
    last = place(streamed, type, last, text);
    used.add(last);
    out.push(
      say({ type: 'part.closed', text }, { voice, identity: { ...identity, ...identityOf({ part: last }) }, part: `${step.key}:${last}` }),
    );
  }
  for (const [index, { type }] of streamed)
    if (!used.has(index) && (type === 'text' || type === 'reasoning'))
      out.push(say({ type: 'part.withdrawn' }, { voice: VOICES.get(type)!, identity, part: `${step.key}:${index}` }));
  return out;
};

/** The index of the streamed block that this one is: the next of its type, blank ones passed over for text that is not. */
const place = (streamed: readonly (readonly [number, Block])[], type: string, last: number, text: string) => {
  const same = streamed.filter(([index, block]) => index > last && block.type === type);
  const next = same.find(([, block]) => block.blank === (text.trim() === '')) ?? same[0];
  if (next) return next[0];
  const taken = new Set(streamed.map(([index]) => index));
  let free = last + 1;
  while (taken.has(free)) free++;
  return free;
};

export const usageOf = (usage: JsonObject) => ({
  inputTokens: asNumber(usage.inputTokens),
  outputTokens: asNumber(usage.outputTokens),
  reasoningTokens: asNumber(usage.reasoningTokens),
});
