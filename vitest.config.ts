import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/*
 * The ladder of tests (CONTRIBUTING.md). A test is tagged by what it needs beyond this process:
 *   process  starts the built program, which is built first where it is older than its sources: `npm run test:processes`
 *   inside   works in this process alone, not with the built program in its place (COPS_TEST_PROGRAM)
 *   tool     needs a program or package of the outside: `npm run test:tools`
 *   thorough takes a second of a processor or more
 *   sweep    tries everything of its kind, or plays a long time: `npm run test:sweeps`
 * `--mode fast` (`npm run test:fast`) leaves out all of these but `inside`, and the properties, and gives tests no program
 * to start; `--mode usual` (`npm test`) leaves out processes, sweeps and what needs a tool, each of which `--mode
 * processes`, `--mode sweeps` and `--mode tools` runs alone; without a mode everything runs.
 */
const TAGS = [
  { name: 'process', description: 'Starts the built program as a process.' },
  { name: 'inside', description: 'Only in this process: what a process cannot be given, or a clock that both share.' },
  { name: 'tool', description: 'Needs a program of the outside (a shell, a browser, npm), which must be there.' },
  { name: 'thorough', description: 'Takes a second of a processor or more: not before each commit.' },
  { name: 'sweep', description: 'Tries everything of its kind, or plays a long time: before a change is handed in.' },
];

/** Modes that run only one kind of test; files without such tests are not loaded. */
const ONLY: Readonly<Record<string, { readonly tag: string; readonly filter: string }>> = {
  processes: { tag: 'process', filter: 'process && !tool && !sweep' },
  sweeps: { tag: 'sweep', filter: 'sweep && !tool' },
  tools: { tag: 'tool', filter: 'tool' },
};

/** Tags that a mode leaves out; a file that is tagged so as a whole is not even loaded. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  fast: ['process', 'tool', 'thorough', 'sweep'],
  usual: ['process', 'tool', 'sweep'],
};

function filesWith(wanted: RegExp): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => path.join('test', file))
    .filter((file) => file.endsWith('.test.ts') && wanted.test(readFileSync(file, 'utf8')));
}

/**
 * Files that start processes or take long come first: one of them that begins last keeps the whole run waiting. How long
 * each took is not known in a new checkout, nor after a run that left most of its tests out.
 */
class DearFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isDear = ({ moduleId }: TestSpecification) => /@module-tag/.test(readFileSync(moduleId, 'utf8'));
    return [...sorted.filter(isDear), ...sorted.filter((file) => !isDear(file))];
  }
}

// Files share their worker: a program without module state needs no fresh one, and loading it takes longest.
const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes sooner or later; how soon depends on the machine.
  expect: { poll: { timeout: 30_000 } },
  isolate: false,
  // Runs leave much garbage: with room for it, an eighth of the processor time is saved.
  execArgv: ['--max-semi-space-size=64'],
  setupFiles: ['test/harness/setup.ts'],
};

export default defineConfig(({ mode }) => {
  const fast = mode === 'fast';
  const without = WITHOUT[mode];
  const only = ONLY[mode];
  const tagsFilter = only ? [only.filter] : without && [without.map((tag) => `!${tag}`).join(' && ')];
  const common = { ...shared, tagsFilter, env: { TZ: 'UTC', ...(fast ? { COPS_NO_PROCESS: '1' } : {}) }, tags: TAGS };
  const project = (name: string, include: string[], more: object) => ({
    test: { ...common, name, include, ...more },
  });
  const folders = ['unit', 'cli', 'golden', 'shells', 'sandbox', 'docs', 'tools', ...(fast ? [] : ['property'])];
  const alone = [
    'test/unit/files/other-systems.test.ts',
    'test/unit/profiles/full-disk.test.ts',
    ...['keychain', 'optional-parts', 'unchecked-folder'].map((name) => `test/cli/profiles/${name}.test.ts`),
  ];
  return {
    test: {
      // Each worker loads the program anew; one more than processors fills the waits for processes.
      maxWorkers: availableParallelism() + (fast ? 0 : 1),
      sequence: { sequencer: DearFirst },
      globalSetup: ['test/temporary.ts'],
      tags: TAGS,
      // What was made of a file is kept by its content: a second run begins at once.
      experimental: { fsModuleCache: true },
      projects: [
        project(
          'all',
          only
            ? filesWith(new RegExp(`@module-tag .*\\b${only.tag}\\b|'${only.tag}'`))
            : [`test/{${folders.join(',')}}/**/*.test.ts`],
          {
            exclude: [...alone, ...(without ? filesWith(new RegExp(`@module-tag (${without.join('|')})\\b`)) : [])],
            globalSetup: fast ? [] : ['test/global-setup.ts'],
          },
        ),
        // They put modules in the place of libraries, which no other file is to meet.
        project('alone', alone, { isolate: true }),
      ],
    },
  };
});
