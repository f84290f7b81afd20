import { DEFAULTS } from '../../command/defaults.js';
import type { FamilyActionSpec } from '../../command/spec.js';

/** `cops products copy <id> --to acme:live`: a promotion of one object with what it refers to. */
export const spec: FamilyActionSpec = {
  name: 'copy',
  families: ['products'],
  about: 'Copy one product with what it refers to into another account or mode.',
  arguments: [{ name: '<ids...>', about: 'ids or names' }],
  options: [
    { flags: '--to <profile:mode>', about: 'the environment that it is copied into' },
    { flags: '--to-env <profile:mode>', about: 'the same as --to' },
    { flags: '--from <profile:mode>', about: 'where it is copied from (default: profile and mode of the line)' },
    { flags: '--from-env <profile:mode>', about: 'the same as --from' },
    { flags: '--overwrite-drift', about: 'also overwrite what differs there' },
    { flags: '--shared', about: 'also write objects that test and live both show' },
    { flags: '--expect-plan <id>', about: 'go ahead only if the plan is this one' },
    { flags: '--journal <file>', about: 'where the journal is kept' },
    { flags: '--reason <text>', about: 'why, kept in the history; a policy may want it' },
    { flags: '--concurrency <n>', about: `at most this many requests at once (default ${DEFAULTS.setupConcurrency})` },
  ],
  examples: [
    'products copy "Coffee Club" --to sandbox:live',
    'products copy "Coffee Club" "Ceramic Mug" --to sandbox:live --yes',
    'products copy 7oU63UlmFI5ibruvt8GA --from sandbox:test --to sandbox:live',
  ],
};
