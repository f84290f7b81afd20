import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'config',
  place: 60,
  about: 'read and set configuration values',
  description: 'Settings of the profile in use, and aliases.',
  commands: [
    { name: 'path', about: 'Where the configuration file is.' },
    { name: 'list', about: 'All settings and aliases.' },
    { name: 'get', about: 'One value.', arguments: [{ name: '<name>', values: 'setting' }] },
    {
      name: 'set',
      about: 'Set one; alias.<word> defines an alias.',
      arguments: [
        { name: '<name>', values: 'setting' },
        { name: '<value>', values: 'setting value' },
      ],
    },
    {
      name: 'unset',
      about: 'Back to the default; forgets an alias.',
      arguments: [{ name: '<name>', values: 'setting' }],
    },
  ],
  examples: ['config list', 'config get output', 'config set tz Europe/Berlin'],
};
