import type { Database } from '../../base/database/types.js';
import { wholeUnits } from './figures.js';
import { cutPeriod } from './period.js';
import type { ReportQuestion } from './report-question.js';
import { bucketsSql } from './subscription-months.js';

/** One line of a double-entry journal. */
export interface Posting {
  readonly account: string;
  /** Minor units; a positive amount is a debit. */
  readonly minor: bigint;
}

/** Postings booked together; they add up to zero. */
export interface BookedEntry {
  /** `2026-10-31`, in the zone in use. */
  readonly day: string;
  /** sale, renewal or trial. */
  readonly kind: string;
  readonly currency: string;
  /** The locked month that it adjusts. */
  readonly adjusts?: string | undefined;
  readonly postings: readonly Posting[];
}

/** The account that holds money until it is paid out; each payment method has a separate account below it. */
export const HELD = 'assets:processor';

const WAYS: Readonly<Record<string, string>> = {
  'Credit Card': 'card',
  Check: 'check',
  Wallet: 'wallet',
  'Offline Payment': 'offline',
};

/** `assets:processor:card`; an unknown method gives its own name, no method the parent account. */
function accountOf(way: unknown): string {
  const name = String(way ?? '');
  const plain = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [HELD, WAYS[name] ?? plain.join('-')].filter((part) => part !== '').join(':');
}

/**
 * The query for bookings by day, kind and currency; `held` has the sum per method. A chargeback counts as a card.
 * @param label the SQL to group by instead of the day
 */
export function journalSql({ period, zone, currency }: ReportQuestion, label = 'b.label'): string {
  const only = currency === undefined ? '' : ` AND v.currency = '${currency}'`;
  const sums = ['gross', 'refunds', 'chargebacks', 'fees', 'tax', 'tax_refunded', 'shipping', 'shipping_refunded'];
  return `WITH ${bucketsSql(cutPeriod(period, 'day', zone))},
ways AS (
  SELECT ${label} AS day, v.kind, v.currency,
    CASE WHEN v.what = 'chargeback' THEN coalesce(v.payment_type, 'Credit Card') ELSE coalesce(v.payment_type, '') END AS way,
    sum(v.gross_minor) AS gross, sum(v.refunds_minor) AS refunds, sum(v.chargebacks_minor) AS chargebacks, sum(v.fees_minor) AS fees,
    sum(CASE WHEN v.what = 'tax' THEN v.tax_minor ELSE 0 END) AS tax,
    sum(CASE WHEN v.what = 'refund' THEN -v.tax_minor ELSE 0 END) AS tax_refunded,
    sum(CASE WHEN v.what = 'shipping' THEN v.shipping_minor ELSE 0 END) AS shipping,
    sum(CASE WHEN v.what = 'refund' THEN -v.shipping_minor ELSE 0 END) AS shipping_refunded
  FROM report_bookings AS v CROSS JOIN buckets AS b ON v.at_unix >= b.begins AND v.at_unix < b.ends
  WHERE v.at_unix >= ${period.begins} AND v.at_unix < ${period.ends} AND v.currency IS NOT NULL${only}
  GROUP BY 1, 2, 3, 4
)
SELECT day, kind, currency, ${sums.map((name) => `sum(${name}) AS ${name}`).join(', ')},
  json_group_object(way, CAST(coalesce(gross, 0) - coalesce(refunds, 0) - coalesce(chargebacks, 0) - coalesce(fees, 0) AS TEXT)) AS held
FROM ways GROUP BY 1, 2, 3 ORDER BY 1, 3, 2`;
}

/** The sums that make up an entry: one per figure of the journal, and one per payment method. */
interface Booking extends Omit<BookedEntry, 'postings'> {
  readonly sums: readonly bigint[];
  readonly held: ReadonlyMap<string, bigint>;
}

/** Builds an entry for each day (or other label), kind and currency. */
const bookingsOf = (database: Database, question: ReportQuestion, label?: string): Booking[] =>
  database
    .query(journalSql(question, label))
    .all()
    .map(([day, kind, currency, ...sums]) => {
      const held = Object.entries(JSON.parse(String(sums.pop())) as Record<string, string>);
      return {
        ...{ day: String(day), kind: String(kind), currency: String(currency) },
        sums: sums.map((sum) => BigInt((sum as number | bigint | null) ?? 0)),
        held: summed(held.map(([way, minor]) => [accountOf(way), BigInt(minor)])),
      };
    });

/** The sum of each account; several payment methods may share one. */
function summed(parts: Iterable<readonly [account: string, minor: bigint]>): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [account, minor] of parts) sums.set(account, (sums.get(account) ?? 0n) + minor);
  return sums;
}

/** Merges bookings with the same day, kind and currency. */
function joined(bookings: readonly Booking[]): Booking[] {
  const all = new Map<string, Booking>();
  for (const one of bookings) {
    const key = JSON.stringify([one.day, one.currency, one.kind]);
    const { sums = [], held = [] } = all.get(key) ?? {};
    all.set(key, {
      ...one,
      sums: one.sums.map((sum, at) => sum + (sums[at] ?? 0n)),
      held: summed([...held, ...one.held]),
    });
  }
  return [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, booking]) => booking);
}

function entryOf({ sums, held, ...entry }: Booking): BookedEntry {
  const [gross, refunds, chargebacks, fees, tax, taxRefunded, shipping, shippingRefunded] = sums as [
    ...[bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint],
  ];
  const postings = [
    ...[...held].map(([account, minor]) => ({ account, minor })).sort((a, b) => (a.account < b.account ? -1 : 1)),
    { account: `income:${entry.kind}s`, minor: tax + shipping - gross },
    { account: 'income:shipping', minor: shippingRefunded - shipping },
    { account: 'liabilities:tax', minor: taxRefunded - tax },
    { account: 'expenses:refunds', minor: refunds - taxRefunded - shippingRefunded },
    { account: 'expenses:chargebacks', minor: chargebacks },
    { account: 'expenses:fees', minor: fees },
  ].filter(({ minor }) => minor !== 0n);
  return { ...entry, postings };
}

const entriesOf = (bookings: readonly Booking[]): BookedEntry[] =>
  bookings.map(entryOf).filter(({ postings }) => postings.length > 0);

/** The journal of a period: an entry for each day, kind and currency. */
export const journalOf = (database: Database, question: ReportQuestion): BookedEntry[] =>
  entriesOf(bookingsOf(database, question));

/**
 * The journal of what changed since a period was locked: added to the locked journal, it gives the present one.
 * @param dayOf the day to book a changed item on; the period itself is closed
 */
export function adjustingJournal(
  locked: Database,
  now: Database,
  question: ReportQuestion,
  adjusts: string,
  dayOf: (id: string) => string,
): BookedEntry[] {
  const was = bookingsOf(locked, question, 'v.id').map(({ sums, held, ...one }) => ({
    ...one,
    sums: sums.map((sum) => -sum),
    held: new Map([...held].map(([account, minor]) => [account, -minor])),
  }));
  // An unchanged item leaves nothing to book.
  const changed = joined([...was, ...bookingsOf(now, question, 'v.id')]).filter(
    ({ sums, held }) => sums.some((sum) => sum !== 0n) || [...held.values()].some((minor) => minor !== 0n),
  );
  return entriesOf(joined(changed.map((one) => ({ ...one, adjusts, day: dayOf(one.day) }))));
}

/** The balances of the payment methods' accounts by currency, one line per account. */
export function heldTexts(entries: readonly BookedEntry[]): string[] {
  const sums = new Map<string, Map<string, bigint>>();
  for (const { currency, postings } of entries)
    for (const { account, minor } of postings.filter((posting) => posting.account.startsWith(HELD))) {
      const own = sums.get(account) ?? new Map<string, bigint>();
      sums.set(account, own.set(currency, (own.get(currency) ?? 0n) + minor));
    }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([account, own]) => {
      const says =
        account === HELD
          ? ' (payment method not shown)'
          : account === `${HELD}:offline`
            ? ' (paid elsewhere, booked only)'
            : '';
      return `${account}${says}: ${[...own]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([code, minor]) => `${wholeUnits(minor, code)} ${code}`)
        .join(', ')}`;
    });
}

/** The refunds paid back elsewhere, which still lower the account. One sentence, or none. */
export function offsiteTexts(database: Database, { period, currency }: ReportQuestion): string[] {
  const only = currency === undefined ? '' : ` AND currency = '${currency}'`;
  const sums = database
    .query(
      `SELECT payment_type, currency, sum(amount_minor) FROM refunds WHERE is_offsite = 1 AND currency IS NOT NULL
  AND created_unix >= ${period.begins} AND created_unix < ${period.ends}${only} GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .all()
    .map(
      ([way, code, sum]) =>
        `${accountOf(way)} ${wholeUnits(BigInt((sum as number | bigint | null) ?? 0), String(code))} ${code}`,
    );
  return sums.length === 0
    ? []
    : [`refunded offsite (paid back elsewhere) from the payment's account: ${sums.join(', ')}`];
}

const titleOf = ({ kind, adjusts }: BookedEntry): string =>
  adjusts === undefined ? `${kind}s` : `${kind}s (adjustment of ${adjusts})`;

/** The sum of an entry's postings: zero. */
export function balanceOf({ postings }: BookedEntry): bigint {
  return postings.reduce((sum, { minor }) => sum + minor, 0n);
}

/** The journal in the format of hledger and ledger. */
export function hledgerText(entries: readonly BookedEntry[], title: string, notes: readonly string[] = []): string {
  const widest = Math.max(0, ...entries.flatMap(({ postings }) => postings.map(({ account }) => account.length)));
  const blocks = entries.map((entry) => {
    const { day, currency, postings } = entry;
    const lines = postings.map(
      ({ account, minor }) => `    ${account.padEnd(widest)}  ${wholeUnits(minor, currency).padStart(14)} ${currency}`,
    );
    return [`${day} ${titleOf(entry)}, ${currency}`, ...lines].join('\n');
  });
  const head = [title, ...notes].map((line) => `; ${line}`).join('\n');
  return `${head}\n\n${blocks.join('\n\n')}${blocks.length > 0 ? '\n' : ''}`;
}

/** The journal as comma-separated values, one posting per line; a debit is positive. */
export function csvText(entries: readonly BookedEntry[]): string {
  const lines = entries.flatMap((entry, i) =>
    entry.postings.map(({ account, minor }) =>
      [i + 1, entry.day, titleOf(entry), account, entry.currency, wholeUnits(minor, entry.currency)].join(','),
    ),
  );
  return `${['entry,date,description,account,currency,amount', ...lines].join('\n')}\n`;
}
