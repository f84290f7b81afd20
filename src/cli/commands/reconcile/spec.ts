import { RECONCILE_OPTIONS } from '../../../data/reconcile/payout-roles.js';
import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'reconcile',
  dryRun: 'shows',
  place: 113,
  about: "compare a bank's or gateway's file with the transactions",
  description:
    "Compare a bank's or gateway's file (CSV) with the transactions and refunds of a month: matching rows, and rows that only one side has.",
  arguments: [
    { name: '[file]', about: 'the file; its separator, decimal mark and date format are detected', values: 'file' },
  ],
  options: RECONCILE_OPTIONS,
  notes: [
    "Two rows match by the gateway's transaction id, or ours; else by the order number in a text",
    '(O-150); else by authorisation code, amount and day;',
    'else by amount, last four digits and day, at most three days apart, if that matches only one row on each',
    'side. Never by amount alone. A file of batches is compared with totals by day, and by gateway',
    'if it names one: "sum only"; a bank shows the amount received, "less fees", and it may be "1 day later", or',
    '"of 3 days" after a weekend. A line that the file has twice matches once; the other is a "doubled line".',
    'Columns are found by their headings, and by values that are ids or order numbers of this account.',
    'Only currencies in the file are compared. --tz is the zone of the month, and of times that show none.',
    'The total of each side is the sum of its classes. Any difference ends with exit code 10.',
  ].join('\n'),
  examples: [
    'reconcile payouts.csv --month 2026-10',
    'reconcile bank.csv --month last --map amount=Betrag --map date=Buchungstag --currency EUR --columns-as bank',
    'reconcile bank.csv --month last --columns-as bank --currency EUR --all -o csv',
  ],
};
