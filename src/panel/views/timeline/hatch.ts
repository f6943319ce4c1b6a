/**
 * Provisional text is hatched, and each voice has a hatch of its own, so that neither colour nor position alone says
 * whose text it is. Patterns are made once per theme and pixel ratio.
 */
import { LANES, type Lane } from '../../voices';

export interface Palette {
  readonly voice: Readonly<Record<Lane, string>>;
  readonly hatch: Readonly<Record<Lane, CanvasPattern | string>>;
  readonly bg: string;
  readonly bg2: string;
  readonly bg3: string;
  readonly line: string;
  readonly line2: string;
  readonly fg: string;
  readonly fg2: string;
  readonly fg3: string;
  readonly red: string;
  readonly redHatch: CanvasPattern | string;
  readonly onRed: string;
  readonly focus: string;
  readonly green: string;
  readonly amber: string;
  readonly wait: string;
}

/** Strokes in a tile of 6 units: [x1, y1, x2, y2]. Tiles repeat without seams. */
const SHAPES: Readonly<Record<Lane, readonly (readonly [number, number, number, number])[]>> = {
  lifecycle: [[0, 3, 6, 3]],
  user: [[3, 0, 3, 6]],
  assistant: [
    [-1, -1, 7, 7],
    [-1, 5, 1, 7],
    [5, -1, 7, 1],
  ],
  reasoning: [
    [-1, 7, 7, -1],
    [-1, 1, 1, -1],
    [5, 7, 7, 5],
  ],
  progress: [
    [3, 0, 3, 6],
    [0, 0, 0, 6],
  ],
  tool: [
    [0, 1.5, 6, 1.5],
    [0, 4.5, 6, 4.5],
  ],
  interaction: [
    [-1, -1, 7, 7],
    [-1, 7, 7, -1],
  ],
  log: [
    [0, 3, 3, 3],
    [3, 0, 6, 0],
  ],
  terminal: [[0, 3, 6, 3]],
  unrecognised: [[2, 2, 4, 4]],
};

const tile = (
  context: CanvasRenderingContext2D,
  colour: string,
  shape: readonly (readonly [number, number, number, number])[],
  ratio: number,
) => {
  const canvas = document.createElement('canvas');
  canvas.width = 6 * ratio;
  canvas.height = 6 * ratio;
  const own = canvas.getContext('2d');
  if (own === null) return colour;
  own.scale(ratio, ratio);
  own.strokeStyle = colour;
  own.lineWidth = 1.5;
  own.beginPath();
  for (const [x1, y1, x2, y2] of shape) {
    own.moveTo(x1, y1);
    own.lineTo(x2, y2);
  }
  own.stroke();
  const pattern = context.createPattern(canvas, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio, 1 / ratio));
  return pattern ?? colour;
};

export const readPalette = (context: CanvasRenderingContext2D, element: Element, ratio: number): Palette => {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim() || '#888';
  // Forced colours are keywords such as CanvasText, which a canvas understands.
  const voice = Object.fromEntries(LANES.map((lane) => [lane, read(lane)])) as Record<Lane, string>;
  return {
    voice,
    hatch: Object.fromEntries(LANES.map((lane) => [lane, tile(context, voice[lane], SHAPES[lane], ratio)])) as Record<
      Lane,
      CanvasPattern | string
    >,
    bg: read('bg'),
    bg2: read('bg-2'),
    bg3: read('bg-3'),
    line: read('line'),
    line2: read('line-2'),
    fg: read('fg'),
    fg2: read('fg-2'),
    fg3: read('fg-3'),
    red: read('red'),
    redHatch: tile(context, read('red'), [[-1, 7, 7, -1]], ratio),
    onRed: read('on-red'),
    focus: read('focus'),
    green: read('green'),
    amber: read('amber'),
    wait: read('wait'),
  };
};
