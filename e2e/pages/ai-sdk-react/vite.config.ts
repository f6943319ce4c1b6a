/** Builds the `useChat` page into dist/pages/ai-sdk-react. React's own JSX, not the panel's. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  define: { 'process.env.NODE_ENV': '"production"' },
  build: { outDir: join(import.meta.dirname, '../../../dist/pages/ai-sdk-react'), emptyOutDir: true, target: 'es2022' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});
