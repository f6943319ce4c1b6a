/** Setting a signal as an expression, for handlers of one line. */
import type { Signal } from '@preact/signals';

export const set = <T>(signal: Signal<T>, value: T): void => {
  signal.value = value;
};

export const flip = (signal: Signal<boolean>): void => {
  signal.value = !signal.peek();
};
