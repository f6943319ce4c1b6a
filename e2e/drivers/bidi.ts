/**
 * A small WebDriver BiDi client that starts its own Firefox with a fresh profile and ends only that one. Stock Firefox, no
 * geckodriver. `--remote-allow-system-access` gives tests a way into the browser's own window, where the toolbox lives; it
 * is an automation flag and never goes into anything a user starts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

/** What a script in a context came back with. */
interface Evaluated {
  readonly type: 'success' | 'exception';
  readonly result?: { readonly type: string; readonly value?: unknown; readonly sharedId?: string };
  readonly exceptionDetails?: { readonly text: string };
}

/** A running Firefox and the session with it. */
export interface Bidi {
  readonly version: string;
  readonly exited: Promise<void>;
  send<T = unknown>(method: string, params?: object): Promise<T>;
  /** The value of the expression in that context, awaited, as JSON data. */
  evaluate<T>(expression: string, context: string): Promise<T>;
  /** A handle on the element that the expression gives; null where it gives none. */
  element(expression: string, context: string): Promise<string | null>;
  /** Runs the body of an async function, privileged, in the browser's own window; `args` is its one parameter. */
  chrome<T>(body: string, args?: object): Promise<T>;
  close(): Promise<void>;
}

const PREFERENCES: Readonly<Record<string, unknown>> = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'devtools.selfxss.count': 100,
};

const endpointOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`Firefox did not open its remote port in 60 s\n${said}`)), 60_000);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Firefox exited with ${code}\n${said}`)));
    child.stderr?.on('data', (data) => {
      said += String(data);
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
      if (!found?.[1]) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
  });

/** Starts Firefox and opens a session. */
export const startFirefox = async (options: {
  readonly executable: string;
  readonly headless: boolean;
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}): Promise<Bidi> => {
  const profile = mkdtempSync(join(tmpdir(), 'unsettled-firefox-'));
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries({ ...PREFERENCES, ...options.preferences })
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const child = spawn(
    options.executable,
    [
      ...(options.headless ? ['--headless'] : []),
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port',
      '0',
      '--remote-allow-system-access',
      ...options.args,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let socket: WebSocket | null = null;

  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: 0, method: 'browser.close', params: {} }));
      else child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(timer);
    }
    socket?.terminate();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };

  try {
    const opened = new WebSocket(`${await endpointOf(child)}/session`, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 });
    socket = opened;
    await new Promise<void>((resolve, reject) => {
      opened.once('open', resolve);
      opened.once('error', reject);
    });
    const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
    let next = 0;
    opened.on('message', (data) => {
      const message = JSON.parse(String(data)) as { id?: number; type?: string; error?: string; message?: string; result?: unknown };
      const waiter = message.id === undefined ? undefined : waiting.get(message.id);
      if (message.id === undefined || !waiter) return;
      waiting.delete(message.id);
      if (message.type === 'error') waiter.reject(new Error(`${message.error}: ${message.message}`));
      else waiter.resolve(message.result);
    });
    opened.on('close', () => {
      for (const waiter of waiting.values()) waiter.reject(new Error('Firefox closed the connection'));
      waiting.clear();
    });

    const send = <T>(method: string, params: object = {}): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const id = ++next;
        waiting.set(id, { resolve: (value) => resolve(value as T), reject });
        opened.send(JSON.stringify({ id, method, params }));
      });
    const run = async (expression: string, context: string): Promise<Evaluated['result']> => {
      const answer = await send<Evaluated>('script.evaluate', { expression, awaitPromise: true, target: { context } });
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails?.text ?? 'exception');
      return answer.result;
    };
    const evaluate = async <T>(expression: string, context: string): Promise<T> => {
      // Values travel as JSON text: the protocol's own form would have to be taken apart again.
      const result = await run(`(async () => JSON.stringify(await (${expression})))()`, context);
      return (result?.type === 'string' ? JSON.parse(String(result.value)) : undefined) as T;
    };

    const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', { capabilities: {} });
    return {
      version: capabilities.browserVersion,
      exited,
      send,
      evaluate,
      async element(expression, context) {
        return (await run(expression, context))?.sharedId ?? null;
      },
      async chrome<T>(body: string, args: object = {}): Promise<T> {
        const { contexts } = await send<{ contexts: readonly { url: string; context: string }[] }>('browsingContext.getTree', {
          'moz:scope': 'chrome',
        });
        const window = contexts.find(({ url }) => url === 'chrome://browser/content/browser.xhtml');
        if (!window) throw new Error('Firefox has no window');
        return evaluate<T>(`(async (args) => { ${body} })(${JSON.stringify(args)})`, window.context);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
