import type { OptionSpec } from './spec.js';

export const REASON_OPTION: OptionSpec = {
  flags: '--reason <text>',
  about: 'why, kept in the history; a policy may want it',
};

export const STRICT_IDS_OPTION: OptionSpec = {
  flags: '--no-strict-ids',
  about: 'with --yes: a name confirms a live write as an id does',
};

/** How a write is told from its repetition. */
export const REPEAT_OPTIONS: readonly OptionSpec[] = [
  { flags: '--idempotency-key <key>', about: 'use this key instead of a new one' },
  { flags: '--no-idempotency-key', about: 'send without a key: nothing is sent twice then' },
  { flags: '--again', about: 'repeat a write whose outcome is unknown' },
];

/** Options that say where keys are, for the commands that file them. */
export const KEY_OPTIONS: readonly OptionSpec[] = [
  { flags: '--test-key <ref>', about: 'where the test key is: env:NAME, @file, - (standard input), cmd:<command>' },
  { flags: '--live-key <ref>', about: 'where the live key is, in the same forms' },
  { flags: '--store <place>', about: 'file (default) or keychain: where keys that are given here are kept' },
];
