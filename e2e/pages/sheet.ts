/** Contact sheets for labelling: a row for each case, its pictures beside each other, a few rows to a sheet. */
import type { Pages } from './browser';
import { nameOf } from './page';
import type { Played } from './play';

export interface Sheet {
  readonly name: string;
  readonly png: Buffer;
}

/** More than this and nobody can read them. */
const ROWS = 5;
const WIDTH = 480;

export const contactSheet = async (pages: Pages, page: string, played: readonly Played[]): Promise<readonly Sheet[]> => {
  const sheets: Sheet[] = [];
  for (let from = 0; from < played.length; from += ROWS) {
    const rows = played.slice(from, from + ROWS).map(({ play, outcomes, shots }) => {
      const images = shots.map((shot) => `<img src="data:image/png;base64,${shot.toString('base64')}">`).join('');
      return `<h1>${page} · ${nameOf(play)} · ${outcomes.join(', ')}</h1><div>${images}</div>`;
    });
    const html = `<!doctype html><meta charset="utf-8"><style>
      body { margin: 8px; font: 13px sans-serif; background: #888; width: ${WIDTH * 3 + 24}px }
      h1 { font-size: 15px; margin: 6px 0 2px; color: #fff } div { display: flex; gap: 6px } img { width: ${WIDTH}px }
    </style>${rows.join('')}`;
    sheets.push({ name: `${page}.${Math.floor(from / ROWS) + 1}.png`, png: await pages.picture(html) });
  }
  return sheets;
};
