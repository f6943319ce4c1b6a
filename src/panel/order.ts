/**
 * In which order rows are shown. By sequence they stand as their records arrived, which is the order that every verdict rests
 * on; by time they stand by the page's clock, which differs where several documents or streams were recorded together.
 */

export type Sort = 'sequence' | '-sequence' | 'time' | '-time';
/** In the order in which a key goes through them. */
export const SORTS: readonly Sort[] = ['sequence', '-sequence', 'time', '-time'];

export const isDescending = (sort: Sort): boolean => sort.startsWith('-');
export const sortedBy = (sort: Sort): 'sequence' | 'time' => (sort.endsWith('time') ? 'time' : 'sequence');

/** Ascending, descending, and for what is not the standard order: back to it. */
export const nextSort = (now: Sort, by: 'sequence' | 'time'): Sort => {
  if (sortedBy(now) !== by) return by;
  if (!isDescending(now)) return `-${by}`;
  return 'sequence';
};

/**
 * Indices in the order of a time each. What comes is almost always the latest, so adding is cheap; equal times keep the
 * order of their indices, so the order is stable.
 */
export const createOrder = () => {
  let indices: number[] = [];
  let times: number[] = [];
  /** The first place whose entry comes after this time and index. */
  const placeOf = (time: number, index: number): number => {
    let low = 0;
    let high = indices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! < time || (times[middle] === time && indices[middle]! < index)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    get length() {
      return indices.length;
    },
    add(index: number, time: number): void {
      const last = indices.length - 1;
      if (last < 0 || times[last]! < time || (times[last] === time && indices[last]! < index)) {
        indices.push(index);
        times.push(time);
        return;
      }
      const at = placeOf(time, index);
      indices.splice(at, 0, index);
      times.splice(at, 0, time);
    },
    remove(index: number, time: number): void {
      const at = this.where(index, time);
      if (at < 0) return;
      indices.splice(at, 1);
      times.splice(at, 1);
    },
    at: (place: number): number | undefined => indices[place],
    /** Where an index stands; -1 if it is not there. */
    where(index: number, time: number): number {
      const at = placeOf(time, index);
      return indices[at] === index ? at : -1;
    },
    clear(): void {
      indices = [];
      times = [];
    },
  };
};
