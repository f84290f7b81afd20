import { argumentRows, type CommandSpec, subcommandRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'config',
  place: 60,
  about: 'read and set configuration values',
  description:
    'Settings of the profile in use, and aliases: read them, set them, move them to another machine, see where they are kept.',
  commands: subcommandRows({
    path: { dryRun: 'reads', about: 'Show where the configuration file is.' },
    list: { dryRun: 'reads', about: 'List all settings and aliases.' },
    get: { dryRun: 'reads', about: 'Show one value.', arguments: [{ name: '<name>', values: 'setting' }] },
    set: {
      dryRun: 'shows',
      about: 'Set one value; alias.<word> defines an alias.',
      arguments: argumentRows({ '<name>': { values: 'setting' }, '<value>': { values: 'setting value' } }),
    },
    unset: {
      dryRun: 'shows',
      about: 'Reset a setting to its default, or remove an alias.',
      arguments: [{ name: '<name>', values: 'setting' }],
    },
    export: { dryRun: 'reads', about: 'Print the settings of all profiles and the aliases as JSON, without keys.' },
    import: {
      dryRun: 'shows',
      about:
        'Read settings and aliases from such a file: shows the changes and asks. Settings that it does not name stay.',
      arguments: [{ name: '<file>', about: 'a file, or - for standard input', values: 'file or input' }],
    },
    files: {
      dryRun: 'reads',
      about: 'List every place where cops keeps files, what they contain, and whether they may be deleted.',
    },
  }),
  examples: [
    'config list',
    'config set tz Europe/Berlin',
    'config set columns.customers name,email,country',
    'config export',
    'config files',
  ],
};
