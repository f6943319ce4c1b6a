/**
 * One agent of a Claude stream-json session: its inner Anthropic stream (partial messages) and its whole messages.
 *
 * The same block comes twice: streamed, which is provisional whatever the inner stream says of its end, and then whole,
 * which commits it. Whole blocks are matched to streamed ones by message and type, text first, so nothing is said twice.
 */
import type { Identity, Voice } from '../model';
import { openMessages } from './anthropic-messages';
import { asNumber, asObject, asObjects, asString, asText, type JsonObject, table, type Utterance, utter } from './dialect';

type About = { readonly identity: Identity; readonly lane: string };

export interface Speaker {
  /** The message it is at. */
  message: string | null;
  /** Whether it has said anything to the person in this turn. */
  spoke: boolean;
  /** A subagent whose work is done. */
  over: boolean;
  /** Takes note of an event of the stream, whoever reads it. */
  track(event: JsonObject): void;
  streamed(event: JsonObject, at: About): readonly Utterance[];
  whole(value: JsonObject, at: About): readonly Utterance[];
  withdraw(raw: string, uuid: string, at: About): readonly Utterance[];
}

interface Block {
  readonly part: string;
  readonly type: string;
  text: string;
  taken: boolean;
}

const VOICES: Readonly<Record<string, Voice>> = table({ text: 'assistant', thinking: 'reasoning', redacted_thinking: 'reasoning' });

export const speaker = (): Speaker => {
  const read = openMessages({ requestBody: null }, { opensRun: false });
  /** Blocks of the messages that were streamed, by message. */
  const blocks = new Map<string, Block[]>();
  /** Frame → the parts it committed, for taking them back. */
  const frames = new Map<string, readonly (readonly [part: string, voice: Voice])[]>();
  let live = new Map<number, Block>();
  let streaming = '';
  let turn = 0;

  const track = (event: JsonObject): void => {
    const index = asNumber(event.index) ?? 0;
    if (event.type === 'message_start') {
      turn++;
      streaming = asString(asObject(event.message)?.id) ?? '';
      live = new Map();
    } else if (event.type === 'content_block_start') {
      const content = asObject(event.content_block);
      const text = asString(content?.text) ?? asString(content?.thinking) ?? '';
      const block: Block = { part: `${turn}:${index}`, type: asString(content?.type) ?? '', text, taken: false };
      live.set(index, block);
      blocks.set(streaming, [...(blocks.get(streaming) ?? []), block]);
    } else if (event.type === 'content_block_delta') {
      const delta = asObject(event.delta);
      const block = live.get(index);
      if (block !== undefined) block.text += asString(delta?.text) ?? asString(delta?.thinking) ?? '';
    }
  };

  /** What the inner stream says is not yet what the session stands by, and its end is the end of one model call. */
  const tamed = (said: Utterance, at: About): Utterance => {
    const own = { ...said, identity: { ...said.identity, ...at.identity }, lane: at.lane };
    switch (said.type) {
      case 'part.closed':
        return { ...own, type: 'part.closed', text: said.text, standing: 'provisional' };
      case 'parts.withdrawn':
        return { ...own, type: 'parts.withdrawn', scope: 'step' };
      case 'tool.called':
        return { ...own, type: 'tool.called', name: said.name, input: said.input, owedBy: 'producer' };
      case 'failed':
        return { ...own, type: 'note', text: said.message, voice: 'log', standing: 'committed' };
      case 'sentinel':
        return { ...own, type: 'step.closed', voice: 'lifecycle', standing: 'committed' };
      default:
        return own;
    }
  };

  const match = (message: string, type: string, text: string): Block | undefined => {
    const free = (blocks.get(message) ?? []).filter((block) => block.type === type && !block.taken);
    return free.find((block) => block.text === text) ?? free[0];
  };

  const one: Speaker = {
    message: null,
    spoke: false,
    over: false,
    track,
    streamed: (event, at) => read(event).map((said) => tamed(said, at)),
    whole(value, at) {
      const message = asObject(value.message);
      const id = asString(message?.id) ?? '';
      const uuid = asString(value.uuid) ?? id;
      const identity = id === '' ? at.identity : { ...at.identity, message: id };
      const parts: (readonly [string, Voice])[] = [];
      const content = message?.content;
      const said = (typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content)).map((block, index) => {
        const type = asString(block.type) ?? '';
        const raw = `assistant ${type}`.trimEnd();
        const voice = VOICES[type];
        if (voice !== undefined) {
          const text = asString(block.text) ?? asString(block.thinking) ?? '';
          const streamed = match(id, type, text);
          if (streamed !== undefined) streamed.taken = true;
          const part = streamed?.part ?? `${uuid}:${index}`;
          parts.push([part, voice]);
          if (voice === 'assistant') one.spoke = true;
          // An interrupted message is as far as it came, and no more.
          return utter(
            raw,
            voice,
            value.aborted === true ? 'provisional' : 'committed',
            { type: 'part.closed', text },
            { ...at, identity, part },
          );
        }
        const call = { ...at, identity: { ...identity, toolCall: asString(block.id) ?? asString(block.tool_use_id) ?? '' } };
        if (type.endsWith('tool_use'))
          return utter(
            raw,
            'tool',
            'committed',
            { type: 'tool.called', name: asString(block.name) ?? '', input: asText(block.input), owedBy: 'producer' },
            call,
          );
        if (type.endsWith('tool_result'))
          return utter(
            raw,
            'tool',
            'committed',
            { type: 'tool.returned', output: asText(block.content), failed: block.is_error === true, preliminary: false },
            call,
          );
        return utter(raw, 'log', 'committed', { type: 'note', text: null }, { ...at, identity });
      });
      frames.set(uuid, parts);
      return said.length > 0 ? said : [utter('assistant', 'lifecycle', 'committed', { type: 'note', text: null }, { ...at, identity })];
    },
    withdraw(raw, uuid, at) {
      const gone = frames.get(uuid) ?? [];
      frames.delete(uuid);
      return gone.map(([part, voice]) => utter(raw, voice, 'committed', { type: 'part.withdrawn' }, { ...at, part }));
    },
  };
  return one;
};
