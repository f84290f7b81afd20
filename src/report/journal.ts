import type { Database } from '../database/types.js';
import { decimal } from './figures.js';
import { cutPeriod } from './period.js';
import type { Question } from './statement.js';
import { bucketsSql } from './subscription-reports.js';

/** One line of a double-entry journal. */
export interface Posting {
  readonly account: string;
  /** Minor units; above zero is a debit. */
  readonly minor: bigint;
}

/** What is booked together; its postings come to zero. */
export interface Entry {
  /** `2026-10-31`, in the zone in use. */
  readonly day: string;
  /** sale, renewal or trial. */
  readonly kind: string;
  readonly currency: string;
  readonly postings: readonly Posting[];
}

/** The query of the bookings by day, kind and currency. */
export function journalSql({ period, zone, currency }: Question): string {
  const only = currency === undefined ? '' : ` AND v.currency = '${currency}'`;
  return `WITH ${bucketsSql(cutPeriod(period, 'day', zone))}
SELECT b.label AS day, v.kind, v.currency,
  sum(v.gross_minor) AS gross, sum(v.refunds_minor) AS refunds, sum(v.chargebacks_minor) AS chargebacks, sum(v.fees_minor) AS fees,
  sum(CASE WHEN v.what = 'tax' THEN v.tax_minor ELSE 0 END) AS tax,
  sum(CASE WHEN v.what = 'refund' THEN -v.tax_minor ELSE 0 END) AS tax_refunded,
  sum(CASE WHEN v.what = 'shipping' THEN v.shipping_minor ELSE 0 END) AS shipping,
  sum(CASE WHEN v.what = 'refund' THEN -v.shipping_minor ELSE 0 END) AS shipping_refunded
FROM report_bookings AS v CROSS JOIN buckets AS b ON v.at_unix >= b.begins AND v.at_unix < b.ends
WHERE v.at_unix >= ${period.begins} AND v.at_unix < ${period.ends} AND v.currency IS NOT NULL${only}
GROUP BY 1, 2, 3 ORDER BY 1, 3, 2`;
}

/** The journal of a period: an entry for each day, kind and currency. */
export function journalOf(database: Database, question: Question): Entry[] {
  return database
    .query(journalSql(question))
    .all()
    .map(([day, kind, currency, ...sums]) => {
      const [gross, refunds, chargebacks, fees, tax, taxRefunded, shipping, shippingRefunded] = sums.map((sum) =>
        BigInt((sum as number | bigint | null) ?? 0),
      ) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
      const postings = [
        { account: 'assets:processor', minor: gross - refunds - chargebacks - fees },
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

/** What an entry comes to: zero. */
export function balanceOf({ postings }: Entry): bigint {
  return postings.reduce((sum, { minor }) => sum + minor, 0n);
}

/** The journal as hledger and ledger read it. */
export function hledgerText(entries: readonly Entry[], title: string): string {
  const widest = Math.max(0, ...entries.flatMap(({ postings }) => postings.map(({ account }) => account.length)));
  const blocks = entries.map(({ day, kind, currency, postings }) => {
    const lines = postings.map(
      ({ account, minor }) => `    ${account.padEnd(widest)}  ${decimal(minor, currency).padStart(14)} ${currency}`,
    );
    return [`${day} ${kind}s, ${currency}`, ...lines].join('\n');
  });
  return `; ${title}\n\n${blocks.join('\n\n')}${blocks.length > 0 ? '\n' : ''}`;
}

/** The journal as comma-separated values, one posting a line; a debit is above zero. */
export function csvText(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ day, kind, currency, postings }, i) =>
    postings.map(({ account, minor }) =>
      [i + 1, day, `${kind}s`, account, currency, decimal(minor, currency)].join(','),
    ),
  );
  return `${['entry,date,description,account,currency,amount', ...lines].join('\n')}\n`;
}
