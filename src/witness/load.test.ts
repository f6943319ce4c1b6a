/** The decoders are asked for until they are here or refused, whatever happens to the background between. */
import { expect, it } from 'vitest';
import { decoders } from './decoders';
import { createLoad } from './load';

const setUp = (answers: readonly ('dies' | 'dies after' | 'ok' | 'refused')[]) => {
  let here = false;
  let asked = 0;
  const load = createLoad({
    ask: async () => {
      const answer = answers[asked++];
      if (answer === 'ok' || answer === 'dies after') here = true;
      if (answer === 'ok') return { ok: true };
      if (answer === 'refused') return { ok: false };
      throw new Error('the message port closed before a response was received');
    },
    found: () => (here ? decoders : undefined),
    later: (what) => what(),
  });
  return { load, asked: () => asked };
};

it('brings them once', async () => {
  const { load, asked } = setUp(['ok']);
  expect(await Promise.all([load(), load()])).toEqual([decoders, decoders]);
  expect(load()).toBe(decoders);
  expect(asked()).toBe(1);
});

it('asks again when the background died over it', async () => {
  const { load, asked } = setUp(['dies', 'dies', 'ok']);
  expect(await load()).toBe(decoders);
  expect(asked()).toBe(3);
});

it('takes them where the background died after it had brought them', async () => {
  const { load, asked } = setUp(['dies after']);
  expect(await load()).toBe(decoders);
  expect(asked()).toBe(1);
});

it('takes a refusal for an answer', async () => {
  const { load, asked } = setUp(['dies', 'refused']);
  expect(await load()).toBeNull();
  expect(asked()).toBe(2);
});

it('gives up on a background that never answers', async () => {
  const { load } = setUp([]);
  expect(await load()).toBeNull();
});
