/** Builds the demo page into dist/demo, from where the demo's server serves it. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

const root = join(import.meta.dirname, 'page');

export default defineConfig({
  root,
  build: { outDir: join(import.meta.dirname, '../../dist/demo'), emptyOutDir: true, target: 'es2023', modulePreload: false },
});
