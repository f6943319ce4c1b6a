/** Which sheets are open. Apart from the sheets, whose code is loaded when they are first opened. */
import { signal } from '@preact/signals';

export const settingsOpen = signal(false);
/** The keyboard shortcuts. */
export const sheetOpen = signal(false);
/** The filters that have a name. */
export const filterSetsOpen = signal(false);
