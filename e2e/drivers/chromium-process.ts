/**
 * Starts a Chromium of our own, with a fresh profile, and ends only that one. Not Playwright's way of starting it: that
 * switches the back/forward cache off, keeps every page visible and throttles nothing, and a tap must work where those
 * are as a person has them. Playwright then joins it as a client without its defaults.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A running Chromium. */
export interface ChromiumProcess {
  readonly port: number;
  readonly exited: Promise<void>;
  /** One protocol command by the pipe. Some that act on extensions are refused to whoever comes by the port. */
  command<T = unknown>(method: string, params: object): Promise<T>;
  /** Waits for the browser, which was asked to close or is killed after a while. */
  close(): Promise<void>;
}

const FLAGS = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-quic',
  '--password-store=basic',
  '--use-mock-keychain',
  '--remote-debugging-port=0',
  '--remote-debugging-pipe',
  '--enable-unsafe-extension-debugging',
];

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The protocol over the browser's third and fourth descriptor: JSON, each message ended by a zero. */
const piped = (to: Writable, from: Readable): ChromiumProcess['command'] => {
  const waiting = new Map<number, (answer: Answer) => void>();
  let next = 0;
  let read = '';
  from.setEncoding('utf8');
  from.on('data', (text: string) => {
    const messages = (read + text).split('\0');
    read = messages.pop()!;
    for (const message of messages) {
      const answer = JSON.parse(message) as Answer;
      if (answer.id === undefined) continue;
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  // A browser that goes breaks the pipe; who waits is told by `close`.
  to.on('error', () => undefined);
  from.on('close', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'the browser is gone' } });
    waiting.clear();
  });
  return <T>(method: string, params: object) =>
    new Promise<T>((resolve, reject) => {
      const id = ++next;
      waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result as T) : reject(new Error(`${method}: ${error.message}`)),
      );
      to.write(`${JSON.stringify({ id, method, params })}\0`);
    });
};

export const startChromium = async (options: {
  readonly executable: string;
  readonly headless: boolean;
  readonly args: readonly string[];
}): Promise<ChromiumProcess> => {
  const profile = mkdtempSync(join(tmpdir(), 'unsettled-chromium-'));
  const child = spawn(
    options.executable,
    [
      ...FLAGS,
      `--user-data-dir=${profile}`,
      ...(options.headless ? ['--headless=new', '--disable-gpu'] : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...options.args,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const command = piped(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    if (child.exitCode === null && child.signalCode === null) await exited;
    clearTimeout(timer);
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    const port = await new Promise<number>((resolve, reject) => {
      let said = '';
      const timer = setTimeout(() => reject(new Error(`Chromium did not open its remote port in 60 s\n${said}`)), 60_000);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`Chromium exited with ${code}\n${said}`)));
      child.stderr?.on('data', (data) => {
        said = (said + String(data)).slice(-20_000);
        const found = /DevTools listening on ws:\/\/[^:]+:(\d+)\//u.exec(said);
        if (!found?.[1]) return;
        clearTimeout(timer);
        resolve(Number(found[1]));
      });
    });
    return { port, exited, command, close };
  } catch (error) {
    child.kill('SIGKILL');
    await close();
    throw error;
  }
};
