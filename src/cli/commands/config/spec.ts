import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'config',
  place: 60,
  about: 'read and set configuration values',
  description: 'Settings of the profile in use, and aliases.',
  commands: [
    { name: 'path', dryRun: 'reads', about: 'Show where the configuration file is.' },
    { name: 'list', dryRun: 'reads', about: 'List all settings and aliases.' },
    { name: 'get', dryRun: 'reads', about: 'Show one value.', arguments: [{ name: '<name>', values: 'setting' }] },
    {
      name: 'set',
      dryRun: 'shows',
      about: 'Set one value; alias.<word> defines an alias.',
      arguments: [
        { name: '<name>', values: 'setting' },
        { name: '<value>', values: 'setting value' },
      ],
    },
    {
      name: 'unset',
      dryRun: 'shows',
      about: 'Reset a setting to its default, or remove an alias.',
      arguments: [{ name: '<name>', values: 'setting' }],
    },
  ],
  examples: ['config list', 'config get output', 'config set tz Europe/Berlin'],
};
