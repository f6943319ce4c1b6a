/** A button with a menu under it: arrow keys, Home, End, Escape, and back to the button when it closes. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icons';
import { flip } from './set';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly keys?: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

export const Menu = ({ icon, label, items }: { icon: IconName; label: string; items: readonly MenuItem[] }) => {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const options = (): HTMLElement[] => [
    ...(root.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])') ?? []),
  ];
  const close = (refocus: boolean): void => {
    open.value = false;
    if (refocus) button.current?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: both functions are the same in all but identity.
  useEffect(() => {
    if (!open.value) return;
    options()[0]?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) close(false);
    };
    addEventListener('pointerdown', outside, true);
    return () => removeEventListener('pointerdown', outside, true);
  }, [open.value]);
  const key = (event: KeyboardEvent): void => {
    const list = options();
    const at = list.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'ArrowDown') list[(at + 1) % list.length]?.focus();
    else if (event.key === 'ArrowUp') list[(at - 1 + list.length) % list.length]?.focus();
    else if (event.key === 'Home') list[0]?.focus();
    else if (event.key === 'End') list.at(-1)?.focus();
    else if (event.key === 'Escape') close(true);
    else if (event.key === 'Tab') close(false);
    else return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu-root" ref={root}>
      <button
        type="button"
        ref={button}
        class="icon-button"
        aria-haspopup="menu"
        aria-expanded={open.value}
        aria-label={label}
        title={label}
        onClick={() => flip(open)}
      >
        <Icon name={icon} />
      </button>
      {open.value ? (
        <div class="menu" role="menu" tabIndex={-1} aria-label={label} onKeyDown={key}>
          {items.map((item) => (
            <button
              type="button"
              key={item.label}
              role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              {...(item.checked === undefined ? {} : { 'aria-checked': item.checked })}
              aria-disabled={item.disabled ?? false}
              tabIndex={-1}
              onClick={() => {
                if (item.disabled) return;
                close(true);
                item.onSelect();
              }}
            >
              <span class="menu-icon">
                {item.checked === undefined ? (
                  item.icon === undefined ? null : (
                    <Icon name={item.icon} size={14} />
                  )
                ) : item.checked ? (
                  <Icon name="done" size={14} />
                ) : null}
              </span>
              <span>{item.label}</span>
              {item.keys === undefined ? null : <kbd>{item.keys}</kbd>}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
};
