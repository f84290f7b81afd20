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

/** The query for bookings by day, kind and currency; `held` has the sum per method. A chargeback counts as a card. */
export function journalSql({ period, zone, currency }: ReportQuestion): string {
  const only = currency === undefined ? '' : ` AND v.currency = '${currency}'`;
  const sums = ['gross', 'refunds', 'chargebacks', 'fees', 'tax', 'tax_refunded', 'shipping', 'shipping_refunded'];
  return `WITH ${bucketsSql(cutPeriod(period, 'day', zone))},
ways AS (
  SELECT b.label AS day, v.kind, v.currency,
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

/** The journal of a period: an entry for each day, kind and currency. */
export function journalOf(database: Database, question: ReportQuestion): BookedEntry[] {
  return database
    .query(journalSql(question))
    .all()
    .map(([day, kind, currency, ...sums]) => {
      const held = Object.entries(JSON.parse(String(sums.pop())) as Record<string, string>)
        .map(([way, minor]) => ({ account: accountOf(way), minor: BigInt(minor) }))
        .sort((one, other) => (one.account < other.account ? -1 : 1));
      const [gross, refunds, chargebacks, fees, tax, taxRefunded, shipping, shippingRefunded] = sums.map((sum) =>
        BigInt((sum as number | bigint | null) ?? 0),
      ) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
      const postings = [
        ...held,
        { account: `income:${String(kind)}s`, minor: tax + shipping - gross },
        { account: 'income:shipping', minor: shippingRefunded - shipping },
        { account: 'liabilities:tax', minor: taxRefunded - tax },
        { account: 'expenses:refunds', minor: refunds - taxRefunded - shippingRefunded },
        { account: 'expenses:chargebacks', minor: chargebacks },
        { account: 'expenses:fees', minor: fees },
      ].filter(({ minor }) => minor !== 0n);
      return { day: String(day), kind: String(kind), currency: String(currency), postings };
    })
    .filter(({ postings }) => postings.length > 0);
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

/** The sum of an entry's postings: zero. */
export function balanceOf({ postings }: BookedEntry): bigint {
  return postings.reduce((sum, { minor }) => sum + minor, 0n);
}

/** The journal in the format of hledger and ledger. */
export function hledgerText(entries: readonly BookedEntry[], title: string, notes: readonly string[] = []): string {
  const widest = Math.max(0, ...entries.flatMap(({ postings }) => postings.map(({ account }) => account.length)));
  const blocks = entries.map(({ day, kind, currency, postings }) => {
    const lines = postings.map(
      ({ account, minor }) => `    ${account.padEnd(widest)}  ${wholeUnits(minor, currency).padStart(14)} ${currency}`,
    );
    return [`${day} ${kind}s, ${currency}`, ...lines].join('\n');
  });
  const head = [title, ...notes].map((line) => `; ${line}`).join('\n');
  return `${head}\n\n${blocks.join('\n\n')}${blocks.length > 0 ? '\n' : ''}`;
}

/** The journal as comma-separated values, one posting per line; a debit is positive. */
export function csvText(entries: readonly BookedEntry[]): string {
  const lines = entries.flatMap(({ day, kind, currency, postings }, i) =>
    postings.map(({ account, minor }) =>
      [i + 1, day, `${kind}s`, account, currency, wholeUnits(minor, currency)].join(','),
    ),
  );
  return `${['entry,date,description,account,currency,amount', ...lines].join('\n')}\n`;
}
