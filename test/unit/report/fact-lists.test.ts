/** Values with commas between in the conditions of a report. */
import { expect, it } from 'vitest';
import { factConditions } from '../../../src/data/report/fact-conditions.js';
import type { GroupedReport } from '../../../src/data/report/types.js';

const report = {
  name: 'revenue',
  view: 'payments',
  groups: { product: 'v.product', kind: 'v.kind' },
} as unknown as GroupedReport;

const sqlOf = (text: string) =>
  factConditions(report, text)
    .map(({ sql }) => sql)
    .join(' & ');

it('take any of the values, and the whole where it is one of its own', () => {
  const sql = sqlOf('product=Course, six parts');
  for (const value of ['Course', 'six parts', 'Course, six parts']) expect(sql).toContain(`lower('${value}')`);
  expect(sql).toContain(' OR ');
  expect(sqlOf('product!=a,b')).toContain(' AND ');
  expect(sqlOf('product="a, b"')).not.toContain(' OR ');
  expect(sqlOf('product=a or product=b and kind=sale')).toMatch(/^\(.* OR \(.* AND .*\)\)$/);
  expect(sqlOf('product=a, kind=sale').split(' & ')).toHaveLength(2);
});
