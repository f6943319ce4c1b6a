/**
 * LangGraph agent streaming protocol: `/threads/{id}/stream/events` over SSE, or the same frames over one socket. Spec: npm
 * @langchain/protocol 0.0.21. Recognised by `{type: "event", event_id, seq, method, params: {namespace: [...]}}`.
 *
 * Terminal word: a `lifecycle` event of the root (`namespace: []`): completed, failed or interrupted. Deeper namespaces end
 * a subgraph only. The stream stays open and carries the thread's next run, so its end means nothing.
 */
import type { FinishReason, Voice, WaitKind } from '../model';
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
  type JsonObject,
  notJson,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { type About, answerEnd, askKind, commitMessage, finishReasonOf, isAi } from './langchain-messages';
import { createWriting } from './writing';

const isEvent = (value: JsonObject): boolean =>
  value.type === 'event' &&
  asNumber(value.seq) !== null &&
  asString(value.method) !== null &&
  Array.isArray(asObject(value.params)?.namespace);
const isReply = (value: JsonObject): boolean =>
  (value.type === 'success' || value.type === 'error') && asNumber(asObject(value.meta)?.applied_through_seq) !== null;

const BLOCKS: Readonly<Record<string, Voice>> = table({ text: 'assistant', reasoning: 'reasoning', thinking: 'reasoning' });

const wordsOf = (block: JsonObject | null): string | null =>
  asString(block?.text) ?? asString(block?.reasoning) ?? asString(block?.thinking);

const open = (opening: FlowOpening): Decoder => {
  const thread = /\/threads\/([^/?#]+)/u.exec(opening.url)?.[1] ?? null;
  let runs = 0;
  const writing = createWriting();
  let running = false;
  const asks = new Set<string>();
  const committed = new Map<string, string>();
  /** Of each namespace, the message that is being streamed. */
  const current = new Map<string, string>();
  /** Of each voice of a message, its blocks by their index. */
  const told = new Map<string, Set<number | null>>();
  let history: Set<string> | null = null;
  let lastReason: string | null = null;

  const begin = (raw: string, about: About): readonly Utterance[] => {
    if (running) return [];
    running = true;
    runs++;
    history = null;
    lastReason = null;
    // The thread's run goes on where an answer was given to what it asked: once, the run after it is the next turn's.
    const resumes = thread !== null && runs > 1 ? [...asks] : [];
    asks.clear();
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes }, about)];
  };

  const confirm = (raw: string, messages: readonly JsonObject[], about: About): readonly Utterance[] =>
    messages.flatMap((message) => {
      const id = asString(message.id) ?? '';
      if (history?.has(id) === true && !committed.has(id)) return [];
      const fingerprint = JSON.stringify([message.content, message.tool_calls]);
      if (committed.get(id) === fingerprint) return [];
      committed.set(id, fingerprint);
      if (isAi(message)) lastReason = finishReasonOf(message) ?? lastReason;
      // The whole of several blocks is not told once more: their ends have said it.
      return commitMessage(raw, message, about).filter((one) => (told.get(one.part!)?.size ?? 0) < 2);
    });

  const streamed = (data: JsonObject, namespace: string, about: About): readonly Utterance[] => {
    const kind = asString(data.event) ?? '';
    const raw = `messages ${kind}`;
    if (kind === 'message-start') {
      const id = asString(data.id) ?? namespace;
      current.set(namespace, id);
      committed.set(id, '');
      return [
        utter(raw, 'lifecycle', 'committed', { type: 'note', text: null }, { ...about, identity: { ...about.identity, message: id } }),
      ];
    }
    const id = current.get(namespace) ?? namespace;
    const where = { ...about, identity: { ...about.identity, message: id } };
    const content = asObject(data.content);
    const delta = asObject(data.delta);
    const type = asString(content?.type) ?? (asString(delta?.type) ?? '').replace(/-delta$/u, '');
    const text = wordsOf(content) ?? wordsOf(delta);
    const voice = BLOCKS[type];
    if (voice !== undefined) {
      const spoken = `${id}:${voice === 'assistant' ? 'text' : 'reasoning'}`;
      const index = asNumber(data.index);
      const blocks = told.get(spoken) ?? new Set();
      told.set(spoken, blocks);
      const isEnd = kind === 'content-block-finish';
      if (!text && !isEnd) return [utter(raw, voice, 'provisional', { type: 'note', text: null }, where)];
      blocks.add(index);
      // Each block is a part; the first of its voice is found by whole messages, too.
      const [first] = blocks;
      const piece = { ...where, part: first === index ? spoken : `${spoken}:${index}` };
      return isEnd
        ? [utter(raw, voice, 'committed', { type: 'part.closed', text: text || null }, piece)]
        : [utter(raw, voice, 'provisional', { type: 'part.delta', text: text! }, piece)];
    }
    if (type.startsWith('tool')) {
      const toolCall = asString(content?.id);
      const at = toolCall === null ? where : { ...where, identity: { ...where.identity, toolCall } };
      if (toolCall !== null)
        return [
          utter(
            raw,
            'tool',
            kind === 'content-block-finish' ? 'committed' : 'provisional',
            { type: 'tool.called', name: asString(content?.name) ?? '', input: asText(content?.args), owedBy: 'producer' },
            at,
          ),
        ];
      return [utter(raw, 'tool', 'provisional', { type: 'tool.input', text: asString(delta?.args) ?? '' }, at)];
    }
    if (kind === 'message-finish') {
      lastReason = asString(data.reason) ?? lastReason;
      return [utter(raw, 'lifecycle', 'committed', { type: 'note', text: lastReason }, where)];
    }
    if (kind === 'error') return [utter(raw, 'log', 'committed', { type: 'note', text: asText(data.message ?? data.error) }, where)];
    return [utter(raw, 'log', 'provisional', { type: 'note', text: null }, where)];
  };

  const lifecycle = (data: JsonObject, root: boolean, about: About): readonly Utterance[] => {
    const state = asString(data.event) ?? '';
    const raw = `lifecycle ${state}`;
    if (!root) return [utter(raw, 'lifecycle', 'committed', { type: 'note', text: state }, about)];
    const end = (reason: FinishReason['reason'], waitingFor: WaitKind | null): readonly Utterance[] => {
      running = false;
      return [utterFinished(raw, { reason, raw: state }, waitingFor, about)];
    };
    switch (state) {
      case 'completed':
        return end(answerEnd(lastReason), null);
      case 'interrupted':
        return end('waiting', null);
      case 'failed':
        running = false;
        return [utterFailed(raw, asText(data.error) ?? '', null, about)];
      default:
        return [utter(raw, 'lifecycle', 'committed', { type: 'status', state: 'working', label: state }, about)];
    }
  };

  const read = (event: JsonObject): readonly Utterance[] => {
    const method = asString(event.method)!;
    const params = asObject(event.params)!;
    const path = asArray(params.namespace);
    const namespace = path.length === 1 ? (asText(path[0]) ?? '') : path.map(asText).join('|');
    const data = asObject(params.data) ?? {};
    const piece = method === 'messages' ? asObject(data.delta) : null;
    const text = wordsOf(piece);
    const wireId = asString(event.event_id);
    const more = writing.more(text || null, wireId, namespace, params.node, data.event, data.content, piece?.type, data.index);
    return more ?? writing.note(said(method, params, namespace, data, wireId));
  };

  const said = (method: string, params: JsonObject, namespace: string, data: JsonObject, wireId: string | null): readonly Utterance[] => {
    const about: About = {
      identity: identityOf({ conversation: thread, agent: namespace, step: params.node }),
      wireId,
    };
    const begun = begin(method, about);
    switch (method) {
      case 'lifecycle':
        return [...begun, ...lifecycle(data, namespace === '', about)];
      case 'messages':
        return [...begun, ...streamed(data, namespace, about)];
      case 'values':
      case 'updates': {
        const messages = asObjects(data.messages);
        if (history === null && method === 'values') history = new Set(messages.map((message) => asString(message.id) ?? ''));
        // A subgraph's state is not the thread's.
        const confirmed = namespace === '' ? confirm(method, messages, about) : [];
        return confirmed.length > 0
          ? [...begun, ...confirmed]
          : [...begun, utter(method, 'lifecycle', 'committed', { type: 'note', text: null }, about)];
      }
      case 'tools': {
        const toolCall = asString(data.tool_call_id) ?? asString(data.id);
        const kind = asString(data.event) ?? '';
        const at = toolCall === null ? about : { ...about, identity: { ...about.identity, toolCall } };
        if (kind === 'tool-finished' || kind === 'tool-error')
          return [
            ...begun,
            utter(
              `tools ${kind}`,
              'tool',
              'committed',
              { type: 'tool.returned', output: asText(data.output ?? data.error), failed: kind === 'tool-error', preliminary: false },
              at,
            ),
          ];
        return [...begun, utter(`tools ${kind}`, 'tool', 'provisional', { type: 'note', text: null }, at)];
      }
      case 'input.requested': {
        const request = asString(data.interrupt_id) ?? '';
        asks.add(request);
        return [
          ...begun,
          utter(
            method,
            'interaction',
            'committed',
            { type: 'asked', request, kind: askKind(data.payload), prompt: asText(data.payload), blocking: false },
            about,
          ),
        ];
      }
      case 'input.answered':
        return [
          ...begun,
          utter(method, 'interaction', 'committed', { type: 'answered', request: asString(data.interrupt_id) ?? '', how: null }, about),
        ];
      case 'custom':
        return [...begun, utter(method, 'progress', 'committed', { type: 'note', text: asText(data.payload ?? data) }, about)];
      case 'checkpoints':
      case 'tasks':
      case 'input':
        return [...begun, utter(method, 'log', 'committed', { type: 'note', text: null }, about)];
      default:
        return [...begun, unrecognised(method, about)];
    }
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const value = frameObject(frame);
      if (value === null) return notJson();
      if (isEvent(value)) return read(value);
      if (isReply(value))
        return [
          utter(
            `reply ${asString(value.type)}`,
            'lifecycle',
            'committed',
            { type: 'note', text: asText(value.error) },
            { identity: identityOf({ conversation: thread }) },
          ),
        ];
      return [unrecognised(asString(value.type) ?? '(no type)')];
    },
    end: () => [],
  };
};

export const langgraphThread: Dialect = {
  id: 'langgraph-thread',
  title: 'LangGraph (thread protocol)',
  framings: ['sse', 'message'],
  hasTerminalWord: true,
  runs: 'socket',
  recognise: ({ frames }) =>
    frames.some((frame) => {
      const value = frame.direction === 'received' ? frameObject(frame) : null;
      return value !== null && isEvent(value);
    })
      ? 'certain'
      : 'no',
  open,
};
