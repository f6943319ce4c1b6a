/** Builds the CopilotKit page into dist/pages/copilotkit. React's own JSX, not the panel's. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    outDir: join(import.meta.dirname, '../../../dist/pages/copilotkit'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 20_000,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});
