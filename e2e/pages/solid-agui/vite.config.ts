/** Builds this page as its packages ask for it. */
import { defineConfig } from 'vite';
import solid from 'vite-plugin-solid';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [solid()],
  build: { target: 'es2022', chunkSizeWarningLimit: 4_000 },
});
