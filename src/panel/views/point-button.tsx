/** Outlines a region on the inspected page, until pressed again, Escape, or another region. */
import { signal } from '@preact/signals';
import { type Panel, usePanel } from '../context';
import { Icon } from '../parts/icons';
import { useStrings } from '../strings';

const pointed = signal<string | null>(null);

/** Takes the outline away; false if there was none. */
export const pointNowhere = (panel: Panel): boolean => {
  const was = pointed.peek();
  if (was === null) return false;
  pointed.value = null;
  for (const document of panel.store.live().session.documents.keys()) panel.shell.point(document, null);
  return true;
};

export const PointButton = ({ document, region }: { document: string; region: string }) => {
  const panel = usePanel();
  const t = useStrings();
  const key = `${document} ${region}`;
  const on = pointed.value === key;
  return (
    <button
      type="button"
      class="button"
      aria-pressed={on}
      onClick={() => {
        pointNowhere(panel);
        if (on) return;
        pointed.value = key;
        panel.shell.point(document, region);
      }}
    >
      <Icon name="point" size={14} />
      {t.highlight}
    </button>
  );
};
