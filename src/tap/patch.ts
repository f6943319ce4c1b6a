/**
 * Puts wrappers in place of the platform's functions, by descriptor, so that flags, name and length stay what they were.
 * A Proxy is the closest a wrapper gets to the native thing: only `toString()` tells (it leaves out the name). Nothing is
 * ever taken out again: restoring the original would remove whoever patched after us.
 */
import { apply, construct, defineProperty, getOwnPropertyDescriptor, ownerOf } from './intrinsics';

type Callable = (...args: never[]) => unknown;
/** `call` makes the native call with the page's own `this` and arguments. */
export type Wrapper = (call: () => unknown, self: unknown, args: readonly unknown[]) => unknown;

// Handlers without a prototype: a page that puts a `get` on Object.prototype must not become our trap.
const onCall = (native: Callable, wrapper: Wrapper): Callable =>
  new Proxy(native, {
    __proto__: null,
    apply: (target: Callable, self: unknown, args: unknown[]) => wrapper(() => apply(target, self, args as never), self, args),
  } as ProxyHandler<Callable>);

/**
 * Wraps a method or a global function where it is defined, or the getter of an accessor, if the platform has it and lets
 * itself be wrapped.
 */
export const wrapFunction = (holder: object | undefined, name: string, wrapper: Wrapper, part: 'value' | 'get' = 'value'): void => {
  const owner = ownerOf(holder ?? null, name);
  if (owner === null) return;
  const descriptor = getOwnPropertyDescriptor(owner, name);
  const native: unknown = descriptor?.[part];
  if (typeof native !== 'function' || !descriptor?.configurable) return;
  defineProperty(owner, name, { ...descriptor, [part]: onCall(native as Callable, wrapper) });
};

/**
 * Wraps a global constructor. The page gets the real object, made for its own `new.target`, so subclasses work;
 * `made` sees it first. `object.constructor === Constructor` keeps holding, and so do aliases.
 */
export const wrapConstructor = (scope: object, name: string, made: (object: object, args: readonly unknown[]) => void): void => {
  const descriptor = getOwnPropertyDescriptor(scope, name);
  const native: unknown = descriptor?.value;
  if (typeof native !== 'function' || !descriptor?.configurable) return;
  const wrapped = new Proxy(native, {
    __proto__: null,
    construct: (target: Callable, args: unknown[], newTarget: Callable) => {
      const object = construct(target, args as never, newTarget) as object;
      made(object, args);
      return object;
    },
  } as ProxyHandler<typeof native>);
  const prototype = native.prototype as object;
  const own = getOwnPropertyDescriptor(prototype, 'constructor');
  if (own?.value === native && own.configurable) defineProperty(prototype, 'constructor', { ...own, value: wrapped });
  for (const alias of [name, `webkit${name}`]) {
    const known = getOwnPropertyDescriptor(scope, alias);
    if (known?.value === native && known.configurable) defineProperty(scope, alias, { ...known, value: wrapped });
  }
};
