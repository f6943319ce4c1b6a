/** The stretch of time that the reader has marked: what lies outside it fades, its ends are lines from top to bottom. */
import type { Palette } from './hatch';
import { type Layout, type View, xOf } from './scale';

export const drawStretch = (
  context: CanvasRenderingContext2D,
  layout: Layout,
  view: View,
  palette: Palette,
  stretch: View,
  whole: View,
): void => {
  const { left, ruler, mapTop, mapHeight } = layout;
  const right = layout.width - 6;
  const inside = (time: number): number => Math.max(left, Math.min(right, xOf(layout, view, time)));
  const [from, to] = [inside(stretch.from), inside(stretch.to)];
  context.save();
  context.globalAlpha = 0.62;
  context.fillStyle = palette.bg;
  context.fillRect(left, ruler, from - left, mapTop - ruler - 2);
  context.fillRect(to, ruler, right - to, mapTop - ruler - 2);
  context.globalAlpha = 1;
  context.fillStyle = palette.focus;
  context.fillRect(from, ruler - 3, Math.max(1, to - from), 2);
  context.strokeStyle = palette.focus;
  context.lineWidth = 1;
  for (const [time, at] of [
    [stretch.from, from],
    [stretch.to, to],
  ] as const) {
    if (time < view.from || time > view.to) continue;
    context.beginPath();
    context.moveTo(Math.round(at) + 0.5, ruler - 3);
    context.lineTo(Math.round(at) + 0.5, mapTop - 2);
    context.stroke();
  }
  const [start, end] = [xOf(layout, whole, stretch.from), xOf(layout, whole, stretch.to)];
  context.fillRect(start, mapTop + mapHeight - 2, Math.max(2, end - start), 2);
  context.restore();
};
