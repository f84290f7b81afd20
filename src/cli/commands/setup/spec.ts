import { type CommandSpec, type OptionSpec, REASON_OPTION } from '../../../session/context/spec.js';
import { APPLY_OPTIONS, CONCURRENCY, SHARED } from '../../../setup/setup-options.js';

const folder = { name: '[folder]', about: 'the folder of the set-up (default: this one)', values: 'file' } as const;
const families = { name: '[families...]', values: 'family' } as const;
const firstDay: OptionSpec = {
  flags: '--first-day <when>',
  about: 'the first day of the account, remembered for this key',
};
const drift: OptionSpec = {
  flags: '--overwrite-drift',
  about: 'also overwrite what was changed in the service since',
};
const deleting: OptionSpec = {
  flags: '--allow-delete [families]',
  about: 'delete what this folder made and holds no more; only of these families, comma-separated',
};
const markdown: OptionSpec = { flags: '--markdown', about: 'a summary fit for a comment on a pull request' };
const environments: readonly OptionSpec[] = [
  { flags: '--from <profile:mode>', about: 'the environment that is read' },
  { flags: '--to <profile:mode>', about: 'the environment that is compared or written' },
  { flags: '--from-env <profile:mode>', about: 'the same as --from' },
  { flags: '--to-env <profile:mode>', about: 'the same as --to' },
];

export const spec: CommandSpec = {
  name: 'setup',
  noCurl:
    'it compares whole lists, and which it reads next depends on each answer; <family> list --curl shows those of one family',
  place: 85,
  about: 'the set-up of an account as files: pull, plan, apply, promote',
  description: 'The set-up of an account as files: from the service into a folder, and from there to any account.',
  commands: [
    { name: 'init', about: 'Make a folder with cops.setup.yaml and schemas for editors.', arguments: [folder] },
    {
      name: 'pull',
      about: 'The service into files; comments in them stay.',
      arguments: [folder, families],
      options: [{ flags: '--prune', about: 'delete files whose object is gone' }, firstDay, CONCURRENCY],
    },
    {
      name: 'plan',
      dryRun: 'reads',
      about: 'Files against the service: what would be done. Sends nothing.',
      arguments: [folder, families],
      options: [
        { flags: '--out <file>', about: 'keep the plan as JSON' },
        markdown,
        deleting,
        drift,
        SHARED,
        firstDay,
        CONCURRENCY,
      ],
    },
    {
      name: 'apply',
      dryRun: 'shows',
      about: 'Do what a plan says: of a folder, or of a kept plan.',
      arguments: [{ name: '[target]', about: 'a folder or plan.json', values: 'file' }, families],
      options: [deleting, drift, ...APPLY_OPTIONS, firstDay, CONCURRENCY],
    },
    {
      name: 'resume',
      dryRun: 'shows',
      about: 'Go on with an apply after any stop.',
      arguments: [{ name: '<journal>', values: 'file' }],
      options: [REASON_OPTION, CONCURRENCY],
    },
    {
      name: 'diff',
      dryRun: 'reads',
      about: 'Two environments side by side, without files.',
      arguments: [families],
      options: [...environments, markdown, CONCURRENCY],
    },
    {
      name: 'promote',
      dryRun: 'shows',
      about: 'One environment to another: pull, plan, show, ask, apply.',
      arguments: [families],
      options: [...environments, drift, ...APPLY_OPTIONS, CONCURRENCY],
    },
    {
      name: 'check',
      dryRun: 'reads',
      about: 'The files alone: schemas, references, names; sends nothing.',
      arguments: [folder],
    },
    {
      name: 'graph',
      dryRun: 'reads',
      about: 'What refers to what, and which families no file can hold.',
      arguments: [folder],
      options: [{ flags: '--dot', about: 'as Graphviz reads it, the same as -o dot' }],
      formats: ['dot'],
    },
    {
      name: 'rename',
      dryRun: 'shows',
      about: 'Give an object of the folder another name, there and in all that refers to it.',
      arguments: [
        { name: '<folder>', values: 'file' },
        { name: '<family>', values: 'family' },
        { name: '<old>', about: 'its name now' },
        { name: '<new>', about: 'its name from now on; the next apply renames it in the service' },
      ],
      examples: ['setup rename shop products "Coffee Club" "Tea Club"'],
    },
    {
      name: 'import',
      about: 'Add one object to the folder, with what it refers to.',
      arguments: [
        { name: '<family>', values: 'family' },
        { name: '<ids...>', about: 'ids of the family' },
      ],
      options: [{ flags: '--folder <folder>', about: 'the folder of the set-up (default: this one)' }, CONCURRENCY],
    },
  ],
  examples: ['setup pull shop', 'setup plan shop', 'setup diff sandbox:test sandbox:live'],
};
