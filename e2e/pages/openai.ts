/**
 * A server that speaks two of OpenAI's streaming protocols (chat completions and responses), scripted, for the pages whose
 * packages are clients of them. The page's query says which scenario, in which words; clients hand it on in the address.
 */

import type { Scenario, Served } from './page';
import { bodyOf, deliver, type Ending, scenarioOf, serve, sleep } from './serve';
import { piecesOf, type Words, wordsOf } from './words';

const PACE_MS = 40;
const LATE_MS = 2_500;

/** An event, and how long after the one before. */
type Step = readonly [event: unknown, wait: number];

const half = ({ answer, middle }: Words): string => answer.slice(0, answer.indexOf(middle) + middle.length);
const isShort = (scenario: Scenario): boolean => ['failed-after-text', 'truncated', 'waiting'].includes(scenario);

/** What the person is to be asked, where a run waits: a call of a tool that the page has. */
const ASKS = { name: 'askForConfirmation', arguments: '{"question":"Restart the collector now?"}' };

/** Chat completions, with the reasoning field that several compatible servers send. */
const completion = (scenario: Scenario, words: Words): readonly Step[] => {
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: 'scripted-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const steps: Step[] = [[chunk({ role: 'assistant', content: '' }), 150]];
  for (const piece of piecesOf(words.reasoning)) steps.push([chunk({ reasoning_content: piece }), PACE_MS]);
  for (const piece of piecesOf(isShort(scenario) ? half(words) : words.answer)) steps.push([chunk({ content: piece }), PACE_MS]);
  if (scenario === 'failed-after-text')
    return [...steps, [{ error: { message: 'The model is overloaded.', type: 'server_error', param: null, code: 'overloaded' } }, PACE_MS]];
  if (scenario === 'waiting')
    steps.push(
      [chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { ...ASKS, arguments: '' } }] }), PACE_MS],
      [chunk({ tool_calls: [{ index: 0, function: { arguments: ASKS.arguments } }] }), PACE_MS],
    );
  const reason = scenario === 'truncated' ? 'length' : scenario === 'waiting' ? 'tool_calls' : 'stop';
  steps.push([chunk({}, reason), scenario === 'late-settlement' ? LATE_MS : PACE_MS]);
  steps.push(['[DONE]', PACE_MS]);
  return steps;
};

/** The responses protocol: typed events, numbered. */
const response = (scenario: Scenario, words: Words): readonly Step[] => {
  let number = 0;
  const event = (type: string, more: object): object => ({ type, sequence_number: number++, ...more });
  const text = isShort(scenario) ? half(words) : words.answer;
  const about = (status: string, more: object = {}): object => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1_767_225_600,
    status,
    model: 'scripted-1',
    output: [],
    error: null,
    incomplete_details: null,
    ...more,
  });
  const where = { item_id: 'msg_1', output_index: 1, content_index: 0 };
  const thought = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
  const message = (status: string, content: readonly object[]): object => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status,
    content,
  });
  const part = (said: string): object => ({ type: 'output_text', text: said, annotations: [] });
  const steps: Step[] = [
    [event('response.created', { response: about('in_progress') }), 150],
    [event('response.in_progress', { response: about('in_progress') }), PACE_MS],
    [event('response.output_item.added', { output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [] } }), PACE_MS],
    [event('response.reasoning_summary_part.added', { ...thought, part: { type: 'summary_text', text: '' } }), PACE_MS],
  ];
  for (const delta of piecesOf(words.reasoning))
    steps.push([event('response.reasoning_summary_text.delta', { ...thought, delta }), PACE_MS]);
  const summary = { type: 'summary_text', text: words.reasoning };
  steps.push(
    [event('response.reasoning_summary_text.done', { ...thought, text: words.reasoning }), PACE_MS],
    [event('response.reasoning_summary_part.done', { ...thought, part: summary }), PACE_MS],
    [event('response.output_item.done', { output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [summary] } }), PACE_MS],
    [event('response.output_item.added', { output_index: 1, item: message('in_progress', []) }), PACE_MS],
    [event('response.content_part.added', { ...where, part: part('') }), PACE_MS],
  );
  for (const delta of piecesOf(text)) steps.push([event('response.output_text.delta', { ...where, delta, logprobs: [] }), PACE_MS]);
  if (scenario === 'failed-after-text') {
    const error = { code: 'server_error', message: 'The model is overloaded.' };
    return [...steps, [event('response.failed', { response: about('failed', { error }) }), PACE_MS]];
  }
  const status = scenario === 'truncated' ? 'incomplete' : 'completed';
  const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', ...ASKS, status: 'completed' };
  const asked = { item_id: 'fc_1', output_index: 2 };
  steps.push(
    [event('response.output_text.done', { ...where, text, logprobs: [] }), PACE_MS],
    [event('response.content_part.done', { ...where, part: part(text) }), PACE_MS],
    [event('response.output_item.done', { output_index: 1, item: message(status, [part(text)]) }), PACE_MS],
  );
  if (scenario === 'waiting')
    steps.push(
      [event('response.output_item.added', { output_index: 2, item: { ...call, arguments: '', status: 'in_progress' } }), PACE_MS],
      [event('response.function_call_arguments.delta', { ...asked, delta: ASKS.arguments }), PACE_MS],
      [event('response.function_call_arguments.done', { ...asked, ...ASKS }), PACE_MS],
      [event('response.output_item.done', { output_index: 2, item: call }), PACE_MS],
    );
  steps.push([
    event(`response.${status}`, {
      response: about(status, {
        output: [message(status, [part(text)]), ...(scenario === 'waiting' ? [call] : [])],
        incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
      }),
    }),
    scenario === 'late-settlement' ? LATE_MS : PACE_MS,
  ]);
  return steps;
};

const endingOf = (scenario: Scenario, { middle, thought }: Words): Ending | null => {
  if (scenario === 'severed-mid-text') return { at: middle, how: 'close' };
  if (scenario === 'reset-mid-text') return { at: middle, how: 'reset' };
  return scenario === 'severed-after-reasoning' ? { at: thought, how: 'close' } : null;
};

async function* bytes(steps: readonly Step[]): AsyncGenerator<string> {
  for (const [event, wait] of steps) {
    await sleep(wait);
    if (typeof event === 'string') yield `data: ${event}\n\n`;
    else if ('type' in (event as object)) yield `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`;
    else yield `data: ${JSON.stringify(event)}\n\n`;
  }
}

/** Starts it on a free port, for pages that ask for `/v1/chat/completions` or `/v1/responses`. */
export const serveOpenAi = (folder: string): Promise<Served> =>
  serve(folder, async (request, answer, url) => {
    const isCompletion = url.pathname === '/v1/chat/completions';
    if (request.method !== 'POST' || !(isCompletion || url.pathname === '/v1/responses')) return false;
    await bodyOf(request);
    // The clients have no query of their own: the page's is in the address it was sent from.
    const from = new URL(request.headers.referer ?? '/', 'http://localhost');
    const scenario = scenarioOf(from);
    const words = wordsOf(from);
    answer.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    const steps = isCompletion ? completion(scenario, words) : response(scenario, words);
    await deliver(bytes(steps), answer, { ending: endingOf(scenario, words), leaveOpen: scenario === 'left-open' });
    return true;
  });
