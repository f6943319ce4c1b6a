/**
 * Several responses in one body. A server that runs the tools itself pipes one model call after the other through one answer,
 * and each chunk repeats the id of its response. But an id alone begins nothing: there are proxies that give each chunk an id of
 * its own, leave it empty, or change it on the way. A response begins where the id is another and the one before has ended, or
 * where ids are known to stay and the chunk looks like a first one. Two are at work at once where the first id comes back.
 */

export interface Turn {
  /** Of its latest chunk; '' as long as none had one. */
  id: string;
  /** The id came more than once: here ids tell responses apart, and not chunks. */
  steady: boolean;
  /** Something was said in it. */
  spoke: boolean;
  /** Something was said under another id since. */
  mixed: boolean;
  /** An id that came after its end, and began nothing by itself. */
  next: string;
}

export const createTurns = <T extends Turn>(fresh: () => T, isOver: (turn: T) => boolean) => {
  const current = fresh();
  const known = new Map<string, T>();
  /** Those whose ends make the end of the whole. */
  let live = [current];
  const make = (id: string): T => {
    const turn = fresh();
    turn.id = id;
    known.set(id, turn);
    return turn;
  };
  const turns = {
    current,
    /** The end of the whole was said. */
    settled: false,
    /**
     * Finds the response of a chunk with another id than the one before, by what it brings: something of an answer, what only a
     * first chunk has, or an end. True: the whole goes on with it from here.
     */
    turnTo(id: string, speaks: boolean, first: boolean, ends: boolean): boolean {
      const { current: former, settled } = turns;
      if (former.id === '') {
        former.id = id;
        known.set(id, former);
      }
      // Usage and the like may come from elsewhere.
      if (former.id === id || !(speaks || first || ends)) return false;
      const { steady, spoke, mixed } = former;
      const over = isOver(former);
      const back = known.get(id);
      if (back === undefined || (back === former && over)) {
        if (over ? (speaks ? first || steady || id === former.next : first && steady) : first && steady && spoke) {
          turns.current = make(id);
          live = [...live.filter((turn) => turn !== former && !isOver(turn)), turns.current];
          turns.settled = false;
          return true;
        }
        if (over) {
          former.next = id;
          return false;
        }
      } else if (back !== former) {
        turns.current = back;
        if (isOver(back)) return false;
        live = [...(settled ? [] : live.filter((turn) => turn !== back)), back];
        turns.settled = false;
        return settled;
      } else if (mixed) live.push(make(former.id));
      former.mixed = spoke && speaks && back !== former;
      former.id = id;
      former.steady = false;
      return false;
    },
    /** All that is at work, once it has ended; empty before, and when that was said. */
    ended(): readonly T[] {
      if (turns.settled || !live.every(isOver)) return [];
      turns.settled = true;
      return live;
    },
  };
  return turns;
};
