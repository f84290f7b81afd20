import { type CommandSpec, subcommandRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'alias',
  dryRun: 'reads',
  place: 61,
  about: 'your own short words for longer commands',
  description: 'Short words for longer commands. Without arguments: list all of them.',
  arguments: [],
  commands: subcommandRows({
    list: { dryRun: 'reads', about: 'List all aliases.' },
    set: {
      dryRun: 'shows',
      about: 'Define a short word for a command; $1 to $9 take the words after it.',
      arguments: [{ name: '<word>' }, { name: '<line>', about: 'in quotes, with or without the leading cops' }],
      examples: ['alias set late "subscriptions list --last 90d"', 'alias set who "customers show $1"'],
    },
    unset: { dryRun: 'shows', about: 'Remove an alias.', arguments: [{ name: '<word>' }] },
  }),
  examples: ['alias', 'alias set late "subscriptions list --last 90d"', 'alias unset late'],
};
