/**
 * A small client of the Chrome DevTools Protocol: one socket to the browser, flat sessions. Used beside Playwright because
 * Playwright hides the developer tools' own targets.
 */
import { WebSocket } from 'ws';

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** What `Target.getTargets` says of one target. */
export interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/** An open connection. */
export interface Cdp {
  send<T = unknown>(method: string, params?: object, session?: string): Promise<T>;
  /** The value of the expression in that session's page, awaited, as JSON data. */
  evaluate<T>(expression: string, session: string): Promise<T>;
  targets(): Promise<readonly TargetInfo[]>;
  attach(targetId: string): Promise<string>;
  on(listener: (method: string, params: Record<string, unknown>, session: string | null) => void): void;
  close(): void;
}

/** Connects to the browser that listens on this port of the local machine. */
export const connectCdp = async (port: number): Promise<Cdp> => {
  const answer = await fetch(`http://127.0.0.1:${port}/json/version`);
  const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(webSocketDebuggerUrl, { maxPayload: 256 * 1024 * 1024 });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });

  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const listeners: Parameters<Cdp['on']>[0][] = [];
  let next = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Reply;
    if (message.method !== undefined)
      for (const listener of listeners) listener(message.method, message.params ?? {}, message.sessionId ?? null);
    const waiter = message.id === undefined ? undefined : waiting.get(message.id);
    if (message.id === undefined || !waiter) return;
    waiting.delete(message.id);
    if (message.error) waiter.reject(new Error(message.error.message));
    else waiter.resolve(message.result);
  });
  socket.on('close', () => {
    for (const waiter of waiting.values()) waiter.reject(new Error('the browser closed the connection'));
    waiting.clear();
  });

  const send = <T>(method: string, params: object = {}, session?: string): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = ++next;
      waiting.set(id, { resolve: (value) => resolve(value as T), reject });
      socket.send(JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) }));
    });

  return {
    send,
    async evaluate<T>(expression: string, session: string): Promise<T> {
      const { result, exceptionDetails } = await send<{
        result: { value: T };
        exceptionDetails?: { text: string; exception?: { description?: string } };
      }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, session);
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    async targets() {
      // The empty filter is what makes the browser list the developer tools' own targets too.
      return (await send<{ targetInfos: readonly TargetInfo[] }>('Target.getTargets', { filter: [{}] })).targetInfos;
    },
    async attach(targetId) {
      return (await send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    },
    on: (listener) => listeners.push(listener),
    close: () => socket.close(),
  };
};
