/** What lies under the pointer, and what to say about it. */
import type { Seq } from '../../../core/model';
import { clock, duration } from '../../format';
import type { Strings } from '../../strings';
import { excerpt, type TimelineModel } from './model';
import { type Layout, timeAt, type View, xOf } from './scale';

export interface Hit {
  readonly track: 'said' | 'shown';
  readonly time: number;
  /** What to select; -1 where only the time is known. */
  readonly seq: Seq;
  readonly red: boolean;
  readonly text: string;
  title(t: Strings): string;
  when(t: Strings): string;
}

const NEAR = 4;

const range = (from: number, to: number): string => `${clock(from)} – ${clock(to)} s · ${duration(to - from)}`;

export const hitAt = (model: TimelineModel, layout: Layout, view: View, x: number, y: number): Hit | null => {
  if (x < layout.left || y < layout.ruler || y >= layout.mapTop) return null;
  const time = timeAt(layout, view, x);
  const slack = ((view.to - view.from) / Math.max(1, layout.width - layout.left)) * NEAR;

  for (const line of model.lines)
    if (Math.abs(xOf(layout, view, line.at) - x) <= NEAR && y < layout.shownTop)
      return {
        track: 'said',
        time: line.at,
        seq: line.seq,
        red: false,
        text: '',
        title: (t) => t.outcome[line.ending],
        when: () => `${clock(line.at)} s`,
      };

  const laneIndex = Math.floor((y - layout.laneTop) / layout.laneHeight);
  const lane = model.lanes[laneIndex];
  if (y < layout.shownTop - 3 && lane !== undefined) {
    const span = model.spans.findLast(
      (each) => each.lane === lane && each.from - slack <= time && (each.open ? model.to : each.to) + slack >= time,
    );
    if (span !== undefined)
      return {
        track: 'said',
        time: span.from,
        seq: span.seq,
        red: false,
        text: span.part === null ? span.text : excerpt(span.part.text),
        title: (t) =>
          `${t.voice[lane]} · ${span.withdrawnAt !== null ? t.withdrawn : span.committedAt === null ? t.standing.provisional : t.standing.committed}`,
        when: () => range(span.from, span.to),
      };
    const times = model.points.get(lane) ?? [];
    let best = -1;
    let distance = slack;
    for (const each of times) {
      const away = Math.abs(each - model.base - time);
      if (away <= distance) {
        distance = away;
        best = each - model.base;
      }
    }
    if (best < 0) return null;
    return { track: 'said', time: best, seq: -1, red: false, text: '', title: (t) => t.voice[lane], when: () => `${clock(best)} s` };
  }
  if (y < layout.shownTop) return null;
  const red = model.red.find((each) => each.from - slack <= time && each.to + slack >= time);
  if (red !== undefined)
    return {
      track: 'shown',
      time,
      seq: -1,
      red: true,
      text: model.stretches.find((each) => each.as === 'final' && each.from <= red.from && each.to >= red.from)?.cues.join(', ') ?? '',
      title: (t) => t.redStretch,
      when: () => range(red.from, red.to),
    };
  if (y < layout.shownTop + layout.cueHeight) {
    const stretch = model.stretches.find((each) => each.from <= time && each.to >= time && each.as !== 'unknown');
    if (stretch === undefined) return null;
    return {
      track: 'shown',
      time: stretch.from,
      seq: -1,
      red: false,
      text: stretch.cues.join(', '),
      title: (t) => (stretch.as === 'final' ? t.presented.final : t.presented.working),
      when: () => range(stretch.from, stretch.to),
    };
  }
  const row = Math.floor((y - layout.shownTop - layout.cueHeight - 3) / layout.barHeight);
  const bar = model.bars[row];
  if (bar === undefined || row >= layout.bars || bar.from > time || bar.to < time) return null;
  return {
    track: 'shown',
    time: bar.from,
    seq: -1,
    red: false,
    text: bar.text,
    title: (t) => `${bar.label} · ${bar.lane === null ? t.unmatched : t.voice[bar.lane]}`,
    when: () => range(bar.from, bar.to),
  };
};
