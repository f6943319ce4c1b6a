/** The frame exactly as it came, with its place in the stream. Large frames are shown in part until asked for whole. */

import { useSignal } from '@preact/signals';
import type { WireFrame } from '../../../core/model';
import { useStore } from '../../context';
import { clock, count } from '../../format';
import { Button, CopyButton, IconButton } from '../../parts/button';
import { Field, Fields } from '../../parts/fields';
import { JsonTree } from '../../parts/json-tree';
import { LongText } from '../../parts/long-text';
import { flip, set } from '../../parts/set';
import { useStrings } from '../../strings';
import { framesFor } from '../copy';
import { mappingSheet } from '../mapping-state';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Frames do not change once they are read; the last one looked at is kept. */
let kept: { flow: string; frame: number; value: WireFrame } | null = null;

export const RawTab = () => {
  const store = useStore();
  const t = useStrings();
  const mode = useSignal<'exact' | 'tree'>('exact');
  const selected = store.selected.value;
  if (selected === null || selected.kind === 'mark') return <p class="hint">{t.chooseEvent}</p>;
  const { event } = selected;
  if (event.frame < 0) return <p class="hint">{t.noFrame}</p>;
  if (kept === null || kept.flow !== event.flow || kept.frame !== event.frame) {
    const value = framesFor(store, [event])[0];
    kept = value === undefined ? null : { flow: event.flow, frame: event.frame, value };
  }
  if (kept === null) return <p class="hint">{t.noFrame}</p>;
  const frame = kept.value;
  const json = frame.data.length < 400_000 ? parsed(frame.data) : undefined;
  const flow = store.session().flows.get(event.flow);
  const step = (by: number): void => {
    const unit = store.rows().unitOf(selected.index);
    const list = store.rows();
    const to = selected.index + by;
    if (unit === null || to < 0 || to >= list.total) return;
    store.selectIndex(to);
  };
  const tree = mode.value === 'tree' && json !== undefined;
  return (
    <div class="stack">
      <div class="raw-bar">
        <IconButton icon="up" label={t.previousFrame} onClick={() => step(-1)} />
        <IconButton icon="down" label={t.nextFrame} onClick={() => step(1)} />
        {/* biome-ignore lint/a11y/useSemanticElements: two buttons in a bar are no form. */}
        <span class="segmented" role="group" aria-label={t.rawMode}>
          <button type="button" aria-pressed={!tree} onClick={() => set(mode, 'exact')}>
            {t.exact}
          </button>
          <button type="button" aria-pressed={tree} disabled={json === undefined} onClick={() => set(mode, 'tree')}>
            JSON
          </button>
        </span>
        <CopyButton label={t.copyRaw} text={() => frame.data} />
        <Button onClick={() => flip(store.settings.wrapRaw)}>{store.settings.wrapRaw.value ? t.noWrap : t.wrap}</Button>
      </div>
      {event.voice === null ? (
        <div class="buttons">
          <Button onClick={() => set(mappingSheet, { frame, url: flow?.url ?? '' })}>{t.mapping.mapThis}</Button>
        </div>
      ) : null}
      {frame.complete ? null : <p class="warn">{t.incomplete}</p>}
      {tree ? (
        <JsonTree value={json} label={t.frame} openTo={3} />
      ) : (
        <LongText text={frame.data} mono wrap={store.settings.wrapRaw.value} />
      )}
      <Fields>
        <Field name={t.field.frame}>
          {t.frameOf(count(frame.index), count(flow?.frames ?? 0))} · {frame.framing} · {t.direction[frame.direction]}
        </Field>
        {frame.event === null ? null : (
          <Field name="event:" mono>
            {frame.event}
          </Field>
        )}
        {frame.id === null ? null : (
          <Field name="id:" mono copy={frame.id}>
            {frame.id}
          </Field>
        )}
        <Field name={t.field.offsets} mono>
          {count(frame.start)} – {count(frame.end)} ({count(frame.end - frame.start)})
        </Field>
        <Field name={t.field.time}>
          <span class="tabular">{clock(frame.at)} s</span> · {t.pageClock}
        </Field>
      </Fields>
    </div>
  );
};
