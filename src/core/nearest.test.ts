import { expect, it } from 'vitest';
import { nearest, wrongName } from './nearest';

const IDS = ['openai-chat', 'openai-responses', 'ag-ui', 'ollama'];

it.each([
  ['openai-caht', 'openai-chat'],
  ['openai', 'openai-chat'],
  ['responses', 'openai-responses'],
  ['ag-ui-events', 'ag-ui'],
])('%s is nearest to %s', (word, name) => {
  expect(nearest(word, IDS)).toBe(` Did you mean ${name}?`);
});
it.each(['nothing', '', '-', 'ope'])('%j is near to nothing', (word) => {
  expect(nearest(word, IDS)).toBe('');
});
it('says what there is', () => {
  expect(wrongName('dialect', 'openai', IDS)).toBe(
    'There is no dialect "openai". Did you mean openai-chat? There are: openai-chat, openai-responses, ag-ui, ollama.',
  );
  expect(wrongName('dialect', 'ag-ui', IDS)).toBeNull();
});
