import { COPIED_FAMILIES } from '../../../catalogue/index.js';
import { type FamilyActionSpec, optionRows } from '../../../session/context/spec.js';
import { APPLY_OPTIONS, SETUP_OPTIONS } from '../../../setup/setup-options.js';

/** `cops products copy <id> --to acme:live`: promotes one object together with everything it refers to. */
export const spec: FamilyActionSpec = {
  name: 'copy',
  dryRun: 'shows',
  families: COPIED_FAMILIES,
  writes: ['create', 'edit'],
  about: 'Copy an object and everything it refers to into another account or mode',
  arguments: [{ name: '<ids...>', about: 'ids or names' }],
  options: [
    ...optionRows({
      '--to <profile:mode>': 'the environment to copy into',
      '--to-env <profile:mode>': { about: 'the same as --to', sameAs: '--to' },
      '--from <profile:mode>': 'the environment to copy from (default: profile and mode of the command)',
      '--from-env <profile:mode>': { about: 'the same as --from', sameAs: '--from' },
      '--overwrite-drift': 'also overwrite objects that differ there',
    }),
    ...APPLY_OPTIONS,
    SETUP_OPTIONS.concurrency,
  ],
  examples: [
    'products copy "Coffee Club" --to sandbox:live',
    'products copy "Coffee Club" "Ceramic Mug" --to sandbox:live --yes',
    'products copy 7oU63UlmFI5ibruvt8GA --from sandbox:test --to sandbox:live',
  ],
};
