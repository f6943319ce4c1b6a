/** A set that keeps working when the page replaces Set's methods. */

const { apply } = Reflect;

const { add, delete: remove, forEach } = Set.prototype;

export class Bag<T> {
  readonly #set = new Set<T>();
  add(value: T): void {
    apply(add, this.#set, [value]);
  }
  delete(value: T): void {
    apply(remove, this.#set, [value]);
  }
  /** Visits every member; the visitor may take members out. */
  each(visit: (value: T) => void): void {
    apply(forEach, this.#set, [(value: T) => visit(value)]);
  }
}
