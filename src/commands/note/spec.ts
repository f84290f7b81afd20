import type { FamilyActionSpec } from '../../command/spec.js';

export const spec: FamilyActionSpec = {
  name: 'note',
  families: ['customers'],
  about: 'Write a note on a customer (at most 255 characters; it cannot be changed later)',
  arguments: [
    { name: '<who>', about: 'an id, an e-mail address, an internal id or an exact name' },
    { name: '<text>', about: 'the note, in quotes' },
  ],
  options: [
    { flags: '--idempotency-key <key>', about: 'use this key instead of a new one' },
    { flags: '--no-idempotency-key', about: 'send without a key: nothing is sent twice then' },
    { flags: '--again', about: 'repeat a write whose outcome is unknown' },
    { flags: '--reason <text>', about: 'why, kept in the history; a policy may want it' },
    { flags: '--no-strict-ids', about: 'with --yes: a name confirms a live write as an id does' },
  ],
  examples: [
    'customers note katarzyna.rossi.23@example.com "Called about the invoice"',
    'customers note C-10023 "Wants one parcel a month"',
    'customers note katarzyna.rossi.23@example.com "Prefers e-mail"',
  ],
};
