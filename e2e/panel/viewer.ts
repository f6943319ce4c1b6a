/**
 * The panel as an ordinary page: built into a directory of its own, so that nothing else that is built meanwhile is in
 * its way, and served from there. The same code as in the developer tools but for the shell, which finds no extension
 * around it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import preact from '@preact/preset-vite';
import { build, preview } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Viewer {
  /** The panel's address, to which a query may be added. */
  readonly url: string;
  close(): Promise<void>;
}

/** Builds the viewer and serves it until closed. `minify` false: names of functions stay, for profiles. */
export const startViewer = async (minify = true): Promise<Viewer> => {
  const outDir = mkdtempSync(join(tmpdir(), 'unsettled-viewer-'));
  await build({
    configFile: false,
    root: ROOT,
    base: './',
    publicDir: false,
    logLevel: 'warn',
    plugins: [preact()],
    define: { __VERSION__: JSON.stringify('0') },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify,
      chunkSizeWarningLimit: 2_000,
      rollupOptions: { input: `${ROOT}src/panel/panel.html` },
    },
  });
  const server = await preview({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the viewer has no port');
  return {
    url: `http://127.0.0.1:${address.port}/src/panel/panel.html`,
    close: () =>
      new Promise((resolve) =>
        server.httpServer.close(() => {
          rmSync(outDir, { recursive: true, force: true });
          resolve();
        }),
      ),
  };
};
