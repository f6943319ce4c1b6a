/** Builds the useStream page into dist/pages/langgraph. React's own JSX, not the panel's. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    outDir: join(import.meta.dirname, '../../../dist/pages/langgraph'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 20_000,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});
