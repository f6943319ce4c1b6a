/** Builds the runner's page into dist/pages/kestrel. */
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [svelte()],
  build: { outDir: join(import.meta.dirname, '../../../dist/pages/kestrel'), emptyOutDir: true, target: 'es2022' },
});
