/** What the rules say of answers that are no words, of a task that is at work, and of an interrupt that is answered. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { load, sessionOf } from '../../../scripts/dialect-fixtures';

const DIR = dirname(fileURLToPath(import.meta.url));
const told = (file: string): readonly (string | null | readonly string[])[] => {
  const session = sessionOf(load(join(DIR, file)));
  return [...session.runs.map(({ settlement }) => settlement?.outcome ?? 'open'), session.findings.map(({ rule }) => rule)];
};

test.each([
  'a2a.fixtures/a2a-v03-artifact-of-data',
  'a2a.fixtures/a2a-v1-message-of-data',
  'acp.fixtures/an-image-and-a-link-alone',
  'ag-ui.fixtures/ag-ui-v1-result-alone',
  'dify.fixtures/a-file-at-the-end-alone',
  'dify.fixtures/a-message-file-alone',
  'dify.fixtures/workflow-of-data',
  'gemini-generate-content.fixtures/an-image-alone',
  'gemini-interactions.fixtures/an-image-alone',
  'langgraph.fixtures/an-image-alone',
  'mastra.fixtures/own-workflow-of-data',
  'openai-assistants.fixtures/an-image-file-alone',
  'openai-chat.fixtures/audio',
  'openai-chat.fixtures/openrouter-image-alone',
  'openai-realtime.fixtures/audio-without-transcript',
])('%s is an answer, and its run not empty', (file) => expect(told(`${file}.jsonl`)).toEqual(['completed', []]));

test.each([
  'a2a.fixtures/a2a-v03-get-working',
  'a2a.fixtures/a2a-v03-send-working',
  'a2a.fixtures/a2a-v1-rest-get-working',
  'a2a.fixtures/a2a-v1-send-working',
])('%s is open, and no stream was cut', (file) => expect(told(`${file}.jsonl`)).toEqual(['open', []]));

test('a task that is asked for until it is done is one run, without a fault', () =>
  expect(told('a2a.fixtures/a2a-v03-polled.jsonl')).toEqual(['completed', []]));

test('an interrupt and what answers it are one run, without a fault', () =>
  expect(told('langgraph.fixtures/interrupt-then-resumed.jsonl')).toEqual(['completed', []]));

test.each([
  ['two-finish-reasons', ['completed', ['terminal-conflict']]],
  ['finish-reason-said-again', ['completed', []]],
  ['text-after-done', ['completed', ['out-of-order']]],
  ['lint-content-after-finish-reason', ['completed', ['event-after-settle']]],
  ['refused-over-http', ['failed', []]],
] as const)('what the end of openai-chat.fixtures/%s is told to be', (file, right) =>
  expect(told(`openai-chat.fixtures/${file}.jsonl`)).toEqual(right),
);
