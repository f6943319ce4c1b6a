/** Builds the A2A page into dist/pages/a2a. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  build: { outDir: join(import.meta.dirname, '../../../dist/pages/a2a'), emptyOutDir: true, target: 'es2022' },
});
