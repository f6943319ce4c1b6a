/**
 * Gemini streamGenerateContent: SSE with CRLF (`alt=sse`), or one JSON array streamed over time. Spec: npm @google/genai
 * 3.3.0 types. Recognised by `candidates` or `promptFeedback` beside `usageMetadata`, `modelVersion` or `responseId`.
 *
 * Every chunk is a whole response object. Terminal word: each candidate's `finishReason`, whose chunk's text counts;
 * `STOP` after an unanswered function call is a wait. A blocked prompt has no candidates. There is no end marker.
 */
import type { FinishReason, Voice } from '../model';
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
import { failsAtOnce, latest } from './fails-at-once';
import { GEMINI_ENDS } from './finish-words';
import { createTurns, type Turn } from './turns';

const isResponse = (value: JsonObject): boolean =>
  (Array.isArray(value.candidates) || asObject(value.promptFeedback) !== null) &&
  (value.usageMetadata !== undefined || value.modelVersion !== undefined || value.responseId !== undefined);

/** Whether its candidates are a model's, and not those of an election. */
const speaks = (value: JsonObject): boolean =>
  asObject(value.promptFeedback) !== null ||
  asObjects(value.candidates).some((one) => {
    const content = asObject(one.content);
    return Array.isArray(content?.parts) || content?.role === 'model' || asString(one.finishReason) !== null;
  });

/** `{error: {code: number, message, status}}`, Google's error envelope. */
const errorOf = (value: JsonObject): JsonObject | null => {
  const error = asObject(value.error);
  return error !== null && asNumber(error.code) !== null && asString(error.status) !== null ? error : null;
};

interface Response extends Turn {
  /** Sets its parts apart from those of the responses before. */
  readonly ordinal: number;
  readonly candidates: Map<number, Candidate>;
  /** Candidates that have not finished. */
  open: number;
  failed: boolean;
}

interface Candidate {
  /** Text goes on with its part while the voice stays the same. */
  part: { readonly key: string; readonly voice: Voice } | null;
  parts: number;
  calls: number;
  finish: FinishReason | null;
}

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  let made = 0;
  const turns = createTurns(
    (): Response => ({
      id: '',
      steady: false,
      spoke: false,
      mixed: false,
      next: '',
      ordinal: made++,
      candidates: new Map(),
      open: 0,
      failed: false,
    }),
    ({ candidates, open, failed }) => failed || (open === 0 && candidates.size > 0),
  );
  let opened = false;

  /** Calls that the request answers: the run that made them goes on. */
  const resumes = (): readonly string[] =>
    latest(request?.contents).flatMap((content) =>
      asObjects(content.parts).flatMap((part) => asString(asObject(part.functionResponse)?.id) ?? []),
    );

  const part = (value: JsonObject, index: string, candidate: Candidate, identity: Utterance['identity']): readonly Utterance[] => {
    const call = asObject(value.functionCall) ?? asObject(value.toolCall);
    if (call !== null) {
      candidate.part = null;
      const id = asString(call.id) ?? `${index}:call:${++candidate.calls}`;
      const owedBy = value.toolCall === undefined ? 'page' : 'producer';
      return [
        utter(
          'functionCall',
          'tool',
          'committed',
          { type: 'tool.called', name: asString(call.name) ?? '', input: asText(call.args), owedBy },
          { identity: { ...identity, toolCall: id } },
        ),
      ];
    }
    const response = asObject(value.functionResponse) ?? asObject(value.toolResponse);
    if (response !== null)
      return [
        utter(
          'functionResponse',
          'tool',
          'committed',
          { type: 'tool.returned', output: asText(response.response), failed: false, preliminary: false },
          { identity: { ...identity, ...identityOf({ toolCall: response.id }) } },
        ),
      ];
    if (value.executableCode !== undefined || value.codeExecutionResult !== undefined) {
      candidate.part = null;
      return [
        utter(
          value.executableCode === undefined ? 'codeExecutionResult' : 'executableCode',
          'tool',
          'committed',
          { type: 'note', text: asText(value.executableCode ?? value.codeExecutionResult) },
          { identity },
        ),
      ];
    }
    const media = asObject(value.inlineData) ?? asObject(value.fileData);
    if (media !== null) {
      candidate.part = null;
      candidate.parts++;
      // An image is an answer, too; one that is thought is none.
      const voice: Voice = value.thought === true ? 'reasoning' : 'assistant';
      return [utter('inlineData', voice, 'committed', { type: 'note', text: asString(media.mimeType) }, { identity })];
    }
    const text = asString(value.text);
    if (text === null || text === '') return [utter('thoughtSignature', 'log', 'committed', { type: 'note', text: null }, { identity })];
    const voice: Voice = value.thought === true ? 'reasoning' : 'assistant';
    if (candidate.part?.voice !== voice) candidate.part = { key: `${index}:${++candidate.parts}`, voice };
    return [
      utter(
        voice === 'reasoning' ? 'text thought' : 'text',
        voice,
        'provisional',
        { type: 'part.delta', text },
        { identity, part: candidate.part.key },
      ),
    ];
  };

  const settle = (identity: Utterance['identity']): readonly Utterance[] => {
    const finishes = turns.ended().flatMap(({ candidates }) => [...candidates.values()].flatMap(({ finish }) => finish ?? []));
    if (finishes.length === 0) return [];
    const finish = finishes.find((one) => one.reason !== 'stop') ?? finishes[0]!;
    const commits = finish.reason !== 'error' && finish.reason !== 'other';
    return [
      ...(commits ? [utter('finishReason', 'terminal', 'settling', { type: 'parts.committed' }, { identity })] : []),
      utterFinished('finishReason', finish, finish.reason === 'waiting' ? 'other' : null, { identity }),
    ];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const value = frameObject(frame);
      if (value === null) return notJson();
      const identity = identityOf({ message: value.responseId });
      const error = errorOf(value);
      if (
        error === null &&
        !Array.isArray(value.candidates) &&
        asObject(value.promptFeedback) === null &&
        value.usageMetadata === undefined
      )
        return [unrecognised('(unknown)', { identity })];
      const said: Utterance[] = [];
      if (!opened) {
        opened = true;
        said.push(utter('response', 'lifecycle', 'committed', { type: 'run.opened', resumes: resumes() }, { identity }));
        said.push(
          utter('response', 'lifecycle', 'committed', { type: 'attempt.opened', model: asString(value.modelVersion) }, { identity }),
        );
      }
      if (error !== null) {
        turns.settled = true;
        turns.current.failed = true;
        said.push(utterFailed('error', asString(error.message) ?? '', asString(error.status), { identity }));
        return said;
      }
      const { responseId } = value;
      if (responseId === turns.current.id) turns.current.steady = true;
      else if (typeof responseId === 'string' && responseId !== '') {
        const all = asObjects(value.candidates);
        const speaks = all.some((one) => asObjects(asObject(one.content)?.parts).some(({ text }) => text !== ''));
        // Nothing tells a first chunk, but that it speaks.
        if (
          turns.turnTo(
            responseId,
            speaks,
            speaks,
            all.some((one) => asString(one.finishReason) !== null),
          )
        )
          said.push(
            utter('response', 'lifecycle', 'committed', { type: 'attempt.opened', model: asString(value.modelVersion) }, { identity }),
          );
      }
      const { candidates, ordinal } = turns.current;
      for (const one of asObjects(value.candidates)) {
        const index = asNumber(one.index) ?? 0;
        let candidate = candidates.get(index);
        if (candidate === undefined) {
          candidate = { part: null, parts: 0, calls: 0, finish: null };
          candidates.set(index, candidate);
          turns.current.open++;
        }
        for (const value of asObjects(asObject(one.content)?.parts))
          said.push(...part(value, ordinal === 0 ? `${index}` : `${ordinal}:${index}`, candidate, identity));
        turns.current.spoke ||= candidate.parts + candidate.calls > 0;
        const raw = asString(one.finishReason);
        if (raw !== null && candidate.finish === null) {
          candidate.finish = { reason: GEMINI_ENDS[raw] ?? 'other', raw };
          turns.current.open--;
        }
      }
      said.push(...settle(identity));
      const blocked = asString(asObject(value.promptFeedback)?.blockReason);
      if (blocked !== null && candidates.size === 0) {
        turns.settled = true;
        turns.current.failed = true;
        said.push(utterFinished('promptFeedback', { reason: 'refusal', raw: `blockReason ${blocked}` }, null, { identity }));
      }
      const usage = asObject(value.usageMetadata);
      if (usage !== null && turns.settled)
        said.push(
          utter(
            'usageMetadata',
            'log',
            'committed',
            {
              type: 'usage',
              usage: {
                inputTokens: asNumber(usage.promptTokenCount),
                outputTokens: asNumber(usage.candidatesTokenCount),
                reasoningTokens: asNumber(usage.thoughtsTokenCount),
              },
            },
            { identity },
          ),
        );
      return said;
    },
    end: () => [],
  };
};

export const geminiGenerateContent: Dialect = {
  id: 'gemini-generate-content',
  title: 'Gemini streamGenerateContent',
  framings: ['sse', 'body', 'ndjson'],
  hasTerminalWord: true,
  runs: 'flow',
  recognise: (opening) =>
    opening.frames.some((frame) => {
      const value = frame.direction === 'received' ? frameObject(frame) : null;
      return value !== null && isResponse(value) && speaks(value);
    }) ||
    failsAtOnce(
      opening,
      ({ contents }) => asObjects(contents).some(({ parts }) => Array.isArray(parts)),
      (value) => typeof errorOf(value)?.status === 'string',
    )
      ? 'certain'
      : 'no',
  open,
};
