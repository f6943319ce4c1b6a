/** Where the menu of a row is open, and on which row. Apart from the menu, whose code is loaded when it is first opened. */
import { signal } from '@preact/signals';
import type { Row } from '../row';

export const rowMenu = signal<{ readonly row: Row; readonly x: number; readonly y: number } | null>(null);
