import { fold } from '../../items/select/fold.js';
import { PAYOUT_ROLES, type PayoutRole } from './payout-roles.js';

/** The number of the column for each role. */
export type PayoutColumns = Readonly<Partial<Record<PayoutRole, number>>>;

/** Usual headings of such columns, likeliest first; lower case without accents. */
const NAMES: Readonly<Record<PayoutRole, readonly string[]>> = {
  id: [
    ...[
      'gateway transaction id',
      'transaction id',
      'transaction',
      'trans id',
      'txn id',
      'charge id',
      'payment id',
      'charge',
    ],
    ...['transaktions id', 'transaktionsnummer', 'reference', 'referenz', 'ref', 'source id', 'id'],
  ],
  auth: [
    'authorisation code',
    'authorization code',
    'auth code',
    'approval code',
    'autorisierungscode',
    'approval',
    'auth',
  ],
  date: [
    ...[
      'transaction date',
      'created',
      'date',
      'charge date',
      'posted',
      'posting date',
      'value date',
      'settled',
      'settlement date',
    ],
    ...['payout date', 'arrival date', 'time', 'datum', 'buchungstag', 'buchungsdatum', 'wertstellung'],
  ],
  amount: [
    'gross',
    'gross amount',
    'amount',
    'transaction amount',
    'charge amount',
    'brutto',
    'betrag',
    'umsatz',
    'sum',
    'total',
  ],
  net: ['net', 'net amount', 'netto', 'payout', 'payout amount', 'deposit', 'credit'],
  fee: ['fee', 'fees', 'processing fee', 'commission', 'charges', 'gebuhr', 'gebuhren', 'entgelt'],
  currency: ['currency', 'ccy', 'iso currency', 'wahrung'],
  last4: [
    'last 4',
    'last four',
    'last4',
    'card last 4',
    'card last four',
    'card number',
    'card',
    'pan',
    'kartennummer',
    'karte',
  ],
  batch: ['batch', 'batch id', 'payout id', 'settlement id', 'deposit id', 'sammler'],
  gateway: ['gateway', 'processor', 'merchant account', 'merchant id', 'mid', 'terminal'],
};

const wordsOf = (name: string): string =>
  fold(name)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The columns of a header, found by their headings; `said` holds those that the line itself names. */
export function payoutColumnsOf(
  header: readonly string[],
  said: ReadonlyMap<PayoutRole, string> = new Map(),
): PayoutColumns {
  const names = header.map(wordsOf);
  const found: Partial<Record<PayoutRole, number>> = {};
  const taken = new Set<number>();
  for (const [role, name] of said) {
    const at = names.indexOf(wordsOf(name));
    if (at < 0) continue;
    found[role] = at;
    taken.add(at);
  }
  for (const role of PAYOUT_ROLES) {
    if (found[role] !== undefined || said.has(role)) continue;
    const name = NAMES[role].find((one) => names.some((own, at) => own === one && !taken.has(at)));
    if (name === undefined) continue;
    const at = names.findIndex((own, i) => own === name && !taken.has(i));
    found[role] = at;
    taken.add(at);
  }
  return found;
}
