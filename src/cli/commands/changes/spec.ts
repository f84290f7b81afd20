import { RANGE_OPTIONS } from '../../../base/time/range-options.js';
import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'changes',
  dryRun: 'shows',
  place: 84,
  about: 'what changed between two syncs, field by field',
  description:
    'Fields of items that changed between two looks of the mirror: from what, to what, and when it was seen.',
  usage: '[item] [family] [options]',
  arguments: [
    { name: '[item-or-family]', about: 'an id, a customer, or a family', values: 'listed family' },
    { name: '[family]', about: 'the family of the id, where several have it', values: 'listed family' },
  ],
  options: [
    { flags: '--since <when>', about: 'the same as --from (default: yesterday; of an item all that was seen)' },
    ...RANGE_OPTIONS,
    { flags: '--new', about: 'what was seen for the first time too, one row an item' },
    { flags: '--family <family>', about: 'the family, said apart' },
    {
      flags: '--who',
      about: 'the calls of the service that name the item between the two looks: of one item, or of 2 days at most',
    },
    { flags: '--as-of <when>', about: 'as the mirror had seen it by then: what was seen later is left out' },
    {
      flags: '--mirror <place>',
      about: "the file or postgres:// address to read (default: the profile's own, else the one synced last)",
    },
  ],
  notes: [
    'Only what a sync has seen is known: what came and went between two of them is not, and several',
    'changes between two are one. A change shows at the sync that saw it, and happened since the one before.',
    'What a sync sees for the first time is no change: it is counted, and --new shows it. "before" is when',
    'the former state was first seen, "updated" the time of the service itself, where it shows one.',
    '--who names calls, not people: the web application does not say who. One call that fits is "by",',
    'several are "one of"; none is "not shown", as for what the service does by itself.',
  ].join('\n'),
  examples: [
    'changes --since yesterday',
    'changes subscriptions --last 7d -o csv',
    'changes katarzyna.rossi.23@example.com --who',
  ],
};
