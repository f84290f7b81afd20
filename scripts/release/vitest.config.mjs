import { defineConfig } from 'vitest/config';

/** The tests of what `npm run release` made; they take minutes and need Debian's dpkg and lintian. */
export default defineConfig({
  test: { include: ['test/release/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 600_000, maxWorkers: 1 },
});
