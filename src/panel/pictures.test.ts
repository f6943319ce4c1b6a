import { expect, test } from 'vitest';
import type { Placed } from '../link/messages';
import { createPictures, type Moment, type PicturesOptions } from './pictures';

const BOX = { x: 10, y: 20, width: 300, height: 40 };
const placed = (more: Partial<Placed> = {}): Placed => ({ at: 1_040, visible: true, box: BOX, width: 1000, height: 700, ...more });
const moment = (key: string, more: Partial<Moment> = {}): Moment => ({ key, document: 'd', region: 'r1', at: 1_000, ...more });

/** Answers as told; time passes when asked to. */
const camera = (more: Partial<PicturesOptions> = {}) => {
  const due: (() => void)[] = [];
  let shots = 0;
  const pictures = createPictures({
    place: async () => placed(),
    picture: async () => ({ image: `data:image/jpeg;base64,${++shots}`, why: null }),
    later: (what) => due.push(what),
    ...more,
  });
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) await Promise.resolve();
  };
  return {
    pictures,
    shots: () => shots,
    settle,
    async pass() {
      for (const what of due.splice(0)) what();
      await settle();
    },
  };
};

test('a new finding is pictured once, with its place and how late it is', async () => {
  const { pictures, settle, shots, pass } = camera();
  pictures.take([moment('a')]);
  await settle();
  expect(pictures.all.value.get('a')).toEqual({
    state: 'taken',
    image: 'data:image/jpeg;base64,1',
    afterMs: 40,
    box: BOX,
    width: 1000,
    height: 700,
  });
  pictures.take([moment('a')]);
  await pass();
  expect(shots()).toBe(1);
});

test('findings of one moment share a picture; later ones wait for their turn', async () => {
  const { pictures, settle, shots, pass } = camera();
  pictures.take([moment('a'), moment('b', { region: 'r2' })]);
  await settle();
  pictures.take([moment('c')]);
  await settle();
  expect(shots()).toBe(1);
  expect(pictures.held.value).toBe('data:image/jpeg;base64,1'.length);
  await pass();
  expect(shots()).toBe(2);
  expect([...pictures.all.value.keys()]).toEqual(['a', 'b', 'c']);
});

test('a region that moved while the picture was taken is not outlined on it', async () => {
  let n = 0;
  const { pictures, settle } = camera({ place: async () => placed({ box: { ...BOX, y: 20 + 100 * n++ } }) });
  pictures.take([moment('a')]);
  await settle();
  expect(pictures.all.value.get('a')).toMatchObject({ state: 'taken', box: null });
});

const ABSENT: readonly (readonly [why: string, more: Partial<PicturesOptions>])[] = [
  ['gone', { place: async () => null }],
  ['hidden', { place: async () => placed({ visible: false }) }],
  ['late', { place: async () => placed({ at: 20_000 }) }],
  ['permission', { picture: async () => ({ image: null, why: 'permission' }) }],
  ['failed', { picture: async () => null }],
];
test.each(ABSENT)('where there is none, it is said why: %s', async (why, more) => {
  const { pictures, settle } = camera(more);
  pictures.take([moment('a')]);
  await settle();
  expect(pictures.all.value.get('a')).toEqual({ state: 'none', why });
});

test('what is held is bounded: the oldest goes, and says so', async () => {
  let shot = 0;
  const { pictures, settle, pass } = camera({
    picture: async () => ({ image: `data:image/jpeg;base64,${String(++shot).padStart(1_000_000, '0')}`, why: null }),
  });
  for (let n = 0; n < 15; n++) {
    pictures.take([moment(`f${n}`)]);
    await settle();
    await pass();
  }
  expect(pictures.held.value).toBeLessThanOrEqual(12_000_000);
  expect(pictures.all.value.get('f0')).toEqual({ state: 'none', why: 'dropped' });
  expect(pictures.all.value.get('f14')).toMatchObject({ state: 'taken' });
});

test('nothing of an old page stays, nor comes after it', async () => {
  const { pictures, settle } = camera();
  pictures.take([moment('a')]);
  pictures.clear();
  await settle();
  expect(pictures.all.value.size).toBe(0);
  expect(pictures.held.value).toBe(0);
});
