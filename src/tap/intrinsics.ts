/**
 * The platform's functions as they were before the first page script ran. Page libraries replace these (zone.js, core-js,
 * other instruments); the tap must neither run their code nor be seen by it, so everything it needs is taken once, here.
 */

export const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;

type Method<T, A extends unknown[], R> = (this: T, ...args: A) => R;

/** The method as a plain function of `this` and its arguments. */
export const uncurry =
  <T, A extends unknown[], R>(method: Method<T, A, R>): ((self: T, ...args: A) => R) =>
  (self, ...args) =>
    apply(method, self, args) as R;

const missing = (): never => {
  throw new TypeError();
};

/** The object that has the property as its own: the prototype, or one it inherits from where the page was subclassed before us. */
export const ownerOf = (prototype: object | null, name: string): object | null => {
  for (let holder = prototype; holder !== null; holder = getPrototypeOf(holder))
    if (getOwnPropertyDescriptor(holder, name) !== undefined) return holder;
  return null;
};

/** The getter of an accessor property, as a function of the object. Throws when called if the platform has none. */
export const getterOf = <T>(prototype: object, name: string): ((self: object) => T) => {
  const get = getOwnPropertyDescriptor(ownerOf(prototype, name) ?? {}, name)?.get;
  return get === undefined ? missing : (self) => apply(get, self, []) as T;
};

// Promises and collections.
export const isPromise = (value: unknown): value is Promise<unknown> => value instanceof NativePromise;
const NativePromise = Promise;
const promiseThen = Promise.prototype.then;
/** `promise.then(fulfilled, rejected)` by the platform's own `then`. */
export const chain = <T, A, B>(
  promise: Promise<T>,
  fulfilled: (value: T) => A,
  rejected?: (error: unknown) => B,
): Promise<A | (unknown extends B ? never : B)> => apply(promiseThen, promise, [fulfilled, rejected]) as never;

const weakGet = uncurry(WeakMap.prototype.get) as (map: object, key: unknown) => unknown;
const weakSet = uncurry(WeakMap.prototype.set) as (map: object, key: unknown, value: unknown) => void;
const weakDelete = uncurry(WeakMap.prototype.delete) as (map: object, key: unknown) => void;
export interface Registry<K extends WeakKey, V> {
  get(key: unknown): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
}
/** A WeakMap that keeps working when the page replaces WeakMap's methods. */
export const createRegistry = <K extends WeakKey, V>(): Registry<K, V> => {
  const map = new WeakMap<K, V>();
  return {
    get: (key) => weakGet(map, key) as V | undefined,
    set: (key, value) => weakSet(map, key, value),
    delete: (key) => weakDelete(map, key),
  };
};

const Cleanup = FinalizationRegistry;
const cleanupAdd = FinalizationRegistry.prototype.register;
/** Calls back some time after an object can no longer be reached, with what was registered for it. */
export const whenCollected = <T>(collected: (held: T) => void): ((object: object, held: T) => void) => {
  const registry = new Cleanup(collected);
  return (object, held) => {
    apply(cleanupAdd, registry, [object, held]);
  };
};

// Events. `isTrusted` cannot be forged and is read directly.
const addListener = EventTarget.prototype.addEventListener;
/** Listens before the page can: in the capture phase, where the target's own listeners run in the order they came. */
export const listen = <E extends Event>(target: EventTarget, type: string, listener: (event: E) => void): void => {
  apply(addListener, target, [type, listener, true]);
};
const NativeEvent = Event;
const dispatchEvent = EventTarget.prototype.dispatchEvent;
/** Dispatches an event on the window; only who knows its name hears it. False: somebody took it up. */
export const dispatch = (event: Event): boolean => apply(dispatchEvent, window, [event]) as boolean;
export const ring = (name: string): void => {
  dispatch(new NativeEvent(name));
};
export const NativeMessage = MessageEvent;
export const eventData = getterOf<unknown>(MessageEvent.prototype, 'data');
export const eventLastId = getterOf<string>(MessageEvent.prototype, 'lastEventId');

// Text and bytes.
const NativeDecoder = TextDecoder;
const decodeText = TextDecoder.prototype.decode;
/** A streaming UTF-8 decoder: fetch bodies are UTF-8 whatever their type says. Without an argument: what is left. */
export const createTextDecoder = (): ((bytes?: Uint8Array) => string) => {
  const decoder = new NativeDecoder();
  return (bytes) => apply(decodeText, decoder, bytes === undefined ? [] : [bytes, STREAM]) as string;
};
const STREAM = { __proto__: null, stream: true } as TextDecodeOptions;

const NativeBytes = Uint8Array;
const subarray = uncurry(Uint8Array.prototype.subarray) as (self: Uint8Array, start: number, end?: number) => Uint8Array;
const isView = ArrayBuffer.isView;
const encodeBinary = btoa;
const fromCodes = String.fromCharCode;

export const isBuffer = (value: unknown): value is ArrayBuffer => value instanceof NativeBuffer;
const NativeBuffer = ArrayBuffer;
const NativeBlob = Blob;
export const isBlob = (value: unknown): value is Blob => value instanceof NativeBlob;
export const blobSize = getterOf<number>(Blob.prototype, 'size');
export const blobBuffer = uncurry(Blob.prototype.arrayBuffer);

/** A view on the bytes, or null where the value is neither a buffer nor a view. Copies nothing. */
export const bytesOf = (value: unknown): Uint8Array | null => {
  if (isBuffer(value)) return new NativeBytes(value);
  if (isView(value)) return new NativeBytes(value.buffer, value.byteOffset, value.byteLength);
  return null;
};
/** The bytes from `start` on. */
export const bytesFrom = (bytes: Uint8Array, start: number): Uint8Array => subarray(bytes, start);

/** Bytes as base64. In slices: one call takes at most some ten thousand arguments. */
export const base64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8_190) binary += apply(fromCodes, null, subarray(bytes, i, i + 8_190) as never) as string;
  return encodeBinary(binary);
};

// Addresses.
const NativeUrl = URL;
const { canParse } = URL;
export const urlHref = getterOf<string>(URL.prototype, 'href');
const NativeParams = URLSearchParams;
const paramsText = uncurry(URLSearchParams.prototype.toString);
const baseUri = getterOf<string>(Node.prototype, 'baseURI');
const page = document;
/** The address as the platform will resolve it; null where the argument is an object whose conversion could be seen. */
export const resolveUrl = (value: unknown): string | null => {
  if (value instanceof NativeUrl) return urlHref(value);
  if (typeof value !== 'string') return null;
  const base = baseUri(page);
  return canParse(value, base) ? urlHref(new NativeUrl(value, base)) : null;
};
/** A request body where it is a string or a query, else null. A stream is never touched. */
export const bodyText = (value: unknown): string | null => {
  if (typeof value === 'string') return value;
  return value instanceof NativeParams ? paramsText(value) : null;
};

// Headers.
const NativeHeaders = Headers;
export const isHeaders = (value: unknown): value is Headers => value instanceof NativeHeaders;
export const headerOf = uncurry(Headers.prototype.get);
export const responseHeaders = getterOf<Headers>(Response.prototype, 'headers');
export const responseBody = getterOf<ReadableStream<Uint8Array> | null>(Response.prototype, 'body');
export const eachHeader = uncurry(Headers.prototype.forEach);

// Time.
const clock = performance;
const readClock = performance.now;
export const now = (): number => apply(readClock, clock, []) as number;
