import type { OptionSpec } from '../../command/spec.js';

/** Options that say where keys are, for the commands that file them. */
export const KEY_OPTIONS: readonly OptionSpec[] = [
  { flags: '--test-key <ref>', about: 'where the test key is: env:NAME, @file, - (standard input), cmd:<command>' },
  { flags: '--live-key <ref>', about: 'where the live key is, in the same forms' },
  { flags: '--store <place>', about: 'file (default) or keychain: where keys that are given here are kept' },
];
