/** The voices' colours, measured: who can tell them apart, and whether a letter on each can be read. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANES, type Lane } from '../voices';

const css = ['./tokens.css', './vivid.css'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n');

/** The custom properties of the rules with exactly this selector. */
const tokensOf = (selector: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const [, selectors, body] of css.replace(/\/\*[\s\S]*?\*\//gu, '').matchAll(/([^{}]+)\{([^{}]*)\}/gu))
    if (selectors!.trim() === selector)
      for (const [, name, value] of body!.matchAll(/--([\w-]+):\s*([^;]+);/gu)) found[name!] = value!.trim();
  return found;
};
const light = tokensOf(':root');
const dark = { ...light, ...tokensOf(':root[data-theme="dark"]') };
const THEMES = {
  light,
  dark,
  'light, vivid': { ...light, ...tokensOf(':root[data-colours="vivid"]') },
  'dark, vivid': { ...dark, ...tokensOf(':root[data-colours="vivid"][data-theme="dark"]') },
} as const;

type Rgb = readonly [number, number, number];
const linear = (hex: string): Rgb =>
  [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
const times = (m: readonly Rgb[], [r, g, b]: Rgb): Rgb =>
  m.map((row) => Math.max(0, Math.min(1, row[0] * r + row[1] * g + row[2] * b))) as unknown as Rgb;

/** Machado, Oliveira and Fernandes 2009, at full severity, on linear light. */
const SIGHT: Readonly<Record<string, readonly Rgb[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Oklab: equal distances look equally far apart. */
const oklab = ([r, g, b]: Rgb): Rgb => {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};
const distance = (a: string, b: string, sight: readonly Rgb[]): number => {
  const [x, y] = [oklab(times(sight, linear(a))), oklab(times(sight, linear(b)))];
  return Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
};
const luminance = (hex: string): number => {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

describe.each(Object.entries(THEMES))('%s', (_, tokens) => {
  test.each(LANES.map((lane) => [lane]))('%s can be read, as a letter and under one', (lane) => {
    expect(contrast(tokens[lane]!, tokens.bg!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tokens[lane]!, tokens['on-voice']!)).toBeGreaterThanOrEqual(4.5);
  });
});

/** What is said to somebody, and by whom: whoever takes one of these for another misreads the page. */
const SPEAKERS: readonly Lane[] = ['assistant', 'reasoning', 'progress', 'tool', 'interaction'];

describe.each(['light', 'dark'] as const)('as it is at first, %s', (theme) => {
  const tokens = THEMES[theme];
  test.each(Object.entries(SIGHT))('those who speak are told apart: %s', (_, sight) => {
    for (const a of SPEAKERS)
      for (const b of SPEAKERS) if (a < b) expect(distance(tokens[a]!, tokens[b]!, sight), `${a} and ${b}`).toBeGreaterThan(0.065);
    // The one confusion that this panel is about.
    expect(distance(tokens.assistant!, tokens.reasoning!, sight)).toBeGreaterThan(0.1);
  });
});
