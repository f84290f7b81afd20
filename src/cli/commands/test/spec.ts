import type { CommandSpec } from '../../../session/context/spec.js';

export const spec = {
  name: 'test',
  place: 162,
  dryRun: 'shows',
  about: 'scenarios of a business, run on the sandbox over months of clock time',
  description:
    'Run scenarios: files that say which steps to take, how much time passes and what must hold. Each runs on its own copy of ' +
    'the sandbox, without access to keys, the network or other folders.',
  arguments: [
    { name: '[paths...]', about: 'files, or folders with *.test.yaml (default: this folder)', values: 'file' },
  ],
  formats: ['tap'],
  options: [
    { flags: '--setup <folder>', about: 'run them on an empty service with this set-up applied' },
    { flags: '--init <folder>', about: 'write twelve example scenarios' },
    { flags: '--list', about: 'list the scenarios without running them' },
    { flags: '--grep <text>', about: 'only scenarios with this text in their name' },
    { flags: '--tag <tag>', about: 'only scenarios with this tag; repeat for more', many: true },
    { flags: '--shard <i/n>', about: 'only every n-th scenario, starting with the i-th' },
    {
      flags: '--jobs <n>',
      about: 'run them in this many processes at once (default: one per core from 16 scenarios on)',
    },
    { flags: '--bail', about: 'stop at the first failure' },
    { flags: '--watch', about: 'run them again after each change to their files or the set-up, until Ctrl-C' },
    { flags: '--seed <n>', about: 'use this seed for data and randomness instead of their own' },
    { flags: '--coverage', about: 'list the parts of the set-up that no scenario touched' },
    { flags: '--update', about: 'write the actual values into the files where an expectation fails; never in CI' },
    { flags: '--record <item>', about: 'print a scenario that repeats what happened to this item, by id' },
    { flags: '--junit <file>', about: 'also write the results in JUnit format' },
    { flags: '--schema', about: 'print the JSON Schema of the files, for editors' },
  ],
  examples: ['test', 'test shop/ --setup shop', 'test --tag cards -o tap', 'test --record 3v3FPrHVCfqBCcM7Tjzs'],
  notes:
    'Exit codes: 0 all pass, 13 an expectation fails, 2 nothing to run or an invalid file. After every step the ' +
    "service's books must balance. The format of a scenario: docs/scenarios.md.",
} as const satisfies CommandSpec;
