/** @module-tag thorough */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cell, Database } from '../../../src/base/database/types.js';
import type { CopsError } from '../../../src/base/errors/errors.js';
import { loadFamily } from '../../../src/catalogue/index.js';
import { isCurrency } from '../../../src/catalogue/value-formats.js';
import { INNER_MEANINGS } from '../../../src/data/mirror/layout.js';
import { openToRead, openToSync } from '../../../src/data/mirror/mirror.js';
import { RawTable } from '../../../src/data/mirror/mirror-table.js';
import { MIRROR_VIEWS, makeViews, viewColumns } from '../../../src/data/mirror/views.js';
import { minorDigits } from '../../../src/items/schema/types.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const OWNER = { service: 'https://shop.example.com/api/v2', account: 'abc', mode: 'test' } as const;
let folder: string;
let database: Database;
const tables = new Map<string, RawTable>();

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-views-'));
  database = await openToSync(path.join(folder, 'm.sqlite'), OWNER, '0.0.0');
  tables.clear();
  const families = await Promise.all(
    [
      'customers',
      'subscriptions',
      'sales',
      'subscription_renewals',
      'trials',
      'pending_refunds',
      'transactions',
      'wallet_transactions',
      'check_directs',
      'offline_payments',
    ].map(loadFamily),
  );
  // One transaction: a new column otherwise waits for the disk.
  database.transaction(() => {
    for (const family of families) tables.set(family.name, new RawTable(database, family, MIRROR_VIEWS));
    makeViews(database);
  });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (family: string, item: object | string, at = 1_790_000_000) => {
  const text = typeof item === 'string' ? item : JSON.stringify(item);
  database.transaction(() => {
    tables.get(family)?.put(String((JSON.parse(text) as { id: string }).id), text, 0, at);
    makeViews(database);
  });
};
const ask = (sql: string): Cell[][] => database.prepare(sql).all();

describe('the views', () => {
  it('are made from their SQL files, and so is their page', async () => {
    const { generateViews } = await import(path.join(ROOT, 'scripts/generate-views.mjs'));
    for (const [file, text] of Object.entries(await generateViews())) {
      expect(readFileSync(path.join(ROOT, file), 'utf8'), file).toBe(text);
    }
  });

  it.each(MIRROR_VIEWS.filter(({ name }) => !name.startsWith('report_')))(
    '$name says what each of its columns means, and can be asked where nothing was read',
    (view) => {
      expect(viewColumns(database, view.name)).toEqual(view.columns.map(([name]) => name));
      expect(ask(`SELECT * FROM ${view.name}`)).toEqual([]);
      expect(viewColumns(database, view.name).slice(0, 3)).toContain('id');
      expect(viewColumns(database, view.name)).toContain('status');
    },
  );

  it('know what the tables of the mirror mean', () => {
    for (const [table, columns] of Object.entries(INNER_MEANINGS)) {
      expect(Object.keys(columns)).toEqual(viewColumns(database, table));
    }
  });

  it.each([
    [{ frequency: 'unit', frequency_unit: { unit: 'months', unit_value: 3 } }, 10, 333],
    [{ frequency: 'unit', frequency_unit: { unit: 'years', unit_value: 1 } }, 100, 833],
    [{ frequency: 'unit', frequency_unit: { unit: 'weeks', unit_value: 1 } }, 12.5, 5432],
    [{ frequency: 'unit', frequency_unit: { unit: 'days', unit_value: 10 } }, 1, 304],
    [{ frequency: 'calendar', frequency_calendar: { unit: 'day', value: 5, parent: 'month' } }, 7.77, 777],
    [{ frequency: 'calendar', frequency_calendar: { unit: 'day', value: 2, parent: 'week' } }, 12.5, 5432],
    [{ frequency: 'fiscal', frequency_fiscal: { unit: 'quarter', setting: 'standard' } }, 30, 1000],
    [{ frequency: 'fiscal', frequency_fiscal: { unit: 'year', setting: 'infrequent', value: 2 } }, 240, 1000],
    [{ frequency: 'sometimes' }, 240, null],
    [{ frequency: 'unit', frequency_unit: { unit: 'months', unit_value: 0 } }, 10, null],
  ])('a subscription of %j at %d is %d a month', (subscription_profile, amount, monthly) => {
    put('subscriptions', { id: 'S', status: 'active', amount, iso_currency: 'USD', subscription_profile });
    expect(ask('SELECT monthly_minor FROM subscriptions')).toEqual([[monthly]]);
  });

  it('count amounts in the minor unit of their currency, exactly, and say which cannot be', () => {
    put('sales', '{"id":"A","amount_captured":10.10,"iso_currency":"USD"}');
    put('sales', '{"id":"B","amount_captured":1500,"iso_currency":"JPY"}');
    put('sales', '{"id":"C","amount_captured":1.234,"iso_currency":"KWD"}');
    put('sales', '{"id":"D","amount_captured":1.234,"iso_currency":"USD"}');
    put('sales', '{"id":"E","amount_captured":5}');
    put('sales', '{"id":"F","amount_captured":90071992547409.93,"iso_currency":"USD"}');
    put('sales', '{"id":"G","amount_captured":0.00,"iso_currency":"USD"}');
    expect(ask('SELECT id, paid_minor FROM payments ORDER BY id')).toEqual([
      ['A', 1010],
      ['B', 1500],
      ['C', 1234],
      ['D', null],
      ['E', null],
      ['F', 9007199254740993n],
    ]);
    expect(ask('SELECT id, name FROM _inexact ORDER BY id')).toEqual([
      ['D', 'amount_captured_minor'],
      ['E', 'amount_captured_minor'],
    ]);
    put('sales', '{"id":"D","amount_captured":1.23,"iso_currency":"USD"}');
    expect(ask("SELECT count(*) FROM _inexact WHERE id = 'D'")).toEqual([[0]]);
  });

  it('know the minor unit of each currency in former states too, as amounts of today do', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters
      .flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
      .filter((code) => isCurrency(code) && minorDigits(code) !== undefined);
    const monthly = { frequency: 'unit', frequency_unit: { unit: 'months', unit_value: 1 } };
    const kept = database.prepare("INSERT INTO _history VALUES ('subscriptions', ?, 1, 2, 1, ?)");
    database.transaction(() => {
      for (const iso_currency of codes) {
        const item = { status: 'active', amount: 3, iso_currency, subscription_profile: monthly };
        kept.run(iso_currency, JSON.stringify(item));
        tables.get('subscriptions')?.put(`now ${iso_currency}`, JSON.stringify(item), 0, 3);
      }
    });
    const minor = new Map(ask('SELECT id, monthly_minor FROM report_subscription_states').map(([id, is]) => [id, is]));
    expect(codes.length).toBeGreaterThan(150);
    expect(codes.map((code) => [code, minor.get(code)])).toEqual(codes.map((code) => [code, minor.get(`now ${code}`)]));
    expect([minor.get('USD'), minor.get('JPY'), minor.get('KWD')]).toEqual([300, 3, 3000]);
  });

  it('have one row a payment of whatever kind, and one a failed attempt', () => {
    put('sales', { id: 'A', amount_captured: 10, iso_currency: 'USD', products: [{ id: 'P', name: 'Tea' }] });
    put('subscription_renewals', { id: 'R', amount_captured: 0, iso_currency: 'USD' });
    put('subscription_renewals', { id: 'Q', amount_captured: 5, iso_currency: 'USD', subscription_id: 'S' });
    put('trials', { id: 'T', amount_captured: 7, iso_currency: 'EUR', subscriptions: ['S'] });
    expect(ask('SELECT id, kind, product, subscription_id, currency, paid_minor FROM payments ORDER BY id')).toEqual([
      ['A', 'sale', 'Tea', null, 'USD', 1000],
      ['Q', 'renewal', null, 'S', 'USD', 500],
      ['T', 'trial', null, 'S', 'EUR', 700],
    ]);
    put('transactions', { id: 'X', result: 'approved', approved: true });
    put('transactions', { id: 'Y', result: 'declined', declined: true, amount: 3, iso_currency: 'USD', sales: ['A'] });
    put('transactions', { id: 'Z', held: true });
    expect(ask('SELECT id, status, amount_minor, sale_id FROM failures ORDER BY id')).toEqual([
      ['Y', 'declined', 300, 'A'],
      ['Z', 'held', null, null],
    ]);
  });

  it('of a family have readable times, and none of what only the mirror needs', () => {
    put('sales', { id: 'A', created_date_unix: 1_790_000_000, odd_name: { 'not a name!': 1 }, status: 'paid' });
    expect(ask('SELECT status, created_date, odd_name FROM sales')).toEqual([
      ['paid', '2026-09-21T14:13:20Z', '{"not a name!":1}'],
    ]);
    expect(viewColumns(database, 'sales').filter((name) => name.startsWith('_'))).toEqual([]);
  });

  it('keep two paths apart that would have one name', () => {
    put('sales', '{"id":"A","x":{"y":1},"x_y":2,"X_Y":3,"_json":4,"amount_minor":5,"_window":6}');
    const [row] = ask('SELECT x_y, x_y_, X_Y__, _json_ FROM raw_sales');
    expect(row).toEqual([1, 2, 3, 4]);
  });
});

describe('a mirror that is opened to be read', () => {
  it('takes no write', async () => {
    const { database: open, facts } = await openToRead(path.join(folder, 'm.sqlite'), OWNER);
    try {
      expect(facts).toMatchObject(OWNER);
      expect(() => open.exec("INSERT INTO _mirror VALUES ('x', 'y')")).toThrow();
    } finally {
      open.close();
    }
  });

  it('says how to make one where there is none', async () => {
    const failed = await openToRead(path.join(folder, 'none.sqlite'), OWNER).catch((error: unknown) => error);
    expect(failed).toMatchObject({ kind: 'local' });
    expect(String((failed as CopsError).facts.hint)).toContain('cops sync');
  });
});
