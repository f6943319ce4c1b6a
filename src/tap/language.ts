/**
 * The language as it was before the first page script ran, and the ways to use it that ask nothing of the page's prototypes
 * later. A list that grows by index asks Array.prototype for a setter, an object that has no such property asks
 * Object.prototype for it, `instanceof` asks for Symbol.hasInstance, `then` for a promise's constructor, subarray for a species.
 * So in the tap: lists and tables without a prototype (`list`, `table`), no property read or written that is not the object's
 * own, no iteration, no `instanceof`, no method of a string or an array. What runs before the page may do as it likes.
 */

export const { apply, construct, defineProperty, getPrototypeOf, ownKeys } = Reflect;
const { setPrototypeOf, getOwnPropertyDescriptor } = Object;

/** The object without its prototype: what it does not have, nobody has for it. */
export const bare = <T extends object>(object: T): T => setPrototypeOf(object, null) as T;
/** A list that grows by index. It has no methods, on purpose. */
export interface List<T> {
  [index: number]: T;
  length: number;
}
export const list = <T>(): List<T> => bare<List<T>>([]);
/** A table of names. */
export const table = <T>(): Record<string, T> => ({ __proto__: null }) as unknown as Record<string, T>;
/** The argument, where it was given. */
export const argument = (args: readonly unknown[], i: number): unknown => (i < args.length ? args[i] : undefined);
/** The object's own property, or undefined. */
export const descriptorOf = (object: object, name: PropertyKey): PropertyDescriptor | undefined => {
  const descriptor = getOwnPropertyDescriptor(object, name);
  return descriptor && bare(descriptor);
};

type Method<T, A extends unknown[], R> = (this: T, ...args: A) => R;

/** The method as a plain function of `this` and its arguments. */
export const uncurry =
  <T, A extends unknown[], R>(method: Method<T, A, R>): ((self: T, ...args: A) => R) =>
  (self, ...args) =>
    apply(method, self, args) as R;

/** A property, and the object whose own it is. */
interface Found extends PropertyDescriptor {
  owner: object;
}
/** The property of the prototype, or of one it inherits from where the page was subclassed before us. */
export const find = (prototype: object | null, name: string): Found | undefined => {
  for (let owner = prototype; owner !== null; owner = getPrototypeOf(owner)) {
    const found = descriptorOf(owner, name) as Found | undefined;
    if (found !== undefined) {
      found.owner = owner;
      return found;
    }
  }
  return undefined;
};

export interface Class {
  readonly prototype: object;
}
/** A method of the class as a plain function of `this` and its arguments. */
export const methodOf = <P extends object, N extends keyof P>(
  { prototype }: { readonly prototype: P },
  name: N,
): P[N] extends (...args: infer A) => infer R ? (self: P, ...args: A) => R : never => uncurry(prototype[name] as never) as never;

/** The getter of an accessor of the class, as a function of the object. Throws when called if the platform has none. */
export const getterOf = <T>({ prototype }: Class, name: string): ((self: object) => T) => {
  const get = find(prototype, name)?.get;
  return (self) => apply(get as () => T, self, []);
};

/** What the function says of the value, or undefined where it is made for another kind. Runs no code of the page. */
export const ask = <T>(of: (self: never) => T, value: unknown): T | undefined => {
  try {
    return of(value as never);
  } catch {
    return undefined;
  }
};
const NativeObject = Object;
export const isObject = (value: unknown): value is object => NativeObject(value) === value;

// Text.
export const slice = methodOf(String, 'slice');
export const indexOf = methodOf(String, 'indexOf');
export const lower = methodOf(String, 'toLowerCase');
export const upper = methodOf(String, 'toUpperCase');
export const trim = methodOf(String, 'trim');
