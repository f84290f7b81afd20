import { EVENTS } from '../../../catalogue/event-types.js';
import type { FamilyActionSpec } from '../../../session/context/spec.js';

export const spec: FamilyActionSpec = {
  name: 'dev',
  dryRun: 'reads',
  families: ['functions'],
  aliases: ['run'],
  about: "Run a function's code here, as the sandbox would; nothing is sent",
  arguments: [{ name: '<file>', about: 'JavaScript; - for standard input', values: 'file or input' }],
  options: [
    { flags: '--event <notation>', about: 'the account event passed to it', required: true, values: EVENTS },
    { flags: '--watch', about: 'run it again at each save, until Ctrl-C' },
    { flags: '--item <id>', about: "the sandbox's item that the event is about (default: the newest)" },
    { flags: '--var <name=value>', about: 'an environment variable of the function; repeat for more', many: true },
    { flags: '--arg <name=value>', about: 'a custom argument; repeat for more', many: true },
  ],
  examples: [
    'functions dev check.js --event sale.created --watch',
    'functions dev check.js --event trial.updated.expired --var LEVEL=3 --watch',
    'functions run check.js --event customer.created --item tmjx22EQ9S8ZOpJ4tGCQ -o json',
  ],
};
