/** Where things stand in the timeline: the sizes of its tracks, and pixels and milliseconds in terms of each other. */
import { clock } from '../../format';

export interface View {
  /** Milliseconds at the left and right edge of the plot. */
  readonly from: number;
  readonly to: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly ruler: number;
  readonly laneTop: number;
  readonly laneHeight: number;
  readonly shownTop: number;
  readonly cueHeight: number;
  readonly barHeight: number;
  readonly bars: number;
  readonly mapTop: number;
  readonly mapHeight: number;
}

/** Below this many pixels there is room only for the lanes that are used, and none for the map. */
export const LOW = 104;

export const layoutOf = (width: number, height: number, lanes: number, bars: number): Layout => {
  const ruler = 16;
  const low = height < LOW;
  const mapHeight = low ? 0 : 10;
  const room = height - ruler - mapHeight - 4;
  const wantedBars = Math.max(1, Math.min(bars, 3));
  // Said gets what Shown does not need; neither lane gets so thin that a hatch cannot be seen.
  const shown = Math.min(room * 0.42, 18 + wantedBars * 13);
  const laneHeight = Math.max(low ? 4 : 7, Math.min(16, (room - shown - 6) / lanes));
  const laneTop = ruler + 2;
  const shownTop = laneTop + laneHeight * lanes + 6;
  const mapTop = height - mapHeight;
  const cueHeight = 13;
  const left = 50;
  const free = mapTop - 3 - shownTop - cueHeight - 3;
  const rows = Math.max(1, Math.min(bars, Math.floor(free / 11)));
  return {
    width,
    height,
    left,
    ruler,
    laneTop,
    laneHeight,
    shownTop,
    cueHeight,
    barHeight: Math.max(7, Math.min(14, free / Math.max(rows, 1))),
    bars: rows,
    mapTop,
    mapHeight,
  };
};

export const xOf = (layout: Layout, view: View, time: number): number =>
  layout.left + ((time - view.from) / (view.to - view.from)) * (layout.width - layout.left - 6);
export const timeAt = (layout: Layout, view: View, x: number): number =>
  view.from + ((x - layout.left) / (layout.width - layout.left - 6)) * (view.to - view.from);

/** 1, 2 or 5 times a power of ten, so that labels stand about 80 px apart. */
export const stepOf = (ms: number, width: number): number => {
  const wanted = (ms / Math.max(width, 1)) * 80;
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 0.001)));
  for (const factor of [1, 2, 5, 10]) if (power * factor >= wanted) return power * factor;
  return power * 10;
};

export const tickLabel = (ms: number, step: number): string =>
  step >= 1000
    ? `${Math.round(ms / 1000)} s`
    : step >= 1
      ? ms >= 1000
        ? `${clock(ms).replace(/0{1,2}$/u, '')} s`
        : `${Math.round(ms)} ms`
      : `${ms.toFixed(2)} ms`;
