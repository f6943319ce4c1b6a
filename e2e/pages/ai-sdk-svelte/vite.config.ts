/** Builds this page as its packages ask for it. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [svelte()],
  build: { target: 'es2022', chunkSizeWarningLimit: 4_000 },
});
