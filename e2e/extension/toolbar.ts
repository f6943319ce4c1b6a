/**
 * The cases about the toolbar button: what it counts while nobody has the developer tools open, and the pictures of the page
 * that a click on it allows. Part of the one list in cases.ts.
 */
import { expect, test } from '@playwright/test';
import { type Panel, type Tab, until } from '../drivers/driver';
import type { Surroundings } from './between-browsers';
import { openFinding, readUntil } from './reading';
import { VERDICTS } from './verdicts';

const SCENARIO = 'cut-after-reasoning';

export const toolbarCases = ({ driver, server }: Pick<Surroundings, 'driver' | 'server'>): void => {
  const page = (variant: string, name: string): string => `${server().origin}/?variant=${variant}&scenario=${SCENARIO}&pace=5&case=${name}`;
  const says = (tab: Tab, wanted: string): Promise<boolean> =>
    until(`the toolbar button says "${wanted}"`, async () => (await driver().badge(tab)) === wanted);

  test('the toolbar button counts what is found without developer tools, for each tab by itself', async () => {
    const faulty = await driver().openTab();
    await faulty.goto(page('careless', 'count'));
    await faulty.click('#send');
    await says(faulty, String(VERDICTS[SCENARIO]!.careless.length));
    const sound = await driver().openTab();
    await sound.goto(`${server().origin}/?variant=careful&scenario=completed&pace=5&case=count`);
    await sound.click('#send');
    await until('the answer is shown', () => sound.evaluate<boolean>(`document.querySelector('.answer') !== null`));
    expect(await driver().badge(sound)).toBe('');
    await sound.close();
    // A new page starts at nothing.
    await faulty.goto(page('careful', 'count-again'));
    await says(faulty, '');
    await faulty.close();
  });

  /** Plays the scenario in the tab, and opens the finding. */
  const find = async (tab: Tab): Promise<Panel> => {
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', ({ documents }) => documents.length === 1);
    await tab.click('#send');
    await openFinding(panel, 'reasoning-as-answer');
    return panel;
  };

  test('a finding has its picture once the toolbar button was clicked, and says why there is none until then', async () => {
    const before = await driver().openTab();
    await before.goto(page('careless', 'no-picture'));
    const without = await find(before);
    await until('the panel says what to do for a picture', () =>
      without.evaluate<boolean>(`document.querySelector('.details')?.innerText.includes('Click the Unsettled button') ?? false`),
    );
    expect(await without.evaluate<boolean>(`document.querySelector('.page-picture') === null`)).toBe(true);
    await before.close();

    const tab = await driver().openTab();
    await tab.goto(page('careless', 'picture'));
    await tab.activate();
    await driver().pressButton(tab);
    const panel = await find(tab);
    const [width, height] = await until('the picture is there', () =>
      panel.evaluate<readonly [number, number] | null>(`(() => {
        const image = document.querySelector('.page-picture img');
        return image !== null && image.naturalWidth > 0 ? [image.naturalWidth, image.naturalHeight] : null;
      })()`),
    );
    const [pageWidth, pageHeight] = await tab.evaluate<readonly [number, number]>('[innerWidth, innerHeight]');
    expect(width / height).toBeCloseTo(pageWidth / pageHeight, 1);
    // It is not blank: the region that the finding is about has ink in it (the whole page, where the region moved meanwhile).
    const ink = await panel.evaluate<number>(`(async () => {
      const image = document.querySelector('.page-picture img');
      const frame = document.querySelector('.page-picture-frame').getBoundingClientRect();
      const region = document.querySelector('.page-picture-region')?.getBoundingClientRect() ?? frame;
      const scale = image.naturalWidth / frame.width;
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData((region.x - frame.x) * scale, (region.y - frame.y) * scale, region.width * scale, region.height * scale);
      const shades = new Set();
      for (let at = 0; at < data.length; at += 4) shades.add(data[at] >> 4);
      return shades.size;
    })()`);
    expect(ink).toBeGreaterThan(3);
    await tab.close();
  });
};
