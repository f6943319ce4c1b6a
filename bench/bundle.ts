/**
 * Bundles a bench for Node as the extension is bundled. Run as it is by tsx, the code would be slower than what is shipped: tsx
 * has every inner function named at run time, each time it is made.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'vite';

/** The path of the bundle, and how to get rid of it. */
export const bundle = async (entry: string): Promise<{ readonly path: string; readonly directory: string; remove(): void }> => {
  const directory = mkdtempSync(join(tmpdir(), 'unsettled-bench-'));
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir: directory,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rollupOptions: {
        input: join(import.meta.dirname, entry),
        output: { format: 'es', entryFileNames: '[name].mjs', codeSplitting: false },
      },
    },
  });
  return {
    path: join(directory, basename(entry).replace(/\.ts$/u, '.mjs')),
    directory,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
