/** @module-tag sweep */
import { expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/types.js';
import { MIRROR_VIEWS } from '../../../src/data/mirror/views.js';
import { figuresOf } from '../../../src/data/report/figures.js';
import type { GroupedReport } from '../../../src/data/report/types.js';
import { asked, FIGURES, grouped, laid, monthsByFacts, shown, sums, toldByFacts } from './sweep.js';

/* Faults that somebody may make in a definition: each must make some figure differ from the facts. */

/** A fault of a view: what its query says, and what it would say. */
interface ViewFault {
  readonly says: string;
  readonly view: string;
  readonly from: string;
  readonly to: string;
}

const VIEW_FAULTS: readonly ViewFault[] = [
  {
    says: 'a sale counts in whole beside its lines',
    view: 'report_bookings',
    from: "p.paid_minor - CASE WHEN p.kind = 'sale' THEN coalesce(s.paid, 0) ELSE 0 END AS gross_minor",
    to: 'p.paid_minor AS gross_minor',
  },
  {
    says: 'refunds have no product',
    view: 'report_bookings',
    from: 'f.paid_kind, f.id, f.currency, f.product,',
    to: 'f.paid_kind, f.id, f.currency, NULL,',
  },
  {
    says: 'chargebacks are left out of revenue',
    view: 'report_bookings',
    from: '0, NULL, 0, 0, c.amount_minor, 0, 0, 0',
    to: '0, NULL, 0, 0, 0, 0, 0, 0',
  },
  {
    says: 'a refund is booked on the customer of nobody',
    view: 'report_bookings',
    from: 'f.customer_id, f.customer_email, f.state, f.state_country, f.paid_by,',
    to: 'NULL, f.customer_email, f.state, f.state_country, f.paid_by,',
  },
  {
    says: 'a sale counts a day late',
    view: 'payments',
    from: 'NULL AS subscription_id, created_date_unix AS paid_unix',
    to: 'NULL AS subscription_id, created_date_unix + 86400 AS paid_unix',
  },
  {
    says: 'fees of renewals are lost',
    view: 'payments',
    from: 'p.amount_fees_minor AS fees_minor',
    to: '0 AS fees_minor',
  },
  {
    says: 'all sales are in one currency',
    view: 'payments',
    from: 'p.iso_currency AS currency',
    to: "'USD' AS currency",
  },
  {
    says: 'small sales are left out',
    view: 'payments',
    from: 'WHERE p.amount_captured IS NULL OR p.amount_captured <> 0',
    to: 'WHERE p.amount_captured IS NULL OR p.amount_captured > 5',
  },
  {
    says: 'a refund has no card',
    view: 'report_refunds',
    from: "nullif(f.transaction_id, '') AS paid_by",
    to: 'NULL AS paid_by',
  },
  {
    says: 'the product of a line that is given back is lost',
    view: 'report_refunds',
    from: 'coalesce(r.product_name, i.product_name, l.product_name,',
    to: 'coalesce(r.product_name, i.product_name,',
  },
  {
    says: 'shipping of a renewal is of no product',
    view: 'report_bookings',
    from: 'h.id, h.iso_currency, coalesce(r.product_name, i.product_name),',
    to: 'h.id, h.iso_currency, NULL,',
  },
  {
    says: 'tax of a renewal that is given back is of no product',
    view: 'report_refunds',
    from: 'paid_r.product_name, paid_i.product_name',
    to: 'paid_i.product_name',
  },
  {
    says: 'the state of a refund is that of the customer',
    view: 'refunds',
    from: "coalesce(nullif(f.ship_to_state, ''), nullif(f.customer_state, ''))",
    to: "nullif(f.customer_state, '')",
  },
  { says: 'refunds of all kinds are refunds of tax', view: 'report_tax', from: "WHERE f.kind = 'tax'", to: 'WHERE 1' },
  {
    says: 'the product of a discount is that of a renewal only',
    view: 'report_discounts',
    from: "WHEN json_array_length(coalesce(d.product_sales, '[]')) = 1 THEN l.product_name",
    to: "WHEN json_array_length(coalesce(d.product_sales, '[]')) = 1 THEN r.product_name",
  },
  { says: 'no attempt has failed', view: 'report_attempts', from: 'f.id IS NOT NULL AS failed', to: '0 AS failed' },
  {
    says: 'each share of a payment begins at nothing',
    view: 'report_splits',
    from: 's.until - s.part AS since',
    to: '0 AS since',
  },
  {
    says: 'what no card has paid is lost',
    view: 'report_splits',
    from: 'WHERE c.carded < c.paid',
    to: 'WHERE 0',
  },
  {
    says: 'a chargeback counts once for each transaction of its customer',
    view: 'report_disputes',
    from: 'LEFT JOIN raw_transactions AS o ON o.id = c.transaction_id',
    to: 'LEFT JOIN raw_transactions AS o ON o.customer_id = c.customer_id',
  },
];

/** A fault of a report's own definition. */
const REPORT_FAULTS: readonly (readonly [
  says: string,
  report: string,
  change: (report: GroupedReport) => GroupedReport,
])[] = [
  [
    'the country is that of the state',
    'revenue',
    (report) => ({ ...report, groups: { ...report.groups, country: 'v.state_country' } }),
  ],
  [
    'brand and gateway are exchanged',
    'fees',
    (report) => ({ ...report, groups: { ...report.groups, 'card.brand': 'v.gateway' } }),
  ],
  [
    'fees are those of the largest payment',
    'fees',
    (report) => ({
      ...report,
      measures: report.measures.map((measure) =>
        measure.name === 'fees' ? { ...measure, sql: 'max(v.fees_minor)' } : measure,
      ),
    }),
  ],
];

/** Lays all views in front of the mirror's own, one of them with its fault; all as they are without one. */
function layViews(database: Database, fault?: ViewFault): void {
  database.exec('PRAGMA query_only = OFF');
  for (const { name, sql } of MIRROR_VIEWS) {
    const isIt = fault?.view === name;
    if (isIt) expect(sql, fault.says).toContain(fault.from);
    const query = isIt ? sql.replace(fault.from, () => fault.to) : sql;
    database.exec(`DROP VIEW IF EXISTS temp."${name}"; CREATE TEMP VIEW "${name}" AS\n${query}`);
  }
  database.exec('PRAGMA query_only = ON');
}

it('finds every planted fault, and none where there is none', { timeout: 120_000 }, async () => {
  const { database, duck } = await laid(1);
  const facts = await toldByFacts(duck);
  const months = await Promise.all(
    FIGURES.map(async ([name, column, figure]) => ({
      name,
      column,
      expected: await monthsByFacts(duck, figure, 'Pacific/Auckland'),
    })),
  );
  const isFound = (change: (report: GroupedReport) => GroupedReport): string | undefined => {
    for (const told of facts) {
      const found = shown(database, change(grouped(told.name)), told);
      const isSame = JSON.stringify(found.sums) === JSON.stringify(told.expected);
      if (!isSame || found.differences.length > 0 || found.inexact > 0)
        return `${told.name} ${told.column} by ${told.word}`;
    }
    for (const { name, column, expected } of months) {
      const { rows } = figuresOf(database, change(grouped(name)), asked(['month'], 'Pacific/Auckland'));
      if (JSON.stringify(sums(rows.map((row) => [row.month, row.currency, row[column]]))) !== JSON.stringify(expected))
        return `${name} ${column} by month`;
    }
    return undefined;
  };
  const asIs = (report: GroupedReport): GroupedReport => report;
  layViews(database);
  expect(isFound(asIs)).toBeUndefined();
  const caught: [string, string | undefined][] = [];
  for (const fault of VIEW_FAULTS) {
    layViews(database, fault);
    caught.push([fault.says, isFound(asIs)]);
  }
  layViews(database);
  for (const [says, name, change] of REPORT_FAULTS)
    caught.push([says, isFound((report) => (report.name === name ? change(report) : report))]);
  expect(caught.filter(([, by]) => by === undefined)).toEqual([]);
  expect(caught).toHaveLength(22);
});
