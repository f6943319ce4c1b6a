/**
 * AI SDK 7 `WebSocketChatTransport`: AI SDK UI chunks in socket messages, many requests on one socket. Spec: npm ai 7.0.173,
 * src/ui/websocket-chat-transport.ts. The page sends `{type: send|resume|abort, requestId}`, the server
 * `{type: start|chunk|end|error|no-active, requestId}`; `chunk` has `sequence` and the ordinary chunk.
 *
 * Recognised by those types with a `requestId` and the members of each. Terminal words: those of the chunk inside, and
 * `error`. `end` ends a request's transport and settles nothing by itself. A socket that closes without it leaves the run
 * unsettled; the page may then send `resume`, which tells the whole message again, mostly under a new request id. `sequence`
 * counts the chunks of a request from 0: one that comes twice says nothing again.
 */
import type { WireFrame } from '../model';
import { type ChunkReader, chunkReader } from './ai-sdk-ui-chunks';
import { continuation } from './ai-sdk-ui-request';
import { CHUNK_TYPES } from './ai-sdk-ui-types';
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type Decoder,
  type Dialect,
  frameObject,
  type JsonObject,
  table,
  type Utterance,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { isTalk } from './fails-at-once';
import { createWriting } from './writing';

/** Type → the way it goes, and whether a frame of it has what it needs. */
const FRAMES: Readonly<Record<string, readonly [WireFrame['direction'], (frame: JsonObject) => boolean]>> = table({
  send: [
    'sent',
    ({ id, messages, trigger }) =>
      asString(id) !== null && (isTalk(messages) || (Array.isArray(messages) && messages.length === 0 && asString(trigger) !== null)),
  ],
  resume: ['sent', (frame) => asString(frame.id) !== null],
  abort: ['sent', () => true],
  start: ['received', () => true],
  chunk: ['received', (frame) => asNumber(frame.sequence) !== null && asString(asObject(frame.chunk)?.type) !== null],
  end: ['received', () => true],
  error: ['received', () => true],
  'no-active': ['received', () => true],
});
const isKnownChunk = (frame: JsonObject): boolean => {
  const type = asString(asObject(frame.chunk)?.type) ?? '';
  return type in CHUNK_TYPES || type.startsWith('data-');
};

const envelope = (
  frame: WireFrame,
  object = frameObject(frame),
): { readonly type: string; readonly request: string; readonly object: JsonObject } | null => {
  const type = asString(object?.type);
  const request = asString(object?.requestId);
  if (object === null || type === null || request === null || frame.encoding !== 'text') return null;
  const known = FRAMES[type];
  return known !== undefined && known[0] === frame.direction && known[1](object) ? { type, request, object } : null;
};

interface Lane {
  readonly key: string;
  readonly reader: ChunkReader;
  aborted: boolean;
  /** The message inside has said how it ended. */
  settled: boolean;
  /** Its request does not say whether it begins a run or goes on with one: the message's `start` will. */
  undecided: boolean;
  /** Number of its latest chunk; null if it is not known which comes first. */
  last: number | null;
  /** What was known when it was asked for again: chunks up to this number are told once more. */
  told: number;
}

const open = (): Decoder => {
  const lanes = new Map<string, Lane>();
  const writing = createWriting();
  /** The lane that last carried a chat, for a resume that goes on where it stopped. */
  const ofChat = new Map<string, Lane>();

  const laneFor = (request: string, opening: Partial<Parameters<typeof chunkReader>[0]> = {}): Lane => {
    let lane = lanes.get(request);
    if (lane === undefined) {
      const reader = chunkReader({ replays: false, request: null, namesRun: true, ...opening });
      lane = { key: request, reader, aborted: false, settled: false, undecided: false, last: null, told: -1 };
      lanes.set(request, lane);
    }
    return lane;
  };
  const onLane = (lane: Lane, utterances: readonly Utterance[]): readonly Utterance[] =>
    utterances.map((utterance) => ({
      ...utterance,
      lane: lane.key,
      part: utterance.part === null ? null : `${lane.key}/${utterance.part}`,
    }));

  const sent = (type: string, request: string, object: JsonObject): readonly Utterance[] => {
    const chat = asString(object.id);
    if (type === 'send') {
      const before = chat === null ? undefined : ofChat.get(chat);
      const lane = laneFor(request, { request: object });
      lane.last = -1;
      lane.told = -1;
      if (chat !== null) ofChat.set(chat, lane);
      lane.undecided = before !== undefined && asArray(object.messages).length === 0 && continuation(object).resumes.length === 0;
      return lane.undecided ? [aside(type, request, chat)] : onLane(lane, lane.reader.join(type));
    }
    if (type === 'abort') {
      const lane = lanes.get(request);
      if (lane !== undefined) lane.aborted = true;
      return [
        utter(
          type,
          'lifecycle',
          'committed',
          { type: 'status', state: 'stopping', label: 'the page asked to stop' },
          { lane: lane?.key ?? request },
        ),
      ];
    }
    const earlier = chat === null ? undefined : ofChat.get(chat);
    const from = asNumber(object.lastSequence);
    if (from !== null && earlier !== undefined) {
      lanes.set(request, earlier);
      earlier.told = earlier.last ?? from;
      earlier.last = from;
    } else {
      const lane = laneFor(request, { replays: true });
      if (chat !== null) ofChat.set(chat, lane);
      lane.told = lane.last ?? -1;
      lane.last = null;
    }
    return [aside(type, request, chat)];
  };
  const aside = (type: string, lane: string, text: string | null): Utterance =>
    utter(type, 'lifecycle', 'committed', { type: 'note', text }, { lane });
  /** What was asked for by a request that nothing has decided yet. */
  const decide = (lane: Lane): readonly Utterance[] => {
    const said = lane.undecided ? onLane(lane, lane.reader.join('send')) : [];
    lane.undecided = false;
    return said;
  };

  const received = (type: string, request: string, object: JsonObject): readonly Utterance[] => {
    const lane = laneFor(request);
    switch (type) {
      case 'chunk': {
        const sequence = asNumber(object.sequence)!;
        const { last } = lane;
        const again = last !== null && sequence <= last;
        if (!again) lane.last = sequence;
        if (sequence <= lane.told) return [aside('told again', lane.key, null)];
        if (asObject(object.chunk)?.type === 'start') lane.undecided = false;
        const said = [...decide(lane)];
        if (last !== null && sequence !== last + 1) {
          const detail = `sequence ${sequence} after ${last < 0 ? 'none' : last}`;
          said.push(utter(type, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail }));
        }
        if (!again) said.push(...lane.reader.read(object.chunk));
        if (said.some((one) => one.type === 'finished' || one.type === 'failed')) lane.settled = true;
        return onLane(lane, said);
      }
      case 'error': {
        lane.settled = true;
        const message = asString(object.errorText) ?? '';
        return [...decide(lane), ...onLane(lane, [utterFailed(type, message, null)])];
      }
      case 'end': {
        const begun = decide(lane);
        if (begun.length > 0) return [...begun, ...received(type, request, object)];
        if (lane.settled) return onLane(lane, [utter(type, 'log', 'committed', { type: 'sentinel' })]);
        lane.settled = true;
        // Ended on the page's word, where the chunks inside do not say so themselves.
        if (lane.aborted) return onLane(lane, [utterFinished(type, { reason: 'cancelled', raw: 'abort' }, null)]);
        return onLane(lane, [utter(type, 'log', 'committed', { type: 'sentinel' })]);
      }
      default:
        return [aside(type, lane.key, null)];
    }
  };

  return {
    frame(frame) {
      const object = frameObject(frame);
      // Nearly all frames of a long message are one more piece of the same text.
      const chunk = object?.type === 'chunk' && frame.direction === 'received' ? asObject(object.chunk) : null;
      if (chunk !== null && asNumber(object!.sequence) !== null) {
        const isText = chunk.type === 'text-delta' || chunk.type === 'reasoning-delta';
        const lane = lanes.get(object!.requestId as string);
        const sequence = object!.sequence as number;
        // A piece whose number does not follow is no mere piece.
        const follows = lane !== undefined && (lane.last === null || sequence === lane.last + 1) && sequence > lane.told;
        const more = writing.more(isText && follows ? chunk.delta : null, null, object!.requestId, chunk.type, chunk.id, frame.encoding);
        if (more !== null) {
          lane!.last = sequence;
          return more;
        }
      }
      const read = envelope(frame, object);
      if (read !== null)
        return writing.note(
          frame.direction === 'sent' ? sent(read.type, read.request, read.object) : received(read.type, read.request, read.object),
        );
      const known = asString(object?.type);
      return writing.note([
        utter(
          known ?? '(frame)',
          null,
          'provisional',
          known === null ? { type: 'malformed', detail: 'no frame of this transport' } : { type: 'unrecognised' },
        ),
      ]);
    },
    end: () => [...new Set(lanes.values())].flatMap((lane) => [...decide(lane), ...onLane(lane, lane.reader.end())]),
  };
};

export const aiSdkUiWebsocket: Dialect = {
  id: 'ai-sdk-ui-websocket',
  title: 'AI SDK WebSocket chat transport',
  framings: ['message'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise({ frames, transport, last }) {
    if (transport !== 'websocket' && transport !== 'datachannel') return 'no';
    const read = frames.map((frame) => envelope(frame)).filter((one) => one !== null);
    if (read.some((one) => one.type === 'send' || (one.type === 'chunk' && isKnownChunk(one.object)))) return 'certain';
    // resume, answered with start or no-active: the same request on both sides.
    const pair = read.some(
      (one) => one.type === 'resume' && read.some((other) => other.type !== 'resume' && other.request === one.request),
    );
    return pair ? 'certain' : last && read.some((one) => one.type === 'resume') ? 'plausible' : 'no';
  },
  open,
};
