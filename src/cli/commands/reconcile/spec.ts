import { PAYOUT_ROLES } from '../../../data/reconcile/payout-roles.js';
import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'reconcile',
  dryRun: 'shows',
  place: 113,
  about: "a bank's or gateway's file against the transactions",
  description:
    "Hold a bank's or gateway's file (CSV) against the transactions and refunds of a month: what fits, and what only one side has.",
  arguments: [
    { name: '<file>', about: 'the file; its separator, decimal mark and dates are found out', values: 'file' },
  ],
  options: [
    { flags: '--month <month>', about: 'the month: 2026-10, september, last (default: the last one)' },
    {
      flags: '--map <role=column>',
      about: `a column that is not found by its name: ${PAYOUT_ROLES.join(', ')}`,
      many: true,
    },
    { flags: '--columns-as <name>', about: 'keep these columns under a name; alone: read the file by those kept' },
    { flags: '--currency <code>', about: 'the currency of a file that does not tell it' },
    {
      flags: '--dates <order>',
      about: 'how its days are written, where that is not clear',
      values: ['dmy', 'mdy', 'ymd'],
    },
    { flags: '--all', about: 'show what matched as well' },
    {
      flags: '--mirror <place>',
      about: "the file or postgres:// address to read (default: the profile's own, else the one synced last)",
    },
  ],
  notes: [
    'Two rows are one by the transaction id of the gateway, or ours; else by the order number in a text',
    '(O-150); else by authorisation code, amount and day;',
    'else by amount, last four digits and day, three days apart at most, where that fits one row of each',
    'side alone. Never by the amount alone. A file of batches is held against sums by day, and gateway',
    'where it names one: "sum only"; a bank tells what arrives, "less fees", and it may be "1 day later".',
    'Columns are found by their headings, and by values that are ids or order numbers of this account.',
    'Only currencies of the file are looked at. --tz is the zone of times that tell none, and of the month.',
    'Each side is the sum of its classes. Any difference ends with exit code 10.',
  ].join('\n'),
  examples: [
    'reconcile payouts.csv --month 2026-10',
    'reconcile bank.csv --month last --map amount=Betrag --map date=Buchungstag --currency EUR --columns-as bank',
    'reconcile bank.csv --month last --columns-as bank --currency EUR --all -o csv',
  ],
};
