import { defineConfig } from 'vitest/config';

const common = { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2, env: { TZ: 'UTC' } };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'parts', include: ['test/{unit,property}/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'program',
          include: ['test/{cli,golden,shells,sandbox,docs}/**/*.test.ts'],
          globalSetup: ['test/global-setup.ts'],
        },
      },
    ],
  },
});
