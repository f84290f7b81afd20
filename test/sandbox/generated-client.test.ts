/** @module-tag process */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { generateSource } from 'oazapfts';
import createClient from 'openapi-fetch';
import openapiTypescript from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeSandbox } from '../../src/sandbox/serve/description.js';
import { type Service, startService, TEST_KEY } from './service.js';

/*
 * A client of a public generator (openapi-typescript, openapi-fetch) that knows the service from its openapi.json alone:
 * what the tasks read and write is checked by the compiler against the generated types.
 */

const TASKS = `
import type createOne from 'openapi-fetch';
import type { paths } from './service';

export async function tasks(createClient: typeof createOne, baseUrl: string, key: string, now: number) {
  const { GET, POST } = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });
  const whole = { limit: 25, page: 1 };
  const window = { ...whole, date_start: now - 89 * 86400, date_end: now + 3600 };
  const done: Record<string, unknown> = {};
  const { data: campaigns } = await GET('/campaigns', { params: { query: whole } });
  const campaign: string = campaigns?.results[0]?.id ?? '';
  done['lists campaigns'] = campaigns?.total_count;
  const { data: profiles } = await GET('/payment_profiles', { params: { query: whole } });
  const payment_profile: string = profiles?.results[0]?.id ?? '';
  const { data: product } = await POST('/products', { body: { name: 'Generated', price: 12.5, idempotency_key: 'generated-1' } });
  done['makes a product'] = product?.product_id;
  const { data: read } = await GET('/products/{product_id}', { params: { path: { product_id: product?.product_id ?? '' } } });
  done['reads it'] = read?.price;
  const { data: edited } = await POST('/products/{product_id}', {
    params: { path: { product_id: product?.product_id ?? '' } }, body: { price: 15 } });
  done['edits it'] = edited?.product_id;
  const order = {
    campaign, payment_profile, payment_type: 'credit_card' as const, iso_currency: 'USD',
    customer: { email: 'generated@example.com', first_name: 'Ada' },
    credit_card: { card_number: '4111111111111111', exp_month: 12, exp_year: 30, card_code: '123' },
    products: [{ id: product?.product_id ?? '', quantity: 2 }],
  };
  const { data: sale } = await POST('/sales', { body: order });
  done['sells it'] = sale?.sale_id;
  const { data: hits } = await GET('/customers/search', { params: { query: { search_term: 'generated@example.com' } } });
  done['finds the buyer'] = hits?.results[0]?.email;
  const { data: sales } = await GET('/sales', { params: { query: { ...window, campaign_filter: [campaign] } } });
  done['lists sales of a campaign'] = sales?.results.some(({ id }) => id === sale?.sale_id);
  const { error: declined, response } = await POST('/sales', {
    body: { ...order, credit_card: { ...order.credit_card, card_number: '4000000000000002' } } });
  done['is declined'] = [response.status, declined?.code];
  const { error: missing } = await GET('/sales/{sale_id}', { params: { path: { sale_id: 'a'.repeat(20) } } });
  done['misses a sale'] = missing?.result;
  const { data: sold } = await GET('/sales/{sale_id}', { params: { path: { sale_id: sale?.sale_id ?? '' } } });
  const { data: refund } = await POST('/product_sales/{product_sale_id}/refund', {
    params: { path: { product_sale_id: sold?.product_sales?.[0] ?? '' } }, body: { amount: 5 } });
  done['refunds a part'] = refund?.result;
  let payments = 0;
  for (const days of [0, 85]) {
    const part = { date_start: now - (days + 85) * 86400, date_end: now - days * 86400 + (days === 0 ? 3600 : -1) };
    const { data } = await GET('/transactions', { params: { query: { ...whole, ...part } } });
    payments += data?.total_count ?? 0;
  }
  done['counts payments of two windows'] = payments;
  const { data: events } = await GET('/site_events', { params: { query: { ...whole, date_start: now - 3600, date_end: now + 3600 } } });
  done['reads what was raised'] = (events?.total_count ?? 0) > 0 && typeof events?.results[0]?.notation;
  const { data: voided } = await POST('/sales/{sale_id}/void', { params: { path: { sale_id: sale?.sale_id ?? '' } }, body: {} });
  done['voids the sale'] = voided?.result;
  return done;
}
`;

/** The same business by a client of functions (oazapfts), whose answers are told apart by their status. */
const FUNCTIONS = `
import * as api from './client';

export async function tasks(baseUrl: string, key: string, now: number) {
  api.defaults.baseUrl = baseUrl;
  api.defaults.headers = { 'x-api-key': key };
  const done: Record<string, unknown> = {};
  const campaigns = await api.getCampaigns(25, 1);
  const profiles = await api.getPaymentProfiles(25, 1);
  const product = await api.createProduct({ name: 'By functions', price: 12.5 });
  if (campaigns.status !== 200 || profiles.status !== 200 || product.status !== 200) return done;
  const sale = await api.createSale({
    campaign: campaigns.data.results[0]?.id ?? '', payment_profile: profiles.data.results[0]?.id ?? '',
    payment_type: 'credit_card', iso_currency: 'USD', customer: { email: 'functions@example.com', first_name: 'Ada' },
    credit_card: { card_number: '4111111111111111', exp_month: 12, exp_year: 30, card_code: '123' },
    products: [{ id: product.data.product_id ?? '', quantity: 2 }],
  });
  if (sale.status !== 200) return done;
  done['sells'] = sale.data.sale_id;
  const sold = await api.getSale(sale.data.sale_id ?? '');
  if (sold.status !== 200) return done;
  const refund = await api.refundProductSale(sold.data.product_sales?.[0] ?? '', { amount: 5 });
  done['refunds a part'] = refund.status === 200 && refund.data.result;
  const again = await api.refundProductSale(sold.data.product_sales?.[0] ?? '', { amount: 99999 });
  done['is refused'] = again.status === 400 && again.data.error_code;
  let payments = 0;
  for (const days of [0, 85]) {
    const begin = now - (days + 85) * 86400;
    const page = await api.getTransactions(begin, now - days * 86400 + (days === 0 ? 3600 : -1), 25, 1);
    if (page.status === 200) payments += page.data.total_count;
  }
  done['counts payments of two windows'] = payments;
  const events = await api.getSiteEvents(now - 3600, now + 3600, 25, 1);
  done['reads what was raised'] = events.status === 200 && typeof events.data.results[0]?.notation;
  return done;
}
`;

let service: Service;
const dir = mkdtempSync(join(tmpdir(), 'generated-'));

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Holds the types, as strictly as they can be. */
function compile(folder: string): void {
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const tsc = resolve('node_modules/.bin/tsc');
  const file = join(folder, 'tasks.ts');
  execFileSync(tsc, [...flags, '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', file], { cwd: folder });
}

describe('a client made from openapi.json by a public generator', () => {
  it('does thirteen tasks, and its types hold', { timeout: 120_000 }, async () => {
    const served = await (await fetch(`${service.url}/openapi.json`)).json();
    expect(served).toEqual(JSON.parse(await describeSandbox()));
    mkdirSync(dir, { recursive: true });
    symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
    writeFileSync(join(dir, 'service.d.ts'), await openapiTypescript(served as never));
    writeFileSync(join(dir, 'tasks.ts'), TASKS);
    compile(dir);
    const outfile = join(dir, 'tasks.mjs');
    writeFileSync(outfile, (await transform(TASKS, { loader: 'ts' })).code);
    const { tasks } = (await import(pathToFileURL(outfile).href)) as { tasks: (...of: unknown[]) => Promise<object> };
    const id = expect.stringMatching(/^\w{20}$/);
    expect(await tasks(createClient, service.url, TEST_KEY, await service.now())).toEqual({
      'lists campaigns': 3,
      'makes a product': id,
      'reads it': 12.5,
      'edits it': id,
      'sells it': id,
      'finds the buyer': 'generated@example.com',
      'lists sales of a campaign': true,
      'is declined': [402, 2],
      'misses a sale': 'error',
      'refunds a part': 'success',
      'counts payments of two windows': expect.any(Number),
      'reads what was raised': 'string',
      'voids the sale': 'success',
    });
  });

  it('does a sale, a refund, windows and events by functions, without a cast', { timeout: 120_000 }, async () => {
    const own = join(dir, 'functions');
    mkdirSync(own, { recursive: true });
    symlinkSync(resolve('node_modules'), join(own, 'node_modules'));
    writeFileSync(join(own, 'api.json'), await (await fetch(`${service.url}/openapi.json`)).text());
    writeFileSync(join(own, 'client.ts'), await generateSource(join(own, 'api.json')));
    writeFileSync(join(own, 'tasks.ts'), FUNCTIONS);
    compile(own);
    const outfile = join(own, 'tasks.mjs');
    await build({ entryPoints: [join(own, 'tasks.ts')], bundle: true, format: 'esm', platform: 'node', outfile });
    const { tasks } = (await import(pathToFileURL(outfile).href)) as { tasks: (...of: unknown[]) => Promise<object> };
    expect(await tasks(service.url, TEST_KEY, await service.now())).toEqual({
      sells: expect.stringMatching(/^\w{20}$/),
      'refunds a part': 'success',
      'is refused': expect.stringMatching(/^E\d{4}$/),
      'counts payments of two windows': expect.any(Number),
      'reads what was raised': 'string',
    });
  });
});
