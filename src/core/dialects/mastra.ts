/**
 * Mastra's native stream: SSE, each frame `{type, runId, from, payload}`, last frame `[DONE]`. Spec: npm @mastra/core 1.71.0,
 * dist/stream/types.d.ts. Agents, workflows and agent networks; answers to a wait come as a new stream of the same `runId`.
 *
 * Recognised by that envelope. Terminal words: finish, error, abort, tripwire, workflow-finish, workflow-canceled,
 * network-execution-event-finish. A wait has none: the stream ends with `[DONE]` and an approval or suspension open, which
 * this decoder says as a wait. Text is committed by `text-end`.
 */
import type { AgentEventBody, FinishReason, Standing, Voice, WaitKind, WireFrame } from '../model';
import { readableWords } from './data-words';
import {
  asNumber,
  asObject,
  asString,
  asText,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  malformed,
  parseJson,
  table,
  type Utterance,
  utter,
} from './dialect';
import { createWriting } from './writing';

const FROM = new Set(['AGENT', 'USER', 'SYSTEM', 'WORKFLOW', 'NETWORK']);

/** Type → voice and standing. Types that only tell of the work going on are matched by `WORK` below. */
const TYPES: Readonly<Record<string, readonly [Voice, Standing]>> = table({
  start: ['lifecycle', 'committed'],
  'step-start': ['lifecycle', 'committed'],
  'step-finish': ['lifecycle', 'committed'],
  'text-start': ['assistant', 'provisional'],
  'text-delta': ['assistant', 'provisional'],
  'text-end': ['assistant', 'committed'],
  'reasoning-start': ['reasoning', 'provisional'],
  'reasoning-delta': ['reasoning', 'provisional'],
  'reasoning-end': ['reasoning', 'committed'],
  'reasoning-signature': ['reasoning', 'provisional'],
  'redacted-reasoning': ['reasoning', 'provisional'],
  'reasoning-file': ['reasoning', 'committed'],
  file: ['assistant', 'committed'],
  source: ['log', 'committed'],
  custom: ['log', 'committed'],
  raw: ['log', 'committed'],
  watch: ['log', 'committed'],
  'response-metadata': ['log', 'committed'],
  object: ['assistant', 'provisional'],
  'object-result': ['assistant', 'committed'],
  'tool-call-input-streaming-start': ['tool', 'provisional'],
  'tool-call-delta': ['tool', 'provisional'],
  'tool-call-input-streaming-end': ['tool', 'committed'],
  'tool-call': ['tool', 'committed'],
  'tool-result': ['tool', 'committed'],
  'tool-error': ['tool', 'committed'],
  'tool-output-denied': ['tool', 'committed'],
  'tool-output': ['tool', 'provisional'],
  'step-output': ['tool', 'provisional'],
  'workflow-step-output': ['tool', 'provisional'],
  'tool-call-approval': ['interaction', 'committed'],
  'tool-call-suspended': ['interaction', 'committed'],
  'agent-execution-approval': ['interaction', 'committed'],
  'agent-execution-suspended': ['interaction', 'committed'],
  'tool-execution-approval': ['interaction', 'committed'],
  'tool-execution-suspended': ['interaction', 'committed'],
  'workflow-execution-suspended': ['interaction', 'committed'],
  'workflow-step-suspended': ['interaction', 'committed'],
  finish: ['terminal', 'settling'],
  error: ['terminal', 'settling'],
  abort: ['terminal', 'settling'],
  tripwire: ['terminal', 'settling'],
  'workflow-finish': ['terminal', 'settling'],
  'workflow-canceled': ['terminal', 'settling'],
  'network-execution-event-finish': ['terminal', 'settling'],
});
const WORK = /^(?:workflow|network|routing-agent|agent-execution|tool-execution|background-task)-|^(?:is-task-complete|goal)$/u;

/** `stepResult.reason` and `workflowStatus`. A finish without a reason, or with another word, does not say how. */
const REASONS: Readonly<Record<string, FinishReason['reason']>> = table({
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
  tripwire: 'refusal',
  error: 'error',
  suspended: 'waiting',
  success: 'stop',
  failed: 'error',
  waiting: 'waiting',
  paused: 'waiting',
  canceled: 'cancelled',
});

interface Envelope {
  readonly type: string;
  readonly run: string;
  readonly payload: JsonObject;
}

const envelopeOf = (value: unknown): Envelope | null => {
  const object = asObject(value);
  const type = asString(object?.type);
  const run = asString(object?.runId);
  const payload = asObject(object?.payload) ?? (object !== null && 'object' in object ? object : null);
  if (type === null || run === null || payload === null || !FROM.has(asString(object?.from) ?? '')) return null;
  return { type, run, payload };
};

/** The question in what a suspended tool or step handed over. */
const promptOf = (payload: JsonObject): string | null => {
  const handed = payload.suspendPayload;
  const object = asObject(handed);
  return asString(object?.question) ?? asString(object?.message) ?? asString(object?.prompt) ?? asString(object?.reason) ?? asText(handed);
};

const open = ({ requestBody, url }: FlowOpening): Decoder => {
  const request = requestBody === null ? null : asObject(parseJson(requestBody));
  const answers = asString(request?.toolCallId) ?? (/resume|approve|decline/u.test(url) ? asString(request?.runId) : null);
  const open = new Map<string, string>();
  const asked = new Map<string, WaitKind>();
  const settled = new Set<string>();
  let parts = 0;
  let root: string | null = null;
  const writing = createWriting();
  const message = new Map<string, string>();

  const frame = (wire: WireFrame): readonly Utterance[] => {
    if (wire.data === '[DONE]') return done();
    const value = frameObject(wire);
    const type = asString(value?.type);
    if (value !== null && type?.startsWith('data-') && 'data' in value) {
      const body: AgentEventBody = { type: 'part.replaced', text: readableWords(value.data) };
      return [utter(type, 'progress', 'committed', body, { part: `data:${++parts}` })];
    }
    const envelope = envelopeOf(value);
    if (envelope === null) return [malformed(type ?? '(no type)', 'no type, runId, from and payload')];
    const { payload } = envelope;
    const isText = envelope.type === 'text-delta' || envelope.type === 'reasoning-delta';
    const more = writing.more(
      isText ? payload.text : null,
      null,
      envelope.type,
      envelope.run,
      payload.id,
      payload.messageId,
      payload.output,
      payload.payload,
    );
    if (more !== null) return more;
    const said: Utterance[] = [];
    if (root === null) {
      root = envelope.run;
      if (answers !== null) {
        const identity = identityOf({ run: root });
        said.push(utter('(request)', 'lifecycle', 'committed', { type: 'run.opened', resumes: [answers] }, { identity }));
        const how = /decline/u.test(url) ? 'declined' : 'answered';
        said.push(utter('(request)', 'interaction', 'committed', { type: 'answered', request: answers, how }, { identity }));
      }
    }
    read(envelope, null, said);
    return writing.note(said);
  };

  /** `[DONE]` with something open that a person owes is how a wait looks here. */
  const done = (): readonly Utterance[] => {
    const kind = [...asked.values()][0];
    if (kind === undefined || (root !== null && settled.has(root))) return [utter('[DONE]', 'log', 'committed', { type: 'sentinel' })];
    return [utter('[DONE]', 'terminal', 'settling', finished('waiting', null, kind))];
  };

  const read = ({ type, run, payload }: Envelope, parent: string | null, said: Utterance[]): void => {
    const known = TYPES[type] ?? (WORK.test(type) ? (['lifecycle', 'committed'] as const) : undefined);
    const named = asString(payload.messageId);
    if (named !== null) message.set(run, named);
    const identity = identityOf({ run, parentRun: parent, message: message.get(run), toolCall: payload.toolCallId });
    const say: Say = (body, part = null, standing = known?.[1] ?? 'provisional', voice = known?.[0] ?? null) => {
      said.push(utter(type, voice, standing, body, { identity, lane: parent === null ? null : run, part }));
    };
    // What a tool, a step or a network member says inside is a run of its own.
    const inner = envelopeOf(payload.output) ?? envelopeOf(payload);
    if (inner !== null) {
      if (inner.run !== run) read(inner, run, said);
      else say({ type: 'note', text: asString(inner.payload.text) });
      return;
    }
    if (known === undefined) say({ type: 'unrecognised' });
    else if (known[0] === 'terminal') terminal(type, run, payload, say);
    else if (known[0] === 'tool') tool(type, payload, say);
    else if (known[0] === 'interaction') ask(type, run, payload, parent, say);
    else content(type, run, payload, say);
  };

  const content = (type: string, run: string, payload: JsonObject, say: Say) => {
    const match = /^(text|reasoning)-(start|delta|end)$/u.exec(type);
    if (match === null) {
      if (type === 'start') say({ type: 'run.opened', resumes: [] });
      else if (type === 'step-start') say({ type: 'step.opened' });
      else if (type === 'step-finish') say({ type: 'step.closed' });
      else if (WORK.test(type))
        say({ type: 'status', state: 'working', label: asString(payload.id) ?? asString(payload.primitiveId) ?? asString(payload.text) });
      else say({ type: 'note', text: asString(payload.title) ?? asString(payload.url) });
      return;
    }
    const [, kind, what] = match;
    const name = `${run} ${kind} ${asString(payload.id) ?? ''}`;
    let part = open.get(name);
    if (what === 'start' || part === undefined) {
      if (what !== 'start') say({ type: 'breach', breach: 'out-of-order', detail: `${type} without ${kind}-start` });
      if (what === 'end') return;
      part = `${kind}:${++parts}`;
      open.set(name, part);
      if (what === 'start') say({ type: 'part.opened' }, part);
    }
    if (what === 'delta') say({ type: 'part.delta', text: asString(payload.text) ?? '' }, part);
    if (what !== 'end') return;
    open.delete(name);
    // After a failure an end mark is only the server tidying up.
    say({ type: 'part.closed', text: null }, part, broken.has(run) ? 'provisional' : 'committed');
  };
  const broken = new Set<string>();

  const tool = (type: string, payload: JsonObject, say: Say) => {
    const call = asString(payload.toolCallId);
    switch (type) {
      case 'tool-call-input-streaming-start':
      case 'tool-call': {
        const owedBy = payload.providerExecuted === true ? 'producer' : 'page';
        say({ type: 'tool.called', name: asString(payload.toolName) ?? '', input: asText(payload.args), owedBy });
        return;
      }
      case 'tool-call-delta':
        say({ type: 'tool.input', text: asString(payload.argsTextDelta) ?? '' });
        return;
      case 'tool-result':
      case 'tool-error':
      case 'tool-output-denied': {
        const failed = type !== 'tool-result' || payload.isError === true;
        const error = asObject(payload.error);
        const output = type === 'tool-error' ? (asString(error?.message) ?? asText(payload.error)) : asText(payload.result);
        if (call !== null && asked.delete(call))
          say({ type: 'answered', request: call, how: type === 'tool-output-denied' ? 'denied' : null });
        say({ type: 'tool.returned', output, failed, preliminary: false });
        return;
      }
      case 'tool-output':
        say({ type: 'tool.returned', output: asText(payload.output), failed: false, preliminary: true });
        return;
      default:
        say({ type: 'note', text: null });
    }
  };

  const ask = (type: string, run: string, payload: JsonObject, parent: string | null, say: Say) => {
    const kind: WaitKind = type.endsWith('approval') ? 'approval' : 'input';
    const request = asString(payload.toolCallId) ?? asString(payload.id) ?? run;
    // A question of a member's run is asked once more by the run that waits on it.
    if (parent === null) asked.set(request, kind);
    say({ type: 'asked', request, kind, prompt: promptOf(payload), blocking: false });
  };

  const terminal = (type: string, run: string, payload: JsonObject, say: Say) => {
    const reason = asObject(payload.stepResult)?.reason;
    switch (type) {
      case 'error': {
        const error = asObject(payload.error);
        broken.add(run);
        settled.add(run);
        say({
          type: 'failed',
          message: asString(error?.message) ?? asString(payload.error) ?? asText(payload.error) ?? '',
          code: asString(error?.code),
          retryable: typeof error?.isRetryable === 'boolean' ? error.isRetryable : null,
          overrides: false,
        });
        return;
      }
      case 'tripwire':
        // Sent back to be done again: the run goes on.
        if (payload.retry === true) {
          say({ type: 'note', text: asString(payload.reason) }, null, 'committed');
          return;
        }
        broken.add(run);
        say(finished('refusal', type));
        break;
      case 'abort':
      case 'workflow-canceled':
        broken.add(run);
        say(finished('cancelled', type));
        break;
      case 'network-execution-event-finish':
        say({ type: 'part.replaced', text: asString(payload.result) ?? '' }, 'network-result', 'committed', 'assistant');
        say(finished('stop', asString(payload.completionReason)));
        break;
      default: {
        const raw = type === 'finish' ? asString(reason) : asString(payload.workflowStatus);
        const usage = asObject(asObject(payload.output)?.usage);
        if (usage !== null)
          say(
            {
              type: 'usage',
              usage: {
                inputTokens: asNumber(usage.inputTokens),
                outputTokens: asNumber(usage.outputTokens),
                reasoningTokens: asNumber(usage.reasoningTokens),
              },
            },
            null,
            'committed',
            'log',
          );
        const meaning = REASONS[raw ?? ''] ?? 'other';
        // What a workflow comes to is data, and mostly no words.
        if (type === 'workflow-finish' && meaning === 'stop' && payload.output != null)
          say({ type: 'note', text: null }, null, 'committed', 'assistant');
        say(finished(meaning, raw, meaning === 'waiting' ? ([...asked.values()][0] ?? null) : null));
      }
    }
    settled.add(run);
  };

  return { frame, end: () => [] };
};

type Say = (body: AgentEventBody, part?: string | null, standing?: Standing, voice?: Voice | null) => void;

const finished = (reason: FinishReason['reason'], raw: string | null, waitingFor: WaitKind | null = null): AgentEventBody => ({
  type: 'finished',
  finish: { reason, raw },
  waitingFor,
  overrides: false,
});

export const mastra: Dialect = {
  id: 'mastra',
  title: 'Mastra',
  framings: ['sse', 'ndjson'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise: ({ frames }) => (frames.some((frame) => frame.event === null && isMastra(frame)) ? 'certain' : 'no'),
  open,
};

const isMastra = (frame: WireFrame): boolean => {
  const envelope = envelopeOf(frameObject(frame));
  return envelope !== null && (envelope.type in TYPES || WORK.test(envelope.type));
};
