/**
 * OpenAI Chat Completions and its look-alikes (DeepSeek, OpenRouter, vLLM, Groq, Azure, llama.cpp, Ollama's OpenAI route).
 * Spec: npm openai 7.59.0 types; wire/dialects facts of 2026-11. Recognised by `object: "chat.completion.chunk"`
 * (`text_completion`, of the older call that is no chat), or by two frames with `choices[].delta` where a proxy drops `object`.
 *
 * Terminal word: each choice's `finish_reason`; the call is settled when every choice has one. `[DONE]` is transport, and
 * often missing. An in-band `error` object fails it. A server that runs the tools itself may send one completion after the other
 * in one body: they are told apart by `id` (turns.ts), and the last says how the run ended.
 */
import type { FinishReason, Identity } from '../model';
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
  requestOf,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { latest } from './fails-at-once';
import { CHAT_ENDS } from './finish-words';
import { deltaOf, PIECES, recognise } from './openai-chat-opening';
import { createThinkTag, type ThinkTag } from './think-tag';
import { createTurns, type Turn } from './turns';

const CHUNK = 'chat.completion.chunk';

/** Where choices end differently, the worst says how the call ended. */
const WORST: readonly FinishReason['reason'][] = ['error', 'other', 'content-filter', 'refusal', 'length', 'tool-calls', 'stop'];

interface Completion extends Turn {
  /** Sets its choices apart from those of the completions before. */
  readonly ordinal: number;
  readonly choices: Map<number, Choice>;
  /** Choices that have not finished. */
  open: number;
  /** How it ended; without a word of its own where an error ended it. */
  worst: FinishReason | null;
}

interface Choice {
  readonly key: string;
  readonly think: ThinkTag;
  readonly tools: Map<number, { id: string; name: string }>;
  said: boolean;
  /** The parts that were begun: what was never said is not closed either. */
  readonly parts: Set<'text' | 'reasoning' | 'think' | 'refusal' | 'audio'>;
  refused: boolean;
  /** `reasoning_content`, `reasoning` and `reasoning_details` may carry one text twice or thrice: the first kind seen counts. */
  reasoningField: string | null;
  finish: FinishReason | null;
}

const worse = (a: FinishReason | null, b: FinishReason): FinishReason =>
  a === null || WORST.indexOf(b.reason) < WORST.indexOf(a.reason) ? b : a;

/** Neither null nor empty. */
const has = (value: unknown): boolean => value != null && value !== '' && !(Array.isArray(value) && value.length === 0);

const finished = (finish: FinishReason, identity: Identity): Utterance =>
  utterFinished('finish_reason', finish, finish.reason === 'tool-calls' ? 'tool' : null, { identity });
const breach = (breach: 'out-of-order' | 'terminal-conflict', detail: string, identity: Identity): Utterance =>
  utter(breach === 'out-of-order' ? '[DONE]' : 'finish_reason', null, 'provisional', { type: 'breach', breach, detail }, { identity });

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  // One prompt is a text or a list of tokens; of a list of either, each has `n` choices.
  const prompts = asArray(request?.prompt);
  const wanted = Math.max(1, asNumber(request?.n) ?? 1) * (typeof prompts[0] === 'number' ? 1 : Math.max(1, prompts.length));
  let made = 0;
  const turns = createTurns(
    (): Completion => ({
      id: '',
      steady: false,
      spoke: false,
      mixed: false,
      next: '',
      ordinal: made++,
      choices: new Map(),
      open: 0,
      worst: null,
    }),
    ({ choices, open, worst }) => (open === 0 && choices.size >= wanted) || worst?.raw === null,
  );
  let opened = false;
  /** On a socket: the page has asked for something since the last run ended. */
  let asked = false;
  /** The end mark has come, and no end. */
  let marked = false;

  const begin = (identity: Identity): readonly Utterance[] => {
    if (opened) return [];
    opened = true;
    // A follow-up call that brings tool results goes on with the run that asked for them.
    const resumes = latest(request?.messages).flatMap((message) => asString(message.tool_call_id) ?? []);
    return [utter(CHUNK, 'lifecycle', 'committed', { type: 'run.opened', resumes }, { identity })];
  };

  /** The chunk has another id than the one before: it may be of another completion, which goes on with the run. */
  const turn = (id: string, chunk: JsonObject, identity: Identity): readonly Utterance[] => {
    const choices = asObjects(chunk.choices);
    const brings = (...names: readonly string[]): boolean =>
      choices.some((choice) => {
        const delta = deltaOf(choice);
        return delta !== null && names.some((name) => has(delta[name]));
      });
    const speaks = brings(...PIECES.slice(1));
    // Some close with a chunk of usage, in the form of a first one.
    const first = brings('role') && (speaks || !has(chunk.usage));
    return turns.turnTo(
      id,
      speaks,
      first,
      choices.some((choice) => has(choice.finish_reason)),
    )
      ? [
          utter(
            CHUNK,
            'lifecycle',
            'committed',
            asked ? { type: 'run.opened', resumes: [] } : { type: 'attempt.opened', model: asString(chunk.model) },
            { identity },
          ),
        ]
      : [];
  };

  const choiceAt = (index: number): Choice => {
    const { choices, ordinal } = turns.current;
    let choice = choices.get(index);
    if (choice === undefined) {
      turns.current.open++;
      choice = {
        key: ordinal === 0 ? `${index}` : `${ordinal}:${index}`,
        think: createThinkTag(),
        tools: new Map(),
        said: false,
        parts: new Set(),
        refused: false,
        reasoningField: null,
        finish: null,
      };
      choices.set(index, choice);
    }
    return choice;
  };

  const content = (choice: Choice, spoken: ReturnType<ThinkTag['push']>, identity: Identity): readonly Utterance[] =>
    spoken.map(({ voice, bySaying, text }) => {
      const part = bySaying ? 'text' : 'think';
      choice.parts.add(part);
      return utter(
        'delta.content',
        voice,
        'provisional',
        { type: 'part.delta', text },
        { identity, voiceBySaying: bySaying, part: `${choice.key}:${part}` },
      );
    });

  const reasoningOf = (delta: JsonObject): readonly (readonly [string, string])[] => {
    const details = asArray(delta.reasoning_details)
      .map((detail) => asString(asObject(detail)?.text) ?? asString(asObject(detail)?.summary) ?? '')
      .join('');
    return [
      ['reasoning_content', asString(delta.reasoning_content) ?? ''],
      ['reasoning', asString(delta.reasoning) ?? ''],
      ['reasoning_details', details],
    ];
  };

  const read = (choice: Choice, delta: JsonObject, identity: Identity): readonly Utterance[] => {
    const said: Utterance[] = [];
    for (const [field, text] of reasoningOf(delta)) {
      if (text === '') continue;
      choice.reasoningField ??= field;
      if (choice.reasoningField !== field) continue;
      choice.parts.add('reasoning');
      said.push(
        utter(`delta.${field}`, 'reasoning', 'provisional', { type: 'part.delta', text }, { identity, part: `${choice.key}:reasoning` }),
      );
    }
    const text =
      typeof delta.content === 'string'
        ? delta.content
        : asArray(delta.content)
            .map((part) => asString(asObject(part)?.text) ?? '')
            .join('');
    if (text !== '') {
      choice.said = true;
      said.push(...content(choice, choice.think.push(text), identity));
    }
    const refusal = asString(delta.refusal);
    if (refusal !== null && refusal !== '') {
      choice.refused = true;
      choice.parts.add('refusal');
      said.push(
        utter(
          'delta.refusal',
          'assistant',
          'provisional',
          { type: 'part.delta', text: refusal },
          { identity, part: `${choice.key}:refusal` },
        ),
      );
    }
    if (delta.audio != null || delta.images != null || Array.isArray(delta.content)) said.push(...media(choice, delta, identity));
    const legacy = asObject(delta.function_call);
    const calls = legacy === null ? asArray(delta.tool_calls) : [{ index: 0, id: 'function_call', function: legacy }];
    for (const call of calls) said.push(...tool(choice, asObject(call), identity));
    if (said.length === 0 && delta.role !== undefined)
      said.push(utter('delta.role', 'lifecycle', 'committed', { type: 'status', state: 'working', label: null }, { identity }));
    return said;
  };

  /** What is said aloud is an answer in words by its transcript; a picture, or sound alone, is one without. */
  const media = (choice: Choice, delta: JsonObject, identity: Identity): readonly Utterance[] => {
    const audio = asObject(delta.audio);
    const transcript = asString(audio?.transcript) ?? '';
    const said: Utterance[] = [];
    if (transcript !== '') {
      choice.parts.add('audio');
      const part = `${choice.key}:audio`;
      said.push(utter('delta.audio', 'assistant', 'provisional', { type: 'part.delta', text: transcript }, { identity, part }));
    }
    const kind =
      asString(audio?.data) !== null
        ? 'delta.audio'
        : asArray(delta.images).length > 0
          ? 'delta.images'
          : asArray(delta.content).some((part) => /^(?:image|audio|video|file)/u.test(asString(asObject(part)?.type) ?? ''))
            ? 'delta.content'
            : null;
    if (said.length === 0 && kind !== null) said.push(utter(kind, 'assistant', 'provisional', { type: 'note', text: null }, { identity }));
    if (said.length > 0) choice.said = true;
    return said;
  };

  const tool = (choice: Choice, call: JsonObject | null, identity: Identity): readonly Utterance[] => {
    if (call === null) return [];
    const index = asNumber(call.index) ?? 0;
    const fn = asObject(call.function) ?? asObject(call.custom);
    const known = choice.tools.get(index);
    const id = asString(call.id);
    const said: Utterance[] = [];
    if (known === undefined || (id !== null && id !== '' && id !== known.id)) {
      const named = { id: id === null || id === '' ? `${choice.key}:${index}` : id, name: asString(fn?.name) ?? '' };
      choice.tools.set(index, named);
      if (id === null && asString(fn?.name) === null)
        said.push(
          utter(
            'delta.tool_calls',
            null,
            'provisional',
            { type: 'breach', breach: 'out-of-order', detail: `arguments for tool call ${index}, which never began` },
            { identity },
          ),
        );
      said.push(
        utter(
          'delta.tool_calls',
          'tool',
          'provisional',
          { type: 'tool.called', name: named.name, input: null, owedBy: 'page' },
          { identity: { ...identity, toolCall: named.id } },
        ),
      );
    }
    const text = asString(fn?.arguments) ?? asString(fn?.input);
    if (text !== null && text !== '')
      said.push(
        utter(
          'delta.tool_calls',
          'tool',
          'provisional',
          { type: 'tool.input', text },
          { identity: { ...identity, toolCall: choice.tools.get(index)!.id } },
        ),
      );
    return said;
  };

  const finish = (choice: Choice, raw: string, native: string | null, identity: Identity): readonly Utterance[] => {
    const said: Utterance[] = [...content(choice, choice.think.flush(), identity)];
    let reason = CHAT_ENDS[raw] ?? 'other';
    if (reason === 'stop' && choice.refused && !choice.said) reason = 'refusal';
    choice.finish = { reason, raw: native === null || native === raw ? raw : `${raw} (${native})` };
    const { current } = turns;
    current.open--;
    current.worst = worse(current.worst, choice.finish);
    // The choice's own end mark closes its text, whatever the mark says; `error` is the in-band error's twin and closes nothing.
    if (raw !== 'error')
      for (const [part, voice] of [
        ['text', 'assistant'],
        ['reasoning', 'reasoning'],
        ['think', 'reasoning'],
        ['refusal', 'assistant'],
        ['audio', 'assistant'],
      ] as const)
        if (choice.parts.has(part))
          said.push(
            utter('finish_reason', voice, 'committed', { type: 'part.closed', text: null }, { identity, part: `${choice.key}:${part}` }),
          );
    return said;
  };

  const settle = (identity: Identity): readonly Utterance[] => {
    const worst = turns.ended().reduce<FinishReason | null>((a, { worst }) => (worst === null ? a : worse(a, worst)), null);
    return worst === null ? [] : [finished(worst, identity)];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') {
        // What waits for a call's result goes on with it.
        asked = turns.settled && turns.current.worst?.reason !== 'tool-calls';
        return [];
      }
      if (frame.data.trim() === '[DONE]') {
        marked = !turns.settled;
        return opened ? [utter('[DONE]', 'log', 'committed', { type: 'sentinel' })] : [];
      }
      const chunk = frameObject(frame);
      if (chunk === null) return notJson();
      const identity = identityOf({ message: chunk.id });
      const said: Utterance[] = [];
      // Some servers send the error itself in place of a chunk: older vLLM, and gateways under an event line that says so.
      const chunked = Array.isArray(chunk.choices);
      const bare = !chunked && (chunk.object === 'error' || frame.event === 'error');
      const known = chunked || bare || chunk.error !== undefined || chunk.usage !== undefined;
      if (!known) return [unrecognised(asString(chunk.object) ?? '(unknown)', { identity })];
      said.push(...begin(identity));
      const { id } = chunk;
      if (id === turns.current.id) turns.current.steady = true;
      else if (typeof id === 'string' && id !== '') said.push(...turn(id, chunk, identity));
      let ends = false;
      for (const value of asArray(chunk.choices)) {
        const object = asObject(value);
        if (object === null) continue;
        const choice = choiceAt(asNumber(object.index) ?? 0);
        const delta = deltaOf(object);
        if (delta !== null) said.push(...read(choice, delta, identity));
        if (marked && said.some(({ type }) => type === 'part.delta')) {
          marked = false;
          said.push(breach('out-of-order', 'text after [DONE]', identity));
        }
        if (!turns.current.spoke) turns.current.spoke = choice.said || choice.parts.size + choice.tools.size > 0;
        const raw = asString(object.finish_reason);
        // Some servers send '' for "not yet".
        if (raw !== null && raw !== '' && chunk.error == null) {
          const { finish: before } = choice;
          if (before === null) {
            said.push(...finish(choice, raw, asString(object.native_finish_reason), identity));
            ends = true;
          } else if ((CHAT_ENDS[raw] ?? 'other') !== before.reason && before.reason !== 'refusal')
            said.push(
              turns.settled
                ? finished({ reason: CHAT_ENDS[raw] ?? 'other', raw }, identity)
                : breach('terminal-conflict', `${before.raw} and then ${raw}`, identity),
            );
        }
      }
      const error: JsonObject | null =
        chunk.error != null ? (asObject(chunk.error) ?? { message: asText(chunk.error) }) : bare ? chunk : null;
      if (error !== null) {
        turns.settled = true;
        turns.current.worst = { reason: 'error', raw: null };
        said.push(utterFailed('error', asString(error.message) ?? '', asText(error.code ?? error.type), { identity }));
      }
      if (ends) said.push(...settle(identity));
      const usage = asObject(chunk.usage);
      if (usage !== null)
        said.push(
          utter(
            'usage',
            'log',
            'committed',
            {
              type: 'usage',
              usage: {
                inputTokens: asNumber(usage.prompt_tokens),
                outputTokens: asNumber(usage.completion_tokens),
                reasoningTokens: asNumber(asObject(usage.completion_tokens_details)?.reasoning_tokens),
              },
            },
            { identity },
          ),
        );
      return said.length > 0
        ? said
        : [utter(asString(chunk.object) ?? CHUNK, 'log', 'provisional', { type: 'note', text: null }, { identity })];
    },
    end: () => [],
  };
};

export const openaiChat: Dialect = {
  id: 'openai-chat',
  title: 'OpenAI Chat Completions',
  framings: ['sse', 'ndjson', 'body', 'message'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise,
  open,
};
