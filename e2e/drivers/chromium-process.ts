/**
 * Starts a Chromium of our own, with a fresh profile, and ends only that one. Not Playwright's way of starting it: that
 * switches the back/forward cache off, keeps every page visible and throttles nothing, and a tap must work where those
 * are as a person has them. Playwright then joins it as a client without its defaults.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A running Chromium. */
export interface ChromiumProcess {
  readonly port: number;
  readonly exited: Promise<void>;
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
];

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
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
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
    return { port, exited, close };
  } catch (error) {
    child.kill('SIGKILL');
    await close();
    throw error;
  }
};
