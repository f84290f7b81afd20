import {
  argumentRows,
  type CommandSpec,
  type OptionSpec,
  optionRows,
  REASON_OPTION,
  subcommandRows,
} from '../../../session/context/spec.js';
import { APPLY_OPTIONS, CONCURRENCY, SHARED } from '../../../setup/setup-options.js';

const folder = { name: '[folder]', about: 'the folder of the set-up (default: this one)', values: 'file' } as const;
const families = { name: '[families...]', values: 'family' } as const;
const firstDay: OptionSpec = {
  flags: '--first-day <when>',
  about: 'the first day of the account, remembered for this key',
};
const drift: OptionSpec = {
  flags: '--overwrite-drift',
  about: 'also overwrite changes made in the service since then',
};
const deleting: OptionSpec = {
  flags: '--allow-delete [families]',
  about: 'delete objects that this folder created and no longer holds; only in these families, comma-separated',
};
const markdown: OptionSpec = { flags: '--markdown', about: 'print a summary for a pull request comment' };
const environments = optionRows({
  '--from <profile:mode>': 'the environment to read',
  '--to <profile:mode>': 'the environment to compare with or write to',
  '--from-env <profile:mode>': { about: 'the same as --from', sameAs: '--from' },
  '--to-env <profile:mode>': { about: 'the same as --to', sameAs: '--to' },
});

export const spec: CommandSpec = {
  name: 'setup',
  noCurl:
    'it compares whole lists, and each answer decides which one it reads next; <family> list --curl shows those of one family',
  place: 85,
  about: 'the set-up of an account as files: pull, plan, apply, promote',
  description: 'The set-up of an account as files: from the service into a folder, and from there to any account.',
  commands: subcommandRows({
    init: { about: 'Create a folder with cops.setup.yaml and schemas for editors.', arguments: [folder] },
    pull: {
      about: 'Pull the set-up from the service into files; comments in them are kept.',
      arguments: [folder, families],
      options: [{ flags: '--prune', about: 'delete files whose object is gone' }, firstDay, CONCURRENCY],
    },
    plan: {
      dryRun: 'reads',
      about: 'Compare the files with the service and show the steps. Changes nothing.',
      arguments: [folder, families],
      options: [
        { flags: '--out <file>', about: 'save the plan as JSON' },
        { flags: '--strict', about: 'also exit with 13 if the service has objects that no file holds' },
        markdown,
        deleting,
        drift,
        SHARED,
        firstDay,
        CONCURRENCY,
      ],
    },
    apply: {
      dryRun: 'shows',
      about: 'Carry out the plan of a folder, or a saved plan.',
      arguments: [{ name: '[target]', about: 'a folder or plan.json', values: 'file' }, families],
      options: [deleting, drift, ...APPLY_OPTIONS, firstDay, CONCURRENCY],
    },
    resume: {
      dryRun: 'shows',
      about: 'Continue an apply after any stop.',
      arguments: [{ name: '<journal>', values: 'file' }],
      options: [REASON_OPTION, CONCURRENCY],
    },
    diff: {
      dryRun: 'reads',
      about: 'Compare two environments side by side, without files.',
      arguments: [families],
      options: [...environments, markdown, CONCURRENCY],
    },
    promote: {
      dryRun: 'shows',
      about: 'Promote one environment to another: pull, plan, show, ask, apply.',
      arguments: [families],
      options: [...environments, drift, ...APPLY_OPTIONS, CONCURRENCY],
    },
    check: {
      dryRun: 'reads',
      about: 'Check only the files: schemas, references, names; sends nothing.',
      arguments: [folder],
    },
    graph: {
      dryRun: 'reads',
      about: 'Show which objects refer to which, and which families cannot be kept as files.',
      arguments: [folder],
      options: [{ flags: '--dot', about: 'print it for Graphviz, the same as -o dot' }],
      formats: ['dot'],
    },
    rename: {
      dryRun: 'shows',
      about: 'Rename an object in the folder, and in every file that refers to it.',
      arguments: [
        { name: '<folder>', values: 'file' },
        { name: '<family>', values: 'family' },
        { name: '<old>', about: 'its name now' },
        { name: '<new>', about: 'the new name; the next apply renames it in the service' },
      ],
      examples: ['setup rename shop products "Coffee Club" "Tea Club"'],
    },
    import: {
      about: 'Add one object to the folder, with the objects it refers to.',
      arguments: argumentRows({ '<family>': { values: 'family' }, '<ids...>': 'ids of the family' }),
      options: [{ flags: '--folder <folder>', about: 'the folder of the set-up (default: this one)' }, CONCURRENCY],
    },
  }),
  examples: ['setup pull shop', 'setup plan shop', 'setup diff sandbox:test sandbox:live'],
};
