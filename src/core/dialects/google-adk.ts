/**
 * Google Agent Development Kit: `/run_sse` (SSE of whole Event objects) and `/run_live` (socket). Spec: npm @google/adk
 * 2.0.0; Python servers may use snake_case. Recognised by `invocationId`, `author` and `actions` together.
 *
 * `partial: true` is a delta; the event without it repeats the whole text and commits it. `/run_sse` has no settling event:
 * a clean end of the body after a whole model text with no long-running call open is completed, with one open it is a
 * wait; after partial events only, or with a call of ADK's own tools that has no response, nothing is settled. Live sessions have `turnComplete` and `interrupted`.
 */
import type { FlowEnd, Identity, Voice, WaitKind, WireFrame } from '../model';
import {
  asArray,
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
  parseJson,
  requestOf,
  table,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { failsAtOnce } from './fails-at-once';
import { GEMINI_ENDS } from './finish-words';

/** Live sessions relay the text of server-sent events over their socket. */
const readFrame = (frame: WireFrame): JsonObject | null =>
  frame.framing === 'message' ? asObject(parseJson(frame.data.replace(/^data:/u, ''))) : frameObject(frame);

/** Fields that come in either spelling, and the other one of each. */
const SNAKE = {
  invocationId: 'invocation_id',
  newMessage: 'new_message',
  functionResponse: 'function_response',
  functionCall: 'function_call',
  longRunningToolIds: 'long_running_tool_ids',
  errorCode: 'error_code',
  errorMessage: 'error_message',
  finishReason: 'finish_reason',
  turnComplete: 'turn_complete',
  inlineData: 'inline_data',
  fileData: 'file_data',
  skipSummarization: 'skip_summarization',
} as const;
const field = (value: JsonObject, name: keyof typeof SNAKE): JsonObject[string] | undefined => value[name] ?? value[SNAKE[name]];

const isEvent = (value: JsonObject | null): boolean =>
  value !== null && asString(field(value, 'invocationId')) !== null && asString(value.author) !== null && asObject(value.actions) !== null;

/** Whether the request brings a message to an app's session, and so begins a run. */
const asks = (request: JsonObject | null): boolean =>
  request !== null &&
  asString(request.appName ?? request.app_name) !== null &&
  Array.isArray(asObject(field(request, 'newMessage'))?.parts);

/** What a server written in Python says of a request that it refuses: a text, or what is wrong with each member; null for anything else. */
const detailOf = ({ detail }: JsonObject): string | null =>
  asString(detail) ??
  (asObjects(detail)
    .map(({ loc, msg }) => (typeof msg === 'string' ? `${asArray(loc).join('.')}: ${msg}` : ''))
    .join('; ') ||
    null);

const REQUESTS: Readonly<Record<string, WaitKind>> = table({
  adk_request_confirmation: 'approval',
  adk_request_credential: 'auth',
  adk_request_input: 'input',
});

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  /** Long-running calls and requests to a person that nothing has answered: id → what is awaited. */
  const waits = new Map<string, WaitKind>();
  /** Calls that ADK itself runs, and has not answered. */
  const owed = new Set<string>();
  let opened = false;
  let settled = false;
  /** The last thing said was a whole model text. */
  let whole = false;
  let round = 0;
  let identity: Identity = {};

  const begin = (event: JsonObject): readonly Utterance[] => {
    identity = identityOf({ message: field(event, 'invocationId'), agent: event.author });
    if (opened) return [];
    opened = true;
    const message = asObject(field(request ?? {}, 'newMessage'));
    const resumes = asObjects(message?.parts).flatMap((part) => asString(asObject(field(part, 'functionResponse'))?.id) ?? []);
    return [utter('event', 'lifecycle', 'committed', { type: 'run.opened', resumes }, { identity })];
  };

  const parts = (event: JsonObject): readonly Utterance[] => {
    const content = asObject(event.content);
    const partial = event.partial === true;
    const fromModel = content?.role !== 'user';
    const longRunning = new Set(asArray(field(event, 'longRunningToolIds')));
    const said: Utterance[] = [];
    const texts = new Map<Voice, string>();
    // What a tool returned is the answer where the agent was told to leave it at that.
    let shown = field(asObject(event.actions) ?? {}, 'skipSummarization') === true;
    for (const part of asObjects(content?.parts)) {
      const call = asObject(field(part, 'functionCall'));
      const response = asObject(field(part, 'functionResponse'));
      if (call !== null) {
        const id = asString(call.id) ?? asString(call.name) ?? '';
        const name = asString(call.name) ?? '';
        const about = { identity: { ...identity, toolCall: id } };
        const kind = REQUESTS[name];
        // ADK runs its tools itself; only what runs long, or asks a person, is owed by somebody else.
        said.push(
          utter('functionCall', 'tool', 'committed', { type: 'tool.called', name, input: asText(call.args), owedBy: 'producer' }, about),
        );
        if (kind === undefined && !longRunning.has(id)) {
          // A call that is still being streamed may yet change; the whole event says it again.
          if (!partial) owed.add(id);
        } else {
          waits.set(id, kind ?? 'tool');
          said.push(
            utter(
              'functionCall',
              'interaction',
              'committed',
              { type: 'asked', request: id, kind: kind ?? 'tool', prompt: name, blocking: false },
              about,
            ),
          );
        }
      } else if (response !== null) {
        const id = asString(response.id) ?? asString(response.name) ?? '';
        owed.delete(id);
        const result = asObject(response.response);
        // A long-running tool answers "pending" at once; that is no answer.
        said.push(
          utter(
            'functionResponse',
            'tool',
            'committed',
            { type: 'tool.returned', output: asText(result), failed: false, preliminary: waits.has(id) },
            { identity: { ...identity, toolCall: id } },
          ),
        );
      } else {
        const text = asString(part.text);
        const media = asObject(field(part, 'inlineData') ?? field(part, 'fileData'));
        // A picture is an answer, too.
        shown ||= fromModel && media !== null;
        if (media !== null)
          said.push(utter('inlineData', 'assistant', 'committed', { type: 'note', text: asString(media.mimeType) }, { identity }));
        if (text === null) continue;
        const voice: Voice = part.thought === true ? 'reasoning' : fromModel ? 'assistant' : 'user';
        texts.set(voice, (texts.get(voice) ?? '') + text);
      }
    }
    for (const [voice, text] of texts) {
      const key = `${round}:${voice}`;
      if (partial) said.push(utter('text partial', voice, 'provisional', { type: 'part.delta', text }, { identity, part: key }));
      else said.push(utter('text', voice, 'committed', { type: 'part.replaced', text }, { identity, part: key }));
    }
    if (!partial && content !== null) {
      // The thoughts that were streamed before a whole event are not repeated in it, and are as good as said.
      round++;
      whole = shown || (fromModel && texts.has('assistant'));
    } else if (partial && said.length > 0) whole = false;
    return said;
  };

  const finish = (raw: string, reason: 'stop' | 'cancelled' | 'length' | 'refusal' | 'waiting', word: string | null): Utterance => {
    settled = true;
    return utterFinished(raw, { reason, raw: word }, reason === 'waiting' ? ([...waits.values()][0] ?? 'other') : null, { identity });
  };

  const fail = (raw: string, code: string | null, message: string): Utterance => {
    settled = true;
    return utterFailed(raw, message, code, { identity });
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const event: JsonObject | null = readFrame(frame);
      if (event === null) return notJson();
      if (!isEvent(event)) {
        if ((opened || asks(request)) && event.error !== undefined && event.error !== null)
          return [...(opened ? [] : begin(event)), fail('error', null, asText(event.error) ?? '')];
        const detail = frame.framing === 'body' && asks(request) ? detailOf(event) : null;
        if (detail !== null) return [...begin(event), fail('detail', null, detail)];
        return [unrecognised('(unknown)')];
      }
      // In a live session the next turn is the next run; an event without content still belongs to the last one.
      if (settled && asObject(event.content) !== null) {
        settled = false;
        opened = false;
        whole = false;
        waits.clear();
        owed.clear();
      }
      const said: Utterance[] = [...begin(event), ...parts(event)];
      const code = asString(field(event, 'errorCode'));
      // The model's own words, where it made no answer and where it made one.
      const word = code ?? asString(field(event, 'finishReason')) ?? '';
      const ends = GEMINI_ENDS[word];
      const raw = code === null ? 'finishReason' : 'errorCode';
      if (ends === 'length' || ends === 'refusal') said.push(finish(raw, ends, word));
      else if (code !== null || ends === 'error') said.push(fail(raw, word, asString(field(event, 'errorMessage')) ?? ''));
      else if (event.interrupted === true) said.push(finish('interrupted', 'cancelled', 'interrupted'));
      else if (field(event, 'turnComplete') === true && opened && !settled) {
        // A live turn is never repeated whole: its end commits what was spoken.
        said.push(utter('turnComplete', 'terminal', 'settling', { type: 'parts.committed' }, { identity }));
        said.push(finish('turnComplete', waits.size > 0 ? 'waiting' : 'stop', 'turnComplete'));
      }
      return said.length > 0 ? said : [utter('event', 'lifecycle', 'committed', { type: 'note', text: null }, { identity })];
    },
    end(how: FlowEnd) {
      if (how !== 'eof' || settled || !opened) return [];
      if (waits.size > 0) return [finish('end of body', 'waiting', null)];
      return whole && owed.size === 0 ? [finish('end of body', 'stop', null)] : [];
    },
  };
};

export const googleAdk: Dialect = {
  id: 'google-adk',
  title: 'Google ADK',
  framings: ['sse', 'message', 'body'],
  hasTerminalWord: true,
  endSettles: true,
  runs: 'flow',
  recognise: (opening) =>
    opening.frames.some((frame) => frame.direction === 'received' && isEvent(readFrame(frame))) ||
    failsAtOnce(
      opening,
      asks,
      (value, _event, whole) => Object.keys(value).length === 1 && (typeof value.error === 'string' || (whole && detailOf(value) !== null)),
    )
      ? 'certain'
      : 'no',
  open,
};
