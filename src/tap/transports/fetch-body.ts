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
  apply,
  base64,
  bytesFrom,
  chain,
  createRegistry,
  createTextDecoder,
  getterOf,
  isPromise,
  responseBody,
  responseHeaders,
  uncurry,
  whenCollected,
} from '../intrinsics';
import { binary, MOST, type Watched } from '../media';
import type { Flow } from '../outbox';
import { wrapFunction } from '../patch';

/** A gap is written each time this many bytes are missing, and at the end. */
const GAP_BYTES = 256_000;

const nothing = (): void => {};
const signalAborted = getterOf<boolean>(AbortSignal.prototype, 'aborted');
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
  omitted: number;
  /** A gap has been written for it. */
  told: boolean;
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
  const bodyUsed = getterOf<boolean>(Response.prototype, 'bodyUsed');
  const isLocked = getterOf<boolean>(ReadableStream.prototype, 'locked');
  const getReader = uncurry(ReadableStream.prototype.getReader as () => ReadableStreamDefaultReader<Uint8Array>);
  const readChunk = uncurry(ReadableStreamDefaultReader.prototype.read as () => Promise<ReadableStreamReadResult<Uint8Array>>);
  const cancelReader = uncurry(ReadableStreamDefaultReader.prototype.cancel);
  const releaseReader = uncurry(ReadableStreamDefaultReader.prototype.releaseLock);
  const readerClosed = getterOf<Promise<void>>(ReadableStreamDefaultReader.prototype, 'closed');
  const enqueue = uncurry(ReadableByteStreamController.prototype.enqueue);
  const closeController = uncurry(ReadableByteStreamController.prototype.close);
  const failController = uncurry(ReadableByteStreamController.prototype.error);
  const pendingRequest = getterOf<ReadableStreamBYOBRequest | null>(ReadableByteStreamController.prototype, 'byobRequest');
  const respond = uncurry(ReadableStreamBYOBRequest.prototype.respond);

  const branches = createRegistry<Response, Branch>();
  // A body that nobody can read any more has no end to wait for: the platform has dropped its request, and so has the page.
  const dropped = whenCollected<Flow>((flow) => guard(() => flow.end('aborted-by-page', null, 'dropped unread')));

  const say = (watch: Watch, bytes: Uint8Array | null): void => {
    const { flow, decode } = watch;
    if (guard.quiet) return;
    if (watch.omit !== null) {
      watch.omitted += bytes?.length ?? 0;
      if (watch.omitted === 0 || (bytes !== null && watch.told && watch.omitted < GAP_BYTES)) return;
      watch.told = true;
      flow.gap(watch.omit, watch.omitted);
      watch.omitted = 0;
      return;
    }
    if (decode === null) {
      if (bytes !== null) flow.chunk('received', base64(bytes), 'base64', null, null);
      return;
    }
    const text = bytes === null ? decode() : decode(bytes);
    if (text !== '') flow.chunk('received', text, 'text', null, null);
  };

  /** Records what this branch is the first to get. */
  const take = (branch: Branch, bytes: Uint8Array): void => {
    const { watch } = branch;
    const start = branch.read;
    branch.read += bytes.length;
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
    const through = {} as Through;
    // Made once: they run for every chunk.
    const arrived = ({ done, value }: ReadableStreamReadResult<Uint8Array>): void => {
      const { branch, controller } = through;
      branch.reading = false;
      if (done) ended(branch, controller);
      else {
        guard(() => take(branch, value));
        enqueue(controller, value as Uint8Array<ArrayBuffer>);
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
      pull() {
        const { branch } = through;
        branch.reading = true;
        const chunk = branch.ahead ?? readChunk(acquire(branch));
        branch.ahead = null;
        return chain(chunk, arrived, broke);
      },
      cancel(reason: unknown) {
        const { branch } = through;
        branch.finished = true;
        guard(() => {
          const { watch } = branch;
          if (--watch.live > 0) return;
          finish(watch, 'aborted-by-page', typeof reason === 'string' ? reason.slice(0, 200) : null);
        });
        return cancelReader(acquire(branch), reason);
      },
    };
    through.stream = new NativeStream(source as unknown as UnderlyingByteSource, { highWaterMark: 0 });
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
  const spares: Through[] = [];
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
    branches.set(response, branch);
  };

  /** Somebody read the real body past us: the response is theirs from now on. */
  const forget = (branch: Branch): void => {
    branches.delete(branch.response);
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
        forget(branch);
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
      const branch = branches.get(self);
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
    return new NativeResponse(branch.through.stream, { headers: responseHeaders(branch.response) });
  };

  const NativeException = DOMException;
  const { text } = NativeResponse.prototype;
  const { parse } = JSON;
  for (const name of ['text', 'json', 'blob', 'arrayBuffer', 'bytes', 'formData', 'textStream'] as const) {
    const native: unknown = (NativeResponse.prototype as unknown as Record<string, unknown>)[name];
    if (typeof native !== 'function') continue;
    wrapFunction(NativeResponse.prototype, name, (call, self) => {
      const branch = branches.get(self);
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
          throw branch.failure !== null && aborted !== error instanceof NativeException ? branch.failure.error : error;
        },
      );
    });
  }

  wrapFunction(NativeResponse.prototype, 'clone', (call, self) => {
    const branch = branches.get(self);
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
    const branch = branches.get(args[1]);
    if (branch !== undefined)
      guard(() => {
        if (!untouched(branch)) return;
        release(branch);
        forget(branch);
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
      omitted: 0,
      told: false,
    };
    while (spares.length < 3) spares[spares.length] = createThrough();
    remember(response, watch);
    dropped(watch, body.flow);
  };
};
