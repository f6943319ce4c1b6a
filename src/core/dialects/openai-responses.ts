/**
 * OpenAI Responses over SSE, over its WebSocket mode, and as unary replies. Spec: npm openai 7.59.0 types. Recognised by a
 * `type` that starts with `response.` beside a `sequence_number` (Realtime has `event_id` instead), or `object: "response"`.
 *
 * Terminal words: response.completed, .incomplete, .failed and `error`; the first three carry the whole output, which is
 * authoritative. A completed response that ends in a call the page owes, or in an approval request, is a wait.
 * Background responses resume by `sequence_number`, so that is the wire id of an event.
 */
import type { FinishReason, Voice, WaitKind } from '../model';
import {
  asArray,
  asNumber,
  asObject,
  asObjects,
  asString,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  notJson,
  requestOf,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { failsAtOnce, isTalk, latest } from './fails-at-once';
import { RESPONSE_INCOMPLETE } from './finish-words';
import { type About, type ResponseState, readItem, snapshotOf } from './openai-responses-items';
import { createWriting } from './writing';

/** Delta and done events of text, by stem: voice, and which index tells parts of one item apart. */
const TEXTS: Readonly<Record<string, readonly [Voice, 'content_index' | 'summary_index']>> = table({
  'response.output_text': ['assistant', 'content_index'],
  'response.refusal': ['assistant', 'content_index'],
  'response.reasoning_text': ['reasoning', 'content_index'],
  'response.reasoning_summary_text': ['reasoning', 'summary_index'],
});

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  const states = new Map<string, ResponseState>();
  let current: ResponseState | null = null;
  const writing = createWriting();
  const byHttp = opening.transport === 'fetch' || opening.transport === 'xhr';
  const named = /\/responses\/(resp_[^/?#]+)/u.exec(opening.url)?.[1] ?? null;

  /** A socket may carry several responses at once, in streams of their own: the response that each was at. */
  const streams = new Map<unknown, ResponseState | null>();
  let stream: unknown = null;
  const turnTo = (to: unknown): void => {
    if (to === stream) return;
    streams.set(stream, current);
    current = streams.get(to) ?? null;
    stream = to;
  };

  const stateFor = (event: JsonObject): ResponseState => {
    if (current !== null && event.response === undefined && event.response_id === undefined) return current;
    // What failed without a name may be named by the word that follows.
    if (current?.id === null && current.over && event.type === 'response.failed') return current;
    const id = asString(asObject(event.response)?.id) ?? asString(event.response_id) ?? current?.id ?? named;
    const key = id ?? '';
    let state = states.get(key);
    if (state === undefined) {
      state = { id, items: new Map(), committed: new Map(), last: null, over: false };
      states.set(key, state);
    }
    current = state;
    return state;
  };

  /** The response that ended last. */
  let ended: string | null = null;

  /**
   * Calls and approvals that a request answers: the run that asked goes on. So does the run of a response that another follows in
   * the same body: a server that runs the tools itself sends one after the other.
   */
  const answers = (input: unknown): readonly string[] =>
    latest(input).flatMap((item) => asString(item.call_id) ?? asString(item.approval_request_id) ?? []);
  const resumes = (): readonly string[] => [...answers(request?.input), ...(ended !== null && byHttp ? [ended] : [])];

  /** On a socket: responses that the page asked for and that have not begun, and how many of those were refused. */
  const asked: { readonly stream: unknown; readonly resumes: readonly string[] }[] = [];
  let refused = 0;
  const take = (): (typeof asked)[number] | undefined => {
    const at = asked.findIndex((one) => one.stream === stream);
    return at < 0 ? undefined : asked.splice(at, 1)[0];
  };

  /** An error that is not of the response at work; null if it is. */
  const aside = (type: string, event: JsonObject): readonly Utterance[] | null => {
    const status = asNumber(event.status) ?? 0;
    // A request is refused before it begins: what is at work was not.
    if (current !== null && !current.over && (status < 400 || status > 499 || asNumber(event.sequence_number) !== null)) return null;
    const error = errorOf(event);
    const one = take();
    // The connection's own word, to nobody.
    if (one === undefined)
      return current?.over === true && error.code?.startsWith('websocket_') === true ? [note(type, error.message)] : null;
    // It was refused before it had an id: it is none of those that are known.
    const about = { lane: `refused:${++refused}` };
    return [
      utter(type, 'lifecycle', 'committed', { type: 'run.opened', resumes: one.resumes }, about),
      utterFailed(type, error.message, error.code, about),
    ];
  };

  const read = (event: JsonObject): readonly Utterance[] => {
    // In place of a stream, the error comes without its type.
    const type = asString(event.type) ?? (event.error == null ? '' : 'error');
    turnTo(event.stream_id ?? null);
    const other = type === 'error' ? aside(type, event) : null;
    if (other !== null) return writing.note(other);
    const state = stateFor(event);
    const sequence = asNumber(event.sequence_number);
    const wireId = sequence === null || state.id === null ? null : `${state.id}:${sequence}`;
    // A piece whose number does not follow is no mere piece: it breaks the order.
    const follows = sequence === null || state.last === null || sequence === state.last + 1;
    const text = follows ? event.delta : null;
    const more = writing.more(text, wireId, type, state, event.item_id, event.content_index, event.summary_index);
    if (more !== null) {
      state.last = sequence ?? state.last;
      return more;
    }
    const about = { identity: identityOf({ run: state.id }), wireId };
    const said: Utterance[] = [];
    if (sequence !== null) {
      if (state.last !== null && sequence !== state.last + 1)
        said.push(
          utter(
            type,
            null,
            'provisional',
            { type: 'breach', breach: 'out-of-order', detail: `sequence_number ${sequence} after ${state.last}` },
            // Not under the event's own number: an event that came before is dropped, and this is said of its coming again.
            { identity: about.identity },
          ),
        );
      state.last = Math.max(sequence, state.last ?? sequence);
    }
    said.push(...body(type, event, state, about));
    return writing.note(said);
  };

  const body = (type: string, event: JsonObject, state: ResponseState, about: About): readonly Utterance[] => {
    const response = asObject(event.response);
    switch (type) {
      case 'response.created':
        return [
          utter(type, 'lifecycle', 'committed', { type: 'run.opened', resumes: take()?.resumes ?? resumes() }, about),
          utter(type, 'lifecycle', 'committed', { type: 'attempt.opened', model: asString(response?.model) }, about),
        ];
      case 'response.queued':
        return [utter(type, 'lifecycle', 'committed', { type: 'status', state: 'queued', label: null }, about)];
      case 'response.in_progress':
        return [utter(type, 'lifecycle', 'committed', { type: 'status', state: 'working', label: null }, about)];
      case 'response.output_item.added':
      case 'response.output_item.done':
        return readItem(type, asObject(event.item), state, about);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        ended = state.id;
        state.over = true;
        return terminal(type, response, state, about);
      case 'error': {
        const { message, code } = errorOf(event);
        state.over = true;
        const joined = state.id === null ? answers(request?.input) : [];
        return [
          ...(joined.length === 0 ? [] : [utter(type, 'lifecycle', 'committed', { type: 'run.opened', resumes: joined }, about)]),
          utterFailed(type, message, code, about),
        ];
      }
      case 'response.content_part.added':
      case 'response.content_part.done':
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
      case 'response.output_text.annotation.added':
        return [utter(type, type.includes('reasoning') ? 'reasoning' : 'log', 'committed', { type: 'note', text: null }, about)];
    }
    const stem = type.replace(/\.(?:delta|done)$/u, '');
    const text = TEXTS[stem];
    if (text !== undefined && stem !== type) return textEvent(type, event, state, about, text);
    // Arguments, hosted tools' progress, compaction: boundaries of tools, never content.
    if (
      /^response\.(?:function_call|custom_tool_call|mcp_|code_interpreter_call|shell_call|web_search_call|file_search_call|image_generation_call|computer_call|apply_patch_call)/u.test(
        type,
      )
    ) {
      const toolCall = asString(event.item_id);
      const delta = type.endsWith('.delta') ? (asString(event.delta) ?? '') : null;
      return [
        utter(type, 'tool', 'provisional', delta === null ? { type: 'note', text: null } : { type: 'tool.input', text: delta }, {
          ...about,
          identity: toolCall === null ? about.identity : { ...about.identity, part: toolCall },
        }),
      ];
    }
    if (/^response\.(?:compaction|steer|rate_limits)/u.test(type))
      return [utter(type, 'log', 'committed', { type: 'note', text: null }, about)];
    return [unrecognised(type || '(no type)', about)];
  };

  const textEvent = (
    type: string,
    event: JsonObject,
    state: ResponseState,
    about: About,
    [voice, index]: (typeof TEXTS)[string],
  ): readonly Utterance[] => {
    const id = asString(event.item_id) ?? '';
    const part = `${id}:${index === 'summary_index' ? 's' : ''}${asNumber(event[index]) ?? 0}`;
    // Commentary is the agent telling what it does, not its answer.
    const speaks = voice === 'assistant' ? (state.items.get(id)?.voice ?? 'assistant') : voice;
    const where = { ...about, identity: { ...about.identity, message: id }, part };
    if (type.endsWith('.delta'))
      return [utter(type, speaks, 'provisional', { type: 'part.delta', text: asString(event.delta) ?? '' }, where)];
    const text = asString(event.text) ?? asString(event.refusal);
    if (text !== null) state.committed.set(part, text);
    return [utter(type, speaks, 'committed', { type: 'part.closed', text }, where)];
  };

  const terminal = (type: string, response: JsonObject | null, state: ResponseState, about: About): readonly Utterance[] => {
    const usage = asObject(response?.usage);
    const said: Utterance[] = [];
    if (usage !== null)
      said.push(
        utter(
          type,
          'log',
          'committed',
          {
            type: 'usage',
            usage: {
              inputTokens: asNumber(usage.input_tokens),
              outputTokens: asNumber(usage.output_tokens),
              reasoningTokens: asNumber(asObject(usage.output_tokens_details)?.reasoning_tokens),
            },
          },
          about,
        ),
      );
    // The event's name and the response in it both say how it ended; where they differ, the name of a bad end or else what the
    // response says counts. A response without a status is a whole one (npm openai has it optional); without a response nobody knows.
    const named = type.slice('response.'.length);
    const error = asObject(response?.error);
    const status = response === null ? null : (asString(response.status) ?? named);
    const how = named !== 'completed' ? named : error === null ? status : 'failed';
    if (response !== null && (status !== named || how !== named))
      said.push(
        utter(
          type,
          null,
          'settling',
          { type: 'breach', breach: 'terminal-conflict', detail: `${type} with ${status === named ? 'an error' : `status ${status}`}` },
          about,
        ),
      );
    if (how === 'failed') {
      said.push(utterFailed(type, asString(error?.message) ?? '', asString(error?.code), about));
      return said;
    }
    const output = asObjects(response?.output);
    for (const value of output) {
      const kind = asString(value.type) ?? '';
      if (!state.items.has(asString(value.id) ?? '')) said.push(...readItem('response.output_item.done', value, state, about));
      else if (kind === 'message' || kind === 'reasoning') said.push(...snapshotOf(type, value, state, about));
    }
    if (how === 'incomplete') {
      const raw = asString(asObject(response?.incomplete_details)?.reason);
      said.push(finished(type, RESPONSE_INCOMPLETE[raw ?? ''] ?? 'other', raw === null ? 'incomplete' : `incomplete: ${raw}`, null, about));
      return said;
    }
    if (how !== 'completed') {
      said.push(finished(type, how === 'cancelled' ? how : 'other', how ?? type, null, about));
      return said;
    }
    const parts = output
      .filter((value) => value.type === 'message')
      .flatMap((value) => asArray(value.content).map((part) => asString(asObject(part)?.type)));
    const refused = parts.length > 0 && parts.every((kind) => kind === 'refusal');
    said.push(finished(type, refused ? 'refusal' : 'stop', asString(response?.status) ?? 'completed', null, about));
    return said;
  };

  /** A unary reply or a poll of a background response: the snapshot is all there is. */
  const unary = (response: JsonObject): readonly Utterance[] => {
    const status = asString(response.status) ?? '';
    const state = stateFor({ response });
    const about = { identity: identityOf({ run: response.id }), wireId: null };
    const opened = utter('response', 'lifecycle', 'committed', { type: 'run.opened', resumes: resumes() }, about);
    if (status === 'completed' || status === 'incomplete' || status === 'failed')
      return [opened, ...terminal(`response.${status}`, response, state, about)];
    if (status === 'cancelled') return [opened, finished('response', 'cancelled', status, null, about)];
    return [utter('response', 'lifecycle', 'committed', { type: 'note', text: status }, about)];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') {
        const sent = frameObject(frame);
        if (sent?.type === 'response.create') asked.push({ stream: sent.stream_id ?? null, resumes: answers(sent.input) });
        return [];
      }
      if (frame.data.length < 20 && frame.data.trim() === '[DONE]')
        return [utter('[DONE]', 'log', 'committed', { type: 'sentinel' }, { identity: identityOf({ run: current?.id }) })];
      const event = frameObject(frame);
      if (event === null) return notJson();
      return event.object === 'response' && event.type === undefined ? writing.note(unary(event)) : read(event);
    },
    end: () => [],
  };
};

const note = (raw: string, text: string): Utterance => utter(raw, 'log', 'committed', { type: 'note', text });

/** Flat, as the event has it, or in a member, as HTTP has it and the socket. */
const errorOf = (event: JsonObject): { readonly message: string; readonly code: string | null } => {
  const nested = asObject(event.error);
  const { message, code } = nested ?? event;
  return { message: asString(message) ?? asString(event.error) ?? '', code: asString(code) ?? asString(nested?.type) };
};

const finished = (raw: string, reason: FinishReason['reason'], word: string, waitingFor: WaitKind | null, about: About): Utterance =>
  utterFinished(raw, { reason, raw: word }, waitingFor, about);

/** A call that failed before its response was made. */
const failed = (opening: FlowOpening): boolean => {
  const { frames, url } = opening;
  // On a socket the error envelope has a status, and no id of its own.
  const last = frames.at(-1);
  if (last?.framing === 'message') {
    const said = frameObject(last);
    return (
      said?.type === 'error' &&
      asNumber(said.status) !== null &&
      asObject(said.error) !== null &&
      frames.some((frame) => {
        const sent = frame.direction === 'sent' ? frameObject(frame) : null;
        return sent?.type === 'response.create' && typeof sent.model === 'string' && sent.input !== undefined;
      })
    );
  }
  let numbered = false;
  return failsAtOnce(
    opening,
    ({ input, model }) =>
      typeof model === 'string' &&
      // With no number on it, the error could be of anything that has an input.
      (numbered ? input !== undefined : isTalk(input) || (typeof input === 'string' && /\/responses(?:[?#]|$)/u.test(url))),
    (said, _event, whole) => {
      const { type, sequence_number, message, error } = said;
      numbered = typeof sequence_number === 'number' && !whole;
      const nested = asObject(error);
      return numbered || !whole
        ? type === 'error' && (typeof message === 'string' || nested !== null)
        : typeof nested?.message === 'string' && typeof nested.status !== 'string';
    },
  );
};

export const openaiResponses: Dialect = {
  id: 'openai-responses',
  title: 'OpenAI Responses',
  framings: ['sse', 'message', 'body'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise(opening) {
    for (const frame of opening.frames) {
      if (frame.direction === 'sent') continue;
      const event = frameObject(frame);
      if (event === null) continue;
      const about = asObject(event.response) !== null || asNumber(event.output_index) !== null || asString(event.item_id) !== null;
      if (asString(event.type)?.startsWith('response.') === true && asNumber(event.sequence_number) !== null && about) return 'certain';
      if (event.object === 'response' && Array.isArray(event.output) && asString(event.status) !== null) return 'certain';
    }
    return failed(opening) ? 'certain' : 'no';
  },
  open,
};
