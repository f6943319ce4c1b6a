/** Paints the timeline. Knows pixels and nothing of sessions; what is narrower than a pixel is painted once. */

import { clock } from '../../format';
import type { Tone } from '../../outcome';
import { TONE } from '../../outcome';
import type { Lane } from '../../voices';
import { LETTER } from '../../voices';
import type { Palette } from './hatch';
import type { Span, TimelineModel } from './model';
import { type Layout, stepOf, tickLabel, type View, xOf } from './scale';

export interface Words {
  readonly said: string;
  readonly shown: string;
  readonly working: string;
  readonly final: string;
  readonly finalShort: string;
  readonly unsettledEnd: string;
  readonly notWatched: string;
  readonly ending: (line: TimelineModel['lines'][number]) => string;
}

const toneColour = (tone: Tone, palette: Palette): string =>
  ({ live: palette.focus, good: palette.green, wait: palette.wait, warn: palette.amber, bad: palette.red, mute: palette.fg2 })[tone];

/** First index whose time is not below `time`. */
const lowerBound = (times: readonly number[], time: number): number => {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Narrower than a letter of a settlement's name. */
const LETTER_WIDTH = 5;

/** The settlements with their places in pixels (null: out of view); of very many, one of a kind a pixel. */
const linesOf = (model: TimelineModel, placeOf: (line: TimelineModel['lines'][number]) => number | null) => {
  const found: { readonly line: TimelineModel['lines'][number]; readonly at: number }[] = [];
  const last = new Map<string, number>();
  for (const line of model.lines) {
    const at = placeOf(line);
    if (at === null || last.get(line.ending) === at) continue;
    last.set(line.ending, at);
    found.push({ line, at });
  }
  return found;
};

const spansOf = (model: TimelineModel, layout: Layout, view: View) => {
  const found: { readonly span: Span; readonly from: number; readonly to: number }[] = [];
  const last = new Map<Lane, number>();
  for (const span of model.spans) {
    if (span.to < view.from || span.from > view.to) continue;
    const from = xOf(layout, view, span.from);
    const to = Math.max(xOf(layout, view, span.open ? Math.max(span.to, model.to) : span.to), from + 2.5);
    // Many tiny spans in one pixel are one.
    if (to - from < 3 && last.get(span.lane) === Math.floor(from)) continue;
    last.set(span.lane, Math.floor(from));
    found.push({ span, from, to });
  }
  return found;
};

/** What is left of very many runs where pixels are few. Made once for each view, since every move of the pointer draws. */
export const sketchOf = (model: TimelineModel, layout: Layout, view: View) => {
  const whole: View = { from: 0, to: model.to };
  return {
    spans: spansOf(model, layout, view),
    lines: linesOf(model, (line) => (line.at < view.from || line.at > view.to ? null : Math.round(xOf(layout, view, line.at)) + 0.5)),
    mapSpans: layout.mapHeight === 0 ? [] : spansOf(model, layout, whole),
    mapLines: linesOf(model, (line) => Math.floor(xOf(layout, whole, line.at))),
  };
};

export type Sketch = ReturnType<typeof sketchOf>;

export const drawTimeline = (
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  sketch: Sketch,
  layout: Layout,
  view: View,
  palette: Palette,
  words: Words,
  asOf: number | null,
  hover: number | null,
): void => {
  const { width, height, left } = layout;
  const right = width - 6;
  const x = (time: number): number => xOf(layout, view, time);
  const known = asOf ?? Number.POSITIVE_INFINITY;
  context.clearRect(0, 0, width, height);
  context.fillStyle = palette.bg;
  context.fillRect(0, 0, width, height);
  context.font = '10px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
  context.textBaseline = 'middle';
  context.textAlign = 'left';

  // Ruler.
  const step = stepOf(view.to - view.from, right - left);
  context.lineWidth = 1;
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
    const at = Math.round(x(time)) + 0.5;
    context.strokeStyle = palette.line2;
    context.beginPath();
    context.moveTo(at, layout.ruler - 3);
    context.lineTo(at, layout.mapTop - 2);
    context.stroke();
    context.fillStyle = palette.fg3;
    const label = tickLabel(time, step);
    if (at + 3 + label.length * 6 < right) context.fillText(label, at + 3, 8);
  }

  // Lanes.
  const laneY = (lane: Lane): number => layout.laneTop + model.lanes.indexOf(lane) * layout.laneHeight;
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, layout.mapTop);
  context.clip();
  for (const lane of model.lanes) drawPoints(context, model, lane, laneY(lane), layout, view, palette, known);
  for (const { span, from, to } of sketch.spans)
    drawSpan(context, span, from, Math.min(to, right + 20), laneY(span.lane) + 1.5, layout.laneHeight - 3, palette, known);

  for (const lane of model.lanes) drawBeats(context, model, lane, laneY(lane), layout, view, palette);
  drawShown(context, model, layout, view, palette, words);

  // Settlements: full height through what was said.
  for (const [place, { line, at }] of sketch.lines.entries()) {
    context.strokeStyle = toneColour(TONE[line.ending], palette);
    context.lineWidth = line.settled ? 2 : 1.5;
    context.setLineDash(line.settled ? [] : [3, 3]);
    context.beginPath();
    context.moveTo(at, layout.ruler - 2);
    context.lineTo(at, layout.mapTop - 3);
    context.stroke();
    context.setLineDash([]);
    // The next line's name would cover this one's.
    const next = sketch.lines[place + 1]?.at;
    if (next !== undefined && next >= at && next - at < LETTER_WIDTH) continue;
    const label = line.settled ? words.ending(line) : words.unsettledEnd;
    context.font = '600 10px system-ui, sans-serif';
    const size = context.measureText(label).width + 8;
    const toLeft = at + size > right;
    const y = layout.laneTop + model.lanes.length * layout.laneHeight - 7;
    context.fillStyle = palette.bg;
    context.fillRect(toLeft ? at - size - 1 : at + 2, y - 7, size, 13);
    context.fillStyle = toneColour(TONE[line.ending], palette);
    context.textAlign = toLeft ? 'right' : 'left';
    context.fillText(label, toLeft ? at - 4 : at + 5, y);
    context.textAlign = 'left';
  }
  for (const gap of model.gaps) {
    const at = x(gap.at);
    context.fillStyle = palette.amber;
    context.beginPath();
    context.moveTo(at - 4, layout.ruler - 3);
    context.lineTo(at + 4, layout.ruler - 3);
    context.lineTo(at, layout.ruler + 4);
    context.fill();
  }
  context.restore();

  // Names of tracks and lanes.
  context.fillStyle = palette.fg2;
  context.font = '700 9px system-ui, sans-serif';
  context.fillText(words.said, 5, layout.laneTop + layout.laneHeight / 2);
  context.fillText(words.shown, 5, layout.shownTop + layout.cueHeight / 2);
  context.font = '700 9px system-ui, sans-serif';
  context.textAlign = 'center';
  for (const lane of model.lanes) {
    context.fillStyle = palette.voice[lane];
    context.globalAlpha = (model.points.get(lane)?.length ?? 0) > 0 ? 1 : 0.45;
    // Where lanes are too thin for their letters, these stand beside each other by turns.
    const aside = layout.laneHeight < 8 ? (model.lanes.indexOf(lane) % 2) * 9 : 0;
    context.fillText(LETTER[lane], left - 8 - aside, laneY(lane) + layout.laneHeight / 2);
  }
  context.globalAlpha = 1;
  context.textAlign = 'left';
  context.strokeStyle = palette.line;
  context.beginPath();
  context.moveTo(0, layout.shownTop - 3.5);
  context.lineTo(width, layout.shownTop - 3.5);
  context.stroke();

  drawMap(context, model, sketch, layout, view, palette);

  if (hover !== null && hover >= view.from && hover <= view.to) {
    const at = Math.round(x(hover)) + 0.5;
    context.strokeStyle = palette.fg3;
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(at, layout.ruler);
    context.lineTo(at, layout.mapTop - 2);
    context.stroke();
    context.setLineDash([]);
    // What time it is there, over the ruler's own.
    const label = `${clock(hover)} s`;
    context.font = '10px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
    const size = context.measureText(label).width + 8;
    const from = Math.max(left, Math.min(right - size, at - size / 2));
    context.fillStyle = palette.bg3;
    context.fillRect(from, 1, size, layout.ruler - 4);
    context.fillStyle = palette.fg;
    context.fillText(label, from + 4, 8);
  }
  if (asOf !== null) {
    const at = Math.max(left, Math.min(right, x(asOf)));
    context.fillStyle = palette.bg;
    context.globalAlpha = 0.62;
    context.fillRect(at, layout.ruler, right - at, layout.mapTop - layout.ruler - 2);
    context.globalAlpha = 1;
    context.strokeStyle = palette.focus;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(at, 4);
    context.lineTo(at, layout.mapTop - 2);
    context.stroke();
    context.fillStyle = palette.focus;
    context.beginPath();
    context.moveTo(at - 5, 1);
    context.lineTo(at + 5, 1);
    context.lineTo(at + 5, 6);
    context.lineTo(at, 11);
    context.lineTo(at - 5, 6);
    context.fill();
  }
};

const drawPoints = (
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  lane: Lane,
  y: number,
  layout: Layout,
  view: View,
  palette: Palette,
  known: number,
): void => {
  const times = model.points.get(lane);
  if (times === undefined || times.length === 0) return;
  const perPixel = (view.to - view.from) / Math.max(1, layout.width - layout.left - 6);
  context.fillStyle = palette.voice[lane];
  let index = lowerBound(times, view.from + model.base);
  while (index < times.length) {
    const time = times[index]! - model.base;
    if (time > view.to) break;
    const at = xOf(layout, view, time);
    context.globalAlpha = time > known ? 0.35 : 1;
    context.fillRect(Math.round(at) - 1, y + 2, 2.5, layout.laneHeight - 4);
    // On to the first event that is a pixel or more further on.
    index = lowerBound(times, model.base + time + perPixel * 2);
    if (index < times.length && times[index]! - model.base <= time) index++;
  }
  context.globalAlpha = 1;
};

/** Each event as a notch at the foot of its span, once there is room to tell them apart: the rhythm of the stream. */
const drawBeats = (
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  lane: Lane,
  y: number,
  layout: Layout,
  view: View,
  palette: Palette,
): void => {
  const times = model.points.get(lane);
  if (times === undefined) return;
  const first = lowerBound(times, view.from + model.base);
  const after = lowerBound(times, view.to + model.base);
  if (after - first > (layout.width - layout.left) / 14) return;
  context.fillStyle = palette.fg;
  context.globalAlpha = 0.75;
  for (let index = first; index < after; index++)
    context.fillRect(Math.round(xOf(layout, view, times[index]! - model.base)), y + layout.laneHeight - 4.5, 1, 3);
  context.globalAlpha = 1;
};

const drawSpan = (
  context: CanvasRenderingContext2D,
  span: Span,
  from: number,
  to: number,
  y: number,
  height: number,
  palette: Palette,
  known: number,
): void => {
  const committed = span.committedAt !== null && span.committedAt <= known;
  const withdrawn = span.withdrawnAt !== null && span.withdrawnAt <= known;
  context.globalAlpha = span.from > known ? 0.3 : withdrawn ? 0.45 : 1;
  context.fillStyle = palette.bg;
  context.fillRect(from, y, to - from, height);
  context.beginPath();
  context.roundRect(from, y, to - from, height, Math.min(2, height / 2));
  context.fillStyle = committed && !span.open ? palette.voice[span.lane] : palette.hatch[span.lane];
  context.fill();
  context.strokeStyle = span.failed ? palette.red : palette.voice[span.lane];
  context.lineWidth = span.failed ? 1.5 : 1;
  if (to - from > 4) {
    context.beginPath();
    context.roundRect(from + 0.5, y + 0.5, to - from - 1, height - 1, 2);
    context.stroke();
  }
  if (withdrawn) {
    context.beginPath();
    context.moveTo(from, y + height / 2);
    context.lineTo(to, y + height / 2);
    context.strokeStyle = palette.fg;
    context.stroke();
  }
  context.globalAlpha = 1;
};

const drawShown = (
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  layout: Layout,
  view: View,
  palette: Palette,
  words: Words,
): void => {
  const x = (time: number): number => xOf(layout, view, time);
  const { shownTop, cueHeight, left } = layout;
  if (!model.watched) {
    context.fillStyle = palette.fg3;
    context.font = '11px system-ui, sans-serif';
    context.fillText(words.notWatched, left + 6, shownTop + cueHeight / 2 + 1);
    return;
  }
  context.font = '600 10px system-ui, sans-serif';
  for (const stretch of model.stretches) {
    if (stretch.as === 'unknown' || stretch.to < view.from || stretch.from > view.to) continue;
    const from = x(stretch.from);
    const to = Math.max(x(stretch.to), from + 2);
    const final = stretch.as === 'final';
    context.fillStyle = final ? palette.bg3 : palette.bg2;
    context.fillRect(from, shownTop, to - from, cueHeight);
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    if (!final) context.setLineDash([3, 2]);
    context.strokeRect(from + 0.5, shownTop + 0.5, to - from - 1, cueHeight - 1);
    context.setLineDash([]);
    const label = final ? words.final : words.working;
    if (to - Math.max(from, left) > context.measureText(label).width + 10) {
      context.fillStyle = palette.fg2;
      context.fillText(label, Math.max(from, left) + 5, shownTop + cueHeight / 2 + 0.5);
    }
  }
  model.bars.slice(0, layout.bars).forEach((bar, row) => {
    if (bar.to < view.from || bar.from > view.to) return;
    const from = x(bar.from);
    const to = Math.max(x(bar.to), from + 2.5);
    const y = shownTop + cueHeight + 3 + row * layout.barHeight;
    const height = layout.barHeight - 3;
    const lane = bar.lane ?? 'unrecognised';
    context.beginPath();
    context.roundRect(from, y, to - from, height, 2);
    context.fillStyle = palette.hatch[lane];
    context.globalAlpha = bar.lane === null ? 0.35 : 0.9;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = palette.voice[lane];
    context.lineWidth = 1;
    context.stroke();
  });
  for (const stretch of model.red) {
    if (stretch.to < view.from || stretch.from > view.to) continue;
    const from = x(stretch.from);
    const to = Math.max(x(stretch.to), from + 3);
    const rows = Math.min(model.bars.length, layout.bars);
    const bottom = shownTop + cueHeight + 3 + Math.max(rows, 1) * layout.barHeight - 2;
    context.fillStyle = palette.red;
    context.beginPath();
    context.roundRect(from, shownTop, to - from, bottom - shownTop, 2);
    context.fill();
    context.font = '700 10px system-ui, sans-serif';
    const room = Math.min(to, layout.width - 6) - Math.max(from, left) - 10;
    const label = context.measureText(words.final).width <= room ? words.final : words.finalShort;
    if (context.measureText(label).width <= room) {
      context.fillStyle = palette.onRed;
      context.fillText(label, Math.max(from, left) + 6, shownTop + cueHeight / 2 + 1);
    }
  }
};

const drawMap = (
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  sketch: Sketch,
  layout: Layout,
  view: View,
  palette: Palette,
): void => {
  const whole: View = { from: 0, to: model.to };
  const { mapTop, mapHeight, left, width } = layout;
  if (mapHeight === 0) return;
  const x = (time: number): number => xOf(layout, whole, time);
  context.fillStyle = palette.bg2;
  context.fillRect(0, mapTop, width, mapHeight);
  for (const { span, from } of sketch.mapSpans) {
    context.fillStyle = palette.voice[span.lane];
    context.globalAlpha = 0.75;
    context.fillRect(from, mapTop + 3, Math.max(1.5, x(span.to) - from), 3);
  }
  context.globalAlpha = 1;
  context.fillStyle = palette.red;
  for (const stretch of model.red) context.fillRect(x(stretch.from), mapTop + 7, Math.max(2, x(stretch.to) - x(stretch.from)), 2);
  for (const { line, at } of sketch.mapLines) {
    context.fillStyle = toneColour(TONE[line.ending], palette);
    context.fillRect(at, mapTop + 1, 1.5, mapHeight - 2);
  }
  if (view.from <= 0 && view.to >= model.to) return;
  const from = Math.max(left, x(view.from));
  const to = Math.min(width - 6, x(view.to));
  context.fillStyle = palette.focus;
  context.globalAlpha = 0.16;
  context.fillRect(from, mapTop, Math.max(4, to - from), mapHeight);
  context.globalAlpha = 1;
  context.strokeStyle = palette.focus;
  context.strokeRect(from + 0.5, mapTop + 0.5, Math.max(4, to - from - 1), mapHeight - 1);
};
