/** A close rests on rows that two passes saw alike, and names what moves (docs/reports.md#cops-report-close). */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { familiesOf } from '../../../src/data/mirror/views.js';
import { CLOSE } from '../../../src/data/report/close.js';
import { listHandler } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { errorOf, forgetFirstDay, json, pair } from '../helpers.js';

const DAY = 86_400;
// The service's clock as its answers tell it (`api_call_unix` of the fixture).
const NOW = 1_780_000_100;
/** A day of the month before. */
const THEN = NOW - 40 * DAY;
const MONTH = ['--month', new Date(THEN * 1000).toISOString().slice(0, 7)];
const SALE = 'Sale0000000000000001';
const PAYMENT = 'Trans000000000000001';
const REFUND = 'Refund00000000000001';
type Row = Record<string, unknown> & { id: string };

const money = (amount: number) => ({
  amount,
  amount_captured: amount,
  amount_gross: amount,
  amount_net: amount,
  amount_settled: amount,
  amount_fees: 0,
  amount_refunded: 0,
  amount_remaining: 0,
  iso_currency: 'USD',
  live_mode: false,
});

interface Account {
  readonly sales: Row[];
  readonly transactions: Row[];
  readonly pending_refunds: Row[];
  readonly chargebacks: Row[];
}

interface Close {
  readonly rests_on: { readonly passes: number; readonly agree: boolean; readonly moved: string[] };
  readonly rows: {
    readonly section: string;
    readonly line: string;
    readonly amount: number;
    readonly id: string | null;
  }[];
}

/** `after` is called when the month's sale was read for the n-th time since the mirror was made. */
async function account(after: (reading: number, lists: Account) => void = () => undefined) {
  const lists: Account = {
    sales: [{ id: SALE, created_date_unix: THEN, status: 'paid', ...money(9), transactions: [PAYMENT] }],
    transactions: [
      { id: PAYMENT, created_date_unix: THEN, status: 'approved', method: 'sale', ...money(9), sales: [SALE] },
    ],
    pending_refunds: [],
    chargebacks: [],
  };
  let readings = 0;
  let isMade = false;
  const { home, service } = await pair((request) => {
    const name = request.path.replace(/\?.*/, '').slice(1);
    const items = lists[name as keyof Account] ?? [];
    const answer = listHandler({ items })(request);
    if (isMade && name === 'sales' && JSON.stringify(answer).includes(SALE)) after(++readings, lists);
    return answer;
  });
  forgetFirstDay(home);
  const run = (words: readonly string[], now: number | QuickClock = NOW) =>
    home.run(words, { cwd: home.folder, clock: typeof now === 'number' ? new QuickClock(now * 1000) : now });
  const close = async (...more: string[]) => {
    const ran = await run(['report', 'close', ...MONTH, ...more, '-o', 'json'], NOW + 60);
    return { ran, said: ran.stdout === '' ? undefined : json<Close>(ran) };
  };
  const made = await run(['sync', '-q', ...familiesOf(CLOSE.views)]);
  expect(made.code, made.stderr).toBe(0);
  isMade = true;
  return { lists, run, close, service, home };
}

const gross = (said: Close | undefined) =>
  said?.rows.find(({ line, section }) => section === 'totals' && line === 'gross');

it('agrees at the second pass where nothing moves', async () => {
  const { close } = await account();
  const { ran, said } = await close();
  expect(ran.code, ran.stderr).toBe(0);
  expect(said?.rests_on).toMatchObject({ passes: 2, agree: true, moved: [] });
});

it('takes what the mirror has just read for the first pass, and a row that moved since for a move', async () => {
  const { close, service, lists } = await account();
  const requests = async (...more: string[]) => {
    const before = service.requests.length;
    const { ran, said } = await close(...more);
    expect(ran.code, ran.stderr).toBe(0);
    return [service.requests.length - before, said?.rests_on.passes] as const;
  };
  const [whole] = await requests('--sync');
  expect(await requests()).toEqual([expect.any(Number), 2]);
  const [few] = await requests();
  expect(few).toBeLessThan((whole * 2) / 3);
  lists.sales.splice(0, 1, { ...lists.sales[0], ...money(12) } as Row);
  lists.transactions.splice(0, 1, { ...lists.transactions[0], ...money(12) } as Row);
  expect((await requests())[1]).toBe(3);
});

it('agrees at the third pass where a row moved between the first two, with the row as it is then', async () => {
  const { close } = await account((reading, { sales, transactions }) => {
    if (reading !== 1) return;
    sales.splice(0, 1, { ...sales[0], ...money(12) } as Row);
    transactions.splice(0, 1, { ...transactions[0], ...money(12) } as Row);
  });
  const { ran, said } = await close('--sync');
  expect(ran.code, ran.stderr).toBe(0);
  expect(said?.rests_on).toMatchObject({ passes: 3, agree: true });
  expect(gross(said)?.amount).toBe(12);
});

it('ends with 10 and names what still moves after three passes', async () => {
  const { close } = await account((reading, { sales, transactions }) => {
    sales.splice(0, 1, { ...sales[0], ...money(9 + reading) } as Row);
    transactions.splice(0, 1, { ...transactions[0], ...money(9 + reading) } as Row);
  });
  const { ran, said } = await close('--sync');
  expect(ran.code, ran.stderr).toBe(10);
  expect(said?.rests_on).toMatchObject({ passes: 3, agree: false });
  expect(said?.rests_on.moved).toContain(`sales ${SALE}`);
  expect(ran.stderr).toContain(SALE);
});

it('takes a new refund of a row of the month for a move, and a sale of another month for none', async () => {
  const other = await account((reading, { sales }) => {
    sales.push({
      ...sales[0],
      id: `Other${String(reading).padStart(15, '0')}`,
      created_date_unix: NOW,
      transactions: [],
    } as Row);
  });
  const still = await other.close('--sync');
  expect([still.ran.code, still.said?.rests_on.passes], still.ran.stderr).toEqual([0, 2]);
  const { close } = await account((reading, { pending_refunds }) => {
    const id = `${REFUND.slice(0, -2)}${10 + reading}`;
    pending_refunds.push({ id, created_date_unix: NOW, status: 'pending', source_id: SALE, ...money(1) });
  });
  const { ran, said } = await close('--sync');
  expect(ran.code, ran.stderr).toBe(10);
  expect(said?.rests_on.moved.join()).toContain('pending_refunds Refund');
});

it('reads again what an old mirror has otherwise, and a named file not at all', async () => {
  const { close, lists, home, service } = await account();
  lists.sales.splice(0, 1, { ...lists.sales[0], ...money(14) } as Row);
  lists.transactions.splice(0, 1, { ...lists.transactions[0], ...money(14) } as Row);
  const own = path.join(home.env.COPS_DATA_DIR ?? '', 'mirrors');
  const [file = ''] = readdirSync(own).filter((name) => name.endsWith('.sqlite'));
  const before = service.requests.length;
  const named = await close('--mirror', path.join(own, file));
  expect([named.ran.code, gross(named.said)?.amount, service.requests.length], named.ran.stderr).toEqual([
    0,
    9,
    before,
  ]);
  expect(named.said?.rests_on).toBeUndefined();
  const { ran, said } = await close('--sync');
  expect([ran.code, gross(said)?.amount], ran.stderr).toEqual([0, 14]);
});

it('ends with 10 where items and payments differ', async () => {
  const { close, lists } = await account();
  lists.transactions.splice(0, 1, { ...lists.transactions[0], ...money(8) } as Row);
  const { ran, said } = await close('--sync');
  expect(ran.code, ran.stderr).toBe(10);
  expect(said?.rows.filter(({ section }) => section === 'difference')).toMatchObject([{ id: SALE, amount: 1 }]);
});

it('ends with 10 where a chargeback is in another currency than its payment', async () => {
  const { close, lists, run } = await account();
  const taken = { ...money(9), iso_currency: 'EUR', transaction_id: PAYMENT, status: 'disputed' };
  lists.chargebacks.push({ id: 'Charge00000000000001', created_date_unix: THEN, ...taken });
  const { ran, said } = await close('--sync');
  expect(ran.code, ran.stderr).toBe(10);
  expect(said?.rows.filter(({ section }) => section === 'difference')).toMatchObject([
    { id: 'Charge00000000000001', amount: 9 },
  ]);
  const alone = await run(['report', 'chargebacks', ...MONTH, '-o', 'json'], NOW + 60);
  expect([alone.code, errorOf(alone).kind], alone.stderr).toEqual([10, 'incomplete']);
});

it('takes a refund made seconds before the close for what it is, and never for one that is no longer listed', async () => {
  const { close, lists, run } = await account();
  const refund = { id: REFUND, created_date_unix: NOW + 58, status: 'processed', source_id: SALE, ...money(1) };
  lists.pending_refunds.push(refund);
  const { ran, said } = await close();
  expect(said?.rests_on.moved, ran.stderr).toEqual([]);
  expect(ran.code, ran.stderr).toBe(0);
  // The range of a sync a second later still ends before the refund, and that of one a minute later after it.
  for (const later of [61, 62, 130])
    expect((await run(['sync', '-q', 'pending-refunds', '-o', 'json'], NOW + later)).code).toBe(0);
  const seen = await run(['changes', 'pending-refunds', '--last', '2h', '-o', 'json'], NOW + 140);
  expect(seen.stdout).not.toContain('no longer listed');
  lists.pending_refunds.splice(0);
  const gone = json<Record<string, unknown>[]>(await run(['sync', 'pending-refunds', '-o', 'json'], NOW + 200));
  expect(gone).toMatchObject([{ family: 'pending_refunds', gone: 1 }]);
});

it('reads each pass up to its own time, without a gap behind the windows that were read before', async () => {
  const clock = new QuickClock((NOW + 60) * 1000);
  const { lists, run } = await account((reading, { pending_refunds }) => {
    if (reading !== 1) return;
    // Half a minute goes by before the second pass, and a refund is made at its beginning.
    void clock.sleep(30_000);
    pending_refunds.push({ id: REFUND, created_date_unix: NOW + 70, status: 'pending', source_id: SALE, ...money(1) });
  });
  expect(lists.pending_refunds).toEqual([]);
  const ran = await run(['report', 'close', ...MONTH, '--sync', '-o', 'json'], clock);
  expect(json<Close>(ran).rests_on, ran.stderr).toMatchObject({ passes: 3, agree: true });
});
