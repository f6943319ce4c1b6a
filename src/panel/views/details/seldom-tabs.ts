/** The tabs that a deliberate step opens, as one piece that is loaded with the first of them. */
export { EventTab } from './event-tab';
export { RawTab } from './raw-tab';
export { ShownTab } from './shown-tab';
export { TranscriptTab } from './transcript-tab';
