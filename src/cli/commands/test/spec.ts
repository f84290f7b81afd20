import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'test',
  place: 162,
  dryRun: 'shows',
  about: 'scenarios of a business, played on the sandbox over months of clock',
  description:
    'Play scenarios: files that say what is done, how much time passes and what must hold. Each runs on a copy of the ' +
    'sandbox of its own, and reaches no key, no network and no other folder.',
  arguments: [
    { name: '[paths...]', about: 'files, or folders with *.test.yaml (default: this folder)', values: 'file' },
  ],
  formats: ['tap'],
  options: [
    { flags: '--setup <folder>', about: 'play them on an empty service with this set-up applied' },
    { flags: '--init <folder>', about: 'lay down twelve scenarios to begin with' },
    { flags: '--list', about: 'name them, and run none' },
    { flags: '--grep <text>', about: 'those with this in their name' },
    { flags: '--tag <tag>', about: 'those with this tag; repeat for more', many: true },
    { flags: '--shard <i/n>', about: 'every n-th of them, beginning with the i-th' },
    {
      flags: '--jobs <n>',
      about: 'play them in so many processes at once (default: one for each core from 16 scenarios on)',
    },
    { flags: '--bail', about: 'end at the first that fails' },
    { flags: '--watch', about: 'play them again after each change of their files or of the set-up, until Ctrl-C' },
    { flags: '--seed <n>', about: 'of the data and of chance, in the place of their own' },
    { flags: '--coverage', about: 'name what of the set-up no scenario touched' },
    { flags: '--update', about: 'write what was found into the files where an expectation does not hold; never in CI' },
    { flags: '--record <item>', about: 'print a scenario that repeats what happened to this item, by id' },
    { flags: '--junit <file>', about: "write the results in JUnit's form too" },
    { flags: '--schema', about: 'print the JSON Schema of the files, for editors' },
  ],
  examples: ['test', 'test shop/ --setup shop', 'test --tag cards -o tap', 'test --record 3v3FPrHVCfqBCcM7Tjzs'],
  notes:
    'Exit: 0 all hold, 13 an expectation fails, 2 there is nothing to run or a file has a fault. After every step the ' +
    'books of the service must balance. The form of a scenario: docs/scenarios.md.',
};
