/**
 * What is written over the texts of entries, kept apart from them until the entries come by again: a few numbers for each
 * stretch, so that a large file needs no more than what is replaced in it.
 */

export interface Patches {
  put(entry: number, slot: number, at: number, unit: number): void;
  /** From here on what was written is read: entry by entry, in rising order. */
  close(): void;
  /** True if anything was written over this entry. */
  has(entry: number): boolean;
  /** The text of one slot of the entry with what was written over it. */
  apply(entry: number, slot: number, text: string): string;
}

/** Numbers that grow in place. */
const growing = <T extends Int32Array | Uint16Array>(make: (length: number) => T) => {
  let items = make(64);
  let length = 0;
  return {
    get length() {
      return length;
    },
    at: (index: number): number => items[index]!,
    set(index: number, value: number): void {
      items[index] = value;
    },
    push(value: number): void {
      if (length === items.length) {
        const more = make(length * 2);
        more.set(items as never);
        items = more;
      }
      items[length++] = value;
    },
  };
};

export const createPatches = (): Patches => {
  // One stretch: entry, slot, where it begins, where its units lie.
  const entries = growing((n) => new Int32Array(n));
  const slots = growing((n) => new Int32Array(n));
  const starts = growing((n) => new Int32Array(n));
  const froms = growing((n) => new Int32Array(n));
  const units = growing((n) => new Uint16Array(n));
  let order: Int32Array | null = null;
  /** Place in `order` of the first stretch of the entry that is read. */
  let cursor = 0;

  const end = (run: number): number => (run + 1 < froms.length ? froms.at(run + 1) : units.length);

  const seek = (entry: number): void => {
    if (order === null) return;
    while (cursor > 0 && entries.at(order[cursor - 1]!) >= entry) cursor--;
    while (cursor < order.length && entries.at(order[cursor]!) < entry) cursor++;
  };

  return {
    put(entry, slot, at, unit) {
      const last = entries.length - 1;
      const goesOn =
        last >= 0 && entries.at(last) === entry && slots.at(last) === slot && starts.at(last) + (units.length - froms.at(last)) === at;
      if (!goesOn) {
        entries.push(entry);
        slots.push(slot);
        starts.push(at);
        froms.push(units.length);
      }
      units.push(unit);
    },
    close() {
      order = new Int32Array(entries.length);
      for (let i = 0; i < order.length; i++) order[i] = i;
      // What was written later over the same place holds.
      order.sort((a, b) => entries.at(a) - entries.at(b) || a - b);
    },
    has(entry) {
      seek(entry);
      return order !== null && cursor < order.length && entries.at(order[cursor]!) === entry;
    },
    apply(entry, slot, text) {
      seek(entry);
      if (order === null) return text;
      let now: Uint16Array | null = null;
      for (let i = cursor; i < order.length && entries.at(order[i]!) === entry; i++) {
        const run = order[i]!;
        if (slots.at(run) !== slot) continue;
        if (now === null) {
          now = new Uint16Array(text.length);
          for (let at = 0; at < text.length; at++) now[at] = text.charCodeAt(at);
        }
        const from = froms.at(run);
        for (let k = from; k < end(run); k++) now[starts.at(run) + k - from] = units.at(k);
      }
      return now === null ? text : textOf(now);
    },
  };
};

const textOf = (units: Uint16Array): string => {
  const parts: string[] = [];
  for (let at = 0; at < units.length; at += 8192)
    parts.push(String.fromCharCode.apply(null, units.subarray(at, at + 8192) as unknown as number[]));
  return parts.join('');
};
