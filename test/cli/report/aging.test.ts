/**
 * What is still open, payment by payment, over a random life beside the service's own items; past days as they were told then.
 * @module-tag thorough
 */
import { expect, it } from 'vitest';
import { at, mirrorOf } from '../../unit/report/mirror.js';
import { home, json } from '../helpers.js';
import { cents, followedLife, type Json } from './followed-life.js';

const DAY = 86_400;
interface Row {
  readonly what: string;
  readonly bucket: string;
  readonly payment: string;
  readonly failed: number;
  readonly collected: number;
  readonly disabled: number;
  readonly refunded: number;
  readonly open: number;
}

type Lines = Record<string, (string | number)[]>;

/** The rows as the service's items have them at a moment that is now. */
function expected(items: (family: string) => Json[], now: number): Lines {
  const charges = new Map(items('transactions').map((one) => [one.id, one]));
  const lines: Lines = {};
  const bucket = (at: number): string => {
    const days = Math.floor(now / DAY) - Math.floor(at / DAY);
    return days <= 30 ? '0-30' : days <= 60 ? '31-60' : days <= 90 ? '61-90' : '90+';
  };
  const firstOf = (item: Json): number =>
    Math.min(
      item.created_date_unix,
      ...(item.transactions ?? []).map((id: string) => charges.get(id)?.created_date_unix ?? Infinity),
    );
  const owed = (item: Json, isDisabled: boolean) => {
    const given = items('pending_refunds').filter((one) => (item.transactions ?? []).includes(one.transaction_id));
    const refunded = given.reduce((sum, one) => sum + cents(one.amount), 0);
    const approved = (item.transactions ?? []).filter((id: string) => charges.get(id)?.result === 'approved');
    const taken = approved.reduce((sum: number, id: string) => sum + cents(charges.get(id).amount), 0);
    // What is given up says that nothing remains.
    const left = isDisabled ? cents(item.amount) - taken : cents(item.amount_remaining);
    lines[item.id] = [
      'failed',
      bucket(firstOf(item)),
      cents(item.amount),
      taken - refunded,
      isDisabled ? left : 0,
      refunded,
      isDisabled ? 0 : left,
    ];
  };
  for (const item of items('salvage_transactions')) owed(item, !item.enabled || item.status === 'disabled');
  for (const item of items('subscription_renewals'))
    if (item.is_overdue && item.salvage_transactions.length === 0) owed(item, false);
  for (const item of items('sales'))
    if (item.status === 'pending')
      lines[item.id] = [
        'pending sale',
        bucket(item.created_date_unix),
        cents(item.amount),
        0,
        0,
        0,
        cents(item.amount),
      ];
  for (const item of items('invoices'))
    if (item.status === 'unpaid' && item.sales.length === 0)
      lines[item.id] = ['invoice', bucket(item.created_date_unix), cents(item.amount), 0, 0, 0, cents(item.amount)];
  for (const [family, what] of [
    ['check_directs', 'check'],
    ['offline_payments', 'offline'],
  ] as const)
    for (const item of items(family))
      if (cents(item.amount_remaining) > 0)
        lines[item.id] = [
          what,
          bucket(item.created_date_unix),
          cents(item.amount),
          cents(item.amount_captured),
          0,
          0,
          cents(item.amount_remaining),
        ];
  return lines;
}

const told = (rows: readonly Row[]): Lines =>
  Object.fromEntries(
    rows.map((row) => [
      row.payment,
      [row.what, row.bucket, ...[row.failed, row.collected, row.disabled, row.refunded, row.open].map(cents)],
    ]),
  );

it('is what the items of the service come to, on each day and afterwards', { timeout: 240_000 }, async () => {
  const { world, run, sync, items, file } = await followedLife(4);
  const days: { at: number; lines: Lines }[] = [];
  const ask = async (...more: string[]) => {
    const ran = await run(['report', 'aging', '--by', 'payment', '--mirror', file, '-o', 'json', ...more]);
    expect(ran.code, ran.stderr).toBe(0);
    return json<{ rows: Row[]; proofs: number }>(ran);
  };
  for (let day = 0; day < 7; day++) {
    for (let step = 0; step < 40; step++) await world.step(world.books(), false);
    for (const { id } of items('user_gateways')) await world.post(`/user_gateways/${id}`, { enabled: true });
    const card = { card_number: '5555555555554444', exp_month: 1, exp_year: 30, card_code: '123' };
    for (const owed of items('salvage_transactions')) {
      if (!owed.enabled || cents(owed.amount_remaining) === 0) continue;
      const paid = await world.post(`/salvage_transactions/${owed.id}/process`, { payment: { credit_card: card } });
      if (paid.status !== 200) continue;
      if (day % 2 === 1) await world.post(`/transactions/${paid.body.transaction_id}/refund`, { amount: 1 });
      break;
    }
    world.now += 9 * DAY;
    // What falls due meanwhile is done when the service is asked next.
    await world.send('GET', '/campaigns?limit=1&page=1');
    await sync('--full');
    const { rows, proofs } = await ask();
    const lines = expected(items, world.now);
    expect(told(rows), `day ${day}`).toEqual(lines);
    expect(proofs).toBe(2 * rows.length);
    // A sync takes its time, and what is done next has a moment of its own.
    days.push({ at: world.now + 1800, lines });
    world.now += 3600;
  }
  const all = days.flatMap(({ lines }) => Object.values(lines));
  // The life had all of it: other buckets, collected, given up, pending.
  expect(new Set(all.map(([, bucket]) => bucket)).size).toBeGreaterThan(2);
  expect(new Set(all.map(([what]) => what))).toContain('pending sale');
  for (const at of [3, 4, 5, 6])
    expect(
      all.some((line) => Number(line[at]) > 0),
      String(at),
    ).toBe(true);

  for (const { at, lines } of days) {
    const { rows } = await ask('--as-of', String(at));
    expect(told(rows), new Date(at * 1000).toISOString()).toEqual(lines);
  }
  const early = await run(['report', 'aging', '--as-of', String((days[0]?.at ?? 0) - DAY), '--mirror', file]);
  expect([early.code, early.stdout]).toEqual([10, '']);
});

it('is of one moment', async () => {
  const { run, file } = await followedLife(4);
  expect((await run(['report', 'aging', '--month', 'last', '--mirror', file])).code).toBe(2);
  expect((await run(['report', 'close', '--month', 'last', '--as-of', 'yesterday', '--mirror', file])).code).toBe(2);
});

it('counts calendar days of the zone, not spans of 24 hours, and leads on from options that it has not', async () => {
  const now = at('2026-11-01', 9);
  const failed = (day: string, hour: number, id: string) => ({
    ...{ id: `Salvage${id.padStart(13, '0')}`, created_date_unix: at(day, hour), status: 'active', enabled: true },
    ...{ amount: 10, amount_remaining: 10, iso_currency: 'USD', method: 'subscription_renew', transactions: [] },
  });
  // 30 days and 14 hours, 31 days less than 14 hours.
  const database = await mirrorOf(
    { salvage_transactions: [failed('2026-10-01', 23, '1'), failed('2026-10-01', 3, '2')] },
    [],
    now,
  );
  const place = home({ TZ: 'UTC' });
  const clock = { now: () => now * 1000, sleep: async () => {} };
  const aging = (...more: string[]) =>
    place.run(['report', 'aging', '--mirror', database.file, '-o', 'json', ...more], { clock });
  const ages = async (tz: string) => {
    const { rows } = json<{ rows: (Row & { oldest: number })[] }>(await aging('--by', 'payment', '--tz', tz));
    return Object.fromEntries(
      rows.filter(({ what }) => what === 'failed').map((row) => [row.payment.at(-1), [row.bucket, row.oldest]]),
    );
  };
  expect(await ages('UTC')).toEqual({ 1: ['31-60', 31], 2: ['31-60', 31] });
  // In Los Angeles the second failed on the last of September; the clocks went back that morning.
  expect(await ages('America/Los_Angeles')).toEqual({ 1: ['31-60', 31], 2: ['31-60', 32] });
  expect(await ages('Asia/Tokyo')).toEqual({ 1: ['0-30', 30], 2: ['31-60', 31] });
  expect((await aging('--top', '5')).stderr).toContain('--by customer --sort=-open');
  expect((await aging('--across', 'bucket')).stderr).toContain('rows of its own');
});
