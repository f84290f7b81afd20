import { RANGE_OPTIONS } from '../../../base/time/range-options.js';
import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'timeline',
  place: 94,
  curl: 'reads',
  about: 'the history of a customer or an item, in order',
  description: 'Everything that happened to a customer or an item, in order, from all families that refer to it.',
  arguments: [
    { name: '<id-or-who>', about: "an id of any family, an order number, or a customer's e-mail, name or internal id" },
  ],
  options: [
    { flags: '--family <family>', about: 'the family of the id, if known' },
    ...RANGE_OPTIONS,
    { flags: '--since <when>', about: 'the same as --from; lists are read as far back (default: 90 days)' },
    { flags: '--newest-first', about: 'newest first, with what is still due on top' },
    { flags: '--all', about: 'read everything, also for events in a range' },
  ],
  examples: [
    'timeline katarzyna.rossi.23@example.com',
    'timeline xhbVfLBuuTjHMRBGlHRc --family subscriptions',
    'timeline C-10023 --from 2026-09-01 -o csv',
  ],
};
