/** A file dropped anywhere on the panel is opened. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePanel } from '../context';
import { Icon } from '../parts/icons';
import { useStrings } from '../strings';
import { openBlob } from './capture-actions';

export const DropTarget = () => {
  const panel = usePanel();
  const t = useStrings();
  const over = useSignal(false);
  useEffect(() => {
    const drag = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      over.value = true;
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) over.value = false;
    };
    const drop = (event: DragEvent): void => {
      over.value = false;
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      void openBlob(panel, file, file.name);
    };
    addEventListener('dragover', drag);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', drag);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [panel, over]);
  return over.value ? (
    <div class="drop" role="presentation">
      <Icon name="open" size={24} />
      {t.dropHere}
    </div>
  ) : null;
};
