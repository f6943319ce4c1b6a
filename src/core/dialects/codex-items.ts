/**
 * Items of a Codex turn: what their start, their deltas and their completion say. An agent message speaks to the person
 * unless its phase is `commentary`; the phase is on the item and not on its deltas, so it is kept from the start.
 * `item/completed` repeats an item whole and is what commits it.
 */
import type { Identity, Voice } from '../model';
import { asArray, asNumber, asString, asText, type JsonObject, type Utterance, unrecognised, utter } from './dialect';

type About = { readonly identity: Identity; readonly lane: string };
/** Voice of the agent messages seen, by item id. */
export type Phases = Map<string, 'assistant' | 'progress'>;

const TEXTS = new Set([
  'agentMessage',
  'reasoning',
  'plan',
  'userMessage',
  'hookPrompt',
  'contextCompaction',
  'enteredReviewMode',
  'exitedReviewMode',
]);
const FAILED = new Set(['failed', 'declined', 'error']);

const phaseOf = (item: JsonObject): 'assistant' | 'progress' => (item.phase === 'commentary' ? 'progress' : 'assistant');
const toolName = (item: JsonObject): string =>
  asString(item.tool) ?? asString(item.command) ?? asString(item.query) ?? asString(item.type) ?? '';

export const itemStarted = (raw: string, item: JsonObject, at: About, phases: Phases): readonly Utterance[] => {
  const id = asString(item.id) ?? '';
  const type = asString(item.type) ?? '';
  const name = `${raw} ${type}`.trimEnd();
  if (type === 'agentMessage') {
    phases.set(id, phaseOf(item));
    const text = asString(item.text) ?? '';
    const about = { ...at, part: id };
    return [
      utter(name, phaseOf(item), 'provisional', { type: 'part.opened' }, about),
      ...(text === '' ? [] : [utter(name, phaseOf(item), 'provisional', { type: 'part.delta', text }, about)]),
    ];
  }
  if (TEXTS.has(type)) return [utter(name, type === 'userMessage' ? 'user' : 'lifecycle', 'committed', { type: 'note', text: null }, at)];
  return [
    utter(
      name,
      'tool',
      'provisional',
      {
        type: 'tool.called',
        name: toolName(item),
        input: asText(item.arguments ?? item.command ?? item.changes ?? item.query),
        owedBy: type === 'dynamicToolCall' ? 'page' : 'producer',
      },
      { ...at, identity: { ...at.identity, toolCall: id } },
    ),
  ];
};

export const itemCompleted = (raw: string, item: JsonObject, at: About, phases: Phases): readonly Utterance[] => {
  const id = asString(item.id) ?? '';
  const type = asString(item.type) ?? '';
  const name = `${raw} ${type}`.trimEnd();
  const closed = (voice: Voice, text: string | null, part: string): Utterance =>
    utter(name, voice, 'committed', { type: 'part.closed', text }, { ...at, part });
  switch (type) {
    case 'agentMessage':
      return [closed(phases.get(id) ?? phaseOf(item), asString(item.text), id)];
    case 'plan':
      return [closed('progress', asString(item.text), id)];
    case 'reasoning': {
      const said = [
        ...asArray(item.summary).map((text, index) => closed('reasoning', asString(text), `${id}:summary:${index}`)),
        ...asArray(item.content).map((text, index) => closed('reasoning', asString(text), `${id}:text:${index}`)),
      ];
      return said.length > 0 ? said : [utter(name, 'reasoning', 'committed', { type: 'note', text: null }, at)];
    }
    case 'userMessage': {
      const text = asArray(item.content)
        .map((block) => asString((block as JsonObject | null)?.text) ?? '')
        .join('');
      return [utter(name, 'user', 'committed', { type: 'note', text: text || null }, at)];
    }
  }
  if (TEXTS.has(type)) return [utter(name, 'lifecycle', 'committed', { type: 'note', text: asString(item.review) }, at)];
  const about = { ...at, identity: { ...at.identity, toolCall: id } };
  const output = asText(item.aggregatedOutput ?? item.result ?? item.contentItems ?? item.error);
  const failed = FAILED.has(asString(item.status) ?? '') || item.success === false;
  return [utter(name, 'tool', 'committed', { type: 'tool.returned', output, failed, preliminary: false }, about)];
};

export const itemDelta = (method: string, params: JsonObject, at: About, phases: Phases): readonly Utterance[] => {
  const id = asString(params.itemId) ?? '';
  const text = asString(params.delta) ?? '';
  const delta = (voice: Voice, part: string): readonly Utterance[] => [
    utter(method, voice, 'provisional', { type: 'part.delta', text }, { ...at, part }),
  ];
  switch (method) {
    case 'item/agentMessage/delta':
      return delta(phases.get(id) ?? 'assistant', id);
    case 'item/reasoning/summaryTextDelta':
      return delta('reasoning', `${id}:summary:${asNumber(params.summaryIndex) ?? 0}`);
    case 'item/reasoning/textDelta':
      return delta('reasoning', `${id}:text:${asNumber(params.contentIndex) ?? 0}`);
    case 'item/reasoning/summaryPartAdded':
      return [utter(method, 'reasoning', 'provisional', { type: 'note', text: null }, at)];
    case 'item/plan/delta':
      return delta('progress', id);
    case 'item/mcpToolCall/progress':
      return [utter(method, 'tool', 'provisional', { type: 'note', text: asString(params.message) }, at)];
  }
  if (/^item\/(?:commandExecution|fileChange|autoApprovalReview)\//u.test(method))
    return [utter(method, 'tool', 'provisional', { type: 'note', text: null }, { ...at, identity: { ...at.identity, toolCall: id } })];
  return [unrecognised(method, at)];
};
