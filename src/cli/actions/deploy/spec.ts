import { EVENTS } from '../../../catalogue/event-types.js';
import { type FamilyActionSpec, REASON_OPTION } from '../../../session/context/spec.js';

export const spec = {
  name: 'deploy',
  dryRun: 'shows',
  families: ['functions'],
  writes: ['create', 'edit'],
  about: 'Create a function with this name, or update its code, after a run here',
  arguments: [{ name: '<file>', about: 'JavaScript', values: 'file' }],
  options: [
    { flags: '--name <name>', about: 'the function; created if there is none', required: true },
    { flags: '--event <notation>', about: 'run the code here with this event first', values: EVENTS },
    { flags: '--scenario <file>', about: 'run this scenario first; repeat for more', many: true },
    { flags: '--dependency <name@version>', about: 'replaces its dependencies; repeat for more', many: true },
    { flags: '--item <id>', about: "with --event: the sandbox's item (default: the newest)" },
    { flags: '--var <name=value>', about: 'with --event: an environment variable; repeat for more', many: true },
    REASON_OPTION,
  ],
  examples: [
    'functions deploy check.js --name "Check sale" --event sale.created',
    'functions deploy check.js --name "Check sale" --scenario check.test.yaml',
    'functions deploy check.js --name "Check sale" --dependency lodash@4.17.21 --dry-run',
  ],
} as const satisfies FamilyActionSpec;
