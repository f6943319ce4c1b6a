/** A set that keeps working when the page replaces Set's methods. */

const { add, delete: remove, forEach } = Set.prototype;

export class Bag<T> {
  readonly #set = new Set<T>();
  add(value: T): void {
    Reflect.apply(add, this.#set, [value]);
  }
  delete(value: T): void {
    Reflect.apply(remove, this.#set, [value]);
  }
  /** Visits every member; the visitor may take members out. */
  each(visit: (value: T) => void): void {
    Reflect.apply(forEach, this.#set, [(value: T) => visit(value)]);
  }
}
