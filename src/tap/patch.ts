/**
 * Puts wrappers in place of the platform's functions, by descriptor, so that flags, name and length stay what they were.
 * A Proxy is the closest a wrapper gets to the native thing: only `toString()` tells (it leaves out the name). Nothing is
 * ever taken out again: restoring the original would remove whoever patched after us.
 */
import { apply, construct, defineProperty, descriptorOf, find } from './language';

type Callable = (...args: never[]) => unknown;
/** `call` makes the native call with the page's own arguments, and its own `this` unless there is another one to stand for it. */
export type Wrapper = (call: (on?: unknown) => unknown, self: unknown, args: readonly unknown[]) => unknown;

// Handlers without a prototype: a page that puts a `get` on Object.prototype must not become our trap.
const onCall = (native: Callable, wrapper: Wrapper): Callable =>
  new Proxy(native, {
    __proto__: null,
    apply: (target: Callable, self: unknown, args: unknown[]) => wrapper((on = self) => apply(target, on, args as never), self, args),
  } as ProxyHandler<Callable>);

/**
 * Wraps a method or a global function where it is defined, or the getter of an accessor, if the platform has it and lets
 * itself be wrapped.
 */
export const wrapFunction = (holder: object | undefined, name: string, wrapper: Wrapper, part: 'value' | 'get' = 'value'): void => {
  const found = find(holder ?? null, name);
  const native: unknown = found?.[part];
  if (typeof native !== 'function' || !found?.configurable) return;
  found[part] = onCall(native as Callable, wrapper);
  defineProperty(found.owner, name, found);
};

/**
 * Wraps a global constructor. The page gets the real object, made for its own `new.target`, so subclasses work;
 * `made` sees it first. `object.constructor === Constructor` keeps holding, and so do aliases. `given` sees the arguments
 * before the platform does, and what it answers is for `made`.
 */
export const wrapConstructor = <T>(
  scope: object,
  name: string,
  made: (object: object, given: T) => void,
  given?: (args: unknown[]) => T,
): void => {
  const native: unknown = descriptorOf(scope, name)?.value;
  if (typeof native !== 'function') return;
  const wrapped = new Proxy(native, {
    __proto__: null,
    construct: (target: Callable, args: unknown[], newTarget: Callable) => {
      const about = given?.(args) as T;
      const object = construct(target, args as never, newTarget) as object;
      made(object, about);
      return object;
    },
  } as ProxyHandler<typeof native>);
  const put = (holder: object, key: string): void => {
    const descriptor = descriptorOf(holder, key);
    if (descriptor?.value !== native || !descriptor.configurable) return;
    descriptor.value = wrapped;
    defineProperty(holder, key, descriptor);
  };
  put(native.prototype as object, 'constructor');
  put(scope, name);
  put(scope, `webkit${name}`);
};
