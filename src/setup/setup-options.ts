import { DEFAULTS, type OptionSpec, REASON_OPTION } from '../session/context/spec.js';

/** Options of all `cops setup` commands, as they were typed. */
export interface SetupOptions {
  readonly from?: string;
  readonly to?: string;
  readonly prune?: boolean;
  readonly strict?: boolean;
  readonly out?: string;
  readonly markdown?: boolean;
  readonly allowDelete?: string | boolean;
  readonly overwriteDrift?: boolean;
  readonly shared?: boolean;
  readonly expectPlan?: string;
  readonly journal?: string;
  readonly reason?: string;
  readonly again?: boolean;
  readonly concurrency?: string;
  readonly firstDay?: string;
  readonly dot?: boolean;
  readonly folder?: string;
}

export const CONCURRENCY: OptionSpec = {
  flags: '--concurrency <n>',
  about: `at most this many requests at once (default ${DEFAULTS.setupConcurrency})`,
};

export const SHARED: OptionSpec = { flags: '--shared', about: 'also write objects that test and live both show' };
/** Options of the commands that apply a plan, from files or from another environment. */
export const APPLY_OPTIONS: readonly OptionSpec[] = [
  SHARED,
  { flags: '--expect-plan <id>', about: 'only go ahead if this is the plan' },
  { flags: '--journal <file>', about: 'where to store the journal' },
  REASON_OPTION,
];
