/**
 * LangGraph server, classic streams: `/threads/{id}/runs/stream` and joins of running runs. Spec: npm
 * @langchain/langgraph-api 1.5.1, @langchain/langgraph-sdk 1.15.0. Recognised by `event: metadata` with `run_id`, by the
 * `content-location` of a run, or by message tuples that carry `langgraph_node`. Events are numbered by SSE `id`.
 *
 * Terminal words: `error`, and `end` on hosted servers. The JS server sends no `end`: its clean end of the body is all
 * there is. Then an interrupt in the last state is a wait, a state that ends in a model's answer is completed (or
 * truncated, or refused), and anything else is not known: read the thread's state.
 */
import type { FinishReason, FlowEnd, Identity } from '../model';
import {
  asArray,
  asNumber,
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  identityOf,
  type Json,
  type JsonObject,
  malformed,
  mediaType,
  parseJson,
  requestOf,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { failsAtOnce } from './fails-at-once';
import {
  type About,
  answerEnd,
  commitMessage,
  finishReasonOf,
  interruptsOf,
  isAi,
  isHuman,
  isTool,
  spokenOf,
  toolResult,
} from './langchain-messages';

const RUN_PATH = /\/threads\/([0-9a-f-]{36})\/runs\/([0-9a-f-]{36})/u;

const placeOf = (opening: FlowOpening): { readonly thread: string | null; readonly run: string | null } => {
  const hit = RUN_PATH.exec(opening.headers['content-location'] ?? '') ?? RUN_PATH.exec(opening.url);
  return { thread: hit?.[1] ?? /\/threads\/([0-9a-f-]{36})\//u.exec(opening.url)?.[1] ?? null, run: hit?.[2] ?? null };
};

/** Run ids are UUIDs; other producers that tell of a `run_id` count or name theirs. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
/** `[chunk, metadata]` of the mode messages-tuple. */
const isTuple = (value: Json | undefined): boolean => {
  const metadata = asObject(asArray(value)[1]);
  return metadata !== null && (metadata.langgraph_node !== undefined || metadata.langgraph_step !== undefined);
};

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  const { thread, run: named } = placeOf(opening);
  let run = named;
  let opened = false;
  let settled = false;
  /** Messages that this stream has streamed, and those that its first state already held. */
  const streamed = new Set<string>();
  let history: Set<string> | null = null;
  const committed = new Map<string, string>();
  /** Text that no state has confirmed yet. */
  let unconfirmed = false;
  let last: JsonObject | null = null;
  let interrupts: readonly { readonly id: string; readonly kind: 'approval' | 'input'; readonly prompt: string | null }[] = [];
  let lastReason: string | null = null;
  let lastReasonOf: string | null = null;
  let plainMessages = false;
  let lastId: number | null = null;

  /** Of the run; the same object as long as that has the same name. */
  let who = identityOf({ run, conversation: thread });
  const identity = (): Identity => {
    if ((who.run ?? null) !== run) who = identityOf({ run, conversation: thread });
    return who;
  };
  /** Of the message that is being streamed; the same object for all its pieces. */
  let whose = who;
  let whoseRun = who;

  const begin = (raw: string, about: About): readonly Utterance[] => {
    if (opened) return [];
    opened = true;
    const resumes = thread !== null && asObject(request?.command)?.resume !== undefined ? [`conversation:${thread}`] : [];
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes }, about)];
  };

  /** What a model says of a message: one more piece, or all of it so far. */
  const speak = (raw: string, message: JsonObject, about: About, type: 'part.delta' | 'part.replaced'): Utterance[] => {
    const id = asString(message.id) ?? '';
    streamed.add(id);
    if (whose.message !== id || whoseRun !== about.identity) {
      whoseRun = about.identity;
      whose = { ...whoseRun, message: id };
    }
    const where = { ...about, identity: whose };
    const { text, reasoning } = spokenOf(message);
    const said: Utterance[] = [];
    if (reasoning !== '')
      said.push(utter(raw, 'reasoning', 'provisional', { type, text: reasoning }, { ...where, part: `${id}:reasoning` }));
    if (text !== '') {
      unconfirmed = true;
      said.push(utter(raw, 'assistant', 'provisional', { type, text }, { ...where, part: `${id}:text` }));
    }
    return said;
  };

  /** A message without a word on its end has none of the one before. */
  const noteReason = (message: JsonObject): void => {
    const id = asString(message.id);
    lastReason = finishReasonOf(message) ?? (id === lastReasonOf ? lastReason : null);
    lastReasonOf = id;
  };

  const chunk = (raw: string, message: JsonObject, about: About): readonly Utterance[] => {
    if (isTool(message)) return [toolResult(raw, message, about)];
    if (!isAi(message)) return [utter(raw, 'user', 'committed', { type: 'note', text: null }, about)];
    noteReason(message);
    const said = speak(raw, message, about, 'part.delta');
    const where = { ...about, identity: whose };
    for (const call of asObjects(message.tool_call_chunks)) {
      const toolCall = asString(call.id);
      const at = { ...where, identity: { ...where.identity, ...(toolCall === null ? {} : { toolCall }) } };
      if (toolCall !== null)
        said.push(
          utter(raw, 'tool', 'provisional', { type: 'tool.called', name: asString(call.name) ?? '', input: null, owedBy: 'producer' }, at),
        );
      const args = asString(call.args);
      if (args !== null && args !== '') said.push(utter(raw, 'tool', 'provisional', { type: 'tool.input', text: args }, at));
    }
    return said.length > 0 ? said : [utter(raw, 'log', 'provisional', { type: 'note', text: null }, where)];
  };

  const confirm = (raw: string, messages: readonly JsonObject[], about: About): readonly Utterance[] => {
    const said: Utterance[] = [];
    for (const message of messages) {
      const id = asString(message.id) ?? '';
      if (history?.has(id) === true && !streamed.has(id)) continue;
      const fingerprint = JSON.stringify([message.content, message.tool_calls]);
      if (committed.get(id) === fingerprint) continue;
      committed.set(id, fingerprint);
      said.push(...commitMessage(raw, message, about));
    }
    const final = messages.findLast((message) => !isHuman(message)) ?? null;
    // Of the graph itself: how one of its graphs within stands says nothing of its end.
    if (final !== null && about.identity.agent === undefined) {
      last = messages.at(-1) === final ? final : null;
      if (last !== null && isAi(last)) {
        noteReason(last);
        unconfirmed = false;
      }
    }
    return said;
  };

  const asked = (raw: string, value: Json | undefined, about: About): readonly Utterance[] => {
    interrupts = interruptsOf(value);
    return interrupts.map(({ id, kind, prompt }) =>
      utter(raw, 'interaction', 'committed', { type: 'asked', request: id, kind, prompt, blocking: false }, about),
    );
  };

  const state = (raw: string, value: JsonObject | null, about: About): readonly Utterance[] => {
    if (value === null) return [utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, about)];
    const said: Utterance[] = [];
    const messages = asObjects(value.messages);
    if (history === null) history = new Set(streamed.size > 0 ? [] : messages.map((message) => asString(message.id) ?? ''));
    said.push(...confirm(raw, messages, about));
    if (value.__interrupt__ !== undefined) said.push(...asked(raw, value.__interrupt__, about));
    return said.length > 0 ? said : [utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, about)];
  };

  const updates = (raw: string, value: JsonObject | null, about: About): readonly Utterance[] => {
    const said: Utterance[] = [];
    for (const [node, update] of Object.entries(value ?? {})) {
      // One message, or a list of them.
      const written =
        node === '__interrupt__'
          ? asked(raw, update, about)
          : confirm(`${raw} ${node}`, asObjects([asObject(update)?.messages].flat()), about);
      said.push(...written);
    }
    return said.length > 0 ? said : [utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, about)];
  };

  /** Mode `events`: only where nothing better was asked for. */
  const traced = (raw: string, value: JsonObject | null, about: About): readonly Utterance[] => {
    const kind = asString(value?.event) ?? '';
    const data = asObject(value?.data);
    if (kind === 'on_chat_model_stream' && !plainMessages) {
      const message = asObject(data?.chunk);
      if (message !== null) return chunk(`${raw} ${kind}`, { ...message, type: 'ai' }, about);
    }
    // The graph's own end, not that of one of its nodes.
    if (kind === 'on_chain_end' && value?.run_id === run) return state(`${raw} ${kind}`, asObject(data?.output), about);
    return [utter(`${raw} ${kind}`.trimEnd(), 'log', 'committed', { type: 'note', text: null }, about)];
  };

  const finish = (raw: string): readonly Utterance[] => {
    settled = true;
    const about = { identity: identity() };
    const end = (reason: FinishReason['reason'], word: string | null, waitingFor: 'approval' | 'input' | null = null): Utterance =>
      utterFinished(raw, { reason, raw: word }, waitingFor, about);
    const [first] = interrupts;
    if (first !== undefined) return [end('waiting', '__interrupt__', first.kind)];
    if (last !== null && isAi(last) && asArray(last.tool_calls).length === 0 && !unconfirmed) {
      // A first snapshot is taken for the history. Where nothing came after it, it is the state the run left, and its last
      // word the answer (a joined run says no more than that).
      const left = committed.size === 0 && streamed.size === 0 ? commitMessage(raw, last, about) : [];
      return [...left, end(answerEnd(lastReason), lastReason)];
    }
    // An interrupted, a cancelled and a finished run look alike here.
    return [end('other', lastReason)];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const value = parseJson(frame.data);
      if (value === undefined) return [malformed(frame.event ?? '(not JSON)', 'the data is not JSON')];
      const [type = '', namespace] = (frame.event ?? '').split('|', 2);
      const raw = frame.event ?? '(no event)';
      const object = asObject(value);
      if (type === 'metadata') run = asString(object?.run_id) ?? run;
      if (type === 'messages' && run === null) run = asString(asObject(asArray(value)[1])?.run_id);
      const about: About = {
        identity: namespace === undefined ? identity() : { ...identity(), agent: namespace },
        // Each run counts from 0: of one without a name, that tells nothing old from new.
        wireId: run === null ? null : frame.id,
      };
      const said: Utterance[] = [];
      const number = frame.id === null ? null : asNumber(Number(frame.id));
      if (number !== null && lastId !== null && number <= lastId)
        said.push(
          utter(raw, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail: `id ${number} after ${lastId}` }, about),
        );
      lastId = number ?? lastId;
      if (KNOWN.has(type)) said.push(...begin(raw, about));
      switch (type) {
        case 'metadata': {
          const attempt = asNumber(object?.attempt) ?? 1;
          // The run was started again: what the first attempt streamed is void.
          if (attempt > 1) said.push(utter(raw, 'lifecycle', 'committed', { type: 'parts.withdrawn', scope: 'provisional' }, about));
          return said;
        }
        case 'messages': {
          plainMessages = true;
          const message = asObject(asArray(value)[0]);
          if (message === null || !isTuple(value)) return [...said, malformed(raw, 'not a [message, metadata] pair', about)];
          return [...said, ...chunk(raw, message, about)];
        }
        case 'messages/partial':
          plainMessages = true;
          // Cumulative: each repeats the whole text so far.
          for (const message of asObjects(value).filter(isAi)) {
            unconfirmed = true;
            said.push(...speak(raw, message, about, 'part.replaced'));
          }
          return said.length > 0 ? said : [utter(raw, 'log', 'provisional', { type: 'note', text: null }, about)];
        case 'messages/complete':
          plainMessages = true;
          said.push(...confirm(raw, asObjects(value), about));
          return said.length > 0 ? said : [utter(raw, 'log', 'committed', { type: 'note', text: null }, about)];
        case 'values':
          return [...said, ...state(raw, object, about)];
        case 'updates':
          return [...said, ...updates(raw, object, about)];
        case 'custom':
          return [...said, utter(raw, 'progress', 'committed', { type: 'note', text: asText(value) }, about)];
        case 'events':
          return [...said, ...traced(raw, object, about)];
        case 'error':
          settled = true;
          return [...said, utterFailed(raw, asString(object?.message) ?? asText(value) ?? '', asString(object?.error), about)];
        case 'end':
          return settled ? said : [...said, ...finish(raw)];
        default:
          return [
            ...said,
            KNOWN.has(type) ? utter(raw, 'log', 'committed', { type: 'note', text: null }, about) : unrecognised(raw, about),
          ];
      }
    },
    end(how: FlowEnd) {
      if (settled) return [];
      // A join of a run that is over, without a cursor, gives an empty body: it says nothing about the run.
      if (!opened)
        return run === null
          ? []
          : [
              utter(
                '(empty body)',
                'lifecycle',
                'committed',
                { type: 'status', state: 'idle', label: 'nothing to join' },
                { identity: identity(), wireId: `join ${run}` },
              ),
            ];
      return how === 'eof' ? finish('end of body') : [];
    },
  };
};

const KNOWN = new Set(
  'metadata messages messages/partial messages/complete messages/metadata values updates custom events error end tasks checkpoints debug feedback'.split(
    ' ',
  ),
);

export const langgraph: Dialect = {
  id: 'langgraph',
  title: 'LangGraph (runs/stream)',
  framings: ['sse'],
  hasTerminalWord: true,
  endSettles: true,
  runs: 'flow',
  recognise(opening) {
    if (opening.frames.length === 0)
      return opening.last &&
        opening.status === 200 &&
        mediaType(opening.headers) === 'text/event-stream' &&
        RUN_PATH.test(opening.url) &&
        /\/stream(?:[?#]|$)/u.test(opening.url)
        ? 'certain'
        : 'no';
    if (opening.frames.every((frame) => frame.event === null)) return 'no';
    if (RUN_PATH.test(opening.headers['content-location'] ?? '')) return 'certain';
    for (const frame of opening.frames) {
      const type = frame.event?.split('|', 1)[0];
      if (type === 'metadata' && UUID.test(asString(frameObject(frame)?.run_id) ?? '')) return 'certain';
      if (type === 'messages' && isTuple(parseJson(frame.data))) return 'certain';
    }
    return failsAtOnce(
      opening,
      (request) => typeof request.assistant_id === 'string' && asObject(request.input ?? request.command ?? request.checkpoint) !== null,
      ({ error, message }, event) => event === 'error' && typeof error === 'string' && typeof message === 'string',
    )
      ? 'certain'
      : 'no';
  },
  open,
};
