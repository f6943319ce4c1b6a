/** Builds the command line tool: one file for Node, no run-time dependencies. The version comes from package.json. */
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    outDir: 'dist/cli',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    sourcemap: false,
    rollupOptions: {
      input: { unsettled: 'src/cli/unsettled.ts' },
      output: { format: 'es', entryFileNames: '[name].js', codeSplitting: false },
    },
  },
});
