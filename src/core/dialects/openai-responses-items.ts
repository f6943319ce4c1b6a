/**
 * Items of an OpenAI response: messages, reasoning, calls and their results, as they are added, done, or repeated whole by
 * the event that ends the response.
 */
import type { Identity, Voice } from '../model';
import { asArray, asObject, asString, asText, type JsonObject, table, type Utterance, utter } from './dialect';

/** Item types that are tool calls, and who owes their result. Hosted tools answer themselves. */
const CALLS: Readonly<Record<string, 'page' | 'producer'>> = table({
  function_call: 'page',
  custom_tool_call: 'page',
  computer_call: 'page',
  local_shell_call: 'page',
  shell_call: 'producer',
  apply_patch_call: 'page',
  web_search_call: 'producer',
  file_search_call: 'producer',
  image_generation_call: 'producer',
  code_interpreter_call: 'producer',
  mcp_call: 'producer',
  mcp_list_tools: 'producer',
});

interface Item {
  readonly type: string;
  readonly voice: Voice;
}

export interface ResponseState {
  readonly id: string | null;
  readonly items: Map<string, Item>;
  /** Committed text by part key, so that the closing snapshot repeats nothing. */
  readonly committed: Map<string, string>;
  last: number | null;
  /** It was said how it ended. */
  over: boolean;
}

export interface About {
  readonly identity: Identity;
  readonly wireId: string | null;
}

export const readItem = (type: string, value: JsonObject | null, state: ResponseState, about: About): readonly Utterance[] => {
  const kind = asString(value?.type) ?? '';
  const id = asString(value?.id) ?? '';
  const raw = `${type} ${kind}`.trimEnd();
  const done = type.endsWith('.done');
  state.items.set(id, { type: kind, voice: kind === 'message' && value?.phase === 'commentary' ? 'progress' : 'assistant' });
  const said: Utterance[] = [];
  const owedBy = CALLS[kind];
  if (owedBy !== undefined) {
    const toolCall = asString(value?.call_id) ?? id;
    const where = { ...about, identity: { ...about.identity, toolCall } };
    said.push(
      utter(
        raw,
        'tool',
        done ? 'committed' : 'provisional',
        {
          type: 'tool.called',
          name: asString(value?.name) ?? kind,
          input: asText(value?.arguments ?? value?.input ?? value?.action),
          owedBy,
        },
        where,
      ),
    );
    if (done && owedBy === 'producer')
      said.push(
        utter(
          raw,
          'tool',
          'committed',
          {
            type: 'tool.returned',
            output: asText(value?.output ?? value?.result),
            failed: value?.status === 'failed',
            preliminary: false,
          },
          where,
        ),
      );
  } else if (kind.endsWith('_call_output')) {
    const toolCall = asString(value?.call_id) ?? id;
    if (done)
      said.push(
        utter(
          raw,
          'tool',
          'committed',
          { type: 'tool.returned', output: asText(value?.output), failed: false, preliminary: false },
          { ...about, identity: { ...about.identity, toolCall } },
        ),
      );
  } else if (kind === 'mcp_approval_request') {
    if (done)
      said.push(
        utter(
          raw,
          'interaction',
          'committed',
          { type: 'asked', request: id, kind: 'approval', prompt: asString(value?.name), blocking: false },
          about,
        ),
      );
  } else if (done && value !== null) said.push(...snapshotOf(raw, value, state, about));
  return said.length > 0 ? said : [utter(raw, 'lifecycle', done ? 'committed' : 'provisional', { type: 'note', text: null }, about)];
};

/** Commits the texts that a whole item repeats, where they are not committed already as they are. */
export const snapshotOf = (raw: string, value: JsonObject, state: ResponseState, about: About): readonly Utterance[] => {
  const id = asString(value.id) ?? '';
  const kind = asString(value.type);
  const voice: Voice = kind === 'reasoning' ? 'reasoning' : value.phase === 'commentary' ? 'progress' : 'assistant';
  const texts = [
    ...asArray(value.content).map(
      (part, i) => [`${id}:${i}`, asString(asObject(part)?.text) ?? asString(asObject(part)?.refusal)] as const,
    ),
    ...(kind === 'reasoning' ? asArray(value.summary).map((part, i) => [`${id}:s${i}`, asString(asObject(part)?.text)] as const) : []),
  ];
  return texts.flatMap(([part, text]) => {
    if (text === null || state.committed.get(part) === text) return [];
    state.committed.set(part, text);
    return [
      utter(raw, voice, 'committed', { type: 'part.replaced', text }, { ...about, identity: { ...about.identity, message: id }, part }),
    ];
  });
};
