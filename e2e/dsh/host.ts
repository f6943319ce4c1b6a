/**
 * Starts the published host over the scripted provider, in a home and a workspace of its own, with a pass-through server in
 * front of it so that the page's connections can be cut. Promises: everything it started is gone after `close`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../drivers/driver';
import { startProvider } from './provider';

const PACKAGE = join(import.meta.dirname, '../pages/dsh');

export interface Host {
  /** Where the page is, behind the pass-through. */
  readonly origin: string;
  /** Cuts every connection that is open now. New ones are let through. */
  cut(): void;
  close(): Promise<void>;
}

const portOf = (server: { address(): unknown }): number => (server.address() as { port: number }).port;

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

export const startHost = async (): Promise<Host> => {
  const node = join(PACKAGE, 'node_modules/node/bin/node');
  const bin = join(PACKAGE, 'node_modules/@deepseek-ai/dsh/lib/bin.js');
  if (!existsSync(node) || !existsSync(bin))
    throw new Error('The page is not installed: run `npx pnpm@9 install` in e2e/pages/dsh (see e2e/dsh/README.md).');

  const provider = await startProvider();
  const scratch = mkdtempSync(join(tmpdir(), 'unsettled-dsh-'));
  const workspace = join(scratch, 'workspace');
  mkdirSync(workspace);
  const port = await freePort();
  const child: ChildProcess = spawn(node, [bin, 'web', '--no-open', '--port', String(port)], {
    cwd: workspace,
    env: {
      PATH: process.env.PATH,
      HOME: scratch,
      DSH_HOME: join(scratch, 'home'),
      DEEPSEEK_BASE_URL: provider.origin,
      DEEPSEEK_API_KEY: 'sk-scripted',
      DSH_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  });

  const open = new Set<Socket>();
  const through = createServer((near) => {
    const far = dial(port, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });

  const close = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => through.close(resolve));
    const exited = child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : null;
    child.kill();
    await exited;
    await provider.close();
    rmSync(scratch, { recursive: true, force: true });
  };

  try {
    await new Promise<void>((resolve) => through.listen(0, '127.0.0.1', resolve));
    // The page is served a little before its calls are.
    await until(
      'the host has our workspace',
      async () => {
        if (child.exitCode !== null) throw new Error(`the host ended with ${child.exitCode}`);
        const made = await fetch(`http://127.0.0.1:${port}/api/workspace.create`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ type: 'client-request', rpcId: '1', method: 'workspace.create', payload: { path: workspace } }),
        });
        const { result } = (await made.json()) as { result: { ok: boolean } };
        return result.ok;
      },
      60,
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    origin: `http://127.0.0.1:${portOf(through)}`,
    cut() {
      for (const socket of open) socket.resetAndDestroy();
    },
    close,
  };
};
