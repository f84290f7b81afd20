import { EVENTS } from '../../../catalogue/event-types.js';
import type { FamilyActionSpec } from '../../../session/context/spec.js';

export const spec: FamilyActionSpec = {
  name: 'run',
  dryRun: 'reads',
  families: ['functions'],
  about: "Run a function's code here, as the sandbox would; nothing is sent",
  arguments: [{ name: '<file>', about: 'JavaScript; - for standard input', values: 'file or input' }],
  options: [
    { flags: '--event <notation>', about: 'the account event passed to it', required: true, values: EVENTS },
    { flags: '--item <id>', about: "the sandbox's item that the event is about (default: the newest)" },
    { flags: '--var <name=value>', about: 'an environment variable of the function; repeat for more', many: true },
    { flags: '--arg <name=value>', about: 'a custom argument; repeat for more', many: true },
  ],
  examples: [
    'functions run check.js --event sale.created',
    'functions run check.js --event trial.updated.expired --var LEVEL=3 -o json',
    'functions run check.js --event customer.created --item tmjx22EQ9S8ZOpJ4tGCQ',
  ],
};
