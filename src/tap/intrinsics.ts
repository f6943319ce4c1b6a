/**
 * The platform's functions as they were before the first page script ran. Page libraries replace these (zone.js, core-js,
 * other instruments); the tap must neither run their code nor be seen by it, so everything it needs is taken once, here.
 */
import type { Guard } from './guard';
import { apply, ask, defineProperty, descriptorOf, getPrototypeOf, getterOf, methodOf } from './language';

// Promises and collections.
export const NativePromise = Promise;
const { prototype: promises } = NativePromise;
const { then: promiseThen } = promises;
/** A plain promise. One of another kind, which only who patched before us can have made, stays as it is. */
export const isPromise = (value: unknown): value is Promise<unknown> => ask(getPrototypeOf, value) === promises;
/** What a class does with its fields: it defines them on whatever its base constructor hands it, and asks nobody. */
const field = 'constructor';
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is how the fields below come to an object that exists already.
    return object;
  }
}
/** Gives an object a `constructor` of its own. Much cheaper than by a descriptor, and done for each chunk. */
class Own extends Given {
  override readonly [field] = undefined as never;
}
/** `promise.then(fulfilled, rejected)` by the platform's own `then`. */
export const chain = <T, A, B>(
  promise: Promise<T>,
  fulfilled: (value: T) => A,
  rejected?: (error: unknown) => B,
): Promise<A | (unknown extends B ? never : B)> => {
  // Otherwise the page's Promise is asked what to make of it.
  new Own(promise);
  return apply(promiseThen, promise, [fulfilled, rejected]) as never;
};

const resolved = NativePromise.resolve();
/**
 * Does what the platform follows up in one microtask, in which it then finds no `then` of the page's to call: Firefox settles the
 * cancel of a stream by resolving one promise with another. Nothing of the page can run between the three microtasks. Without a
 * `then` the second promise is a value like any other; nobody reads it.
 */
export const unasked = (work: () => void): void => {
  const theirs = descriptorOf(promises, 'then');
  const put = (then: PropertyDescriptor): void => {
    if (theirs && theirs.value !== promiseThen) chain(resolved, () => defineProperty(promises, 'then', then));
  };
  put({ __proto__: null, value: undefined } as PropertyDescriptor);
  work();
  put(theirs as PropertyDescriptor);
};

/** What is known of objects of the page's, for as long as they live. */
export interface Registry<K extends object, V> extends WeakMap<K, V> {}
export const createRegistry = <K extends object, V>(): Registry<K, V> => new WeakMap<K, V>();
export const known = methodOf(WeakMap, 'get') as <V>(registry: Registry<never, V>, object: unknown) => V | undefined;
export const learn = methodOf(WeakMap, 'set') as <K extends object, V>(registry: Registry<K, V>, object: K, value: V) => unknown;
export const forget = methodOf(WeakMap, 'delete') as (registry: Registry<never, unknown>, object: object) => unknown;

const Cleanup = FinalizationRegistry;
const cleanupAdd = methodOf(FinalizationRegistry, 'register');
/** Calls back some time after an object can no longer be reached, with what was registered for it. */
export const whenCollected = <T>(collected: (held: T) => void): ((object: object, held: T) => void) => {
  const registry = new Cleanup(collected);
  return (object, held) => {
    cleanupAdd(registry, object, held);
  };
};

// Events. `isTrusted` cannot be forged and is read directly.
const addListener = methodOf(EventTarget, 'addEventListener');
/** Listens before the page can: in the capture phase, where the target's own listeners run in the order they came. */
export const listen = <E extends Event>(target: EventTarget, type: string, listener: (event: E) => void): void => {
  addListener(target, type, listener as (event: Event) => void, true);
};
/** Listens for the platform's own events, until the guard goes quiet. */
export const hear = <E extends Event>(target: EventTarget, type: string, guard: Guard, note: (event: E) => void): void =>
  listen<E>(target, type, (event) => {
    if (event.isTrusted) guard.awake(() => note(event));
  });
const NativeEvent = Event;
const dispatchEvent = methodOf(EventTarget, 'dispatchEvent');
/** Dispatches an event on the window; only who knows its name hears it. False: somebody took it up. */
export const dispatch = (event: Event): boolean => dispatchEvent(window, event);
export const ring = (name: string): void => {
  dispatch(new NativeEvent(name));
};
export const NativeMessage = MessageEvent;
export const eventData = getterOf<unknown>(MessageEvent, 'data');
export const eventLastId = getterOf<string>(MessageEvent, 'lastEventId');

// Text and bytes.
const NativeDecoder = TextDecoder;
const decodeText = methodOf(TextDecoder, 'decode');
/** A streaming UTF-8 decoder: fetch bodies are UTF-8 whatever their type says. Without an argument: what is left. */
export const createTextDecoder = (): ((bytes?: Uint8Array) => string) => {
  const decoder = new NativeDecoder();
  return (bytes) => (bytes === undefined ? decodeText(decoder) : decodeText(decoder, bytes, STREAM));
};
const STREAM = { __proto__: null, stream: true } as TextDecodeOptions;

const NativeBytes = Uint8Array;
/** What a view of either kind says of itself. */
const viewGetter = <T>(name: 'buffer' | 'byteOffset' | 'byteLength'): ((self: object) => T) => {
  const ofTyped = getterOf<T>(getPrototypeOf(NativeBytes) as Uint8ArrayConstructor, name);
  const ofOther = getterOf<T>(DataView, name);
  return (self) => ask(ofTyped, self) ?? ofOther(self);
};
const bufferOf = viewGetter<ArrayBuffer>('buffer');
const offsetOf = viewGetter<number>('byteOffset');
export const lengthOf = viewGetter<number>('byteLength');
const { isView } = ArrayBuffer;
const bufferLength = getterOf<number>(ArrayBuffer, 'byteLength');
/** The bytes from `start` on. */
export const bytesFrom = (bytes: Uint8Array, start: number): Uint8Array =>
  new NativeBytes(bufferOf(bytes), offsetOf(bytes) + start, lengthOf(bytes) - start);

export const blobSize = getterOf<number>(Blob, 'size');
export const blobBuffer = methodOf(Blob, 'arrayBuffer');

/** A view on the bytes, or null where the value is neither a buffer nor a view. Copies nothing. */
export const bytesOf = (value: unknown): Uint8Array | null => {
  if (ask(bufferLength, value) !== undefined) return new NativeBytes(value as ArrayBuffer);
  return isView(value) ? new NativeBytes(bufferOf(value), offsetOf(value), lengthOf(value)) : null;
};

const encodeBinary = btoa;
const fromCode = String.fromCharCode;
/** Where the browser has it. */
const { toBase64 } = NativeBytes.prototype as { toBase64?: () => string };
export const base64 = (bytes: Uint8Array): string => {
  if (toBase64 !== undefined) return apply(toBase64, bytes, []);
  const length = lengthOf(bytes);
  let binary = '';
  for (let i = 0; i < length; i++) binary += fromCode(bytes[i]!);
  return encodeBinary(binary);
};

// Addresses.
const NativeUrl = URL;
export const urlHref = getterOf<string>(URL, 'href');
const paramsText = methodOf(URLSearchParams, 'toString');
const baseUri = getterOf<string>(Node, 'baseURI');
const page = document;
/** The address as the platform will resolve it; null where the argument is an object whose conversion could be seen. */
export const resolveUrl = (value: unknown): string | null =>
  ask(urlHref, typeof value === 'string' ? ask((address: string) => new NativeUrl(address, baseUri(page)), value) : value) ?? null;
/** A request body where it is a string or a query, else null. A stream is never touched. */
export const bodyText = (value: unknown): string | null => (typeof value === 'string' ? value : (ask(paramsText, value) ?? null));

// Headers.
export const headerOf = methodOf(Headers, 'get');
export const responseHeaders = getterOf<Headers>(Response, 'headers');
export const responseBody = getterOf<ReadableStream<Uint8Array> | null>(Response, 'body');
export const eachHeader = methodOf(Headers, 'forEach');

// Time.
const clock = performance;
const readClock = performance.now;
export const now = (): number => apply(readClock, clock, []) as number;
