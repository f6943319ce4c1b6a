/**
 * The texts of AG-UI: messages, reasoning and (in 0.x) thinking, streamed between a start and an end or in shorthand chunks,
 * and what a snapshot of the messages says of them in the end. Part keys: `m:` message, `r:` reasoning, `t:` thinking.
 */
import type { Identity, Voice } from '../model';
import { asObjects, asString, identityOf, type JsonObject, type Utterance, utter } from './dialect';
import { createWriting } from './writing';

export interface About {
  readonly identity: Identity;
  readonly wireId: string | null;
}

/** Events that bring a piece of text. */
const PIECES: ReadonlySet<string> = new Set(['TEXT_MESSAGE_CONTENT', 'REASONING_MESSAGE_CONTENT', 'THINKING_TEXT_MESSAGE_CONTENT']);

export interface Texts {
  /** Text and reasoning parts between their start and end: part key → voice. */
  readonly open: Map<string, Voice>;
  /** One more piece of the text that is being written; null if the event has to be read. */
  more(type: string, event: JsonObject, wireId: string | null): readonly Utterance[] | null;
  /** What was said of an event that was read. Returns it. */
  note(type: string, said: readonly Utterance[]): readonly Utterance[];
  /** Closes the shorthand part, which has no end event of its own, if the event does not go on with it. */
  closeChunk(type: string, event: JsonObject): readonly Utterance[];
  /** What a text event says; null for any other event. */
  read(type: string, event: JsonObject, about: About): readonly Utterance[] | null;
  snapshot(event: JsonObject, about: About): readonly Utterance[];
}

/** `sent`: ids of the messages that the page sent along. `fromStart`: false where the stream was taken up in its middle. */
export const createTexts = (sent: ReadonlySet<string>, fromStart: () => boolean): Texts => {
  let thinking = 0;
  /** Text and reasoning parts between their start and end: part key → voice. */
  const open = new Map<string, Voice>();
  const spoken = new Map<string, string>();
  const writing = createWriting();
  /** The part that is being written, and what was said of it since its text was last put down. */
  let written = '';
  let tail = '';
  /** The part that shorthand chunks go on with; any other event closes it. */
  let chunked: { readonly part: string; readonly voice: Voice; readonly identity: Identity } | null = null;

  /** Text between a start and an end of its own. */
  const whole = (type: string, event: JsonObject, about: About, voice: Voice, part: string): readonly Utterance[] => {
    const where = { identity: about.identity, wireId: about.wireId, part };
    if (type.endsWith('_START')) {
      open.set(part, voice);
      spoken.set(part, '');
      return [utter(type, voice, 'provisional', { type: 'part.opened' }, where)];
    }
    if (type.endsWith('_CONTENT')) {
      const delta = asString(event.delta) ?? '';
      spoken.set(part, (spoken.get(part) ?? '') + delta);
      const said = utter(type, voice, 'provisional', { type: 'part.delta', text: delta }, where);
      if (open.has(part) || !fromStart()) return [said];
      return [
        utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `${type} without its start` }, about),
        said,
      ];
    }
    if (!open.delete(part) && fromStart())
      return [utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `${type} without its start` }, about)];
    return [utter(type, voice, 'committed', { type: 'part.closed', text: null }, where)];
  };

  const voiceOf = (event: JsonObject, part: string): Voice => {
    const role = asString(event.role);
    if (role === null) return open.get(part) ?? 'assistant';
    return role === 'assistant' || role === 'user' || role === 'reasoning' ? role : 'log';
  };

  /** Closes the shorthand part, which has no end event of its own. */
  const closeChunk = (type: string, event: JsonObject): readonly Utterance[] => {
    if (chunked === null) return [];
    const id = asString(event.messageId);
    const goesOn =
      (type === 'TEXT_MESSAGE_CHUNK' || type === 'REASONING_MESSAGE_CHUNK') && (id === null || chunked.identity.message === id);
    if (goesOn) return [];
    const { part, voice, identity } = chunked;
    chunked = null;
    // A failure closes nothing: what it cuts off stays provisional.
    if (type === 'RUN_ERROR') return [];
    return [utter(type, voice, 'committed', { type: 'part.closed', text: null }, { identity, part })];
  };

  const chunk = (type: string, event: JsonObject, about: About): readonly Utterance[] => {
    const reasoning = type === 'REASONING_MESSAGE_CHUNK';
    const id = asString(event.messageId) ?? chunked?.identity.message ?? '';
    const part = `${reasoning ? 'r' : 'm'}:${id}`;
    const voice = reasoning ? 'reasoning' : voiceOf(event, part);
    const identity = identityOf({ ...about.identity, message: id });
    chunked ??= { part, voice, identity };
    const delta = asString(event.delta) ?? '';
    spoken.set(part, (spoken.get(part) ?? '') + delta);
    return [utter(type, voice, 'provisional', { type: 'part.delta', text: delta }, { identity, wireId: about.wireId, part })];
  };

  /** The snapshot is authoritative for what this run said; messages the page sent along, or of earlier turns, are not its. */
  const snapshot = (event: JsonObject, about: About): readonly Utterance[] => {
    const messages = asObjects(event.messages);
    const lastUser = messages.findLastIndex((one) => one.role === 'user');
    const said: Utterance[] = [];
    messages.forEach((message, i) => {
      const id = asString(message.id) ?? '';
      const content = asString(message.content);
      const part = `m:${id}`;
      const ours = spoken.has(part) || (i > lastUser && !sent.has(id));
      if (message.role !== 'assistant' || content === null || content === '' || !ours) return;
      if (spoken.get(part) === content && !open.has(part)) return;
      spoken.set(part, content);
      said.push(
        utter(
          'MESSAGES_SNAPSHOT',
          'assistant',
          'committed',
          { type: 'part.replaced', text: content },
          { ...about, identity: identityOf({ ...about.identity, message: id }), part },
        ),
      );
    });
    return said.length > 0 ? said : [utter('MESSAGES_SNAPSHOT', 'lifecycle', 'committed', { type: 'note', text: null }, about)];
  };

  const read = (type: string, event: JsonObject, about: About): readonly Utterance[] | null => {
    if (type === 'TEXT_MESSAGE_CHUNK' || type === 'REASONING_MESSAGE_CHUNK') return chunk(type, event, about);
    if (type.startsWith('TEXT_MESSAGE_')) {
      const part = `m:${asString(event.messageId) ?? ''}`;
      return whole(type, event, about, voiceOf(event, part), part);
    }
    if (type.startsWith('REASONING_MESSAGE_')) return whole(type, event, about, 'reasoning', `r:${asString(event.messageId) ?? ''}`);
    if (type.startsWith('THINKING_TEXT_MESSAGE_')) {
      // 0.x gives these no id; one is open at a time.
      if (type.endsWith('_START')) thinking++;
      return whole(type, event, about, 'reasoning', `t:${thinking}`);
    }
    return null;
  };

  return {
    open,
    more(type, event, wireId) {
      const piece = PIECES.has(type) ? event.delta : null;
      const more = writing.more(piece, wireId, type, event.messageId, event.subagentRunId, event.role, event.toolCallId);
      if (more !== null) tail += piece as string;
      else if (tail !== '') {
        spoken.set(written, (spoken.get(written) ?? '') + tail);
        tail = '';
      }
      return more;
    },
    note(type, said) {
      if (PIECES.has(type)) written = said.at(-1)?.part ?? '';
      return writing.note(said);
    },
    closeChunk,
    read,
    snapshot,
  };
};
