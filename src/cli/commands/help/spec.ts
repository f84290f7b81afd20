import type { CommandSpec } from '../../../session/context/spec.js';

/** The program itself answers this command, since it knows all commands: nothing here runs. */
export const spec: CommandSpec = {
  name: 'help',
  place: 200,
  about: 'help on a command, an action or a topic',
  description: 'Help on a command, an action or a topic.',
  arguments: [{ name: '[words...]', values: 'help' }],
  examples: ['help dates', 'help filters', 'help subscriptions'],
};
