import { wordList } from '../../catalogue/references.js';
/** The roles that a column of a bank's or gateway's file can have. */
export const PAYOUT_ROLES = wordList('id auth date amount net fee currency last4 batch gateway text');
export type PayoutRole = (typeof PAYOUT_ROLES)[number];
