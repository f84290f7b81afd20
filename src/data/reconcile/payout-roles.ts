import { wordList } from '../../catalogue/references.js';
import { MIRROR_PLACE, type OptionsOf, optionRows } from '../../session/context/spec.js';

/** The roles that a column of a bank's or gateway's file can have. */
export const PAYOUT_ROLES = wordList('id auth date amount net fee currency last4 batch gateway text');
export type PayoutRole = (typeof PAYOUT_ROLES)[number];

export const RECONCILE_OPTIONS = [
  ...optionRows({
    '--month <month>': 'the month: 2026-10, september, last (default: the last one)',
    '--from <when>': 'start of a range instead of a month',
    '--to <when>': 'end of the range',
    '--map <role=column>': { about: `a column whose name is not recognised: ${PAYOUT_ROLES.join(', ')}`, many: true },
    '--columns-as <name>': 'save these columns under a name; without --map: use the saved columns',
    '--currency <code>': 'the currency, if the file does not show it',
    '--dates <order>': { about: 'the date format of the file, if it is not clear', values: ['dmy', 'mdy', 'ymd'] },
    '--all': 'also show rows that matched',
  }),
  MIRROR_PLACE,
] as const;

/** Options of `cops reconcile`, as typed. */
export type ReconcileOptions = OptionsOf<{ options: typeof RECONCILE_OPTIONS }>;
