/**
 * The chunks of the AI SDK UI message stream (ai 5, 6 and 7), whatever carries them: SSE, the WebSocket transport, the
 * Cloudflare agent socket. Spec: npm ai 7.0.173, src/ui-message-stream. One reader per message; the carriers say which run
 * it is and add their own rules about how a request ends.
 *
 * Text is committed by `text-end` alone: `finish` commits nothing. A wait is never said: it is a polite `finish` with a call
 * or an approval open, which the ledger sees.
 */
import type { AgentEventBody, FinishReason, Identity, Standing, Usage, Voice } from '../model';
import { continuation } from './ai-sdk-ui-request';
import { CHUNK_TYPES, DATA, REASONS } from './ai-sdk-ui-types';
import { readableWords } from './data-words';
import {
  asNumber,
  asObject,
  asString,
  asText,
  identityOf,
  type Json,
  type JsonObject,
  malformed,
  type Utterance,
  unrecognised,
  utter,
} from './dialect';
import { kestrelChunks } from './kestrel-ui-chunks';
import { createWriting } from './writing';

type Say = (
  body: AgentEventBody,
  more?: { readonly part?: string; readonly identity?: Identity; readonly voice?: Voice; readonly standing?: Standing },
) => void;

export interface ChunkReader {
  /** What one chunk says. Part keys are the same whenever the same chunks are read from the start. */
  read(chunk: Json | undefined): readonly Utterance[];
  /** What was held back, when nothing more comes. */
  end(): readonly Utterance[];
  /** Opens the run before its first chunk, where the carrier sees the request itself. */
  join(raw: string): readonly Utterance[];
  /** The approval that was asked for this call, if one was. */
  approvalOf(toolCall: string): string | null;
}

export interface ReaderOptions {
  /** The stream was asked for again (resume): it tells the message from its start. */
  readonly replays: boolean;
  /** The stream begins in the middle of its message: ids it does not know were given before. */
  readonly tail?: boolean;
  /** What the page sent for it, as JSON. */
  readonly request: JsonObject | null;
  /** Whether `messageId` names the run; an envelope may have a better name. */
  readonly namesRun: boolean;
}

/** Reads the chunks of one message, whatever carries them. */
export const chunkReader = ({ replays, tail = false, request, namesRun }: ReaderOptions): ChunkReader => {
  const continued = continuation(request);
  const kestrel = kestrelChunks();
  /** Open parts by kind and wire id, and how often each was opened: ids repeat from step to step, keys must not. */
  const open = new Map<string, string>();
  const times = new Map<string, number>();
  /** Text that got its end mark and is not committed yet (Kestrel: until the metadata says how it ended). */
  const ended = new Set<string>();
  const noticed = new Set<string>();
  /** Data written before the `start` of a replay, which says which run is being told again. */
  let early: JsonObject[] | null = replays ? [] : null;
  const dataText = new Map<string, string>();
  const tools = new Map<string, { step: number; returned: boolean; approval: string | null }>();
  let parts = 0;
  let steps = 0;
  let inStep = false;
  let started = false;
  /** Something was said; servers write notices, sources and text of their own before the `start` of the stream they merge. */
  let spoke = false;
  let message: string | null = null;
  let terminal: 'finish' | 'error' | 'abort' | null = null;
  let lateSaid = false;
  const writing = createWriting();
  /** The run that the request answers has been named. */
  let joined = continued.resumes.length === 0;

  const identity = (more: { readonly [K in keyof Identity]: unknown } = {}): Identity => identityOf({ message, ...more });
  const breach = (raw: string, detail: string): Utterance =>
    utter(raw, null, 'provisional', { type: 'breach', breach: 'out-of-order', detail }, { identity: identity() });

  const read = (chunk: Json | undefined): readonly Utterance[] => {
    const object = asObject(chunk);
    const type = asString(object?.type);
    if (object === null || type === null) return [malformed('(no type)', 'not a JSON object with a type')];
    const isText = type === 'text-delta' || type === 'reasoning-delta';
    const more = writing.more(isText ? object.delta : null, null, type, object.id);
    if (more !== null) return more;
    const known = type.startsWith('data-') ? DATA : CHUNK_TYPES[type];
    if (known === undefined) return [unrecognised(type, { identity: identity() })];
    const [voice, standing, ...members] = known;
    const missing = members.find((name) => asString(object[name]) === null);
    if (missing !== undefined)
      return [utter(type, voice, 'provisional', { type: 'malformed', detail: `${type} without ${missing}` }, { identity: identity() })];

    const said: Utterance[] = [];
    if (early !== null && type.startsWith('data-')) {
      early.push(object);
      return said;
    }
    if (type !== 'start') said.push(...end());
    if (!joined && type !== 'start') said.push(opened(type), ...continued.answers);
    if (terminal !== null && !lateSaid && voice !== 'lifecycle' && voice !== 'log' && voice !== 'terminal') {
      lateSaid = true;
      said.push(breach(type, `${type} after ${terminal}`));
    }
    const say: Say = (body, more = {}) => {
      const about = { identity: more.identity ?? identity(), ...(more.part === undefined ? {} : { part: more.part }) };
      said.push(utter(type, more.voice ?? voice, more.standing ?? standing, body, about));
    };
    apply(type, object, said, say);
    spoke = true;
    return writing.note(said);
  };

  /** A stream asked for again that does not begin with `start` goes on where an earlier one stopped. */
  const isTail = (): boolean => tail || (replays && !started);

  const end = (): readonly Utterance[] => {
    const waiting = early ?? [];
    early = null;
    return waiting.flatMap(read);
  };

  const nextPart = (name: string): string => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    const key = name.replace(' ', ':') + (time > 1 ? `#${time}` : '');
    open.set(name, key);
    return key;
  };

  const opened = (raw: string): Utterance => {
    joined = true;
    const body: AgentEventBody = replays ? { type: 'replay.started' } : { type: 'run.opened', resumes: continued.resumes };
    return utter(raw, 'lifecycle', 'committed', body, { identity: identity({ run: namesRun ? message : null }) });
  };

  const apply = (type: string, chunk: JsonObject, said: Utterance[], say: Say): void => {
    switch (type) {
      case 'start': {
        const id = asString(chunk.messageId);
        // What was written before it is of the same message: without a name of its own it begins nothing.
        const first = !started && (!spoke || replays || (namesRun && id !== null));
        started = true;
        message ??= id;
        if (first) {
          said.push(...join(type), ...end());
        } else if (terminal === 'finish') {
          // Servers that merge streams send the next one's start in the same response: the run goes on.
          terminal = null;
          inStep = false;
          say({ type: 'attempt.opened', model: null });
        } else say({ type: 'status', state: 'working', label: null });
        metadata(asObject(chunk.messageMetadata), say);
        return;
      }
      case 'start-step':
        steps++;
        inStep = true;
        say({ type: 'step.opened' });
        return;
      case 'finish-step':
        inStep = false;
        say({ type: 'step.closed' });
        return;
      case 'reset-step':
        say({ type: 'parts.withdrawn', scope: 'step' });
        open.clear();
        for (const [id, tool] of tools) {
          if (tool.step !== steps || tool.returned) continue;
          // A withdrawn call is owed by nobody any more.
          tool.returned = true;
          say(
            { type: 'tool.returned', output: null, failed: true, preliminary: false },
            { identity: identity({ toolCall: id }), voice: 'tool' },
          );
          if (tool.approval !== null) say({ type: 'answered', request: tool.approval, how: 'withdrawn' }, { voice: 'interaction' });
        }
        return;
      case 'text-start':
      case 'reasoning-start':
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        text(type, chunk, said, say);
        return;
      case 'finish':
      case 'error':
      case 'abort':
        terminalChunk(type, chunk, said, say);
        return;
      case 'message-metadata': {
        const meta = asObject(chunk.messageMetadata);
        metadata(meta, say);
        if (kestrel.metadata(meta)) {
          say({ type: 'note', text: kestrel.status() });
          if (kestrel.answers()) for (const key of ended) say({ type: 'part.closed', text: null }, { part: key, voice: 'assistant' });
          ended.clear();
        } else say({ type: 'note', text: asText(chunk.messageMetadata) });
        return;
      }
      default:
        if (type.startsWith('tool-')) tool(type, chunk, said, say);
        else if (type.startsWith('data-')) data(type, chunk, said, say);
        else say({ type: 'note', text: asString(chunk.title) ?? asString(chunk.url) ?? asString(chunk.kind) });
    }
  };

  const text = (type: string, chunk: JsonObject, said: Utterance[], say: Say): void => {
    const [kind, what] = type.split('-') as ['text' | 'reasoning', 'start' | 'delta' | 'end'];
    const id = asString(chunk.id)!;
    const name = `${kind} ${id}`;
    const who = identity({ part: id });
    let part = open.get(name);
    if (what === 'start') {
      if (part !== undefined && terminal === null) said.push(breach(type, `${kind} "${id}" starts again while it is open`));
      say({ type: 'part.opened' }, { part: nextPart(name), identity: who });
      return;
    }
    if (part === undefined) {
      const before = isTail() && !times.has(name);
      if (!before) said.push(breach(type, `${type} "${id}" without ${kind}-start`));
      if (what === 'end' && !before) return;
      part = nextPart(name);
    }
    // Kestrel writes its failure notice where the answer would be.
    const notice = kind === 'text' && kestrel.fails();
    if (what === 'delta') {
      const body = { type: 'part.delta', text: asString(chunk.delta)! } as const;
      if (notice) noticed.add(part);
      say(body, notice ? { part: `notice:${part}`, identity: who, voice: 'terminal' } : { part, identity: who });
      return;
    }
    open.delete(name);
    if (noticed.delete(part)) say({ type: 'part.closed', text: null }, { part: `notice:${part}`, identity: who, voice: 'terminal' });
    // After error or abort an end mark is only the server tidying up.
    const broken = terminal === 'error' || terminal === 'abort';
    const undecided = kind === 'text' && kestrel.active() && !kestrel.answers();
    if (undecided && !broken && !notice) ended.add(part);
    say({ type: 'part.closed', text: null }, { part, identity: who, standing: broken || undecided ? 'provisional' : 'committed' });
  };

  const tool = (type: string, chunk: JsonObject, said: Utterance[], say: Say): void => {
    const id = asString(chunk.toolCallId) ?? '';
    const who = { identity: identity({ toolCall: id }) };
    let call = tools.get(id);
    switch (type) {
      case 'tool-input-start':
      case 'tool-input-available':
      case 'tool-input-error': {
        if (call === undefined) tools.set(id, { step: steps, returned: false, approval: null });
        const input = type === 'tool-input-start' ? null : asText(chunk.input);
        const owedBy = chunk.providerExecuted === true ? 'producer' : 'page';
        say({ type: 'tool.called', name: asString(chunk.toolName)!, input, owedBy }, who);
        if (type === 'tool-input-error')
          say({ type: 'tool.returned', output: asString(chunk.errorText), failed: true, preliminary: false }, who);
        return;
      }
      case 'tool-input-delta':
        if (call === undefined && !isTail()) said.push(breach(type, `tool-input-delta for unknown call "${id}"`));
        say({ type: 'tool.input', text: asString(chunk.inputTextDelta)! }, who);
        return;
      case 'tool-approval-response':
        say({ type: 'answered', request: asString(chunk.approvalId)!, how: chunk.approved === true ? 'approved' : 'denied' });
        return;
    }
    if (call === undefined) {
      // A stream that continues an answered run begins with results of calls that an earlier stream made.
      if (steps > 0 && !isTail() && !continued.resumes.includes(id)) said.push(breach(type, `${type} for unknown call "${id}"`));
      call = { step: steps, returned: false, approval: continued.approvals.get(id) ?? null };
      tools.set(id, call);
    }
    if (type === 'tool-approval-request') {
      const request = asString(chunk.approvalId)!;
      // Automatic approvals are reported, not asked.
      if (chunk.isAutomatic === true) {
        say({ type: 'note', text: asString(chunk.reason) }, who);
        return;
      }
      call.approval = request;
      say({ type: 'asked', request, kind: 'approval', prompt: asString(chunk.reason), blocking: false }, who);
      return;
    }
    const preliminary = chunk.preliminary === true;
    const failed = type !== 'tool-output-available';
    const output = type === 'tool-output-error' ? asString(chunk.errorText) : asText(chunk.output);
    if (!preliminary) {
      call.returned = true;
      if (call.approval !== null)
        say(
          { type: 'answered', request: call.approval, how: type === 'tool-output-denied' ? 'denied' : 'approved' },
          { ...who, voice: 'interaction' },
        );
    }
    say({ type: 'tool.returned', output, failed, preliminary }, { ...who, standing: preliminary ? 'provisional' : 'committed' });
  };

  const data = (type: string, chunk: JsonObject, said: Utterance[], say: Say): void => {
    const own = kestrel.read(type, asObject(chunk.data), identity());
    if (own !== null) {
      said.push(...own);
      return;
    }
    const id = asString(chunk.id);
    const shown = readableWords(chunk.data);
    if (id === null && typeof chunk.data === 'string') {
      // Pieces of a text that grows outside the message (artifacts); nothing says when it is whole.
      say({ type: 'part.delta', text: chunk.data }, { part: `${type}:`, standing: 'provisional' });
      return;
    }
    // Each value stays known by itself: the page may still show an earlier one of the same id.
    const name = `${type}:${id ?? ''}`;
    if (dataText.get(name) === shown) {
      say({ type: 'note', text: shown });
      return;
    }
    const key = `${name}:${++parts}`;
    dataText.set(name, shown);
    say({ type: 'part.replaced', text: shown }, { part: key, identity: identity({ part: id }) });
  };

  const metadata = (meta: JsonObject | null, say: Say): void => {
    const usage = asObject(meta?.totalUsage) ?? asObject(meta?.usage);
    if (usage !== null) say({ type: 'usage', usage: tokens(usage) }, { voice: 'log', standing: 'committed' });
  };

  const terminalChunk = (type: 'finish' | 'error' | 'abort', chunk: JsonObject, said: Utterance[], say: Say): void => {
    if (type === 'error') {
      terminal ??= type;
      say({ type: 'failed', message: asString(chunk.errorText)!, code: null, retryable: null, overrides: false });
      return;
    }
    if (type === 'abort') {
      const why = asString(chunk.reason);
      if (why !== null) say({ type: 'note', text: why }, { voice: 'log', standing: 'committed' });
      terminal ??= type;
      say(finished('cancelled', type));
      return;
    }
    const raw = asString(chunk.finishReason);
    const reason = raw === null ? 'stop' : (REASONS[raw] ?? 'other');
    metadata(asObject(chunk.messageMetadata), say);
    kestrel.metadata(asObject(chunk.messageMetadata));
    if (terminal === 'finish') said.push(breach(type, 'finish after finish'));
    else if (terminal === null) {
      if (inStep) said.push(breach(type, 'finish before finish-step'));
      // A provider that broke off leaves its text open; a good end must not.
      if (reason !== 'other' && reason !== 'error' && open.size > 0)
        said.push(breach(type, `finish while ${[...open.keys()].join(', ')} is open`));
    }
    terminal ??= type;
    const own = kestrel.finish(raw);
    if (own === null) say(finished(reason, raw));
    else for (const body of own) say(body);
  };

  const join = (raw: string): readonly Utterance[] => {
    const answers = joined ? [] : continued.answers;
    return [opened(raw), ...answers];
  };

  return { read, join, end, approvalOf: (toolCall) => tools.get(toolCall)?.approval ?? null };
};

const finished = (reason: FinishReason['reason'], raw: string | null): AgentEventBody => ({
  type: 'finished',
  finish: { reason, raw },
  waitingFor: null,
  overrides: false,
});

const tokens = (usage: JsonObject): Usage => ({
  inputTokens: asNumber(usage.inputTokens),
  outputTokens: asNumber(usage.outputTokens),
  reasoningTokens: asNumber(usage.reasoningTokens),
});
