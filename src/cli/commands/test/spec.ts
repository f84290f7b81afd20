import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'test',
  place: 162,
  dryRun: 'shows',
  about: 'scenarios of a business, played on the sandbox over months of clock',
  description:
    'Play scenarios: files that say which steps to take, how much time passes and what must hold. Each runs on a copy of the ' +
    'sandbox of its own, and reaches no key, no network and no other folder.',
  arguments: [
    { name: '[paths...]', about: 'files, or folders with *.test.yaml (default: this folder)', values: 'file' },
  ],
  formats: ['tap'],
  options: [
    { flags: '--setup <folder>', about: 'play them on an empty service with this set-up applied' },
    { flags: '--init <folder>', about: 'write twelve scenarios to start from' },
    { flags: '--list', about: 'list the scenarios and run none' },
    { flags: '--grep <text>', about: 'scenarios with this text in their name' },
    { flags: '--tag <tag>', about: 'scenarios with this tag; repeat for more', many: true },
    { flags: '--shard <i/n>', about: 'every n-th scenario, starting with the i-th' },
    {
      flags: '--jobs <n>',
      about: 'play them in this many processes at once (default: one per core from 16 scenarios)',
    },
    { flags: '--bail', about: 'stop at the first failure' },
    { flags: '--watch', about: 'play them again after each change of their files or of the set-up, until Ctrl-C' },
    { flags: '--seed <n>', about: 'use this seed for data and chance instead of their own' },
    { flags: '--coverage', about: 'list the parts of the set-up that no scenario touched' },
    { flags: '--update', about: 'write the actual values into the files if an expectation fails; never in CI' },
    { flags: '--record <item>', about: 'print a scenario that repeats what happened to this item, by id' },
    { flags: '--junit <file>', about: 'also write the results in JUnit format' },
    { flags: '--schema', about: 'print the JSON Schema of the files, for editors' },
  ],
  examples: ['test', 'test shop/ --setup shop', 'test --tag cards -o tap', 'test --record 3v3FPrHVCfqBCcM7Tjzs'],
  notes:
    'Exit: 0 all hold, 13 an expectation fails, 2 there is nothing to run or a file is invalid. After every step the ' +
    'books of the service must balance. The form of a scenario: docs/scenarios.md.',
};
