/** Builds this page; its templates are compiled in the browser, as with Vue from a script tag. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  define: { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
  build: { target: 'es2022', chunkSizeWarningLimit: 4_000 },
  resolve: { alias: { vue: 'vue/dist/vue.esm-bundler.js' } },
});
