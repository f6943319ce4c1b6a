/**
 * Builds what `import … from 'unsettled'` and `'unsettled/playwright'` load: one module for each source file, so that bundlers
 * leave out what is not used. The few packages the core uses come along (vendor/); nothing has to be installed beside it but,
 * for the fixture, Playwright. Types and the fixture's page script are built by scripts/build-library.ts.
 */
import { defineConfig } from 'vite';
import { version } from './package.json' with { type: 'json' };

export default defineConfig({
  publicDir: false,
  define: { __VERSION__: JSON.stringify(version) },
  ssr: { noExternal: true, external: ['@playwright/test'], target: 'node' },
  build: {
    ssr: true,
    outDir: 'dist/lib',
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    sourcemap: false,
    rollupOptions: {
      external: [/^node:/, '@playwright/test'],
      input: { 'library/index': 'src/library/index.ts', 'fixture/playwright': 'src/fixture/playwright.ts' },
      output: {
        format: 'es',
        preserveModules: true,
        preserveModulesRoot: 'src',
        // A folder called node_modules would not be packed.
        entryFileNames: (chunk) => `${chunk.name.replace(/^(?:.*\/)?node_modules\//u, 'vendor/')}.js`,
      },
    },
  },
});
