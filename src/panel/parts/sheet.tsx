/** A dialog over the panel: takes the focus, keeps it, gives it back. The platform's own `<dialog>` does all three. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useStrings } from '../strings';
import { IconButton } from './button';

export const Sheet = ({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const t = useStrings();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      class="sheet"
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label={t.close} onClick={onClose} />
      </header>
      <div class="sheet-body">{children}</div>
    </dialog>
  );
};
