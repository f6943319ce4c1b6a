/**
 * LangChain messages as LangGraph servers send them: what text, reasoning and tool calls a message holds. Shared by both
 * LangGraph protocols. Spec: npm @langchain/core 1.4.0.
 */
import type { AgentEventHead, FinishReason, Identity } from '../model';
import { asArray, asObject, asObjects, asString, asText, type JsonObject, type Utterance, utter } from './dialect';
import { endOf } from './finish-words';

export type About = Partial<Pick<AgentEventHead, 'wireId'>> & { readonly identity: Identity };

export interface Spoken {
  readonly text: string;
  readonly reasoning: string;
}

/** `ai`, `AIMessage` and `AIMessageChunk` alike. */
export const isAi = (message: JsonObject): boolean => message.type === 'ai' || /^AIMessage/u.test(asString(message.type) ?? '');
export const isHuman = (message: JsonObject): boolean => message.type === 'human' || /^HumanMessage/u.test(asString(message.type) ?? '');
export const isTool = (message: JsonObject): boolean => message.type === 'tool' || /^ToolMessage/u.test(asString(message.type) ?? '');

/** Text and reasoning of a message's content: a string, or blocks. */
export const spokenOf = (message: JsonObject): Spoken => {
  if (typeof message.content === 'string') return { text: message.content, reasoning: extra(message) };
  let text = '';
  let reasoning = '';
  for (const block of asObjects(message.content)) {
    if (block.type === 'text') text += asString(block.text) ?? '';
    else if (block.type === 'reasoning')
      reasoning +=
        asString(block.reasoning) ??
        asObjects(block.summary)
          .map((one) => asString(one.text) ?? '')
          .join('');
    else if (block.type === 'thinking') reasoning += asString(block.thinking) ?? '';
  }
  return { text, reasoning: reasoning === '' ? extra(message) : reasoning };
};

const extra = (message: JsonObject): string => asString(asObject(message.additional_kwargs)?.reasoning_content) ?? '';

/** The word of whoever made the model on how its answer ended, which the message hands on under the name that it had there. */
export const finishReasonOf = (message: JsonObject): string | null => {
  const metadata = asObject(message.response_metadata) ?? {};
  for (const name of ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason']) {
    const word = asString(metadata[name]);
    if (word !== null) return word;
  }
  return asString(asObject(metadata.messageStop)?.stopReason) ?? asString(asObject(metadata.incomplete_details)?.reason);
};

/** How an answer that nothing follows ended. Any other word, and none, is a good end: the answer is there, and the run is over. */
export const answerEnd = (word: string | null): FinishReason['reason'] => {
  const reason = endOf(word ?? '');
  return reason === 'length' || reason === 'content-filter' || reason === 'refusal' || reason === 'error' ? reason : 'stop';
};

/** Blocks that are an answer without words. */
const MEDIA = /^(?:image|audio|video|file|input_audio|media)/u;

/** A message as a whole: its texts committed, its calls and results noted. */
export const commitMessage = (raw: string, message: JsonObject, about: About): readonly Utterance[] => {
  const id = asString(message.id) ?? '';
  const identity = { ...about.identity, ...(id === '' ? {} : { message: id }) };
  const where = { ...about, identity };
  if (isTool(message)) return [toolResult(raw, message, about)];
  if (!isAi(message)) return [];
  const { text, reasoning } = spokenOf(message);
  const said: Utterance[] = [];
  if (reasoning !== '')
    said.push(utter(raw, 'reasoning', 'committed', { type: 'part.replaced', text: reasoning }, { ...where, part: `${id}:reasoning` }));
  if (text !== '') said.push(utter(raw, 'assistant', 'committed', { type: 'part.replaced', text }, { ...where, part: `${id}:text` }));
  else if (asArray(message.content).some((block) => MEDIA.test(asString(asObject(block)?.type) ?? '')))
    said.push(utter(raw, 'assistant', 'committed', { type: 'note', text: null }, where));
  for (const call of asObjects(message.tool_calls)) {
    const toolCall = asString(call.id);
    if (toolCall !== null)
      said.push(
        utter(
          raw,
          'tool',
          'committed',
          { type: 'tool.called', name: asString(call.name) ?? '', input: asText(call.args), owedBy: 'producer' },
          { ...where, identity: { ...identity, toolCall } },
        ),
      );
  }
  return said;
};

export const toolResult = (raw: string, message: JsonObject, about: About): Utterance => {
  const toolCall = asString(message.tool_call_id);
  return utter(
    raw,
    'tool',
    'committed',
    { type: 'tool.returned', output: asText(message.content), failed: message.status === 'error', preliminary: false },
    { ...about, identity: toolCall === null ? about.identity : { ...about.identity, toolCall } },
  );
};

/** `__interrupt__` entries and `interrupts`: id, and whether an approval is asked. */
export const interruptsOf = (
  value: unknown,
): readonly { readonly id: string; readonly kind: 'approval' | 'input'; readonly prompt: string | null }[] =>
  asArray(value).map((one, i) => {
    const interrupt = asObject(one);
    const payload = interrupt?.value;
    return {
      id: asString(interrupt?.id) ?? asString(interrupt?.interrupt_id) ?? String(i),
      kind: askKind(payload),
      prompt: asText(payload),
    };
  });

export const askKind = (payload: unknown): 'approval' | 'input' => {
  const object = asObject(payload);
  const word = `${asString(object?.kind) ?? ''} ${asString(object?.type) ?? ''}`;
  return /approv|confirm|permission/u.test(word) || object?.action_requests !== undefined || object?.action_request !== undefined
    ? 'approval'
    : 'input';
};
