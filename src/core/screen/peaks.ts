/** Finding places in a long list: by where it turns from one thing to another, and by a number that stands beside each. */

/** The first place for which it holds; it holds from there to the end of the list. */
export const firstWhere = <T>(list: readonly T[], holds: (item: T) => boolean): number => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** As a power of two: how many children a node has. */
const WIDTH = 3;

/** A number for each place of a list, which may rise; whole stretches of the list where none is high enough are passed over. */
export const createPeaks = () => {
  const levels: number[][] = [[]];
  const put = (row: number[], at: number, value: number): void => {
    row[at] = Math.max(row[at] ?? value, value);
  };
  return {
    raise(at: number, value: number): void {
      for (let level = 0; ; level++) {
        const row = levels[level]!;
        put(row, at >> (WIDTH * level), value);
        if (row.length === 1) return;
        if (levels.length > level + 1) continue;
        const above: number[] = [];
        for (const [place, each] of row.entries()) put(above, place >> WIDTH, each);
        levels.push(above);
      }
    },
    /** The places from one to another where the number is not below `least`, ascending. */
    from(first: number, end: number, least: number): readonly number[] {
      const found: number[] = [];
      const look = (level: number, node: number): void => {
        const size = WIDTH * level;
        if (!(levels[level]![node]! >= least) || node << size >= end || (node + 1) << size <= first) return;
        if (level === 0) found.push(node);
        else for (let child = node << WIDTH; child < (node + 1) << WIDTH; child++) look(level - 1, child);
      };
      look(levels.length - 1, 0);
      return found;
    },
  };
};
