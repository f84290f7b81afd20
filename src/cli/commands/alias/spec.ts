import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'alias',
  dryRun: 'reads',
  place: 61,
  about: 'words of your own for longer lines',
  description: 'Words of your own for longer lines. Without more words: all of them.',
  arguments: [],
  commands: [
    { name: 'list', dryRun: 'reads', about: 'All aliases.' },
    {
      name: 'set',
      dryRun: 'shows',
      about: 'Let a word stand for a line; $1 to $9 take the words behind it.',
      arguments: [{ name: '<word>' }, { name: '<line>', about: 'in quotes, with or without the leading cops' }],
      examples: ['alias set late "subscriptions list --last 90d"', 'alias set who "customers show $1"'],
    },
    { name: 'unset', dryRun: 'shows', about: 'Forget an alias.', arguments: [{ name: '<word>' }] },
  ],
  examples: ['alias', 'alias set late "subscriptions list --last 90d"', 'alias unset late'],
};
