import { RANGE_OPTIONS } from '../../../base/time/range-options.js';
import { type CommandSpec, MIRROR_PLACE, optionRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'changes',
  dryRun: 'shows',
  place: 84,
  about: 'what changed between two syncs, field by field',
  description:
    'Show the fields that changed between two syncs of the mirror: old value, new value, and when it was seen.',
  usage: '[item] [family] [options]',
  arguments: [
    { name: '[item-or-family]', about: 'an id, a customer, or a family', values: 'listed family' },
    { name: '[family]', about: 'the family of the id, if several families have it', values: 'listed family' },
  ],
  options: [
    ...optionRows({ '--since <when>': 'the same as --from (default: yesterday; for one item everything seen)' }),
    ...RANGE_OPTIONS,
    ...optionRows({
      '--new': 'also show items seen for the first time, one row per item',
      '--family <family>': 'the family, given separately',
      '--who': 'also show the API calls that name the item between the two syncs: for one item, or 2 days at most',
      '--as-of <when>': 'as the mirror knew it at that time; later changes are left out',
    }),
    MIRROR_PLACE,
  ],
  notes: [
    'Only changes seen by a sync are known: those that came and went between two syncs are not, and several',
    'changes in between count as one. A change is shown at the sync that saw it; it happened after the previous one.',
    'An item seen for the first time is not a change: it is counted, and --new shows it. "before" is when',
    `the former state was first seen, "updated" is the service's own time, if it shows one.`,
    '--who names calls, not people: the web application does not say who. One call that fits is "by",',
    'several are "one of"; none is "not shown", as for changes made by the service itself.',
  ].join('\n'),
  examples: [
    'changes --since yesterday',
    'changes subscriptions --last 7d -o csv',
    'changes katarzyna.rossi.23@example.com --who',
  ],
};
