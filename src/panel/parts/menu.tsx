/** A button with a menu under it: arrow keys, Home, End, Escape, and back to the button when it closes. */

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
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

/**
 * The list itself: takes the focus, and says when it is done with. `at`: a point of the window where it opens; without it,
 * under whatever holds it.
 */
export const MenuList = (props: {
  label: string;
  items: readonly MenuItem[];
  at?: { readonly x: number; readonly y: number };
  onClose: (refocus: boolean) => void;
}) => {
  const root = useRef<HTMLDivElement>(null);
  const options = (): HTMLElement[] => [
    ...(root.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])') ?? []),
  ];
  const { at } = props;
  const close = useRef(props.onClose);
  close.current = props.onClose;
  // Before it is painted: it opens where it belongs, and the next key is its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens.
  useLayoutEffect(() => {
    const list = root.current;
    if (list === null) return;
    if (at !== undefined) {
      // Where it would run over an edge it opens to the other side.
      const { width, height } = list.getBoundingClientRect();
      list.style.left = `${Math.max(4, Math.min(at.x, innerWidth - width - 4))}px`;
      list.style.top = `${Math.max(4, at.y + height > innerHeight - 4 ? at.y - height : at.y)}px`;
    }
    options()[0]?.focus();
    // A press on the button that opened it is the button's own affair.
    const home = at !== undefined && list.parentElement?.matches('.menu-root') !== true ? list : list.parentElement;
    const outside = (event: Event): void => {
      if (home?.contains(event.target as Node) !== true) close.current(false);
    };
    addEventListener('pointerdown', outside, true);
    return () => removeEventListener('pointerdown', outside, true);
  }, []);
  const key = (event: KeyboardEvent): void => {
    const list = options();
    const here = list.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'ArrowDown') list[(here + 1) % list.length]?.focus();
    else if (event.key === 'ArrowUp') list[(here - 1 + list.length) % list.length]?.focus();
    else if (event.key === 'Home') list[0]?.focus();
    else if (event.key === 'End') list.at(-1)?.focus();
    else if (event.key === 'Escape') props.onClose(true);
    else if (event.key === 'Tab') props.onClose(false);
    else if (event.key === 'Enter' || event.key === ' ') {
      event.stopPropagation();
      return;
    } else return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={`menu${at === undefined ? '' : ' at-point'}`}
      role="menu"
      tabIndex={-1}
      aria-label={props.label}
      ref={root}
      onKeyDown={key}
      onContextMenu={(event) => event.preventDefault()}
    >
      {props.items.map((item) => (
        <button
          type="button"
          key={item.label}
          role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          {...(item.checked === undefined ? {} : { 'aria-checked': item.checked })}
          aria-disabled={item.disabled ?? false}
          tabIndex={-1}
          onClick={() => {
            if (item.disabled) return;
            props.onClose(true);
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
          <span class="menu-label">{item.label}</span>
          {item.keys === undefined ? null : <kbd>{item.keys}</kbd>}
        </button>
      ))}
    </div>
  );
};

const under = (element: Element | null): { x: number; y: number } => {
  const box = element?.getBoundingClientRect();
  return { x: box?.left ?? 0, y: box?.bottom ?? 0 };
};

export const Menu = (props: {
  icon: IconName;
  label: string;
  keys?: string;
  items: readonly MenuItem[];
  /** For a bar that scrolls, which would cut off what hangs from it. */
  floating?: boolean;
}) => {
  const { icon, label, keys, items, floating = false } = props;
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div class="menu-root">
      <button
        type="button"
        ref={button}
        class="icon-button"
        aria-haspopup="menu"
        aria-expanded={open.value}
        aria-label={label}
        title={keys === undefined ? label : `${label} (${keys})`}
        onClick={() => flip(open)}
      >
        <Icon name={icon} />
      </button>
      {open.value ? (
        <MenuList
          label={label}
          items={items}
          {...(floating ? { at: under(button.current) } : {})}
          onClose={(refocus) => {
            open.value = false;
            if (refocus) button.current?.focus();
          }}
        />
      ) : null}
    </div>
  );
};
