/** Values with commas between in the conditions of a report. */
import { expect, it } from 'vitest';
import { factCondition } from '../../../src/data/report/fact-conditions.js';
import type { GroupedReport } from '../../../src/data/report/types.js';

const report = { name: 'revenue', view: 'payments', groups: { product: 'v.product' } } as unknown as GroupedReport;

it('take any of the values, and the whole where it is one of its own', () => {
  const { sql } = factCondition(report, 'product=Course, six parts');
  for (const value of ['Course', 'six parts', 'Course, six parts']) expect(sql).toContain(`lower('${value}')`);
  expect(sql).toContain(' OR ');
  expect(factCondition(report, 'product!=a,b').sql).toContain(' AND ');
  expect(factCondition(report, 'product="a, b"').sql).not.toContain(' OR ');
  expect(() => factCondition(report, 'product=a or product=b')).toThrow(/one condition/);
});
