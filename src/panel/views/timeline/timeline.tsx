/**
 * The timeline's frame: size, zoom, pointer and keys. Follows the whole run until the reader zooms; the ruler sets "as of"
 * time, by which the table, the transcript and the hatches show what was known then. A stretch that is dragged over is all
 * that the table shows. For the keyboard it is a slider.
 */

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Run } from '../../../core/model';
import { useStore } from '../../context';
import { clock, duration } from '../../format';
import { IconButton } from '../../parts/button';
import { set } from '../../parts/set';
import { useStrings } from '../../strings';
import { themeVersion } from '../../theme';
import { drawTimeline, sketchOf, type Words } from './draw';
import { type Palette, readPalette } from './hatch';
import { hitAt } from './hit';
import { buildTimeline, type TimelineModel } from './model';
import { type Layout, LOW, layoutOf, timeAt, type View } from './scale';
import { drawStretch } from './stretch';

const clampView = (view: View, end: number): View => {
  const length = Math.max(0.5, Math.min(view.to - view.from, end));
  const from = Math.max(0, Math.min(view.from, end - length));
  return { from, to: from + length };
};

/** Without the lanes of voices that never spoke. */
const usedLanes = (model: TimelineModel): TimelineModel => {
  const lanes = model.lanes.filter((lane) => (model.points.get(lane)?.length ?? 0) > 0);
  return lanes.length === 0 ? model : { ...model, lanes };
};

export const Timeline = () => {
  const store = useStore();
  const t = useStrings();
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useSignal({ width: 0, height: 0 });
  /** Null: the whole of it, growing with it. Another run has another zoom. */
  const zoomed = useSignal<{ readonly scope: string; readonly view: View } | null>(null);
  const scopeId = store.scopeId.value;
  const kept = zoomed.value;
  const zoom = kept?.scope === scopeId ? kept.view : null;
  const hover = useSignal<{ x: number; y: number } | null>(null);
  /** What is being dragged over. The table is filtered when the pointer is let go. */
  const brush = useSignal<View | null>(null);
  const palette = useRef<{ version: number; ratio: number; palette: Palette } | null>(null);

  /** Bumped while a model is partial. */
  const more = useSignal(0);
  const model = useComputed(() => {
    store.revision.value;
    more.value;
    const feed = store.feed.value;
    feed.judged.value;
    const scope = store.scope.value;
    const runs: readonly Run[] =
      scope.kind === 'all'
        ? store.runs.value
        : scope.kind === 'run'
          ? [feed.session.run(scope.run)].filter((run) => run !== undefined)
          : [];
    return buildTimeline(feed, runs, (key) => feed.screenOf(key));
  });

  useLayoutEffect(() => {
    const element = canvas.current?.parentElement;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      box.value = { width: element.clientWidth, height: element.clientHeight };
    });
    observer.observe(element);
    box.value = { width: element.clientWidth, height: element.clientHeight };
    return () => observer.disconnect();
  }, [box]);

  const whole = model.value;
  const { width, height } = box.value;
  const low = height < LOW;
  const drawnModel = useMemo(() => (low ? usedLanes(whole) : whole), [whole, low]);
  useEffect(() => {
    if (!drawnModel.partial) return;
    const frame = requestAnimationFrame(() => more.value++);
    return () => cancelAnimationFrame(frame);
  }, [drawnModel, more]);
  const layout = useMemo<Layout>(
    () => layoutOf(width, height, drawnModel.lanes.length, drawnModel.bars.length),
    [width, height, drawnModel.lanes.length, drawnModel.bars.length],
  );
  const view = zoom === null ? { from: 0, to: drawnModel.to } : clampView(zoom, drawnModel.to);
  const sketch = useMemo(() => sketchOf(drawnModel, layout, { from: view.from, to: view.to }), [drawnModel, layout, view.from, view.to]);
  const asOf = store.asOf.value;
  const asOfTime = asOf === null ? null : asOf.time - drawnModel.base;
  const theme = themeVersion.value;
  const chosen = store.stretch.value;
  const stretch: View | null = chosen === null ? null : { from: chosen.from - drawnModel.base, to: chosen.to - drawnModel.base };
  const marked = brush.value ?? stretch;

  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width === 0 || height === 0) return;
    const ratio = devicePixelRatio || 1;
    if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
    }
    if (palette.current === null || palette.current.version !== theme || palette.current.ratio !== ratio)
      palette.current = { version: theme, ratio, palette: readPalette(context, element, ratio) };
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const words: Words = {
      said: t.said,
      shown: t.shown,
      working: t.presented.working,
      final: t.presented.final,
      finalShort: t.finalShort,
      unsettledEnd: t.endedUnsettled,
      notWatched: t.notWatched,
      ending: (line) => t.outcome[line.ending],
    };
    drawTimeline(
      context,
      drawnModel,
      sketch,
      layout,
      view,
      palette.current.palette,
      words,
      asOfTime,
      hover.value === null ? null : timeAt(layout, view, hover.value.x),
    );
    if (marked !== null) drawStretch(context, layout, view, palette.current.palette, marked, { from: 0, to: drawnModel.to });
  });

  const setView = (next: View): void => {
    const clamped = clampView(next, drawnModel.to);
    zoomed.value = clamped.from <= 0 && clamped.to >= drawnModel.to - 0.01 ? null : { scope: scopeId, view: clamped };
  };
  const zoomBy = (factor: number, around: number): void =>
    setView({ from: around - (around - view.from) * factor, to: around + (view.to - around) * factor });
  const pan = (by: number): void => setView({ from: view.from + by, to: view.to + by });
  const setAsOf = (time: number): void => {
    const wanted = Math.max(0, Math.min(drawnModel.to, time)) + drawnModel.base;
    store.setAsOf(wanted, store.seqAt(wanted));
  };

  const setStretch = (from: number, to: number): void => store.setStretch({ from: from + drawnModel.base, to: to + drawnModel.base });
  /** One end of the stretch at "as of", or at the edge of what is in view. */
  const setEnd = (end: 'from' | 'to'): void => {
    // As they are now: keys may come faster than frames.
    const time = store.asOf.peek()?.time;
    const marked = store.stretch.peek();
    const at = time === undefined ? view[end] : time - drawnModel.base;
    if (end === 'from') setStretch(at, marked !== null && marked.to - drawnModel.base > at ? marked.to - drawnModel.base : drawnModel.to);
    else setStretch(marked !== null && marked.from - drawnModel.base < at ? marked.from - drawnModel.base : 0, at);
  };

  const place = (event: MouseEvent): { x: number; y: number } => {
    const rect = canvas.current!.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const element = event.currentTarget as HTMLElement;
    const start = place(event);
    const startView = view;
    const onRuler = start.y < layout.ruler;
    const onMap = start.y >= layout.mapTop;
    const panning = event.shiftKey || event.pointerType === 'touch';
    let moved = false;
    element.setPointerCapture(event.pointerId);
    const toMap = (x: number): void => {
      const at = timeAt(layout, { from: 0, to: drawnModel.to }, x);
      const half = (view.to - view.from) / 2;
      setView({ from: at - half, to: at + half });
    };
    if (onRuler) setAsOf(timeAt(layout, view, start.x));
    else if (onMap && zoom !== null) toMap(start.x);
    const move = (to: PointerEvent): void => {
      const at = place(to);
      if (Math.abs(at.x - start.x) > 3) moved = true;
      if (onRuler) setAsOf(timeAt(layout, view, at.x));
      else if (onMap) toMap(at.x);
      else if (moved && !panning) {
        const ends = [timeAt(layout, view, start.x), timeAt(layout, view, at.x)].map((time) => Math.max(0, Math.min(drawnModel.to, time)));
        brush.value = { from: Math.min(...ends), to: Math.max(...ends) };
      } else if (moved) {
        const perPixel = (startView.to - startView.from) / (layout.width - layout.left - 6);
        setView({ from: startView.from - (at.x - start.x) * perPixel, to: startView.to - (at.x - start.x) * perPixel });
      }
    };
    const up = (ended: PointerEvent): void => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', up);
      const over = brush.peek();
      brush.value = null;
      if (over !== null && ended.type === 'pointerup') setStretch(over.from, over.to);
      if (moved || onRuler || onMap) return;
      const hit = hitAt(drawnModel, layout, view, start.x, start.y);
      if (hit === null) return;
      if (hit.red) store.tab.value = 'why';
      else if (hit.track === 'shown') store.tab.value = 'shown';
      if (hit.track === 'shown') store.settings.detailsOpen.value = true;
      else if (hit.seq >= 0) store.revealSeq(hit.seq);
      else store.revealSeq(store.seqAt(hit.time + drawnModel.base));
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', up);
  };

  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const perPixel = (view.to - view.from) / Math.max(1, layout.width - layout.left);
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX * perPixel);
    else if (event.shiftKey) pan(event.deltaY * perPixel);
    else {
      // Two fingers on a touchpad come as small turns of the wheel with Control.
      const by = event.ctrlKey ? Math.max(-25, Math.min(25, event.deltaY)) * 0.02 : Math.max(-60, Math.min(60, event.deltaY)) * 0.006;
      zoomBy(Math.exp(by), timeAt(layout, view, place(event).x));
    }
  };
  const wheelRef = useRef(wheel);
  wheelRef.current = wheel;
  useEffect(() => {
    const element = canvas.current;
    const listen = (event: WheelEvent): void => wheelRef.current(event);
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, []);

  const key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const length = view.to - view.from;
    const centre = asOfTime ?? (view.from + view.to) / 2;
    switch (event.key) {
      case 'ArrowLeft':
        if (event.shiftKey) pan(-length * 0.15);
        else store.stepAsOf(-1);
        break;
      case 'ArrowRight':
        if (event.shiftKey) pan(length * 0.15);
        else store.stepAsOf(1);
        break;
      case 'Home':
        setAsOf(0);
        break;
      case 'End':
        store.setAsOf(null, null);
        break;
      case '+':
      case '=':
      case 'w':
        zoomBy(0.7, centre);
        break;
      case '-':
      case 's':
        zoomBy(1 / 0.7, centre);
        break;
      case 'a':
        pan(-length * 0.15);
        break;
      case 'd':
        pan(length * 0.15);
        break;
      case '0':
        zoomed.value = null;
        break;
      case 'i':
        setEnd('from');
        break;
      case 'o':
        setEnd('to');
        break;
      case 'z':
        if (stretch === null) return;
        setView(stretch);
        break;
      case 'Escape':
        if (store.asOf.peek() !== null) store.setAsOf(null, null);
        else if (store.stretch.peek() !== null) store.setStretch(null);
        else return;
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const pointer = hover.value;
  const hit = pointer === null ? null : hitAt(drawnModel, layout, view, pointer.x, pointer.y);
  const settled = drawnModel.lines.at(-1);
  const redTotal = drawnModel.red.reduce((sum, stretch) => sum + stretch.to - stretch.from, 0);
  const summary = t.timelineSummary(
    settled === undefined ? t.outcome.live : t.outcome[settled.ending],
    settled === undefined ? '' : clock(settled.at),
    drawnModel.red.length === 0 ? '' : `${clock(drawnModel.red[0]!.from)} s, ${duration(redTotal)}`,
  );
  return (
    <section class="timeline" aria-label={t.timeline}>
      <div class="timeline-canvas">
        <canvas
          ref={canvas}
          role="slider"
          tabIndex={0}
          aria-label={`${t.asOfSlider}. ${summary}`}
          aria-valuemin={0}
          aria-valuemax={Math.round(drawnModel.to)}
          aria-valuenow={Math.round(asOfTime ?? drawnModel.to)}
          aria-valuetext={asOfTime === null ? t.asOfNow : t.asOfTime(clock(asOfTime))}
          onPointerDown={down}
          onPointerMove={(event) => {
            hover.value = place(event);
          }}
          onPointerLeave={() => {
            hover.value = null;
          }}
          onDblClick={(event) => {
            if (place(event).y < layout.ruler) store.setAsOf(null, null);
            else zoomed.value = null;
          }}
          onKeyDown={key}
        />
        {hit === null || pointer === null ? null : (
          <div
            class="tooltip"
            role="presentation"
            style={`${pointer.x > width / 2 ? `right:${width - pointer.x + 12}px` : `left:${pointer.x + 12}px`};${pointer.y > height / 2 ? `bottom:${height - pointer.y + 8}px` : `top:${pointer.y + 10}px`}`}
          >
            <strong>{hit.title(t)}</strong>
            <span class="mono tabular">{hit.when(t)}</span>
            {hit.text === '' ? null : <span class="tooltip-text">{hit.text}</span>}
          </div>
        )}
      </div>
      <div class="timeline-tools">
        {asOf === null ? null : (
          <button type="button" class="as-of" onClick={() => store.setAsOf(null, null)} title={t.asOfClear}>
            {t.asOfTime(clock(asOfTime!))} ×
          </button>
        )}
        {zoom === null ? null : <IconButton icon="fit" label={t.fit} keys="0" onClick={() => set(zoomed, null)} />}
      </div>
    </section>
  );
};
