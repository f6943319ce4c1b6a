/**
 * Response bodies, read through as the page reads them. A remembered response gives the page a byte stream that takes one
 * chunk from the real one each time the page asks for one: nothing is read ahead, nothing is cloned (a tee'd branch would
 * keep the request alive after the page cancels), the page's cancel is our cancel and the network's error object is passed
 * on as it is. Text is decoded before the chunk is handed on, because handing on transfers its buffer.
 *
 * One watch per body, one branch per Response that shares it (clone() makes a second). Branches see the same bytes; each
 * byte is recorded once, when the first branch gets it.
 */
import type { FlowEnd } from '../../core/model';
import type { Guard } from '../guard';
import {
  base64,
  bytesFrom,
  chain,
  createRegistry,
  createTextDecoder,
  forget,
  headerOf,
  isPromise,
  known,
  learn,
  lengthOf,
  responseBody,
  responseHeaders,
  whenCollected,
} from '../intrinsics';
import { apply, argument, ask, getterOf, list, methodOf, slice, uncurry } from '../language';
import { binary, MOST, type Watched } from '../media';
import type { Flow } from '../outbox';
import { wrapFunction } from '../patch';

const nothing = (): void => {};
export const signalAborted = getterOf<boolean>(AbortSignal, 'aborted');
/** The page's own doing, or the network's. */
export const endOf = (signal: AbortSignal | null): FlowEnd =>
  signal !== null && signalAborted(signal) ? 'aborted-by-page' : 'network-error';

export interface WatchedBody {
  readonly flow: Flow;
  readonly how: Watched;
  readonly signal: AbortSignal | null;
}

/** What is recorded of one body. */
interface Watch extends WatchedBody {
  readonly decode: ((bytes?: Uint8Array) => string) | null;
  /** Bytes recorded or counted as lost so far, from the start of the body. */
  seen: number;
  /** Branches that the page has not cancelled. */
  live: number;
  omit: 'binary' | 'over-budget' | null;
}

/** One Response and the stream the page gets as its body. */
interface Branch {
  readonly watch: Watch;
  readonly response: Response;
  readonly through: Through;
  reader: ReadableStreamDefaultReader<Uint8Array> | null;
  /** Bytes read by this branch. */
  read: number;
  reading: boolean;
  /** The first chunk, asked for before the stream was: the page wants the whole body. */
  ahead: Promise<ReadableStreamReadResult<Uint8Array>> | null;
  finished: boolean;
  /** What the real stream failed with. */
  failure: { readonly error: unknown } | null;
  /** The page has seen the stream. */
  exposed: boolean;
}

interface Through {
  stream: ReadableStream<Uint8Array>;
  controller: ReadableByteStreamController;
  branch: Branch;
}

/** Watches bodies of this window's responses. The returned function remembers one response. */
export const createBodyTap = (scope: Window & typeof globalThis, guard: Guard): ((response: Response, body: WatchedBody) => void) => {
  // Taken here, not at load: a platform without byte streams then only goes without this transport.
  const NativeStream = ReadableStream;
  const NativeResponse = Response;
  const bodyUsed = getterOf<boolean>(Response, 'bodyUsed');
  const isLocked = getterOf<boolean>(ReadableStream, 'locked');
  const getReader = uncurry(ReadableStream.prototype.getReader as () => ReadableStreamDefaultReader<Uint8Array>);
  const readChunk = uncurry(ReadableStreamDefaultReader.prototype.read as () => Promise<ReadableStreamReadResult<Uint8Array>>);
  const cancelReader = methodOf(ReadableStreamDefaultReader, 'cancel');
  const releaseReader = methodOf(ReadableStreamDefaultReader, 'releaseLock');
  const readerClosed = getterOf<Promise<void>>(ReadableStreamDefaultReader, 'closed');
  const enqueue = methodOf(ReadableByteStreamController, 'enqueue');
  const closeController = methodOf(ReadableByteStreamController, 'close');
  const failController = methodOf(ReadableByteStreamController, 'error');
  const pendingRequest = getterOf<ReadableStreamBYOBRequest | null>(ReadableByteStreamController, 'byobRequest');
  const respond = methodOf(ReadableStreamBYOBRequest, 'respond');

  const branches = createRegistry<Response, Branch>();
  // A body that nobody can read any more has no end to wait for: the platform has dropped its request, and so has the page.
  const dropped = whenCollected<Flow>((flow) => guard(() => flow.end('aborted-by-page', null, 'dropped unread')));

  const say = (watch: Watch, bytes: Uint8Array | null): void => {
    const { flow, decode } = watch;
    if (guard.quiet()) return;
    if (watch.omit !== null) {
      if (bytes !== null) flow.gap(watch.omit, lengthOf(bytes));
      return;
    }
    if (decode === null) {
      if (bytes !== null) flow.chunk('received', base64(bytes), 'base64');
      return;
    }
    const text = bytes === null ? decode() : decode(bytes);
    if (text !== '') flow.chunk('received', text);
  };

  /** Records what this branch is the first to get. */
  const take = (branch: Branch, bytes: Uint8Array): void => {
    const { watch } = branch;
    const start = branch.read;
    branch.read += lengthOf(bytes);
    if (branch.read <= watch.seen) return;
    const fresh = start < watch.seen ? bytesFrom(bytes, watch.seen - start) : bytes;
    const { how } = watch;
    if (watch.omit === null) {
      if (how === 'sniffed' && watch.seen === 0 && binary(createTextDecoder()(fresh))) watch.omit = 'binary';
      if (branch.read > MOST[how]) watch.omit = 'over-budget';
    }
    watch.seen = branch.read;
    say(watch, fresh);
  };

  const finish = (watch: Watch, how: FlowEnd, detail: string | null = null): void => {
    if (watch.flow.ended) return;
    say(watch, null);
    watch.flow.end(how, null, detail);
  };

  const ended = (branch: Branch, through: ReadableByteStreamController): void => {
    if (branch.finished) return;
    branch.finished = true;
    guard(() => finish(branch.watch, 'eof'));
    closeController(through);
    const pending = pendingRequest(through);
    if (pending !== null) respond(pending, 0);
  };

  const failed = (branch: Branch, through: ReadableByteStreamController, error: unknown): void => {
    if (branch.finished) return;
    branch.finished = true;
    branch.failure = { error };
    guard(() => finish(branch.watch, endOf(branch.watch.signal)));
    failController(through, error);
  };

  const createThrough = (): Through => {
    // The branch is put in when the stream is given to a response, and the controller when the stream is made.
    const through = { stream: null, controller: null, branch: null } as unknown as Through;
    // Made once: they run for every chunk.
    const arrived = ({ done, value }: ReadableStreamReadResult<Uint8Array>): void => {
      const { branch, controller } = through;
      branch.reading = false;
      if (done) ended(branch, controller);
      else {
        guard(() => take(branch, value));
        try {
          enqueue(controller, value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          // The page has made something else of the platform's answer.
          failed(branch, controller, error);
        }
      }
    };
    const broke = (error: unknown): void => {
      const { branch, controller } = through;
      branch.reading = false;
      failed(branch, controller, error);
    };
    const source = {
      __proto__: null,
      type: 'bytes',
      start(controller: ReadableByteStreamController) {
        through.controller = controller;
      },
      // Answers at once, not with a promise, which the platform would ask the page's prototypes about: one chunk is asked for
      // at a time, and handing it on asks for the next where the page waits for more.
      pull() {
        const { branch } = through;
        if (branch.reading) return;
        branch.reading = true;
        const chunk = branch.ahead ?? readChunk(acquire(branch));
        branch.ahead = null;
        chain(chunk, arrived, broke);
      },
      cancel(reason: unknown) {
        const { branch } = through;
        branch.finished = true;
        guard(() => {
          const { watch } = branch;
          if (--watch.live > 0) return;
          finish(watch, 'aborted-by-page', typeof reason === 'string' ? slice(reason, 0, 200) : null);
        });
        // No promise is handed back, as above. A body's cancel has nothing to wait for.
        chain(cancelReader(acquire(branch), reason), nothing, nothing);
      },
    };
    through.stream = new NativeStream(source as unknown as UnderlyingByteSource, { __proto__: null, highWaterMark: 0 } as QueuingStrategy);
    return through;
  };

  /** The real body's reader, taken when first needed. Its closing and failing are passed on even while nobody reads. */
  const acquire = (branch: Branch): ReadableStreamDefaultReader<Uint8Array> => {
    if (branch.reader !== null) return branch.reader;
    const reader = getReader(responseBody(branch.response) as ReadableStream<Uint8Array>);
    branch.reader = reader;
    const { controller } = branch.through;
    // A chunk that is still on its way to the page comes before the end, and its read tells of the end itself.
    const idle = (): boolean => branch.reader === reader && !branch.reading && branch.ahead === null;
    chain(
      readerClosed(reader),
      () => {
        if (idle()) ended(branch, controller);
      },
      (error) => {
        if (idle()) failed(branch, controller, error);
      },
    );
    return reader;
  };

  // A stream made in the same task would not have started yet, and its first read would not reach the real one at once.
  const spares = list<Through>();
  const nextThrough = (): Through => {
    const spare = spares[spares.length - 1];
    if (spare === undefined) return createThrough();
    spares.length--;
    return spare;
  };

  const remember = (response: Response, watch: Watch): void => {
    const through = nextThrough();
    const branch: Branch = {
      watch,
      response,
      through,
      reader: null,
      read: 0,
      reading: false,
      ahead: null,
      finished: false,
      failure: null,
      exposed: false,
    };
    through.branch = branch;
    learn(branches, response, branch);
  };

  /** Somebody read the real body past us: the response is theirs from now on. */
  const abandon = (branch: Branch): void => {
    forget(branches, branch.response);
    branch.watch.flow.gap('read-natively', 0);
  };

  /** Gives the real body back to the platform, where the page has not begun to read. */
  const release = (branch: Branch): void => {
    const { reader } = branch;
    if (reader === null) return;
    branch.reader = null;
    releaseReader(reader);
  };

  const untouched = (branch: Branch): boolean => !isLocked(branch.through.stream) && !bodyUsed(branch.response);

  /** What the page gets as the body: the read-through stream, or undefined where somebody has read past us. */
  const expose = (branch: Branch): ReadableStream | undefined => {
    if (!branch.exposed && branch.reader === null) {
      const real = responseBody(branch.response);
      if (real === null || isLocked(real) || bodyUsed(branch.response)) {
        abandon(branch);
        return undefined;
      }
      acquire(branch);
    }
    branch.exposed = true;
    return branch.through.stream;
  };

  wrapFunction(
    NativeResponse.prototype,
    'body',
    (call, self) => {
      const branch = known(branches, self);
      return branch === undefined ? call() : (guard(() => expose(branch)) ?? call());
    },
    'get',
  );

  /** A response of the same kind over the read-through stream, for the platform's own readers to work on. */
  const standIn = (branch: Branch): Response | undefined => {
    if (!untouched(branch)) return undefined;
    if (endOf(branch.watch.signal) === 'aborted-by-page') {
      // The platform refuses at once, and leaves the body as it is.
      release(branch);
      finish(branch.watch, 'aborted-by-page');
      return undefined;
    }
    if (expose(branch) === undefined) return undefined;
    // The response counts as used from this moment on, not from when the platform gets round to our stream.
    branch.ahead = readChunk(acquire(branch));
    // Its failure is told by the reader; where the platform refuses before it asks for a chunk, by nobody.
    chain(branch.ahead, nothing, nothing);
    const stand = new NativeResponse(branch.through.stream);
    // Some readers ask for it, and no other. A dictionary of headers would be iterated by the page's iterators.
    const type = headerOf(responseHeaders(branch.response), 'content-type');
    if (type !== null) setHeader(responseHeaders(stand), 'content-type', type);
    return stand;
  };

  const setHeader = methodOf(Headers, 'set');
  const exceptionName = getterOf<string>(DOMException, 'name');
  const { text } = NativeResponse.prototype;
  const { parse } = JSON;
  for (const name of ['text', 'json', 'blob', 'arrayBuffer', 'bytes', 'formData', 'textStream'] as const) {
    const native: unknown = (NativeResponse.prototype as unknown as Record<string, unknown>)[name];
    if (typeof native !== 'function') continue;
    wrapFunction(NativeResponse.prototype, name, (call, self) => {
      const branch = known(branches, self);
      if (branch === undefined) return call();
      // None where it is locked or used: the real body is as well, so the platform refuses in its own words.
      const stand = guard(() => standIn(branch));
      if (stand === undefined) return call();
      // JSON is parsed apart: parsed by the platform it would be in the middle of our own call, and the error would say so.
      const reader = name === 'json' ? text : native;
      const result: unknown = apply(reader as () => unknown, stand, []);
      if (!isPromise(result)) return result;
      return chain(
        result,
        (value) => (name === 'json' ? parse(value as string) : value),
        (error: unknown) => {
          // What a failed stream comes to differs. Chromium says that the network failed, as it does for a real body, but after
          // an abort a real one gives the page's reason. Firefox says "aborted", which is right only after an abort.
          const aborted = endOf(branch.watch.signal) === 'aborted-by-page';
          throw branch.failure !== null && aborted !== (ask(exceptionName, error) !== undefined) ? branch.failure.error : error;
        },
      );
    });
  }

  wrapFunction(NativeResponse.prototype, 'clone', (call, self) => {
    const branch = known(branches, self);
    if (branch === undefined) return call();
    guard(() => {
      if (untouched(branch)) release(branch);
    });
    const copy = call() as Response;
    guard(() => {
      // As on the platform: the old body is locked for good, and each of the two responses has a new one.
      if (branch.exposed) getReader(branch.through.stream);
      const { watch } = branch;
      watch.live++;
      remember(branch.response, watch);
      remember(copy, watch);
    });
    return copy;
  });

  // The only reader of a window's responses that does not go through them.
  wrapFunction(scope.Cache?.prototype, 'put', (call, _self, args) => {
    const branch = known(branches, argument(args, 1));
    if (branch !== undefined)
      guard(() => {
        if (!untouched(branch)) return;
        release(branch);
        abandon(branch);
      });
    return call();
  });

  return (response, body) => {
    const watch: Watch = {
      ...body,
      decode: body.how === 'base64' ? null : createTextDecoder(),
      seen: 0,
      live: 1,
      omit: null,
    };
    while (spares.length < 3) spares[spares.length] = createThrough();
    remember(response, watch);
    dropped(watch, body.flow);
  };
};
