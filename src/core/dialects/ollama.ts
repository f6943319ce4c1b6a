/**
 * Ollama's own API: JSON lines of `/api/chat` and `/api/generate`. Spec: npm ollama 0.6.4 types. Recognised by `model`,
 * a dated `created_at` and a boolean `done` beside `message` (with role and content) or `response`, and no member that Ollama
 * has not, in two frames (one where that is the whole body).
 *
 * Terminal word: `done: true` with `done_reason`; with tool calls the page owes their results. `load` and `unload` settle
 * nothing, because nothing ran. An `error` line fails. No ids, no resume.
 */
import {
  asNumber,
  asObject,
  asObjects,
  asString,
  asText,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  type JsonObject,
  malformed,
  parseJson,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';
import { failsAtOnce, isTalk } from './fails-at-once';
import { createThinkTag } from './think-tag';

const isLine = (value: JsonObject | null): boolean =>
  value !== null &&
  asString(value.model) !== null &&
  typeof value.done === 'boolean' &&
  (asObject(value.message) !== null || typeof value.response === 'string');

/** Every member a line has in any version. A line with one more is somebody else's: `model` and `done` are anybody's words. */
const MEMBERS = new Set([
  'model',
  'created_at',
  'message',
  'response',
  'thinking',
  'tool_calls',
  'image',
  'completed',
  'total',
  'done',
  'done_reason',
  'context',
  'logprobs',
  'remote_model',
  'remote_host',
  'total_duration',
  'load_duration',
  'prompt_eval_count',
  'prompt_eval_duration',
  'eval_count',
  'eval_duration',
]);
const isOwnLine = (value: JsonObject | null): value is JsonObject => {
  if (value === null || !isLine(value) || !Object.keys(value).every((key) => MEMBERS.has(key))) return false;
  const message = asObject(value.message);
  return message === null || (asString(message.role) !== null && asString(message.content) !== null);
};
const isDated = (line: JsonObject): boolean => /^\d{4}-\d\d-\d\dT\d\d:/u.test(asString(line.created_at) ?? '');

const open = (_opening: FlowOpening): Decoder => {
  const think = createThinkTag();
  let opened = false;
  let calls = 0;

  const speak = (spoken: ReturnType<typeof think.push>): readonly Utterance[] =>
    spoken.map(({ voice, bySaying, text }) =>
      utter(
        'content',
        voice,
        'provisional',
        { type: 'part.delta', text },
        { part: bySaying ? 'content' : 'think', voiceBySaying: bySaying },
      ),
    );

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const value = asObject(parseJson(frame.data));
      if (value === null) return [malformed('(not JSON)', 'the line is not a JSON object')];
      const error = asString(value.error);
      if (error === null && !isLine(value)) return [unrecognised('(unknown)')];
      const reason = asString(value.done_reason);
      if (!opened && (reason === 'load' || reason === 'unload'))
        return [utter(`done ${reason}`, 'lifecycle', 'committed', { type: 'note', text: reason })];
      const said: Utterance[] = [];
      if (!opened) {
        opened = true;
        said.push(utter('line', 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }));
        said.push(utter('line', 'lifecycle', 'committed', { type: 'attempt.opened', model: asString(value.model) }));
      }
      if (error !== null) {
        said.push(utterFailed('error', error, null));
        return said;
      }
      const message = asObject(value.message);
      const thinking = asString(message?.thinking) ?? asString(value.thinking);
      if (thinking !== null && thinking !== '')
        said.push(utter('thinking', 'reasoning', 'provisional', { type: 'part.delta', text: thinking }, { part: 'thinking' }));
      const text = asString(message?.content) ?? asString(value.response);
      if (text !== null && text !== '') said.push(...speak(think.push(text)));
      for (const call of asObjects(message?.tool_calls)) {
        const fn = asObject(call.function);
        said.push(
          utter(
            'tool_calls',
            'tool',
            'committed',
            { type: 'tool.called', name: asString(fn?.name) ?? '', input: asText(fn?.arguments), owedBy: 'page' },
            { identity: { toolCall: asString(call.id) ?? `call ${++calls}` } },
          ),
        );
      }
      if (value.done === true) {
        said.push(...speak(think.flush()));
        said.push(
          utter('done', 'log', 'committed', {
            type: 'usage',
            usage: { inputTokens: asNumber(value.prompt_eval_count), outputTokens: asNumber(value.eval_count), reasoningTokens: null },
          }),
          utter('done', 'terminal', 'settling', { type: 'parts.committed' }),
          // Versions before done_reason existed say no more than done.
          utterFinished(
            'done',
            { reason: reason === null || reason === 'stop' ? 'stop' : reason === 'length' ? 'length' : 'other', raw: reason },
            null,
          ),
        );
      }
      return said.length > 0 ? said : [utter('line', 'log', 'provisional', { type: 'note', text: null })];
    },
    end: () => [],
  };
};

export const ollama: Dialect = {
  id: 'ollama',
  title: 'Ollama',
  framings: ['ndjson', 'body'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise(opening) {
    const lines = opening.frames.map(frameObject).filter(isOwnLine);
    // Some servers date only the first line.
    const alike = lines.some(isDated) ? lines.length : 0;
    const failed = failsAtOnce(
      opening,
      ({ model, messages, prompt }) =>
        typeof model === 'string' && (isTalk(messages) || (typeof prompt === 'string' && /\/api\/generate(?:[?#]|$)/u.test(opening.url))),
      (line, _event, whole) =>
        typeof line.error === 'string' &&
        Object.keys(line).length === 1 &&
        (!whole || /\/api\/(?:chat|generate)(?:[?#]|$)/u.test(opening.url)),
      'ndjson',
    );
    return alike >= 2 || failed ? 'certain' : alike === 1 ? 'plausible' : 'no';
  },
  open,
};
