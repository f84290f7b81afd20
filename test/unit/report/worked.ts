/** What the worked examples of reports share: a question, the rows of its answer, and subscriptions with a past. */
import { expect } from 'vitest';
import type { Database } from '../../../src/base/database/types.js';
import type { RangeOptions } from '../../../src/base/time/range.js';
import { zoneOf } from '../../../src/base/time/zones.js';
import { type Figures, figuresOf } from '../../../src/data/report/figures.js';
import { reportPeriod } from '../../../src/data/report/period.js';
import { rowJson } from '../../../src/data/report/report-document.js';
import type { ReportQuestion } from '../../../src/data/report/report-question.js';
import { findReport } from '../../../src/data/report/reports.js';
import type { Report } from '../../../src/data/report/types.js';
import { at, newId, type State } from './mirror.js';

export const NOW = Date.parse('2026-11-21T12:00:00Z');
export const report = (name: string): Report => findReport(name) as Report;

export function question(
  options: RangeOptions & { by?: string[]; tz?: string; currency?: string; overdueDays?: number; withTrials?: boolean },
): ReportQuestion {
  const { by = [], tz = 'UTC', currency, overdueDays = 30, withTrials = false, ...range } = options;
  const zone = zoneOf(tz);
  return { period: reportPeriod(range, NOW, zone, 'month'), zone, by, currency, overdueDays, withTrials };
}

export const rowsOf = (figures: Figures): Record<string, unknown>[] =>
  figures.rows.map((row) => JSON.parse(rowJson(row, figures.statement.columns)));

export function ask(
  database: Database,
  name: string,
  options: Parameters<typeof question>[0],
): Record<string, unknown>[] {
  const figures = figuresOf(database, report(name), question(options));
  expect(figures.differences).toEqual([]);
  expect(figures.inexact).toBe(0);
  return rowsOf(figures);
}

export const OCTOBER = { month: '2026-10' };
export const monthly = { frequency: 'unit', frequency_unit: { unit: 'months', unit_value: 1 } };

/** A subscription of a customer that brings `amount` a month. */
export const subscription = (
  customer: string,
  amount: number,
  more: Record<string, unknown> = {},
): Record<string, unknown> & { id: string } => ({
  id: newId(),
  status: 'active',
  amount,
  customer: { id: customer },
  subscription_profile: monthly,
  created_date_unix: at('2026-01-10'),
  updated_date_unix: at('2026-01-10'),
  ...more,
});

/** The former state of one that was changed on a day. */
export const former = (now: Record<string, unknown>, before: Record<string, unknown>, day: string): State => ({
  family: 'subscriptions',
  item: { ...now, status: 'active', updated_date_unix: at('2026-01-10'), ...before },
  seenAt: at('2026-01-10'),
  untilAt: at(day),
});

/** One that was changed on a day: as it is now, with what it was. */
export function changed(
  customer: string,
  [before, now]: readonly [Record<string, unknown>, Record<string, unknown>],
  day: string,
) {
  const item = { ...subscription(customer, 0), ...now, updated_date_unix: at(day), seen: at(day) };
  const { seen: _seen, ...plain } = item;
  return { item, state: former(plain, before, day) };
}
