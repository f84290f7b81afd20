import { type CommandSpec, optionRows } from '../../../session/context/spec.js';

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
  options: optionRows({
    '--setup <folder>': 'run them on an empty service with this set-up applied',
    '--init <folder>': 'write twelve example scenarios',
    '--list': 'list the scenarios without running them',
    '--grep <text>': 'only scenarios with this text in their name',
    '--tag <tag>': { about: 'only scenarios with this tag; repeat for more', many: true },
    '--shard <i/n>': 'only every n-th scenario, starting with the i-th',
    '--jobs <n>': 'run them in this many processes at once (default: one per core from 16 scenarios on)',
    '--bail': 'stop at the first failure',
    '--watch': 'run them again after each change to their files or the set-up, until Ctrl-C',
    '--seed <n>': 'use this seed for data and randomness instead of their own',
    '--coverage': 'list the parts of the set-up that no scenario touched',
    '--update': 'write the actual values into the files where an expectation fails; never in CI',
    '--record <item>': 'print a scenario that repeats what happened to this item, by id',
    '--junit <file>': 'also write the results in JUnit format',
    '--schema': 'print the JSON Schema of the files, for editors',
  }),
  examples: ['test', 'test shop/ --setup shop', 'test --tag cards -o tap', 'test --record 3v3FPrHVCfqBCcM7Tjzs'],
  notes:
    'Exit codes: 0 all pass, 13 an expectation fails, 2 nothing to run or an invalid file. After every step the ' +
    "service's books must balance. The format of a scenario: docs/scenarios.md.",
} as const satisfies CommandSpec;
