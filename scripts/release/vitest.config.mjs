import { defineConfig } from 'vitest/config';

/** The tests of a release built by `npm run release`; they take minutes and need Debian's dpkg and lintian. */
export default defineConfig({
  test: { include: ['test/release/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 600_000, maxWorkers: 1 },
});
