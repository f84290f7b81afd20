import { fold } from '../../items/select/fold.js';
import { PAYOUT_ROLES, type PayoutRole } from './payout-roles.js';

/** The number of the column for each role. */
export type PayoutColumns = Readonly<Partial<Record<PayoutRole, number>>>;

/** Usual headings of such columns, likeliest first; lower case without accents. */
const NAMES: Readonly<Record<PayoutRole, string>> = {
  id: 'gateway transaction id, transaction id, transaction, trans id, txn id, charge id, payment id, charge, transaktions id, transaktionsnummer, reference, referenz, ref, source id, id',
  auth: 'authorisation code, authorization code, auth code, approval code, autorisierungscode, approval, auth',
  date: 'transaction date, created, date, charge date, posted, posting date, value date, settled, settlement date, payout date, arrival date, time, datum, buchungstag, buchungsdatum, wertstellung',
  amount: 'gross, gross amount, amount, transaction amount, charge amount, brutto, betrag, umsatz, sum, total',
  net: 'net, net amount, netto, payout, payout amount, deposit, credit',
  fee: 'fee, fees, processing fee, commission, charges, gebuhr, gebuhren, entgelt',
  currency: 'currency, ccy, iso currency, wahrung',
  last4: 'last 4, last four, last4, card last 4, card last four, card number, card, pan, kartennummer, karte',
  batch: 'batch, batch id, payout id, settlement id, deposit id, sammler',
  gateway: 'gateway, processor, merchant account, merchant id, mid, terminal',
  text: 'description, details, memo, purpose, remittance information, narrative, text, verwendungszweck, buchungstext',
};

const wordsOf = (name: string): string =>
  fold(name)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The columns of a header, found by their headings; `said` holds those that the line names. */
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
    const name = NAMES[role].split(', ').find((one) => names.some((own, at) => own === one && !taken.has(at)));
    if (name === undefined) continue;
    const at = names.findIndex((own, i) => own === name && !taken.has(i));
    found[role] = at;
    taken.add(at);
  }
  return found;
}

/** How many values of a column must be known ids, at least, and which share of them: a few match by chance. */
const FEW = 3;
const SHARE = 0.3;

/** The ids by which the account knows its movements. */
export interface KnownIds {
  /** Ids of gateways and of transactions, lower case. */
  readonly ids: ReadonlySet<string>;
  /** Order numbers and ids of the paid items, in lower case. */
  readonly refs: ReadonlySet<string>;
}

/**
 * Finds columns by their values, whatever their headings: ids of the account, and order numbers in texts. Columns that
 * the line names stay as they are.
 */
export function columnsByValues(
  columns: PayoutColumns,
  records: readonly { readonly cells: readonly string[] }[],
  { ids, refs }: KnownIds,
  said: ReadonlySet<PayoutRole>,
): PayoutColumns {
  const { text, ...found } = columns;
  const width = Math.max(0, ...records.map(({ cells }) => cells.length));
  const isFree = (at: number): boolean =>
    PAYOUT_ROLES.every((role) => role === 'id' || role === 'text' || columns[role] !== at);
  const best = (isKnown: (cell: string) => boolean, least = FEW): number | undefined => {
    const counts = Array.from({ length: width }, (_, at) => {
      const cells = isFree(at) ? records.flatMap((one) => one.cells[at]?.trim().toLowerCase() || []) : [];
      const known = cells.filter(isKnown).length;
      return known >= Math.min(least, cells.length) && known > 0 && known >= cells.length * SHARE ? known : 0;
    });
    const most = Math.max(0, ...counts);
    return most === 0 ? undefined : counts.indexOf(most);
  };
  const id = said.has('id') ? columns.id : (best((cell) => ids.has(cell)) ?? columns.id);
  const told = said.has('text') ? text : best((cell) => namesKnown(cell, { ids, refs }));
  const isText = told !== undefined && (told !== id || said.has('text'));
  return { ...found, ...(id === undefined ? {} : { id }), ...(isText ? { text: told } : {}) };
}

/** Counts the values of a column, and those that name something of the account. */
export function knownIn(records: readonly { readonly cells: readonly string[] }[], at: number, known: KnownIds) {
  const cells = records.flatMap((one) => one.cells[at]?.trim() || []);
  return { of: cells.length, known: cells.filter((cell) => namesKnown(cell, known)).length };
}

const namesKnown = (cell: string, { ids, refs }: KnownIds): boolean =>
  ids.has(cell.toLowerCase()) || orderWords(cell).some((word) => refs.has(word) || ids.has(word));

/** The words of a text that may be an order number or an id: letters with digits, or many digits. */
export function orderWords(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9][a-z0-9_/-]*[a-z0-9]|[a-z0-9]/g) ?? [];
  return words.filter(isOrderWord);
}

/** Whether a word in a text can mean an order, since numbers in texts mean many things. */
export const isOrderWord = (word: string): boolean =>
  (/[a-z]/.test(word) && /\d/.test(word)) || /^\d{8,}$/.test(word) || word.length === ID_LENGTH;

/** The length of the service's ids, some of which have no digit. */
const ID_LENGTH = 20;
