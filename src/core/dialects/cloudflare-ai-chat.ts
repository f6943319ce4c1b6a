/**
 * Cloudflare AIChatAgent: AI SDK UI chunks as JSON text in the messages of an agent's socket. Spec: npm agents 0.32.0
 * (chat/protocol, chat/wire-types), @cloudflare/ai-chat 0.12.2. Recognised by message types `cf_agent_*chat*`,
 * `cf_agent_stream_*`, `cf_agent_tool_*`.
 *
 * A request is over at `done: true`, and `outcome` says how; the `finish` inside is held until then. Without an outcome it is
 * an error if an error was said, else completed. `recovering` ends the request and not the turn: that goes on under another
 * id. Terminal words besides: the `error` and `abort` chunks inside. The request id names the run on any socket, and `seq`
 * an event of it, so replays after a reconnect are recognised and not told twice.
 */
import type { AgentEventBody, FinishReason, WireFrame } from '../model';
import { type ChunkReader, chunkReader } from './ai-sdk-ui-chunks';
import {
  asNumber,
  asObject,
  asString,
  asText,
  type Decoder,
  type Dialect,
  frameObject,
  identityOf,
  type Json,
  type JsonObject,
  malformed,
  parseJson,
  table,
  type Utterance,
  utter,
  utterFailed,
} from './dialect';
import { createWriting } from './writing';

const CHAT = /^cf_agent_(?:use_chat_|chat_|stream_|tool_|message_updated)/u;
const RESPONSE = 'cf_agent_use_chat_response';

/** `outcome` of a request that is over → what it means; `recovering` is not over, `error` has its message in `body`. */
const OUTCOMES: Readonly<Record<string, FinishReason['reason']>> = table({
  completed: 'stop',
  aborted: 'cancelled',
  skipped: 'cancelled',
});

interface Request {
  reader: ChunkReader;
  /** Readers so far: a replay that cannot be recognised by `seq` is read anew. */
  readings: number;
  lastSeq: number;
  replaying: boolean;
  errorSaid: boolean;
  /** The stream inside said that it was stopped. */
  aborted: boolean;
  /** The `finish` of the chunks inside, until the request is over. */
  finish: Utterance | null;
  over: boolean;
}

const open = (): Decoder => {
  const requests = new Map<string, Request>();
  const writing = createWriting();
  /** Tool call → the request whose message made it. */
  const callOf = new Map<string, string>();
  /** Calls the page has answered, and turns being recovered, that the next request goes on with. */
  let answered: string[] = [];
  let recovering: string[] = [];

  const requestFor = (id: string, body: JsonObject | null = null): Request => {
    let request = requests.get(id);
    if (request === undefined) {
      request = {
        reader: read(body),
        readings: 1,
        lastSeq: -1,
        replaying: false,
        errorSaid: false,
        finish: null,
        aborted: false,
        over: false,
      };
      requests.set(id, request);
    }
    return request;
  };
  const read = (body: JsonObject | null): ChunkReader => chunkReader({ replays: false, request: body, namesRun: false });
  const about = (id: string, wireId: string | null, utterances: readonly Utterance[]): readonly Utterance[] =>
    utterances.map((one) => ({
      ...one,
      lane: id,
      wireId,
      part: one.part === null ? null : `${id}/${requestFor(id).readings}/${one.part}`,
      identity: { ...one.identity, ...identityOf({ run: id }) },
    }));
  const note = (type: string, text: string | null): Utterance => utter(type, 'lifecycle', 'committed', { type: 'note', text });

  const sent = (type: string, object: JsonObject): readonly Utterance[] => {
    const id = asString(object.id);
    const call = asString(object.toolCallId);
    if (type === 'cf_agent_use_chat_request' && id !== null) {
      const body = asObject(parseJson(asString(asObject(object.init)?.body) ?? ''));
      return about(id, null, requestFor(id, body).reader.join(type));
    }
    if ((type === 'cf_agent_tool_result' || type === 'cf_agent_tool_approval') && call !== null) {
      answered.push(call);
      const owner = callOf.get(call);
      if (owner === undefined) return [note(type, call)];
      const identity = identityOf({ toolCall: call });
      if (type === 'cf_agent_tool_approval') {
        const request = requestFor(owner).reader.approvalOf(call) ?? call;
        const how = object.approved === true ? 'approved' : 'denied';
        return about(owner, null, [utter(type, 'interaction', 'committed', { type: 'answered', request, how }, { identity })]);
      }
      const failed = object.state === 'output-error';
      const output = failed ? asString(object.errorText) : asText(object.output);
      return about(owner, null, [
        utter(type, 'tool', 'committed', { type: 'tool.returned', output, failed, preliminary: false }, { identity }),
      ]);
    }
    if (type === 'cf_agent_chat_request_cancel' && id !== null && requests.has(id))
      return about(id, null, [
        utter(type, 'lifecycle', 'committed', { type: 'status', state: 'stopping', label: 'the page asked to stop' }),
      ]);
    return [note(type, id)];
  };

  /** The request that the last response was of. */
  let written: { readonly id: string; readonly request: Request } | null = null;
  /** One more piece of the text that is being written, told for the first time; null if the response has to be read. */
  const piece = (id: string, object: JsonObject, chunk: JsonObject | null): readonly Utterance[] | null => {
    if (written?.id !== id) {
      const request = requests.get(id);
      written = request === undefined ? null : { id, request };
    }
    const request = written?.request;
    const seq = asNumber(object.seq);
    const isText = chunk?.type === 'text-delta' || chunk?.type === 'reasoning-delta';
    if (request === undefined || object.error === true || object.done === true || (seq !== null && seq <= request.lastSeq)) return null;
    const more = writing.more(isText ? chunk.delta : null, seq === null ? null : `${id}:${seq}`, id, chunk?.type, chunk?.id, object.replay);
    if (more !== null && seq !== null) request.lastSeq = seq;
    return more;
  };

  const response = (id: string, object: JsonObject, chunk: Json | undefined): readonly Utterance[] => {
    const isNew = !requests.has(id);
    const request = requestFor(id);
    const seq = asNumber(object.seq);
    const said: Utterance[] = [];
    if (object.done === true) return about(id, `${id}:done`, done(id, request, object));
    if (seq !== null && seq <= request.lastSeq) return about(id, `${id}:${seq}`, [note(RESPONSE, 'told again')]);
    if (seq !== null) request.lastSeq = seq;
    else if (object.replay === true && !request.replaying && !isNew && object.replayComplete !== true) {
      // Told again without a position to know it by: the message is built anew.
      request.reader = read(null);
      request.readings++;
      said.push(utter(RESPONSE, 'lifecycle', 'committed', { type: 'replay.started' }));
    }
    request.replaying = object.replay === true;
    if (isNew) said.push(...taken(object));
    const body = asString(object.body) ?? '';
    if (object.error === true) {
      request.errorSaid = true;
      said.push(failure(body));
    } else if (body !== '') {
      for (const one of request.reader.read(chunk)) {
        if (one.type === 'tool.called' && one.identity.toolCall !== undefined) callOf.set(one.identity.toolCall, id);
        if (one.type === 'failed') request.errorSaid = true;
        if (one.type === 'finished' && one.finish.reason === 'cancelled') request.aborted = true;
        if (one.type === 'finished' && one.finish.reason !== 'cancelled' && one.finish.reason !== 'error') {
          request.finish ??= one;
          said.push(utter(one.raw, 'lifecycle', 'provisional', { type: 'note', text: one.finish.raw }));
        } else said.push(one);
      }
    } else said.push(note(RESPONSE, object.replayComplete === true ? 'replay complete' : null));
    return about(id, seq === null ? null : `${id}:${seq}`, said);
  };

  /** A request that the page did not send continues what the page answered, or what is being recovered. */
  const taken = (object: JsonObject): readonly Utterance[] => {
    const resumes = object.continuation === true || recovering.length > 0 ? [...answered, ...recovering] : [];
    const wasRecovering = recovering.length > 0;
    answered = [];
    recovering = [];
    if (resumes.length === 0) return [];
    const opened = utter(RESPONSE, 'lifecycle', 'committed', { type: 'run.opened', resumes });
    return wasRecovering ? [opened, utter(RESPONSE, 'lifecycle', 'committed', { type: 'attempt.opened', model: null })] : [opened];
  };

  const done = (id: string, request: Request, object: JsonObject): readonly Utterance[] => {
    const body = asString(object.body) ?? '';
    const outcome = asString(object.outcome);
    if (outcome === 'recovering') {
      recovering = [id];
      return [utter(RESPONSE, 'lifecycle', 'committed', { type: 'status', state: 'working', label: outcome })];
    }
    if (request.over) return [note(RESPONSE, outcome)];
    request.over = true;
    if (outcome === 'error' || object.error === true || (outcome === null && request.errorSaid))
      return request.errorSaid ? [note(RESPONSE, 'error')] : [failure(body)];
    // The stream itself said that it was stopped; that it is over now adds nothing.
    if (outcome === null && request.aborted) return [note(RESPONSE, 'aborted')];
    const reason = outcome === null ? 'stop' : (OUTCOMES[outcome] ?? 'other');
    if (reason === 'stop' && request.finish !== null) return [request.finish];
    return [utter(RESPONSE, 'terminal', 'settling', finished(reason, outcome))];
  };

  return {
    frame(frame) {
      const object = frameObject(frame);
      const type = asString(object?.type);
      if (object === null || type === null) return [malformed('(message)', 'no JSON object with a type')];
      if (frame.direction === 'sent') return writing.note(sent(type, object));
      const id = asString(object.id);
      if (type === RESPONSE) {
        if (id === null) return [malformed(type, 'a response without id')];
        const chunk = parseJson(asString(object.body) ?? '');
        return piece(id, object, asObject(chunk)) ?? writing.note(response(id, object, chunk));
      }
      if (type === 'cf_agent_chat_recovering' && object.recovering === true && id !== null && !recovering.includes(id)) recovering.push(id);
      // State sync, transcripts and calls of the agent's other life: no part of a run.
      return writing.note([note(type, asString(object.reason) ?? id)]);
    },
    end: () => [],
  };
};

const failure = (message: string): Utterance => utterFailed(RESPONSE, message, null);

const finished = (reason: FinishReason['reason'], raw: string | null): AgentEventBody => ({
  type: 'finished',
  finish: { reason, raw },
  waitingFor: null,
  overrides: false,
});

const typeOf = (frame: WireFrame): string => asString(frameObject(frame)?.type) ?? '';

export const cloudflareAiChat: Dialect = {
  id: 'cloudflare-ai-chat',
  title: 'Cloudflare AIChatAgent',
  framings: ['message'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise({ frames, transport, last }) {
    if (transport !== 'websocket') return 'no';
    if (frames.some((frame) => CHAT.test(typeOf(frame)))) return 'certain';
    // An agent's socket that has not carried a chat yet.
    return last && frames.some((frame) => typeOf(frame).startsWith('cf_agent_')) ? 'plausible' : 'no';
  },
  open,
};
