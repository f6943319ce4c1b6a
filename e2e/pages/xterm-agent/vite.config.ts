/** Builds this page as its packages ask for it. */
import { defineConfig } from 'vite';

export default defineConfig({ root: import.meta.dirname, build: { target: 'es2022', chunkSizeWarningLimit: 4_000 } });
