import { defineConfig } from 'vitest/config';

// Every processor: of two, Vitest would leave one to itself.
export default defineConfig({
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'scripts/**/*.test.ts'], maxWorkers: '100%', testTimeout: 30_000 },
});
