import { DEFAULTS, type OptionSpec, type OptionsOf, REASON_OPTION } from '../session/context/spec.js';

/** The options of all `cops setup` commands, by the parser's names. */
export const SETUP_OPTIONS = {
  from: { flags: '--from <profile:mode>', about: 'the environment to read' },
  to: { flags: '--to <profile:mode>', about: 'the environment to compare with or write to' },
  prune: { flags: '--prune', about: 'delete files whose object is gone' },
  out: { flags: '--out <file>', about: 'save the plan as JSON' },
  strict: { flags: '--strict', about: 'also exit with 13 if the service has objects that no file holds' },
  markdown: { flags: '--markdown', about: 'print a summary for a pull request comment' },
  allowDelete: {
    flags: '--allow-delete [families]',
    about: 'delete objects that this folder created and no longer holds; only in these families, comma-separated',
  },
  overwriteDrift: { flags: '--overwrite-drift', about: 'also overwrite changes made in the service since then' },
  shared: { flags: '--shared', about: 'also write objects that test and live both show' },
  expectPlan: { flags: '--expect-plan <id>', about: 'only go ahead if this is the plan' },
  journal: { flags: '--journal <file>', about: 'where to store the journal' },
  reason: REASON_OPTION,
  concurrency: {
    flags: '--concurrency <n>',
    about: `at most this many requests at once (default ${DEFAULTS.setupConcurrency})`,
  },
  firstDay: { flags: '--first-day <when>', about: 'the first day of the account, remembered for this key' },
  dot: { flags: '--dot', about: 'print it for Graphviz, the same as -o dot' },
  folder: { flags: '--folder <folder>', about: 'the folder of the set-up (default: this one)' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** The same as they were typed. */
export type SetupOptions = OptionsOf<{ options: (typeof SETUP_OPTIONS)[keyof typeof SETUP_OPTIONS][] }>;

const { shared, expectPlan, journal, reason } = SETUP_OPTIONS;
/** Options of the commands that apply a plan, from files or from another environment. */
export const APPLY_OPTIONS: readonly OptionSpec[] = [shared, expectPlan, journal, reason];
