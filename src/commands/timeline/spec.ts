import type { CommandSpec } from '../../command/spec.js';

export const spec: CommandSpec = {
  name: 'timeline',
  place: 94,
  about: 'everything that happened to a customer or an item, in order',
  description: 'Everything that happened to a customer or an item, in order, from all families that refer to it.',
  arguments: [{ name: '<id-or-who>', about: 'an id of any family, or what a customer is called by' }],
  options: [
    { flags: '--family <family>', about: 'the family of the id, where it is known' },
    { flags: '--since <when>', about: 'look back to then, with as many requests as that takes (default: 90 days)' },
    { flags: '--all', about: 'look at everything there is' },
  ],
  examples: [
    'timeline katarzyna.meyer.79@example.com',
    'timeline J1wqP2SmBKAnicwedU6z --family subscriptions',
    'timeline C-10079 -o csv',
  ],
};
