/** A file dropped anywhere on the panel is opened; of two, the first is compared with the second. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { codeOf } from '../code';
import { usePanel } from '../context';
import { Icon } from '../parts/icons';
import { useStrings } from '../strings';

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
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void codeOf(import('./capture-file-drop')).then((code) => code?.openFiles(panel, files));
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
