/** Redaction in steps: the same as at once, told as it goes on; and words that somebody wants taken out. */
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model';
import { scene } from '../scenes/scene';
import { redactCapture, redactSteps } from './redact';
import { sourceOf } from './redaction/views';

/** A stream of many deltas of one text, and a page that shows it grow. */
const captureOf = (words: readonly string[], url?: string): Capture => {
  const page = scene(url).open().say({ type: 'start', messageId: 'm' }, { type: 'text-start', id: 't' });
  let shown = '';
  for (const word of words) {
    shown += word;
    page.wait(1).say({ type: 'text-delta', id: 't', delta: word }).show('r', shown);
  }
  return page.capture();
};

const address = (at: number): string => `ada.${at}@mail.example`;

describe('redaction in steps', () => {
  const words = Array.from({ length: 400 }, (_, at) => (at % 40 === 7 ? `${address(at % 3)} ` : at % 40 === 9 ? 'ada.1@ma' : 'words '));
  it.each(['standard', 'scramble'] as const)('%s: comes to the same, and tells a share that only grows', (policy) => {
    const capture = captureOf(words);
    const before = JSON.stringify(capture);
    const options = { policy, key: 'k', verdict: (of: Capture) => String(of.entries.length) };
    const steps = redactSteps(capture, options);
    const shares: number[] = [];
    for (;;) {
      const step = steps.next();
      if (step.done) {
        expect(step.value).toEqual(redactCapture(capture, options));
        break;
      }
      shares.push(step.value);
    }
    expect(shares.length).toBeGreaterThan(4);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares[0]).toBeGreaterThanOrEqual(0);
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
    // Nor when it is given up half way.
    redactSteps(capture, options).next();
    expect(JSON.stringify(capture)).toBe(before);
  });
  it('a verdict may be worked out in steps, too', () => {
    let asked = 0;
    const { style } = redactCapture(captureOf(words), {
      policy: 'scramble',
      key: 'k',
      *verdict() {
        yield 0.5;
        asked++;
        return 'always the same';
      },
    });
    expect(style).toBe('words');
    expect(asked).toBe(2);
  });
});

describe('words to take out', () => {
  const text = (capture: Capture): string => JSON.stringify(capture);
  it('go wherever they occur: split over deltas, on the page, in an address; in capitals or not', () => {
    const capture = captureOf(
      ['Project ', 'Kes', 'trel ships. ', 'KESTREL! ', 'Kestr', 'els too. ', 'a.b'],
      'https://kestrel.example/?q=Kestrel',
    );
    const { capture: safe, report } = redactCapture(capture, { policy: 'standard', words: ['kestrel', ' ', 'a.b'] });
    expect(text(safe).toLowerCase()).not.toContain('kestrel');
    const said = safe.entries
      .flatMap((entry) => (entry.type === 'flow.chunk' ? [/"delta":"([^"]*)"/u.exec(entry.text)?.[1] ?? ''] : []))
      .join('');
    expect(said).toHaveLength('Project Kestrel ships. KESTREL! Kestrels too. a.b'.length);
    expect(said).toContain('Project ');
    expect(said).toContain(' ships. ');
    expect(report.replacements.map((each) => each.kind)).toContain('word');
    // A full stop is a full stop.
    expect(text(redactCapture(captureOf(['axb']), { policy: 'standard', words: ['a.b'] }).capture)).toContain('axb');
  });
  it('of which there are none change nothing', () => {
    const capture = captureOf(['plain words']);
    expect(redactCapture(capture, { policy: 'standard', words: ['', ' '] }).capture.entries).toEqual(capture.entries);
  });
});

describe('a text that is written over', () => {
  it('is read in stretches across its blocks as it is read whole', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');
    const source = sourceOf(text);
    expect(source.written).toBe(false);
    for (const at of [0, 4_095, 4_096, 8_192, 19_999]) source.put(at, 'X'.charCodeAt(0));
    // What is beyond its end is nowhere.
    source.put(30_000, 88);
    const wanted = [...text].map((c, at) => ([0, 4_095, 4_096, 8_192, 19_999].includes(at) ? 'X' : c)).join('');
    expect(source.result()).toBe(wanted);
    for (const [start, end] of [
      [0, 5_000],
      [4_090, 4_100],
      [5_000, 19_999],
      [4_096, 4_096],
    ] as const)
      expect(source.between(start, end)).toBe(wanted.slice(start, end));
    expect(source.written).toBe(true);
  });
});
