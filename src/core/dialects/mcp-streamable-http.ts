/**
 * MCP Streamable HTTP (protocol 2025-11-25; npm @modelcontextprotocol/sdk 1.32.2). Recognised by JSON-RPC together with the
 * headers `mcp-session-id` or `mcp-protocol-version`, or by messages that only MCP has.
 *
 * A run is one call: the JSON-RPC response with its id is its only terminal word. The same call goes on on another stream
 * (`GET` with `Last-Event-ID`), where progress is known by its token and the response by its id, so a call has both names.
 * A server request on the call's stream (elicitation, sampling, roots) is a live wait. `notifications/cancelled` goes out on
 * a request of its own and is never answered: it ends the call here and now.
 */
import type { FinishReason, Identity, WaitKind } from '../model';
import {
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type Dialect,
  delta,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  malformed,
  parseJson,
  table,
  type Utterance,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';

const SERVER_ASKS: Readonly<Record<string, WaitKind>> = table({
  'elicitation/create': 'input',
  'sampling/createMessage': 'tool',
  'roots/list': 'tool',
});
/** How a task-augmented call stands. */
const TASKS: Readonly<Record<string, FinishReason['reason']>> = table({ completed: 'stop', failed: 'error', cancelled: 'cancelled' });
/** Requests that are no work: about calls, and what a client asks for to know what there is. */
const PLUMBING = /^(?:ping|tasks\/(?:get|cancel)|(?:.+\/)?list|logging\/setLevel|completion\/complete|resources\/(?:un)?subscribe)$/u;
const ERROR_NAMES: Readonly<Record<string, string>> = table({ '-32001': 'request timeout', '-32800': 'request cancelled' });

const isRpc = (value: JsonObject | null): value is JsonObject => value !== null && value.jsonrpc === '2.0';
const isId = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const isAnswer = (value: JsonObject): boolean =>
  value.method === undefined && isId(value.id) && (value.result !== undefined || value.error !== undefined);

const NOTHING: readonly Utterance[] = [];
/** What was said before, and then this: mostly nothing was. */
const after = (before: readonly Utterance[], said: readonly Utterance[]): readonly Utterance[] =>
  before.length === 0 ? said : [...before, ...said];

/** Calls of a request body; a body may be a batch in protocol 2025-03-26. */
const callsOf = (body: string | null): JsonObject[] => {
  const value = body === null ? undefined : parseJson(body);
  return (Array.isArray(value) ? asObjects(value) : asObjects([value])).filter(isRpc);
};

const open = (opening: FlowOpening): Decoder => {
  const session = opening.requestHeaders['mcp-session-id'] ?? opening.headers['mcp-session-id'] ?? null;
  const sent = callsOf(opening.requestBody);
  /** By their ids, as text. */
  const calls = new Map<string, { readonly method: string; readonly name: string | null }>();
  const resumed = opening.requestHeaders['last-event-id'] !== undefined;
  const method = opening.method.toUpperCase();
  const listens = method === 'GET';
  /** The request carries no call that is work: it listens, ends the session, notifies, or asks what there is. */
  const bare =
    method !== 'POST' || (sent.length > 0 && !sent.some((one) => isId(one.id) && !PLUMBING.test(asString(one.method) ?? 'ping')));
  /** The name of the run at work on this stream; null where none is, or it has no name of its own. */
  let current: string | null = null;
  let running = false;
  const asks = new Set<string>();
  let wireId: string | null = null;
  /** Calls of one request that have no response: a batch is over with its last. */
  const owed = new Set<string>();
  /** Nothing that was asked for is work: what comes is of no run. */
  let idle = false;
  let progress = 0;
  /** The frame is the whole answer. */
  let whole = false;

  /** Ids are scoped to a session; without one they name nothing on another stream. */
  const named = (kind: 'call' | 'progress' | 'task', id: unknown): string | null =>
    session === null || !isId(id) ? null : `${session} ${kind} ${JSON.stringify(id)}`;
  const question = (id: string | number): string => `${session ?? ''} asks ${JSON.stringify(id)}`;
  /** Of the run at work; the same object as long as that is the same. */
  let identity: Identity = identityOf({ conversation: session });
  let identityRun: string | null = null;
  const who = (): Identity => {
    if (identityRun !== current) {
      identityRun = current;
      identity = identityOf({ conversation: session, run: current });
    }
    return identity;
  };
  const about = (more: Identity | null = null): { readonly identity: Identity; readonly wireId: string | null } => ({
    identity: more === null ? who() : { ...who(), ...more },
    wireId,
  });
  const note = (raw: string, voice: 'lifecycle' | 'log' | 'interaction', text: string | null = null): Utterance =>
    utter(raw, voice, 'committed', { type: 'note', text }, about());

  const begin = (raw: string, name: string | null): readonly Utterance[] => {
    if (running && (name === null || name === current)) return NOTHING;
    // A second name of the run that is at work here, or the first of one that had none.
    const resumes = running && current !== null ? [current] : [];
    running = true;
    current = name ?? current;
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes }, about())];
  };

  /** The calls of the request: their runs open with the first thing that is said on the stream. */
  const start = (): readonly Utterance[] => {
    const said: Utterance[] = [];
    for (const call of sent.splice(0)) {
      const method = asString(call.method);
      if (method === null || !isId(call.id)) continue;
      const params = asObject(call.params);
      const token = asObject(params?._meta)?.progressToken;
      calls.set(String(call.id), { method, name: asString(params?.name) });
      if (PLUMBING.test(method)) continue;
      owed.add(String(call.id));
      // The handshake is a run by its answer: one that breaks was none.
      if (method === 'initialize') continue;
      const task = method === 'tasks/result' ? named('task', params?.taskId) : null;
      said.push(...begin(method, task ?? named('call', call.id)));
      const other = named('progress', token);
      if (other !== null) said.push(...begin(method, other));
    }
    idle = calls.size > 0 && owed.size === 0;
    return said;
  };

  const answered = (raw: string): readonly Utterance[] => {
    if (asks.size === 0) return NOTHING;
    const said = [...asks].map((request) => utter(raw, 'interaction', 'committed', { type: 'answered', request, how: null }, about()));
    asks.clear();
    return said;
  };

  const notified = (method: string, params: JsonObject): readonly Utterance[] => {
    switch (method) {
      case 'notifications/progress': {
        if (idle) return [note(method, 'lifecycle', asString(params.message))];
        const begun = begin(method, running ? null : named('progress', params.progressToken));
        const before = after(begun, answered(method));
        const text = asString(params.message);
        return after(before, [
          text === null
            ? utter(method, 'lifecycle', 'committed', { type: 'status', state: 'working', label: null }, about())
            : // A short name: from thirteen characters on, joined text is put together only when it is looked up.
              delta(method, 'progress', text, { identity: who(), part: `said:${++progress}` }, wireId, null, 'committed'),
        ]);
      }
      case 'notifications/message':
        return [note(method, 'log', asText(params.data))];
      case 'notifications/cancelled':
        return [note(method, 'lifecycle', asString(params.reason))];
      case 'notifications/elicitation/complete':
        return [...answered(method), note(method, 'interaction')];
    }
    return [note(method, 'lifecycle')];
  };

  const asked = (method: string, params: JsonObject, id: string | number): readonly Utterance[] => {
    const kind = method === 'elicitation/create' && params.mode === 'url' ? 'auth' : SERVER_ASKS[method];
    // A stream that the page only listens on carries no call, and has nothing that could stand still.
    if (kind === undefined || (!running && !resumed && (listens || idle)))
      return [note(method, kind === undefined ? 'lifecycle' : 'interaction', asString(params.message))];
    const request = question(id);
    asks.add(request);
    return [
      ...begin(method, null),
      utter(
        method,
        'interaction',
        'committed',
        { type: 'asked', request, kind, prompt: asString(params.message), blocking: true },
        about(),
      ),
    ];
  };

  const finished = (raw: string, reason: FinishReason['reason'], word: string, waitingFor: WaitKind | null = null): Utterance =>
    utterFinished(raw, { reason, raw: word }, waitingFor, about());
  const failed = (raw: string, message: string, code: string | null): Utterance => utterFailed(raw, message, code, about());

  const responded = (value: JsonObject): readonly Utterance[] => {
    // "3" answers 3: the published client takes it so.
    const call = calls.get(String(value.id));
    const raw = call === undefined ? 'response' : `${call.method} response`;
    // Where the request is known, a response to something else is none of this call's. An error without id is to the request itself, and so is one that is the whole answer.
    if (call === undefined && calls.size > 0 && value.id !== null && !(whole && value.error !== undefined)) return [note(raw, 'log')];
    // Such a request may be refused, and nothing has failed: servers without a stream to listen on must answer 405.
    if (call === undefined && bare && value.error !== undefined && (whole || !listens))
      return [note(raw, 'log', asString(asObject(value.error)?.message))];
    if (call !== undefined && PLUMBING.test(call.method)) return [note(raw, 'log', asString(asObject(value.result)?.status))];
    const said: Utterance[] = [...begin(raw, named('call', value.id)), ...answered(raw)];
    owed.delete(String(value.id));
    running = false;
    const error = asObject(value.error);
    if (error !== null) {
      const code = asText(error.code);
      said.push(failed(raw, asString(error.message) ?? ERROR_NAMES[code ?? ''] ?? '', code));
      return said;
    }
    const result = asObject(value.result) ?? {};
    const task = asObject(result.task);
    if (task !== null && result.content === undefined) {
      const status = asString(task.status) ?? '';
      // The call was taken on as a task: nothing is done, and its result comes by a request of its own.
      if (status === 'working' || status === 'input_required') {
        const name = named('task', task.taskId);
        if (name !== null) {
          running = true;
          said.push(...begin(raw, name));
          running = false;
        }
        return [...said, finished(raw, 'waiting', status, status === 'working' ? 'other' : 'input')];
      }
      const reason = TASKS[status] ?? 'other';
      said.push(reason === 'error' ? failed(raw, asString(task.statusMessage) ?? '', status) : finished(raw, reason, status));
      return said;
    }
    const isTool = call === undefined ? Array.isArray(result.content) : call.method === 'tools/call' || call.method === 'tasks/result';
    const text = isTool
      ? asObjects(result.content)
          .map((block) => asString(block.text) ?? asString(asObject(block.resource)?.text) ?? '')
          .join('\n')
      : '';
    const output = about(identityOf({ toolCall: isId(value.id) ? JSON.stringify(value.id) : null }));
    said.push(
      text !== ''
        ? utter(
            raw,
            'assistant',
            'committed',
            { type: 'part.closed', text },
            { ...about(), part: calls.size > 1 ? `content ${value.id}` : 'content' },
          )
        : // Data is an answer too: a list, a handshake, an image.
          utter(
            raw,
            'tool',
            'committed',
            { type: 'tool.returned', output: asText(result), failed: result.isError === true, preliminary: false },
            output,
          ),
    );
    if (isTool && result.isError === true) said.push(failed(raw, text, 'isError'));
    else if (owed.size === 0) said.push(finished(raw, 'stop', 'result'));
    else running = true;
    return said;
  };

  const read = (value: JsonObject): readonly Utterance[] => {
    const method = asString(value.method);
    if (method === null)
      return isId(value.id) || value.id === null
        ? responded(value)
        : [malformed('(no method)', 'neither a method nor a response', about())];
    const params = asObject(value.params) ?? {};
    return isId(value.id) ? asked(method, params, value.id) : notified(method, params);
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      // Compared within a run only, whose name holds the session.
      wireId = frame.id === '' ? null : frame.id;
      whole = frame.framing === 'body';
      const begun = sent.length > 0 ? start() : NOTHING;
      // An event without data only tells where to resume.
      if (frame.framing === 'sse' && !frame.data.startsWith('{') && frame.data.trim() === '')
        return begun.length > 0 ? begun : [note('(cursor)', 'lifecycle')];
      const value = parseJson(frame.data);
      const single = asObject(value);
      if (isRpc(single)) return after(begun, read(single));
      const messages = Array.isArray(value) ? asObjects(value) : [];
      if (messages.length === 0 || !messages.every(isRpc)) return after(begun, [malformed('(unread)', 'not a JSON-RPC message', about())]);
      return messages.reduce((said, message) => after(said, read(message)), begun);
    },
    end(how) {
      const said: Utterance[] = [];
      for (const message of sent.splice(0)) {
        // What the server asked on the call's stream is answered here.
        if (isAnswer(message) && how === 'eof' && (opening.status ?? 0) < 300)
          said.push(
            utter('answer', 'interaction', 'committed', {
              type: 'answered',
              request: question(message.id as string | number),
              how: asString(asObject(message.result)?.action),
            }),
          );
        if (message.method !== 'notifications/cancelled') continue;
        const id = asObject(message.params)?.requestId;
        current = named('call', id);
        // Numbered, so that it joins the call's attempt and does not begin another.
        wireId = `${current ?? ''} cancelled`;
        if (current !== null)
          said.push(finished('notifications/cancelled', 'cancelled', asString(asObject(message.params)?.reason) ?? 'cancelled'));
      }
      return said;
    },
  };
};

/** Messages that are MCP's and nobody else's, without any header. */
const telling = (value: JsonObject | null): boolean => {
  if (!isRpc(value)) return false;
  const result = asObject(value.result);
  if (typeof result?.protocolVersion === 'string' && asObject(result.serverInfo) !== null && asObject(result.capabilities) !== null)
    return true;
  const params = asObject(value.params);
  switch (asString(value.method)) {
    case 'notifications/progress':
      return isId(params?.progressToken) && typeof params?.progress === 'number';
    case 'elicitation/create':
      return isId(value.id) && typeof params?.message === 'string' && (asObject(params.requestedSchema) !== null || params.mode === 'url');
    default:
      return false;
  }
};

const CALLS = /^(?:initialize|tools\/(?:call|list)|prompts\/(?:get|list)|resources\/(?:read|list|templates\/list))$/u;

export const mcpStreamableHttp: Dialect = {
  id: 'mcp-streamable-http',
  title: 'MCP Streamable HTTP',
  framings: ['sse', 'body'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise({ transport, headers, requestHeaders, requestBody, frames, last }) {
    if (transport !== 'fetch' && transport !== 'xhr' && transport !== 'eventsource') return 'no';
    const values = frames.filter((frame) => frame.direction === 'received').map(frameObject);
    const mcp = [requestHeaders, headers].some((some) => 'mcp-session-id' in some || 'mcp-protocol-version' in some);
    if (mcp && values.some(isRpc)) return 'certain';
    const asked = callsOf(requestBody);
    if (mcp && last && asked.some((one) => one.method === 'notifications/cancelled' || isAnswer(one))) return 'certain';
    // Without its headers a call is known by its method and by taking a stream for an answer, which the protocol demands, or by
    // getting one; a tool's also by what it answers with.
    const streams = (requestHeaders.accept ?? '').includes('text/event-stream');
    const answers = values.filter((value) => isRpc(value) && isId(value.id));
    const brings = answers.some((value) => asObjects(asObject(value?.result)?.content).some(({ type }) => typeof type === 'string'));
    const known = asked.some(
      ({ method, params }) =>
        CALLS.test(asString(method) ?? '') &&
        (streams ||
          (frames[0]?.framing === 'sse' && method !== 'initialize') ||
          (brings && method === 'tools/call' && typeof asObject(params)?.name === 'string')),
    );
    if (known && answers.length > 0) return 'certain';
    return values.some(telling) ? 'certain' : 'no';
  },
  open,
};
