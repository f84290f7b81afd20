import { argumentRows, type CommandSpec, subcommandRows } from '../../../session/context/spec.js';
import { APPLY_OPTIONS, SETUP_OPTIONS } from '../../../setup/setup-options.js';

const folder = { name: '[folder]', about: 'the folder of the set-up (default: this one)', values: 'file' } as const;
const families = { name: '[families...]', values: 'family' } as const;
const { from, to, prune, out, strict, markdown, allowDelete, overwriteDrift, shared } = SETUP_OPTIONS;
const { reason, concurrency, firstDay, dot, folder: inFolder } = SETUP_OPTIONS;
const environments = [
  from,
  to,
  { flags: '--from-env <profile:mode>', about: 'the same as --from', sameAs: '--from' },
  { flags: '--to-env <profile:mode>', about: 'the same as --to', sameAs: '--to' },
];

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
      options: [prune, firstDay, concurrency],
    },
    plan: {
      dryRun: 'reads',
      about: 'Compare the files with the service and show the steps. Changes nothing.',
      arguments: [folder, families],
      options: [out, strict, markdown, allowDelete, overwriteDrift, shared, firstDay, concurrency],
    },
    apply: {
      dryRun: 'shows',
      about: 'Carry out the plan of a folder, or a saved plan.',
      arguments: [{ name: '[target]', about: 'a folder or plan.json', values: 'file' }, families],
      options: [allowDelete, overwriteDrift, ...APPLY_OPTIONS, firstDay, concurrency],
    },
    resume: {
      dryRun: 'shows',
      about: 'Continue an apply after any stop.',
      arguments: [{ name: '<journal>', values: 'file' }],
      options: [reason, concurrency],
    },
    diff: {
      dryRun: 'reads',
      about: 'Compare two environments side by side, without files.',
      arguments: [families],
      options: [...environments, markdown, concurrency],
    },
    promote: {
      dryRun: 'shows',
      about: 'Promote one environment to another: pull, plan, show, ask, apply.',
      arguments: [families],
      options: [...environments, overwriteDrift, ...APPLY_OPTIONS, concurrency],
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
      options: [dot],
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
      options: [inFolder, concurrency],
    },
  }),
  examples: ['setup pull shop', 'setup plan shop', 'setup diff sandbox:test sandbox:live'],
};
