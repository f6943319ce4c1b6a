/** Builds this page as its packages ask for it. */
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss()],
  build: { target: 'es2022', chunkSizeWarningLimit: 4_000 },
});
