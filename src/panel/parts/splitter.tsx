/** A bar between two regions: dragged, or moved with the arrow keys; a double click gives the standard size back. */
import type { Signal } from '@preact/signals';

export const Splitter = (props: {
  size: Signal<number>;
  axis: 'x' | 'y';
  /** 1 where the region before the bar grows with it, -1 where the one after does. */
  grows: 1 | -1;
  min: number;
  max: number;
  standard: number;
  label: string;
  class?: string;
}) => {
  const { size, axis, grows, min, max, standard } = props;
  const set = (value: number): void => {
    size.value = Math.round(Math.min(max, Math.max(min, value)));
  };
  const down = (event: PointerEvent): void => {
    const bar = event.currentTarget as HTMLElement;
    const from = axis === 'x' ? event.clientX : event.clientY;
    const start = size.peek() === 0 ? standard : size.peek();
    bar.setPointerCapture(event.pointerId);
    const move = (to: PointerEvent): void => set(start + grows * ((axis === 'x' ? to.clientX : to.clientY) - from));
    const up = (): void => {
      bar.removeEventListener('pointermove', move);
      bar.removeEventListener('pointerup', up);
      bar.removeEventListener('pointercancel', up);
    };
    bar.addEventListener('pointermove', move);
    bar.addEventListener('pointerup', up);
    bar.addEventListener('pointercancel', up);
  };
  const key = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 48 : 12;
    const value = size.peek() === 0 ? standard : size.peek();
    const forth = axis === 'x' ? 'ArrowRight' : 'ArrowDown';
    const back = axis === 'x' ? 'ArrowLeft' : 'ArrowUp';
    if (event.key === forth) set(value + grows * step);
    else if (event.key === back) set(value - grows * step);
    else if (event.key === 'Home') set(min);
    else if (event.key === 'End') set(max);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is a widget; <hr> is not.
    <div
      role="separator"
      class={`splitter ${axis}${props.class === undefined ? '' : ` ${props.class}`}`}
      tabIndex={0}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-label={props.label}
      aria-valuenow={size.value === 0 ? standard : size.value}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={down}
      onDblClick={() => set(standard)}
      onKeyDown={key}
    />
  );
};
