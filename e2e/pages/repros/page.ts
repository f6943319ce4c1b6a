/**
 * Twelve public bug reports as pages: each with its fault, over the stream that shows it, and each as it should be. The
 * streams are those of the reports in shape; texts are made up.
 */
import { type Play, PROMPT, type RealPage, type Scenario } from '../page';
import { startServer } from './server';

/** What befalls each report's run, and the stream of a server that does it right, where the fault is the server's. */
const REPORTS: Readonly<Record<string, { readonly scenario: Scenario; readonly goodStream?: string }>> = {
  B001: { scenario: 'completed' },
  B013: { scenario: 'completed' },
  B026: { scenario: 'severed-mid-text' },
  B029: { scenario: 'severed-mid-text', goodStream: 'good' },
  B039: { scenario: 'waiting' },
  B057: { scenario: 'truncated' },
  B058: { scenario: 'truncated' },
  B071: { scenario: 'aborted-by-person', goodStream: 'good' },
  B091: { scenario: 'reset-mid-text' },
  B101: { scenario: 'waiting' },
  B112: { scenario: 'failed-after-text' },
  B126: { scenario: 'completed' },
};
/** An answer that speaks of the tags of B013 in the middle of a sentence, on the page that shows all there is. */
const MENTION: Play = { scenario: 'completed', variant: 'B013-mention' };

const reportOf = ({ variant }: Play): string => variant.slice(0, 4);

export const page: RealPage = {
  name: 'repros',
  packages: [],
  build: async () => {},
  serve: startServer,
  plays: [
    ...Object.entries(REPORTS).flatMap(([id, { scenario }]): Play[] => [
      { scenario, variant: id },
      { scenario, variant: `${id}-good` },
    ]),
    MENTION,
  ],
  url(play) {
    const report = reportOf(play);
    const { goodStream } = REPORTS[report]!;
    if (play.variant === MENTION.variant) return `/?report=${report}&stream=mention`;
    if (!play.variant.endsWith('-good')) return `/?report=${report}`;
    return `/?report=${report}&good${goodStream === undefined ? '' : `&stream=${goodStream}`}`;
  },
  async send(tab) {
    await tab.getByLabel('Message').fill(PROMPT);
    await tab.getByRole('button', { name: 'Send' }).click();
  },
  async act(tab, play) {
    if (reportOf(play) !== 'B071') return;
    await tab.getByText('Login fails').waitFor();
    await tab.getByRole('button', { name: 'Stop' }).click();
  },
};
