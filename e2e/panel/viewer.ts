/**
 * The panel as an ordinary page: built once into dist/viewer and served from there. The same code as in the developer
 * tools but for the shell, which finds no extension around it.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import preact from '@preact/preset-vite';
import { build, preview } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Viewer {
  /** The panel's address, to which a query may be added. */
  readonly url: string;
  close(): Promise<void>;
}

/** Builds the viewer. `fresh` false: only if it was never built. */
export const buildViewer = async (fresh = true): Promise<void> => {
  if (!fresh && existsSync(`${ROOT}dist/viewer/src/panel/panel.html`)) return;
  await build({
    configFile: false,
    root: ROOT,
    base: './',
    publicDir: false,
    logLevel: 'warn',
    plugins: [preact()],
    define: { __VERSION__: JSON.stringify('0') },
    build: {
      outDir: 'dist/viewer',
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: 2_000,

      rollupOptions: { input: `${ROOT}src/panel/panel.html` },
    },
  });
};

export const startViewer = async (): Promise<Viewer> => {
  const server = await preview({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    build: { outDir: 'dist/viewer' },
    preview: { port: 0, host: '127.0.0.1' },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the viewer has no port');
  return {
    url: `http://127.0.0.1:${address.port}/src/panel/panel.html`,
    close: () => new Promise((resolve) => server.httpServer.close(() => resolve())),
  };
};
