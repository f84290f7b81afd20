import {
  type FamilyActionSpec,
  REASON_OPTION,
  REPEAT_OPTIONS,
  STRICT_IDS_OPTION,
} from '../../../session/context/spec.js';

export const spec: FamilyActionSpec = {
  name: 'note',
  dryRun: 'shows',
  families: ['customers'],
  writes: ['notes create'],
  rows: { family: 'notes', action: 'create', base: { item_type: 'customer' }, subject: 'item_id' },
  about: 'Write a note on a customer (at most 255 characters; it cannot be changed later)',
  arguments: [
    { name: '<who>', about: 'an id, an e-mail address, an internal id or an exact name' },
    { name: '<text>', about: 'the note, in quotes' },
  ],
  options: [...REPEAT_OPTIONS, REASON_OPTION, STRICT_IDS_OPTION],
  examples: [
    'customers note katarzyna.rossi.23@example.com "Called about the invoice"',
    'customers note C-10023 "Wants one parcel a month"',
    'customers note katarzyna.rossi.23@example.com "Prefers e-mail"',
  ],
};
