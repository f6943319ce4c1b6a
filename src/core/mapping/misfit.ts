/** Why a mapping takes no stream: what it asks for and the nearest frame does not have. For whoever writes the mapping. */
import { type FlowOpening, frameObject } from '../dialects/dialect';
import { at, word } from './mapped-dialect';
import type { Mapping } from './mapping';

export interface Misfit {
  /** Conditions that were met before the first that was not: the nearest frame has most. */
  readonly met: number;
  readonly frames: number;
  /**
   * `url`: the address does not match. `frames`: no frame is a JSON object. `path`: nothing stands there. `matches`: what stands there
   * is something else.
   */
  readonly reason: 'url' | 'frames' | 'path' | 'matches';
  /** The path, or the address. */
  readonly where: string;
  /** What stands there, for `matches`. */
  readonly found: string | null;
}

export const misfitOf = ({ recognise }: Mapping, { frames, url }: FlowOpening): Misfit => {
  const received = frames.filter((frame) => frame.direction === 'received');
  const about = { frames: received.length, found: null };
  if (recognise.url !== undefined && !new RegExp(recognise.url, 'u').test(url)) return { ...about, met: 0, reason: 'url', where: url };
  let nearest: Misfit = { ...about, met: 0, reason: 'frames', where: '' };
  for (const frame of received) {
    const event = frameObject(frame);
    if (event === null) continue;
    const misfits = recognise.where.map(({ path, matches }): Pick<Misfit, 'reason' | 'where' | 'found'> | null => {
      const value = at(event, path, frame);
      if (value === undefined) return { reason: 'path', where: path, found: null };
      const said = word(value) ?? '';
      return matches === undefined || new RegExp(matches, 'u').test(said) ? null : { reason: 'matches', where: path, found: said };
    });
    const first = misfits.find((one) => one !== null);
    const met = 1 + misfits.filter((one) => one === null).length;
    if (first && met > nearest.met) nearest = { ...about, ...first, met };
  }
  return nearest;
};
