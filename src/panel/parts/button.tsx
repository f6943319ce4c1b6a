/** Buttons of the bars: an icon with its name for everyone, and the key that does the same. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useStrings } from '../strings';
import { Icon, type IconName } from './icons';

export const IconButton = (props: {
  icon: IconName;
  label: string;
  keys?: string;
  pressed?: boolean;
  disabled?: boolean;
  class?: string;
  /** False where the keys of a composite widget do the same. */
  focusable?: boolean;
  onClick: (event: MouseEvent) => void;
}) => (
  <button
    type="button"
    {...(props.focusable === false ? { tabIndex: -1 } : {})}
    class={`icon-button${props.class === undefined ? '' : ` ${props.class}`}`}
    title={props.keys === undefined ? props.label : `${props.label} (${props.keys})`}
    aria-label={props.label}
    {...(props.pressed === undefined ? {} : { 'aria-pressed': props.pressed })}
    disabled={props.disabled ?? false}
    onClick={props.onClick}
  >
    <Icon name={props.icon} />
  </button>
);

export const Button = (props: {
  icon?: IconName;
  primary?: boolean;
  disabled?: boolean;
  title?: string;
  onClick: (event: MouseEvent) => void;
  children: ComponentChildren;
}) => (
  <button
    type="button"
    class={`button${props.primary ? ' primary' : ''}`}
    {...(props.title === undefined ? {} : { title: props.title })}
    disabled={props.disabled ?? false}
    onClick={props.onClick}
  >
    {props.icon === undefined ? null : <Icon name={props.icon} size={14} />}
    {props.children}
  </button>
);

/**
 * Puts text on the clipboard. Developer tools may refuse the asynchronous clipboard to a panel in a frame, so the old
 * way is tried after it; it goes when Chromium grants `clipboard-write` to devtools panels. Null: there is no text, and what was there stays.
 */
export const copyText = async (text: string | null): Promise<boolean> => {
  if (text === null) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'sr';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
};

/** Says on the button itself that it worked, so that nothing moves. */
export const CopyButton = ({
  text,
  label,
  small = false,
}: {
  text: () => string | Promise<string | null>;
  label: string;
  small?: boolean;
}) => {
  const t = useStrings();
  const state = useSignal<'idle' | 'done' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    state.value = (await copyText(await text())) ? 'done' : 'failed';
    setTimeout(() => {
      state.value = 'idle';
    }, 1500);
  };
  const shown = state.value === 'done' ? t.copied : state.value === 'failed' ? t.copyFailed : label;
  return small ? (
    <button type="button" class="icon-button small" title={shown} aria-label={shown} onClick={() => void copy()}>
      <Icon name={state.value === 'done' ? 'done' : 'copy'} size={13} />
    </button>
  ) : (
    <button type="button" class="button" onClick={() => void copy()}>
      <Icon name={state.value === 'done' ? 'done' : 'copy'} size={14} />
      <span aria-live="polite">{shown}</span>
    </button>
  );
};
