/** Builds this page. React’s own JSX, not the panel’s. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  define: { 'process.env.NODE_ENV': '"production"' },
  build: { target: 'es2022', chunkSizeWarningLimit: 4_000 },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});
