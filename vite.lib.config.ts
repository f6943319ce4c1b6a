/**
 * Builds what `import … from 'unsettled'` loads: one module for each source file, so that bundlers leave out what is not used; and, with
 * `--mode fixture`, what `import … from 'unsettled/playwright'` loads: one file, since nobody bundles a test, and every worker of
 * Playwright loads it (200 modules are 150 ms of processor time, the same in one file 35). The few packages the core uses
 * come along (vendor/); nothing has to be installed beside it but, for the fixture, Playwright. Types and the fixture's page
 * script are built by scripts/build-library.ts.
 */
import { defineConfig } from 'vite';
import { version } from './package.json' with { type: 'json' };

export default defineConfig(({ mode }) => {
  const fixture = mode === 'fixture';
  return {
    publicDir: false,
    define: { __VERSION__: JSON.stringify(version) },
    ssr: { noExternal: true, external: ['@playwright/test'], target: 'node' },
    build: {
      ssr: true,
      outDir: 'dist/lib',
      emptyOutDir: !fixture,
      target: 'es2022',
      minify: false,
      sourcemap: false,
      rollupOptions: {
        external: [/^node:/, '@playwright/test'],
        input: fixture ? { 'fixture/playwright': 'src/fixture/playwright.ts' } : { 'library/index': 'src/library/index.ts' },
        output: fixture
          ? { format: 'es', entryFileNames: '[name].js', codeSplitting: false }
          : {
              format: 'es',
              preserveModules: true,
              preserveModulesRoot: 'src',
              // A folder called node_modules would not be packed.
              entryFileNames: (chunk) => `${chunk.name.replace(/^(?:.*\/)?node_modules\//u, 'vendor/')}.js`,
            },
      },
    },
  };
});
