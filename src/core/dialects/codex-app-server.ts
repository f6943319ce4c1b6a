/**
 * Codex app-server: JSON-RPC without a `jsonrpc` member over a WebSocket. Spec: @openai/codex 0.171.0 and its published
 * schema. Recognised by `thread/`, `turn/` and `item/` methods that name a thread; several threads share a connection.
 *
 * Terminal word: `turn/completed` with `turn.status`; a finished item, an idle thread and `error` settle nothing. An open
 * server request (approval, input, elicitation, client tool) is a live wait. Only `item/completed` commits text: what a
 * retried attempt had streamed is never taken back and never completed, so it stays provisional in its own attempt.
 */
import type { FinishReason, Identity, WaitKind } from '../model';
import { itemCompleted, itemDelta, itemStarted, type Phases } from './codex-items';
import {
  asNumber,
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type Dialect,
  frameObject,
  identityOf,
  type JsonObject,
  malformed,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { createWriting } from './writing';

type About = { readonly identity: Identity; readonly lane: string };

/** Server requests that a run stands still for. Everything else the server asks is answered by the client program alone. */
const asks = (method: string, params: JsonObject | null): WaitKind | null => {
  if (/(?:\/requestApproval|^applyPatchApproval|^execCommandApproval)$/u.test(method)) return 'approval';
  if (method === 'item/tool/requestUserInput') return 'input';
  if (/elicitation/iu.test(method)) return params?.mode === 'url' ? 'auth' : 'input';
  return method === 'item/tool/call' ? 'tool' : null;
};

/** A failure that is no error but a limit reached, or an answer withheld, by its kind or by the words of the Responses API. */
const LIMITS = new Set(['contextWindowExceeded', 'usageLimitExceeded', 'sessionBudgetExceeded']);
const INCOMPLETE: Readonly<Record<string, FinishReason['reason']>> = table({
  max_output_tokens: 'length',
  content_filter: 'content-filter',
});

const BEGINS = new Set(['turn/start', 'review/start']);
const LOGS =
  /^(?:account|app|configWarning|deprecationNotice|fs|fuzzyFileSearch|hook|mcpServer|model|remoteControl|skills|warning|windows)/u;

interface Thread {
  readonly id: string;
  parent: string | null;
  /** The turn that was named last; null for one that the page has asked for and the server has not named yet. */
  turn: string | null;
  running: boolean;
  readonly turns: Map<string, Identity>;
  /** Open requests: ours → theirs. */
  readonly asks: Map<string, string>;
  readonly phases: Phases;
  usage: { input: number; output: number; reasoning: number };
}

const rpcId = (value: JsonObject): string | null =>
  typeof value.id === 'number' || typeof value.id === 'string' ? String(value.id) : null;

const open = (): Decoder => {
  const threads = new Map<string, Thread>();
  /** Requests of the page by id. The server's requests have an id space of their own. */
  const sent = new Map<string, { readonly method: string; readonly thread: string }>();
  let latest = '';
  const writing = createWriting();

  const threadOf = (id: string): Thread => {
    let thread = threads.get(id);
    if (thread === undefined) {
      thread = {
        id,
        parent: null,
        turn: null,
        running: false,
        turns: new Map(),
        asks: new Map(),
        phases: new Map(),
        usage: { input: 0, output: 0, reasoning: 0 },
      };
      threads.set(id, thread);
    }
    latest = id;
    return thread;
  };
  const about = (thread: Thread, turn: string | null = thread.turn): About => ({
    identity: (turn === null ? undefined : thread.turns.get(turn)) ?? identityOf({ conversation: thread.id }),
    lane: thread.id,
  });
  const note = (
    raw: string,
    thread: Thread | null,
    voice: 'lifecycle' | 'log' | 'interaction' | 'tool',
    text: string | null = null,
  ): Utterance => utter(raw, voice, 'committed', { type: 'note', text }, thread === null ? {} : about(thread));

  const learn = (info: JsonObject | null): Thread | null => {
    const id = asString(info?.id);
    if (id === null) return null;
    const thread = threadOf(id);
    thread.parent = asString(info?.parentThreadId) ?? thread.parent;
    return thread;
  };

  /** A turn is at work: the run opens when it is asked for, and takes its name when the server gives it one. */
  const begin = (thread: Thread, raw: string, turn: string | null, root: string | null = null): readonly Utterance[] => {
    if (turn === null ? thread.running : thread.turns.has(turn)) return [];
    if (turn !== null) {
      const parent = thread.parent === null ? null : (threads.get(thread.parent)?.turn ?? null);
      thread.turns.set(turn, identityOf({ conversation: thread.id, run: turn, parentRun: root !== null && root !== turn ? root : parent }));
    }
    thread.turn = turn;
    thread.running = true;
    thread.usage = { input: 0, output: 0, reasoning: 0 };
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, about(thread))];
  };

  const answer = (thread: Thread, raw: string, how: string | null, which?: string): readonly Utterance[] => {
    const said: Utterance[] = [];
    for (const [request, rpc] of thread.asks) {
      if (which !== undefined && rpc !== which) continue;
      thread.asks.delete(request);
      said.push(utter(raw, 'interaction', 'committed', { type: 'answered', request, how }, about(thread)));
    }
    return said;
  };

  const complete = (thread: Thread, turn: JsonObject): readonly Utterance[] => {
    const id = asString(turn.id);
    const status = asString(turn.status);
    const raw = `turn/completed ${status ?? ''}`.trimEnd();
    const said: Utterance[] = [...begin(thread, raw, id, asString(turn.rootTurnId))];
    if (status === 'inProgress') return [...said, note(raw, thread, 'lifecycle')];
    const current = id === null || id === thread.turn;
    if (current) {
      said.push(...answer(thread, raw, null));
      thread.running = false;
    }
    const at = about(thread, id ?? thread.turn);
    const finished = (reason: FinishReason['reason'], word: string | null): Utterance =>
      utterFinished(raw, { reason, raw: word }, null, at);
    if (status === 'completed') {
      for (const item of asObjects(turn.items)) if (item.type === 'agentMessage') said.push(...itemCompleted(raw, item, at, thread.phases));
      said.push(finished('stop', status));
    } else if (status === 'interrupted') said.push(finished('cancelled', status));
    else if (status === 'failed') {
      const error = asObject(turn.error);
      const message = asString(error?.message) ?? '';
      const info = asString(error?.codexErrorInfo) ?? Object.keys(asObject(error?.codexErrorInfo) ?? {})[0] ?? null;
      const incomplete = /^Incomplete response returned, reason: (\w+)/u.exec(message)?.[1];
      const reason = incomplete === undefined ? undefined : INCOMPLETE[incomplete];
      if (info !== null && LIMITS.has(info)) said.push(finished('length', info));
      else if (reason !== undefined) said.push(finished(reason, incomplete!));
      else said.push(utterFailed(raw, message, info, at));
    } else said.push(finished('other', status));
    return said;
  };

  const status = (thread: Thread, params: JsonObject): readonly Utterance[] => {
    const value = asObject(params.status);
    const type = asString(value?.type) ?? '';
    const raw = `thread/status/changed ${type}`.trimEnd();
    if (type === 'idle') return [utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'idle', label: null }, about(thread))];
    const flags = Array.isArray(value?.activeFlags) ? value.activeFlags : [];
    if (type !== 'active' || flags.length > 0)
      return [note(raw, thread, flags.length > 0 ? 'interaction' : 'log', flags.map(asText).join(', ') || null)];
    return [
      ...answer(thread, raw, null),
      utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'working', label: null }, about(thread)),
    ];
  };

  const request = (thread: Thread, method: string, params: JsonObject | null, rpc: string, kind: WaitKind): readonly Utterance[] => {
    const said = begin(thread, method, asString(params?.turnId));
    const key = `${asString(params?.turnId) ?? thread.id}:${rpc}`;
    thread.asks.set(key, rpc);
    const question = asString(asObjects(params?.questions)[0]?.question);
    const prompt = asString(params?.reason) ?? asString(params?.message) ?? question ?? asString(params?.command) ?? asString(params?.tool);
    return [
      ...said,
      utter(method, 'interaction', 'committed', { type: 'asked', request: key, kind, prompt, blocking: true }, about(thread)),
    ];
  };

  const usage = (thread: Thread, method: string, params: JsonObject): readonly Utterance[] => {
    const last = asObject(asObject(params.tokenUsage)?.last);
    // Each report is of one model call; the turn is their sum.
    thread.usage.input += asNumber(last?.inputTokens) ?? 0;
    thread.usage.output += asNumber(last?.outputTokens) ?? 0;
    thread.usage.reasoning += asNumber(last?.reasoningOutputTokens) ?? 0;
    const { input, output, reasoning } = thread.usage;
    return [
      utter(
        method,
        'log',
        'committed',
        { type: 'usage', usage: { inputTokens: input, outputTokens: output, reasoningTokens: reasoning } },
        about(thread),
      ),
    ];
  };

  const notified = (method: string, params: JsonObject, thread: Thread | null): readonly Utterance[] => {
    const turn = asString(params.turnId);
    if (method === 'thread/started') return [note(method, learn(asObject(params.thread)), 'lifecycle')];
    if (thread === null)
      return [LOGS.test(method) ? note(method, null, 'log', asString(params.summary) ?? asString(params.message)) : unknown(method)];
    switch (method) {
      case 'turn/started': {
        const started = asObject(params.turn);
        const said = begin(thread, method, asString(started?.id), asString(started?.rootTurnId));
        return said.length > 0 ? said : [note(method, thread, 'lifecycle')];
      }
      case 'turn/completed': {
        const value = asObject(params.turn);
        return value === null ? [malformed(method, 'turn/completed without a turn', about(thread))] : complete(thread, value);
      }
      case 'thread/status/changed':
        return status(thread, params);
      case 'serverRequest/resolved': {
        const said = answer(thread, method, null, asText(params.requestId) ?? '');
        return said.length > 0 ? said : [note(method, thread, 'interaction')];
      }
      case 'thread/tokenUsage/updated':
        return usage(thread, method, params);
      case 'error': {
        const text = asString(asObject(params.error)?.message);
        const said = [note(method, thread, 'log', text)];
        // The model call is made again: what it had begun is left standing and never completed.
        if (params.willRetry === true && thread.running)
          said.push(utter(method, 'lifecycle', 'committed', { type: 'attempt.opened', model: null }, about(thread)));
        return said;
      }
      case 'turn/plan/updated': {
        const text = asObjects(params.plan)
          .map((step) => asString(step.step) ?? '')
          .join('\n');
        return [
          ...begin(thread, method, turn),
          utter(method, 'progress', 'committed', { type: 'part.replaced', text }, { ...about(thread, turn ?? thread.turn), part: 'plan' }),
        ];
      }
      case 'turn/diff/updated':
        return [utter(method, 'progress', 'committed', { type: 'note', text: null }, about(thread, turn ?? thread.turn))];
    }
    if (method.startsWith('item/')) {
      const said = begin(thread, method, turn);
      const at = about(thread, turn ?? thread.turn);
      const item = asObject(params.item);
      if (item !== null && method === 'item/started') return [...said, ...itemStarted(method, item, at, thread.phases)];
      if (item !== null && method === 'item/completed') return [...said, ...itemCompleted(method, item, at, thread.phases)];
      return [...said, ...itemDelta(method, params, at, thread.phases)];
    }
    if (method.startsWith('thread/') || LOGS.test(method))
      return [note(method, thread, method.startsWith('thread/') ? 'lifecycle' : 'log', asString(params.message))];
    return [unknown(method, thread)];
  };

  const unknown = (method: string, thread: Thread | null = null): Utterance => unrecognised(method, thread === null ? {} : about(thread));

  const replied = (value: JsonObject): readonly Utterance[] => {
    const call = sent.get(rpcId(value) ?? '');
    const error = asObject(value.error);
    const raw = `${call?.method ?? 'request'} ${error === null ? 'result' : 'error'}`;
    const thread = call === undefined || call.thread === '' ? null : threadOf(call.thread);
    const result = asObject(value.result);
    if (error !== null) {
      const text = asString(error.message);
      if (thread === null || !BEGINS.has(call?.method ?? '') || !thread.running || thread.turn !== null)
        return [note(raw, thread, 'log', text)];
      thread.running = false;
      return [utterFailed(raw, text ?? '', asText(error.code), about(thread))];
    }
    const turn = asObject(result?.turn);
    if (thread !== null && turn !== null && BEGINS.has(call?.method ?? ''))
      return [...begin(thread, raw, asString(turn.id), asString(turn.rootTurnId)), note(raw, thread, 'lifecycle')];
    const told = learn(asObject(result?.thread));
    const said: Utterance[] = [note(raw, told ?? thread, 'lifecycle')];
    const live = asObjects(asObject(result?.thread)?.turns).at(-1);
    // A thread that is taken up again while its turn is at work comes with what the turn has said so far.
    if (told !== null && call?.method === 'thread/resume' && live?.status === 'inProgress') {
      said.push(...begin(told, raw, asString(live.id), asString(live.rootTurnId)));
      for (const item of asObjects(live.items))
        if (item.type === 'agentMessage') said.push(...itemCompleted(raw, item, about(told), told.phases));
    }
    return said;
  };

  const outgoing = (value: JsonObject): readonly Utterance[] => {
    const method = asString(value.method);
    const rpc = rpcId(value);
    if (method === null) {
      const how = asString(asObject(value.result)?.decision) ?? asString(asObject(value.result)?.action);
      for (const thread of threads.values()) {
        const said = rpc === null ? [] : answer(thread, 'answer', how, rpc);
        if (said.length > 0) return said;
      }
      return [];
    }
    const id = asString(asObject(value.params)?.threadId);
    if (rpc !== null) sent.set(rpc, { method, thread: id ?? '' });
    if (id === null) return [];
    const thread = threadOf(id);
    const said = BEGINS.has(method) ? begin(thread, method, null) : [];
    return said.length > 0 ? said : [note(method, thread, 'lifecycle')];
  };

  const received = (value: JsonObject, method: string, params: JsonObject): readonly Utterance[] => {
    const id = asString(params.threadId) ?? asString(params.conversationId);
    const thread = id === null ? null : threadOf(id);
    const rpc = rpcId(value);
    if (rpc === null) return notified(method, params, thread);
    const kind = asks(method, params);
    const asked = thread ?? threads.get(latest) ?? null;
    return kind === null || asked === null ? [note(method, thread, 'tool')] : request(asked, method, params, rpc, kind);
  };

  return {
    frame(frame) {
      const value = frameObject(frame);
      if (frame.direction === 'sent') return writing.note(value === null ? [] : outgoing(value));
      if (value === null) return [malformed('(unread)', 'not a JSON object')];
      const method = asString(value.method);
      if (method === null) return writing.note('result' in value || 'error' in value ? replied(value) : [unknown('(no method)')]);
      const params = asObject(value.params) ?? {};
      const text = value.id === undefined && method.startsWith('item/') ? params.delta : null;
      const more = writing.more(
        text,
        null,
        method,
        params.threadId,
        params.turnId,
        params.itemId,
        params.summaryIndex,
        params.contentIndex,
      );
      return more ?? writing.note(received(value, method, params));
    },
    end: () => [],
  };
};

const ITEMS =
  /^item\/(?:started|completed|(?:agentMessage|plan|reasoning|commandExecution|fileChange|mcpToolCall|tool|permissions)\/\w+)$/u;

/** Settings that only these requests have. */
const THREAD = ['approvalPolicy', 'sandbox', 'cwd', 'modelProvider', 'ephemeral'] as const;

const telling = (value: JsonObject | null): boolean => {
  if (value === null || 'jsonrpc' in value) return false;
  const method = asString(value.method) ?? '';
  const params = asObject(value.params);
  // The server's greeting, which names the program and the system it is on.
  const greeting = asObject(value.result);
  if (asString(greeting?.userAgent) !== null && asString(greeting?.platformFamily) !== null) return true;
  if (/^turn\/(?:start|started|completed|interrupt|steer|(?:plan|diff)\/updated)$/u.test(method))
    return (
      asString(params?.threadId) !== null &&
      (Array.isArray(params?.input) || asString(params?.turnId) !== null || asObject(params?.turn) !== null)
    );
  if (ITEMS.test(method)) return asString(params?.threadId) !== null && asString(params?.turnId) !== null;
  if (/^thread\/(?:start|resume|fork)$/u.test(method)) return THREAD.some((key) => params?.[key] !== undefined);
  if (method === 'thread/started')
    return asString(asObject(params?.thread)?.cliVersion ?? asObject(params?.thread)?.modelProvider) !== null;
  return method === 'thread/status/changed' && asString(asObject(params?.status)?.type) !== null;
};

export const codexAppServer: Dialect = {
  id: 'codex-app-server',
  title: 'Codex app-server',
  framings: ['message'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise: ({ frames }) => (frames.some((frame) => telling(frameObject(frame))) ? 'certain' : 'no'),
  open,
};
