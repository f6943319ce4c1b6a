/**
 * Names: keys by which entries refer to each other, and which a page may have made of its words. A name that has to change
 * becomes the same one everywhere, and none that there is already: aliases can be alike where they are short, so a number of its own follows.
 */

export interface Names {
  /** Every name there is, before any is asked for. */
  learn(name: string): void;
  now(name: string): string;
  /** The text of a verdict, in which names may stand, with what they are now. */
  within(json: string): string;
}

/** Names that stay, remembered: most entries repeat a few of them. */
const REMEMBERED = 4096;

/** `learn` is told each name, perhaps more than once; `rewrite` says what a name becomes, and may give two the same. */
export const createNames = (learn: (name: string) => void, rewrite: (name: string) => string): Names => {
  const seen = new Set<string>();
  const same = new Set<string>();
  const changed = new Map<string, string>();
  /** The highest number that a name ends in: those given here are higher. */
  let highest = 0;
  const remember = (names: Set<string>, name: string): void => {
    if (names.size >= REMEMBERED) names.clear();
    names.add(name);
  };
  return {
    learn(name) {
      if (seen.has(name)) return;
      remember(seen, name);
      const number = /~(\d{1,9})$/u.exec(name)?.[1];
      if (number !== undefined) highest = Math.max(highest, Number(number));
      learn(name);
    },
    now(name) {
      if (same.has(name)) return name;
      const known = changed.get(name);
      if (known !== undefined) return known;
      const now = rewrite(name);
      if (now === name) {
        remember(same, name);
        return name;
      }
      const made = `${now}~${++highest}`;
      changed.set(name, made);
      return made;
    },
    within(json) {
      let text = json;
      // The longer first: one may be the beginning of another.
      for (const [name, now] of [...changed].sort(([a], [b]) => b.length - a.length))
        text = text.replaceAll(JSON.stringify(name).slice(1, -1), () => JSON.stringify(now).slice(1, -1));
      return text;
    },
  };
};
