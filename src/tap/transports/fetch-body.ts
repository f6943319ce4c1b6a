/**
 * Response bodies, read through as the page reads them. A remembered response gives the page a byte stream that takes one
 * chunk from the real one each time the page asks for one: nothing is read ahead, nothing is cloned (a tee'd branch would
 * keep the request alive after the page cancels), the page's cancel is our cancel and the network's error object is passed
 * on as it is. Text is decoded before the chunk is handed on, because handing on transfers its buffer. Only where the platform
 * reads a body whole, which nobody can cancel, is there a copy, for us to read.
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
  isPromise,
  known,
  learn,
  lengthOf,
  NativePromise,
  responseBody,
  unasked,
  whenCollected,
} from '../intrinsics';
import { argument, getterOf, list, methodOf, slice } from '../language';
import { binary, MOST, type Watched } from '../media';
import type { Flow } from '../outbox';
import { wrapConstructor, wrapFunction } from '../patch';

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

/** One Response and the stream the page gets as its body. The stream is made before there is a response for it. */
interface Branch {
  watch: Watch;
  response: Response;
  stream: ReadableStream<Uint8Array>;
  controller: ReadableByteStreamController;
  reader: ReadableStreamDefaultReader<Uint8Array> | null;
  /** Bytes read by this branch. */
  read: number;
  reading: boolean;
  finished: boolean;
  /** The page has seen the stream. */
  exposed: boolean;
}

/** Watches bodies of this window's responses. The returned function remembers one response. */
export const createBodyTap = (scope: Window & typeof globalThis, guard: Guard): ((response: Response, body: WatchedBody) => void) => {
  // Taken here, not at load: a platform without byte streams then only goes without this transport.
  const NativeStream = ReadableStream;
  const NativeResponse = Response;
  const bodyUsed = getterOf<boolean>(Response, 'bodyUsed');
  const isLocked = getterOf<boolean>(ReadableStream, 'locked');
  const cloneResponse = methodOf(Response, 'clone');
  const getReader = methodOf(ReadableStream, 'getReader') as (stream: ReadableStream) => ReadableStreamDefaultReader<Uint8Array>;
  const readChunk = methodOf(ReadableStreamDefaultReader<Uint8Array>, 'read');
  const cancelReader = methodOf(ReadableStreamDefaultReader, 'cancel');
  const releaseReader = methodOf(ReadableStreamDefaultReader, 'releaseLock');
  const readerClosed = getterOf<Promise<void>>(ReadableStreamDefaultReader, 'closed');
  const enqueue = methodOf(ReadableByteStreamController, 'enqueue');
  const closeController = methodOf(ReadableByteStreamController, 'close');
  const failController = methodOf(ReadableByteStreamController, 'error');
  const pendingRequest = getterOf<ReadableStreamBYOBRequest | null>(ReadableByteStreamController, 'byobRequest');
  const respond = methodOf(ReadableStreamBYOBRequest, 'respond');

  const branches = createRegistry<Response, Branch>();
  /** The streams that the page has seen. */
  const bodies = createRegistry<ReadableStream, Branch>();
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

  const ended = (branch: Branch): void => {
    if (branch.finished) return;
    branch.finished = true;
    guard(() => finish(branch.watch, 'eof'));
    const { controller } = branch;
    closeController(controller);
    const pending = pendingRequest(controller);
    if (pending !== null) respond(pending, 0);
  };

  const failed = (branch: Branch, error: unknown): void => {
    if (branch.finished) return;
    branch.finished = true;
    guard(() => finish(branch.watch, endOf(branch.watch.signal)));
    failController(branch.controller, error);
  };

  const createBranch = (): Branch => {
    const branch = {
      watch: null,
      response: null,
      stream: null,
      controller: null,
      reader: null,
      read: 0,
      reading: false,
      finished: false,
      exposed: false,
    } as unknown as Branch;
    // Made once: they run for every chunk.
    const arrived = ({ done, value }: ReadableStreamReadResult<Uint8Array>): void => {
      branch.reading = false;
      if (done) ended(branch);
      else {
        guard(() => take(branch, value));
        try {
          enqueue(branch.controller, value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          // The page has made something else of the platform's answer.
          failed(branch, error);
        }
      }
    };
    const broke = (error: unknown): void => {
      branch.reading = false;
      failed(branch, error);
    };
    const source = {
      __proto__: null,
      type: 'bytes',
      start(controller: ReadableByteStreamController) {
        branch.controller = controller;
      },
      // Answers at once, not with a promise, which the platform would ask the page's prototypes about: one chunk is asked for
      // at a time, and handing it on asks for the next where the page waits for more.
      pull() {
        if (branch.reading) return;
        branch.reading = true;
        chain(readChunk(acquire(branch)), arrived, broke);
      },
      cancel(reason: unknown) {
        branch.finished = true;
        guard(() => {
          const { watch } = branch;
          if (--watch.live > 0) return;
          finish(watch, 'aborted-by-page', typeof reason === 'string' ? slice(reason, 0, 200) : null);
        });
        // No promise is handed back, as above. A body's cancel has nothing to wait for.
        const reader = acquire(branch);
        unasked(() => chain(cancelReader(reader, reason), nothing, nothing));
      },
    };
    branch.stream = new NativeStream(source as unknown as UnderlyingByteSource, { __proto__: null, highWaterMark: 0 } as QueuingStrategy);
    return branch;
  };

  /** The real body's reader, taken when first needed. Its closing and failing are passed on even while nobody reads. */
  const acquire = (branch: Branch): ReadableStreamDefaultReader<Uint8Array> => {
    if (branch.reader !== null) return branch.reader;
    const reader = getReader(responseBody(branch.response) as ReadableStream<Uint8Array>);
    branch.reader = reader;
    const passOn =
      (how: (branch: Branch, error: unknown) => void) =>
      (error: unknown): void => {
        // A chunk that is still on its way to the page comes before the end, and its read tells of the end itself.
        if (branch.reader === reader && !branch.reading) how(branch, error);
      };
    chain(readerClosed(reader), passOn(ended), passOn(failed));
    return reader;
  };

  // A stream made in the same task would not have started yet, and its first read would not reach the real one at once.
  const spares = list<Branch>();

  const remember = (response: Response, watch: Watch): void => {
    const branch = spares[spares.length - 1] ?? createBranch();
    if (spares.length > 0) spares.length--;
    branch.watch = watch;
    branch.response = response;
    learn(branches, response, branch);
  };

  /** Somebody read the real body past us: the response is theirs from now on. */
  const abandon = (branch: Branch): void => {
    forget(branches, branch.response);
    branch.watch.flow.gap('read-natively', 0);
  };

  /** Gives the real body back to the platform, where the page has not begun to read. False where it has, or somebody else. */
  const release = (branch: Branch): boolean => {
    const { reader, response, stream } = branch;
    if (isLocked(stream) || bodyUsed(response)) return false;
    if (reader !== null) releaseReader(reader);
    branch.reader = null;
    return true;
  };

  /** What the page gets as the body: the read-through stream, or undefined where somebody has read past us. */
  const expose = (branch: Branch): ReadableStream | undefined => {
    if (!branch.exposed) {
      if (isLocked(responseBody(branch.response) as ReadableStream) || bodyUsed(branch.response)) {
        abandon(branch);
        return undefined;
      }
      acquire(branch);
    }
    branch.exposed = true;
    const { stream } = branch;
    learn(bodies, stream, branch);
    return stream;
  };

  wrapFunction(
    NativeResponse.prototype,
    'body',
    (call, self) => {
      const branch = known(branches, self);
      return (branch && guard(() => expose(branch))) ?? call();
    },
    'get',
  );

  for (const name of ['text', 'json', 'blob', 'arrayBuffer', 'bytes', 'formData', 'textStream'] as const) {
    wrapFunction(NativeResponse.prototype, name, (call, self) => {
      const branch = known(branches, self);
      // Where it is locked or used the real body is as well, so the platform refuses in its own words.
      if (!branch || !guard(() => release(branch))) return call();
      const { watch, response } = branch;
      if (endOf(watch.signal) === 'aborted-by-page') {
        // The platform refuses at once, and leaves the body as it is.
        guard(() => finish(watch, 'aborted-by-page'));
        return call();
      }
      if (name === 'textStream') {
        // Read at the page's pace, and cancelled as the page likes.
        const stream = guard(() => expose(branch));
        return stream ? call(new NativeResponse(stream)) : call();
      }
      // The platform gives the page the whole body, by its own means and in its own words; what it gives is told by a copy. The
      // page has no way to cancel such a body but its signal, and that ends the copy as well.
      const reader = guard(() => {
        if (isLocked(responseBody(response) as ReadableStream)) {
          abandon(branch);
          return undefined;
        }
        // As on the platform: the body is locked from now on. One that was not looked at is the real one.
        if (branch.exposed) getReader(branch.stream);
        else forget(branches, self as Response);
        return getReader(responseBody(cloneResponse(self as Response)) as ReadableStream<Uint8Array>);
      });
      const result = call();
      if (!reader) return result;
      const held = new NativePromise((resolve, reject) => {
        // Nobody gets the answer before all of it is in the record.
        let give = nothing;
        let left = 2;
        const settled = (): void => {
          if (--left === 0) give();
        };
        const answer =
          (how: (value: never) => void) =>
          (value: unknown): void => {
            give = () => how(value as never);
            settled();
          };
        const end = (how: FlowEnd): void => {
          guard(() => finish(watch, how));
          settled();
        };
        const next = (): unknown =>
          chain(
            readChunk(reader),
            ({ done, value }) => {
              if (done) end('eof');
              else {
                guard(() => take(branch, value));
                next();
              }
            },
            () => end(endOf(watch.signal)),
          );
        if (isPromise(result)) chain(result, answer(resolve), answer(reject));
        next();
      });
      return isPromise(result) ? held : result;
    });
  }

  wrapFunction(NativeResponse.prototype, 'clone', (call, self) => {
    const branch = known(branches, self);
    if (!branch) return call();
    guard(() => release(branch));
    const response = self as Response;
    const old = branch.exposed ? responseBody(response) : null;
    const copy = call() as Response;
    guard(() => {
      const { watch } = branch;
      watch.live++;
      remember(copy, watch);
      // As on the platform, where it is so: the old body is locked for good, and each of the two responses has a new one.
      if (branch.exposed) {
        if (responseBody(response) === old) return void acquire(branch);
        getReader(branch.stream);
      }
      remember(response, watch);
    });
    return copy;
  });

  // A response that the page makes over such a body is given the real one, as it would be, and is one more owner of it.
  wrapConstructor<Branch | undefined>(
    scope,
    'Response',
    (response, branch) => {
      if (branch === undefined) return;
      learn(branches, response as Response, branch);
      guard(() => acquire(branch));
    },
    (args) => {
      const branch = known(bodies, argument(args, 0));
      if (branch === undefined || !guard(() => release(branch))) return undefined;
      args[0] = responseBody(branch.response);
      return branch;
    },
  );

  // The only reader of a window's responses that does not go through them.
  wrapFunction(scope.Cache?.prototype, 'put', (call, _self, args) => {
    const branch = known(branches, argument(args, 1));
    if (branch !== undefined)
      guard(() => {
        if (release(branch)) abandon(branch);
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
    while (spares.length < 3) spares[spares.length] = createBranch();
    remember(response, watch);
    dropped(watch, body.flow);
  };
};
