/** The tabs that are chosen seldom, as one piece that is loaded with the first of them. */
export { RawTab } from './raw-tab';
export { ShownTab } from './shown-tab';
export { TranscriptTab } from './transcript-tab';
