/**
 * Kestrel's own chunks inside an AI SDK UI message stream (its app routes and AI SDK adapter). Spec: LumiCorp/kestrel at
 * 61f86bdb, packages/ai-sdk. `finishReason` is "stop" for every outcome there: how the run ended is said by
 * `message-metadata.kestrelTerminalStatus`, and in advance by `data-kestrel-status`. The text is the answer, the question
 * or a failure notice accordingly.
 */
import type { AgentEventBody, FinishReason, Identity, WaitKind } from '../model';
import { asNumber, asString, asText, identityOf, type JsonObject, table, type Utterance, utter } from './dialect';

export interface KestrelChunks {
  /** What a `data-kestrel-*` chunk says; null for chunks that are not Kestrel's. */
  read(type: string, data: JsonObject | null, identity: Identity): readonly Utterance[] | null;
  /** Takes the terminal status out of a message's metadata; false if there is none. */
  metadata(meta: JsonObject | null): boolean;
  /** What `finish` means, or null if the stream is not Kestrel's. */
  finish(raw: string | null): readonly AgentEventBody[] | null;
  active(): boolean;
  /** The text is what the run stands by: the answer, or the question it waits on. */
  answers(): boolean;
  /** The text is a notice of failure. */
  fails(): boolean;
  status(): string | null;
}

const WAITS: Readonly<Record<string, WaitKind>> = table({ user_input: 'input', approval: 'approval' });
const FAILURES = new Set(['failed', 'cancelled', 'contract_failure']);

export const kestrelChunks = (): KestrelChunks => {
  let seen = false;
  /** From the status chunk, and from the metadata, which decides. */
  let foretold: string | null = null;
  let terminal: string | null = null;
  let failure: { code: string | null; message: string | null } = { code: null, message: null };
  let waitingFor: WaitKind | null = null;
  let rounds = 0;
  const status = (): string | null => terminal ?? foretold;

  const read = (type: string, data: JsonObject | null, identity: Identity): readonly Utterance[] | null => {
    if (!type.startsWith('data-kestrel-')) return null;
    seen = true;
    const who: Identity = { ...identity, ...identityOf({ attempt: data?.runId }) };
    const text = asString(data?.text);
    switch (type) {
      case 'data-kestrel-progress': {
        const label = [asString(data?.code), text].filter((word) => word !== null).join(' · ');
        const standing = data?.persist === true ? 'committed' : 'provisional';
        return [utter(type, 'lifecycle', standing, { type: 'status', state: 'working', label }, { identity: who })];
      }
      case 'data-kestrel-agent-progress':
        return [
          utter(
            type,
            'progress',
            'committed',
            { type: 'part.replaced', text: text ?? '' },
            { part: `progress:${asString(data?.id) ?? ++rounds}`, identity: { ...who, ...identityOf({ agent: data?.stepAgent }) } },
          ),
        ];
      case 'data-kestrel-provider-reasoning':
        return [reasoning(type, data, who)];
      case 'data-kestrel-tool':
        return tool(type, data, who);
      case 'data-kestrel-dialog-message':
        // Another speaker: a collaborator's words are not this run's answer.
        return [
          utter(
            type,
            'progress',
            'committed',
            { type: 'part.replaced', text: text ?? asText(data) ?? '' },
            { part: `dialog:${asString(data?.id) ?? ++rounds}`, identity: { ...who, ...identityOf({ agent: data?.name }) } },
          ),
        ];
      case 'data-kestrel-interaction': {
        const request = asString(data?.requestId);
        if (request === null)
          return [utter(type, 'interaction', 'committed', { type: 'malformed', detail: 'interaction without requestId' })];
        const open = data?.status === 'pending' || data?.status === undefined;
        if (!open)
          return [utter(type, 'interaction', 'committed', { type: 'answered', request, how: asString(data?.status) }, { identity: who })];
        const kind = WAITS[asString(data?.kind) ?? ''] ?? 'other';
        waitingFor = kind;
        const prompt = asString(data?.prompt);
        return [utter(type, 'interaction', 'committed', { type: 'asked', request, kind, prompt, blocking: false }, { identity: who })];
      }
      case 'data-kestrel-status':
        foretold = asString(data?.status);
        failure = { code: asString(data?.errorCode), message: asString(data?.errorMessage) };
        return [utter(type, 'lifecycle', 'committed', { type: 'status', state: 'working', label: foretold }, { identity: who })];
      default:
        return [utter(type, 'tool', 'committed', { type: 'note', text: text ?? asText(data) }, { identity: who })];
    }
  };

  const reasoning = (type: string, data: JsonObject | null, who: Identity): Utterance => {
    const event = asString(data?.event);
    if (event === 'started') rounds++;
    const part = `reasoning:${asNumber(data?.attempt) ?? 0}:${asString(data?.format) ?? ''}:${rounds}`;
    const delta = asString(data?.delta);
    const body: AgentEventBody =
      event === 'started'
        ? { type: 'part.opened' }
        : event === 'delta' && delta !== null
          ? { type: 'part.delta', text: delta }
          : event === 'completed' || event === 'failed'
            ? { type: 'part.closed', text: null }
            : { type: 'note', text: null };
    return utter(type, 'reasoning', 'provisional', body, body.type === 'note' ? { identity: who } : { part, identity: who });
  };

  /** One chunk per phase; the part id is `tool:<runId>:<toolCallId>:<phase>`. */
  const tool = (type: string, data: JsonObject | null, who: Identity): readonly Utterance[] => {
    const phase = asString(data?.phase) ?? asString(data?.id)?.split(':').at(-1) ?? '';
    const inId = asString(data?.id)
      ?.replace(`tool:${asString(data?.runId) ?? ''}:`, '')
      .replace(/:[a-z]+$/u, '');
    const identity = { ...who, ...identityOf({ toolCall: asString(data?.toolCallId) ?? inId }) };
    const name = asString(data?.toolName) ?? asString(data?.name) ?? '';
    if (phase === 'started')
      return [
        utter(type, 'tool', 'committed', { type: 'tool.called', name, input: asText(data?.input), owedBy: 'producer' }, { identity }),
      ];
    if (phase !== 'completed' && phase !== 'failed')
      return [utter(type, 'tool', 'provisional', { type: 'note', text: asString(data?.text) }, { identity })];
    const failed = phase === 'failed';
    const output = asText(failed ? (data?.error ?? data?.text) : (data?.output ?? data?.text));
    return [utter(type, 'tool', 'committed', { type: 'tool.returned', output, failed, preliminary: false }, { identity })];
  };

  const finished = (reason: FinishReason['reason'], raw: string | null, wait: WaitKind | null = null): AgentEventBody => ({
    type: 'finished',
    finish: { reason, raw },
    waitingFor: wait,
    overrides: false,
  });

  return {
    read,
    metadata(meta) {
      const said = asString(meta?.kestrelTerminalStatus);
      if (said === null) return false;
      seen = true;
      terminal = said;
      return true;
    },
    finish(raw) {
      if (!seen) return null;
      const how = status();
      const silent: AgentEventBody[] =
        terminal === null
          ? [{ type: 'breach', breach: 'settled-without-reason', detail: 'finish without kestrelTerminalStatus before it' }]
          : terminal !== foretold && foretold !== null && foretold !== 'working'
            ? [{ type: 'breach', breach: 'state-disagree', detail: `status chunk says ${foretold}, metadata ${terminal}` }]
            : [];
      switch (how) {
        case 'completed':
          return [...silent, finished('stop', how)];
        case 'waiting':
          return [...silent, finished('waiting', how, waitingFor)];
        case 'cancelled':
          return [...silent, finished('cancelled', how)];
        case 'failed':
        case 'contract_failure':
          return [
            ...silent,
            { type: 'failed', message: failure.message ?? how, code: failure.code ?? how, retryable: null, overrides: false },
          ];
        default:
          return [...silent, finished('other', terminal ?? raw)];
      }
    },
    active: () => seen,
    answers: () => status() === 'completed' || status() === 'waiting',
    fails: () => FAILURES.has(status() ?? ''),
    status,
  };
};
