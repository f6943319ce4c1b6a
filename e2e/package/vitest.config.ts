/** The tests of the packed package: apart from the unit tests, because they need the build. */
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['e2e/package/*.test.ts'], testTimeout: 30_000, fileParallelism: false } });
