/** A subscription that has ended renews no more: tables show no date for it, machine formats what came. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { ok } from '../fixtures/service/service.js';
import { Home } from '../harness/home.js';
import { A, B, C, json, pair } from './helpers.js';

const DUE = Date.UTC(2027, 0, 15) / 1000;
const account = (...states: readonly string[]) =>
  pair((request) => {
    const items = states.map((status, at) => ({
      id: [A, B, C][at] ?? '',
      status,
      amount: 10 + at,
      iso_currency: 'USD',
      billing: { next_renewal_date_unix: DUE },
      created_date_unix: 1_790_000_000,
      live_mode: false,
    }));
    const found = items.find(({ id }) => request.path.endsWith(`/${id}`));
    if (found) return ok(found);
    const count = request.path.startsWith('/subscriptions') ? items.length : 0;
    const results = items.slice(0, count);
    return ok({ results, current_page: 1, current_count: count, total_count: count, total_pages: 1 });
  });
const LINE = ['subscriptions', 'list', '--from', '2026-09-01', '--to', '2026-10-01', '--tz', 'UTC'];

it('shows a next renewal for what still renews alone', async () => {
  const { home } = await account('active', 'cancelled', 'occurrence_limit');
  const rows = stripVTControlCharacters((await home.run(LINE, { terminal: 160 })).stdout).split('\n');
  const rowOf = (id: string) => rows.find((row) => row.startsWith(id)) ?? '';
  expect(rowOf(A)).toContain('2027-01-15');
  for (const id of [B, C]) expect(rowOf(id)).not.toMatch(/^$|2027/);
  const asked = await home.run([...LINE, '--columns', 'id,billing.next_renewal_date_unix'], { terminal: 160 });
  expect(asked.stdout.match(/2027-01-15/g)).toHaveLength(3);
});

it('keeps the stored date in machine formats', async () => {
  const { home } = await account('cancelled');
  const [item] = json<{ billing: object }[]>(await home.run([...LINE, '-o', 'json']));
  expect(item?.billing).toEqual({ next_renewal_date_unix: DUE });
  for (const format of ['csv', 'tsv'])
    expect((await home.run([...LINE, '-o', format])).stdout).toMatch(/\b1799971200\b|2027-01-15/);
});

it('says why that nothing renews any more', async () => {
  const { home } = await account('cancelled');
  const ran = await home.run(['why', A, '--family', 'subscriptions'], { terminal: 160 });
  expect(stripVTControlCharacters(ran.stdout)).toContain(`Subscription ${A} is cancelled: it no longer renews.`);
});

it('says why that a trial of it goes on and charges, and names what ends it', async () => {
  const cops = new Home({ COPS_PROFILE: 'sandbox' });
  const trials = ['trials', 'list', '--last', '1y', '--where', 'status=active', '--limit', '1', '-o', 'json'];
  const [trial] = json<{ id: string; amount: number; subscriptions: string[] }[]>(await cops.run(trials));
  const [id = ''] = trial?.subscriptions ?? [];
  const why = async () => (await cops.run(['why', id], { terminal: 160 })).stdout;
  expect(await why()).not.toContain('goes on, and charges');
  await cops.run(['subscriptions', 'cancel', id]);
  const said = stripVTControlCharacters(await why());
  expect(said).toContain(`Its trial ${trial?.id} goes on, and charges`);
  expect(said).toContain(`cops trials cancel ${trial?.id}`);
  await cops.run(['trials', 'cancel', trial?.id ?? '']);
  expect(await why()).not.toContain('goes on, and charges');
  cops.remove();
});

it('says of a list by the date how many no longer renew, and of a range ahead how many are past', async () => {
  const { home } = await account('active', 'suspended', 'cancelled');
  const due = await home.run([...LINE, '--where', 'next_renewal>=2027-01-14', '--where', 'next_renewal<2027-01-20']);
  expect(due.stderr).toContain('2 of these 3 are neither active nor overdue');
  const running = await home.run([...LINE, '--where', 'next_renewal>=2027-01-14', '--status', 'active']);
  expect(running.stderr).not.toContain('neither');
  const between = await home.run([...LINE, '--next', '14 january 2027 to 16 january 2027', '-o', 'ids']);
  expect(between).toMatchObject({ code: 0, stdout: `${A}\n` });
  const later = Date.UTC(2028, 0, 1);
  const past = await home.run([...LINE, '--where', 'next_renewal<+60d'], { clock: { now: () => later } as never });
  expect(past.stderr).toContain('3 of these 3 are in the past');
});
