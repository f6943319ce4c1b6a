/** A Svelte page on a runner's event stream, with resume: as one conversation, as three side by side, and written in haste. */
import { buildWithVite, PROMPT, playsOf, type RealPage } from '../page';
import { SCENARIOS, startServer } from './server';

export const page: RealPage = {
  name: 'kestrel',
  packages: ['svelte'],
  build: () => buildWithVite('kestrel'),
  serve: startServer,
  plays: playsOf(SCENARIOS, ['', 'board', 'eager']),
  url: ({ scenario, variant }) => `/?scenario=${scenario}&${variant}`,
  async send(tab, { variant }) {
    if (variant === 'board')
      for (const neighbour of ['Search', 'Billing']) {
        const column = tab.getByRole('region', { name: neighbour });
        await column.getByRole('textbox').fill('How do things stand?');
        await column.getByRole('button', { name: 'Send' }).click();
      }
    const column = tab.getByRole('region', { name: 'Operations' });
    await column.getByRole('textbox').fill(PROMPT);
    await column.getByRole('button', { name: 'Send' }).click();
  },
  async act(tab, { scenario }) {
    if (scenario !== 'aborted-by-person') return;
    const column = tab.getByRole('region', { name: 'Operations' });
    await column.getByText('Reading the configuration.').waitFor();
    await column.getByRole('button', { name: 'Stop' }).click();
  },
};
