/** A locked month stays as it was, whatever is synced after (docs/reports.md#cops-report-close). */
import { chmodSync, copyFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/open.js';
import { listHandler } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { forgetFirstDay, json, pair } from '../helpers.js';
import { REPORT_FAMILIES } from './families.js';

const DAY = 86_400;
// The service's clock as its answers tell it (`api_call_unix` of the fixture).
const NOW = 1_780_000_100;
const THEN = NOW - 40 * DAY;
const MONTH = new Date(THEN * 1000).toISOString().slice(0, 7);
type Row = Record<string, unknown> & { id: string };
type Told = Record<string, string | number | null>;
interface Answer {
  readonly rows: readonly Told[];
  readonly notes: readonly string[];
  readonly tz: string;
  readonly digest: string;
  readonly file: string;
  readonly number: number;
}

const money = (amount: number, fees = 0) => ({
  amount,
  amount_captured: amount,
  amount_gross: amount,
  amount_net: amount - fees,
  amount_settled: amount,
  amount_fees: fees,
  amount_refunded: 0,
  amount_remaining: 0,
  iso_currency: 'USD',
  live_mode: false,
});

const idOf = (kind: string, n: number): string => `${kind}${String(n).padStart(20 - kind.length, '0')}`;

/** An account with one sale of a month that is over, and the ways to ask for it. */
async function account() {
  const lists: Record<string, Row[]> = { sales: [], transactions: [], pending_refunds: [] };
  const sell = (n: number, amount: number, at = THEN) => {
    const [sale, payment] = [idOf('Sale', n), idOf('Trans', n)];
    lists.sales?.push({ id: sale, created_date_unix: at, status: 'paid', ...money(amount), transactions: [payment] });
    const paid = { status: 'approved', result: 'approved', method: 'sale', sales: [sale], gateway_name: 'Gate' };
    lists.transactions?.push({ id: payment, created_date_unix: at, ...paid, ...money(amount) });
  };
  sell(1, 9);
  const { home, service } = await pair((request) =>
    listHandler({ items: lists[request.path.replace(/\?.*/, '').slice(1)] ?? [] })(request),
  );
  forgetFirstDay(home);
  const run = (words: readonly string[], options: object = {}) =>
    home.run(words, { cwd: home.folder, clock: new QuickClock((NOW + 60) * 1000), ...options });
  const asked = async (words: readonly string[], options: object = {}) => {
    const ran = await run([...words, '-o', 'json'], options);
    return { ...ran, said: ran.stdout === '' ? undefined : json<Answer>(ran) };
  };
  const close = (...more: string[]) => asked(['report', 'close', '--month', MONTH, ...more]);
  const revenue = (...more: string[]) => asked(['report', 'revenue', '--month', MONTH, ...more]);
  const folder = (name: string) => path.join(home.env.COPS_DATA_DIR ?? '', name);
  const sync = async (...more: string[]) => {
    const made = await run(['sync', '-q', ...REPORT_FAMILIES.map((name) => name.replaceAll('_', '-')), ...more]);
    expect(made.code, made.stderr).toBe(0);
  };
  return { lists, sell, run, asked, close, revenue, folder, sync, home, service };
}

const total = (said: Answer | undefined, line = 'gross') =>
  said?.rows.find((row) => row.section === 'totals' && row.line === line && (row.kind ?? 'all') === 'all');

it('keeps rows and figures through a full sync, the loss of the mirror, and another zone', async () => {
  const { close, revenue, sell, sync, folder, run } = await account();
  const locked = await close('--lock');
  expect(locked.code, locked.stderr).toBe(0);
  const before = await close('--as', 'closed');
  sell(2, 5);
  await sync('--full');
  for (const lose of [() => undefined, () => rmSync(folder('mirrors'), { recursive: true })]) {
    lose();
    for (const zone of ['UTC', 'Asia/Tokyo']) {
      const after = await close('--as', 'closed', '--tz', zone);
      expect([after.code, after.said?.rows, after.said?.tz], after.stderr).toEqual([
        0,
        before.said?.rows,
        before.said?.tz,
      ]);
    }
  }
  expect(total(before.said)?.amount).toBe(9);
  const byGateway = await revenue('--as', 'closed', '--by', 'gateway');
  expect(byGateway.said?.rows, byGateway.stderr).toMatchObject([{ gateway: 'Gate', gross: 9, payments: 1 }]);
  const rows = await revenue('--as', 'closed', '--rows');
  expect(rows.said?.rows, rows.stderr).toMatchObject([{ what: 'payment', gross: 9, order_number: null }]);
  const now = await revenue();
  expect(now.said?.rows[0]?.gross).toBe(14);
  expect(now.said?.notes.join()).toContain('--as closed');
  const year = await run(['report', 'fees', '--year', MONTH.slice(0, 4), '--by', 'month', '-o', 'json']);
  expect(year.stdout).toContain(`${MONTH} is locked`);
  const churn = await run(['report', 'churn', '--month', MONTH, '-o', 'json']);
  expect(churn.stdout).toContain('is locked');
  expect(churn.stdout).not.toContain('--as closed');
  const journal = await run(['report', 'close', '--month', MONTH, '--as', 'closed', '--journal', 'hledger']);
  expect([journal.code, journal.stdout], journal.stderr).toEqual([0, expect.stringContaining('9.00 USD')]);
});

it('shows new and changed rows since: locked + adjustments = now', async () => {
  const { close, sell, lists, run, sync } = await account();
  await close('--lock');
  sell(2, 5, THEN + DAY);
  lists.sales?.splice(0, 1, { ...lists.sales[0], ...money(9, 0.4) } as Row);
  const refund = { created_date_unix: THEN + 2 * DAY, status: 'pending', source_id: idOf('Sale', 1) };
  lists.pending_refunds?.push({ id: idOf('Refund', 1), ...refund, ...money(2) });
  const { said, code, stderr } = await close('--adjustments');
  expect(code, stderr).toBe(0);
  expect(total(said)).toMatchObject({ locked: 9, adjustments: 5, now: 14 });
  expect(total(said, 'net')).toMatchObject({ locked: 9, adjustments: 2.6, now: 11.6 });
  const movements = said?.rows.filter(({ section }) => section === 'movement') ?? [];
  const day = (unix: number): string => new Date(unix * 1000).toISOString().slice(0, 10);
  expect(movements.map(({ line, change, day_of, adjustments }) => [line, change, day_of, adjustments])).toEqual(
    expect.arrayContaining([
      ['gross', 'new', 'service', 5],
      ['fees', 'changed', 'first seen', 0.4],
      ['refunds', 'new', 'service', 2],
    ]),
  );
  expect(movements.find(({ line }) => line === 'refunds')?.day).toBe(day(THEN + 2 * DAY));
  lists.pending_refunds?.push({ id: idOf('Refund', 2), ...refund, created_date_unix: NOW + 60, ...money(1) });
  await sync();
  expect((await close('--adjustments')).said?.notes.join()).toMatch(
    /accepted after its end, before the lock or since, .* 1.00 USD in 2026-05: .*--from 2026-05-01/,
  );
  const text = await run(['report', 'close', '--month', MONTH, '--adjustments']);
  expect(text.stdout).toContain(idOf('Refund', 1));
});

it('books what a locked month has become: locked journal + adjusting journal = journal of now', async () => {
  const { close, sell, lists, run } = await account();
  await close('--lock');
  expect((await close('--adjustments')).said?.notes.join()).not.toContain('to book them');
  sell(2, 5, THEN + DAY);
  lists.sales?.splice(0, 1, { ...lists.sales[0], ...money(9, 0.4) } as Row);
  const refund = { created_date_unix: THEN + 2 * DAY, status: 'pending', source_id: idOf('Sale', 1) };
  lists.pending_refunds?.push({ id: idOf('Refund', 1), ...refund, ...money(2) });
  expect((await close('--adjustments')).said?.notes.join()).toContain('--adjustments --journal hledger');
  const balances = async (...more: string[]) => {
    const ran = await run(['report', 'close', '--month', MONTH, '--journal', 'csv', ...more]);
    expect(ran.code, ran.stderr).toBe(0);
    const lines = ran.stdout.trim().split('\n').slice(1);
    const sums: Record<string, number> = {};
    for (const [, , , account = '', , amount] of lines.map((line) => line.split(',')))
      sums[account] = (sums[account] ?? 0) + Math.round(Number(amount) * 100);
    return { sums, days: lines.map((line) => line.split(',')[1] ?? '') };
  };
  const [locked, change, now] = [await balances('--as', 'closed'), await balances('--adjustments'), await balances()];
  const added = Object.entries(change.sums).map(([name, sum]) => [name, (locked.sums[name] ?? 0) + sum]);
  expect({ ...locked.sums, ...Object.fromEntries(added) }).toEqual(now.sums);
  expect(change.sums['expenses:fees']).toBe(40);
  // Nothing is booked into a month that is closed.
  expect(change.days.every((day) => day.slice(0, 7) > MONTH)).toBe(true);
});

it('books payment methods of one account together', async () => {
  const { lists, sell, run } = await account();
  for (const [n, name] of ['Pay Later', 'pay-later', 'PAY LATER'].entries()) {
    sell(n + 2, 10 ** n);
    Object.assign(lists.sales?.at(-1) ?? {}, { payment_type: { name } });
  }
  const ran = await run(['report', 'close', '--month', MONTH, '--journal', 'csv']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toContain('assets:processor:pay-later,USD,111.00');
});

it('is reported if somebody changed it, and restored from a copy of its file', async () => {
  const { close, home } = await account();
  const { said } = await close('--lock');
  const file = said?.file ?? '';
  const copy = path.join(home.folder, 'october.sqlite');
  copyFileSync(file, copy);
  chmodSync(file, 0o600);
  const database = await openDatabase({ file, what: 'The lock', journal: 'delete' });
  database.exec('UPDATE report_bookings SET gross_minor = gross_minor + 1');
  database.close();
  const changed = await close('--as', 'closed');
  expect([changed.code, changed.stdout]).toEqual([10, '']);
  const restored = await close('--restore', copy);
  expect([restored.code, restored.said?.digest], restored.stderr).toEqual([0, said?.digest]);
  expect((await close('--as', 'closed')).code).toBe(0);
  rmSync(file);
  expect((await close('--as', 'closed')).code).toBe(11);
});

it('is restored by another machine, and not by one of another mode', async () => {
  const [one, other] = [await account(), await account()];
  const { said } = await one.close('--lock');
  expect((await other.close('--as', 'closed')).code).toBe(12);
  const restored = await other.close('--restore', said?.file ?? '');
  // Each account of these tests has a service of its own.
  expect(restored.code, restored.stderr).toBe(12);
  expect(restored.stderr).toContain('Nothing was restored');
  rmSync(one.folder('closes'), { recursive: true, force: true });
});

it('is possible again only after an unlock with its reason, and both locks stay', async () => {
  const { close, sell, folder } = await account();
  await close('--lock');
  expect((await close('--lock')).code).toBe(12);
  expect((await close('--unlock')).code).toBe(2);
  expect((await close('--unlock', '--reason', 'a late sale')).code).toBe(0);
  expect((await close('--as', 'closed')).code).toBe(12);
  sell(2, 5);
  const again = await close('--lock');
  expect([again.code, again.said?.number], again.stderr).toEqual([0, 2]);
  expect(total((await close('--as', 'closed')).said)?.amount).toBe(14);
  const files = readdirSync(path.join(folder('closes'), readdirSync(folder('closes'))[0] ?? ''));
  expect(files.filter((name) => name.endsWith('.sqlite'))).toEqual([`${MONTH}.1.sqlite`, `${MONTH}.2.sqlite`]);
});

it('is of a whole month that is over, read since, and without differences', async () => {
  const { close, lists, asked, sync, folder } = await account();
  const lock = (...words: string[]) => asked(['report', 'close', ...words, '--lock']);
  expect((await lock('--month', new Date(NOW * 1000).toISOString().slice(0, 7))).code).toBe(12);
  expect((await lock('--from', `${MONTH}-01`, '--to', `${MONTH}-20`)).code).toBe(2);
  expect((await lock('--month', MONTH, '--currency', 'USD')).code).toBe(2);
  lists.transactions?.splice(0, 1, { ...lists.transactions[0], ...money(8) } as Row);
  const unlike = await close('--lock');
  expect([unlike.code, unlike.stderr.includes(idOf('Sale', 1))]).toEqual([12, true]);
  await sync();
  expect(readdirSync(folder('')).includes('closes') ? readdirSync(folder('closes')) : []).toEqual([]);
});

it('is not made by an agent, nor with a read-only profile', async () => {
  const { asked, run, service } = await account();
  const words = ['report', 'close', '--month', MONTH, '--lock'];
  expect((await asked(words, { env: { COPS_WHO: 'agent' } })).code).toBe(12);
  const key = ['--base-url', service.baseUrl, '--test-key', 'env:COPS_API_KEY'];
  const added = await run(['profiles', 'add', 'shop', ...key, '--read-only']);
  expect(added.code, added.stderr).toBe(0);
  const refused = await asked(['-p', 'shop', ...words]);
  expect([refused.code, refused.stderr.includes('read-only')], refused.stderr).toEqual([12, true]);
});
