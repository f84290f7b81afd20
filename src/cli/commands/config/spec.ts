import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'config',
  place: 60,
  about: 'read and set configuration values',
  description: 'Settings of the profile in use, and aliases.',
  commands: [
    { name: 'path', dryRun: 'reads', about: 'Where the configuration file is.' },
    { name: 'list', dryRun: 'reads', about: 'All settings and aliases.' },
    { name: 'get', dryRun: 'reads', about: 'One value.', arguments: [{ name: '<name>', values: 'setting' }] },
    {
      name: 'set',
      dryRun: 'shows',
      about: 'Set one; alias.<word> defines an alias.',
      arguments: [
        { name: '<name>', values: 'setting' },
        { name: '<value>', values: 'setting value' },
      ],
    },
    {
      name: 'unset',
      dryRun: 'shows',
      about: 'Back to the default; forgets an alias.',
      arguments: [{ name: '<name>', values: 'setting' }],
    },
  ],
  examples: ['config list', 'config get output', 'config set tz Europe/Berlin'],
};
