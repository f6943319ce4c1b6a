/** Whether the mapping sheet is open, and on what. Apart from the sheet, whose code is loaded when it is first opened. */
import { signal } from '@preact/signals';
import type { WireFrame } from '../../core/model';

/** Closed, or open; with a frame to map, and where it came from. */
export const mappingSheet = signal<{ readonly frame: WireFrame | null; readonly url: string } | null>(null);
