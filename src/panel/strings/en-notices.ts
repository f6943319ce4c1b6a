/** English, of what is told beside the events: counts, files, what is missing, and why there is nothing to see. */
import { plural } from './plural';

export const notices = {
  count: {
    events: (count: number) => plural(count, 'event', 'events'),
    runs: (count: number) => plural(count, 'run', 'runs'),
    gaps: (count: number) => plural(count, 'gap', 'gaps'),
    faults: (count: number) => plural(count, 'fault', 'faults'),
    findings: (count: number) => plural(count, 'finding', 'findings'),
    waiting: (count: string) => `${count} to come`,
    reconnects: (count: number) => plural(count, 'reconnect', 'reconnects'),
  },
  heldMeans: 'Text held in memory by this panel',
  pageHolds: (held: string, bound: string) => `page ${held} of ${bound}`,
  fileUnread: (names: string) => `Not opened: ${names}. Of files dropped together the first two are, to be compared.`,
  readingFile: (name: string) => `Reading ${name}`,
  cancel: 'Cancel',
  sampleShown: 'Sample run: invented, with one real bug in it.',
  fileShown: (name: string) => `File: ${name}`,
  pausedNotice: (waiting: string) => `View paused, capture goes on: ${waiting} entries wait.`,
  dialectFailed: (why: string) =>
    `A part of the panel could not be loaded (${why}). What comes from the page waits, nothing is lost. If trying again does not help, close and open the developer tools.`,
  tryAgain: 'Try again',
  linkGone: 'The extension was reloaded or removed. Close and open the developer tools.',
  lostNotice: (count: string) => `${count} entries were lost before they could be recorded. Verdicts that they could change are not given.`,

  missing: {
    fault: {
      what: 'Something of this page could not be recorded',
      fix: 'Its scripts (or another extension) changed built-in functions before its streams began. Reload without them; verdicts that the missing part could change are not given.',
    },
    'relay-lost': { what: 'Records were lost on the way from the page', fix: 'Verdicts that they could change are not given.' },
    'over-budget': {
      what: 'More was streamed than the page may hold for a closed panel',
      fix: 'Open the panel before the run begins: then nothing has to be held.',
    },
    'attached-late': { what: 'A stream was under way before it could be seen', fix: 'Reload the page to see streams from their start.' },
    'read-natively': {
      what: 'The browser read a body by itself, out of sight',
      fix: 'Only what scripts of the page read can be recorded.',
    },
    unread: {
      what: 'Something is missing from this file',
      fix: 'It was missing when the file was saved, or could not be read from it. Verdicts that the missing part could change are not given.',
    },
    bodiless: {
      what: 'The file does not hold what an answer said',
      fix: 'Save it with bodies ("Save all as HAR with content"), after the streams have ended. What a browser reads by itself is never in a capture.',
    },
  },
  missingToo: (reasons: string) => `Also: ${reasons}.`,
  noRunsYet: 'No runs yet.',
  noAgentStream: 'No agent stream among what was seen.',
  empty: {
    filtered: { title: 'Everything is filtered out', text: (total: string) => `${total} events are there, and none passes the filter.` },
    file: { title: 'Nothing in this file', text: 'It holds no events of an agent stream.' },
    none: { title: 'Open a capture', text: 'Drop a capture, a HAR file or a saved stream body here, or look at the sample run first.' },
    blocked: {
      title: 'Not enabled on this site',
      text: (url: string) => `Unsettled runs only where you switch it on. ${url}`,
      fix: 'Enable on this site and reload',
    },
    revoked: {
      title: 'The permission for this site was taken back',
      text: (url: string) => `The browser does not let Unsettled run here any more. ${url}`,
      fix: 'Ask for it again and reload',
    },
    late: {
      title: 'This page was loaded before the extension',
      text: 'Streams can only be seen from the start of a page.',
      fix: 'Reload the page',
    },
    restricted: {
      title: 'This page cannot be watched',
      text: 'Extensions see pages of http and https sites only; browser pages and extension stores are closed to them.',
    },
    gone: { title: 'The extension is gone' },
    connecting: { title: 'Connecting…', text: 'The background is being asked for this tab.' },
    stopped: { title: 'Capture is stopped', text: 'Streams pass by unrecorded.' },
    noAgent: {
      title: 'No agent stream yet',
      text: (flows: number) => `${plural(flows, 'stream was', 'streams were')} seen; none is of a known dialect.`,
    },
    unreadable: {
      title: 'Streams could not be recorded',
      text: 'The page (or another extension) changed built-in functions before its streams began.',
    },
    quiet: { title: 'Ready', text: 'Start a conversation in the page. Its runs appear here as they stream.' },
  },
};
