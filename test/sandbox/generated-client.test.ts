/** @module-tag process */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
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
  const { data: voided } = await POST('/sales/{sale_id}/void', { params: { path: { sale_id: sale?.sale_id ?? '' } }, body: {} });
  done['voids the sale'] = voided?.result;
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

describe('a client made from openapi.json by a public generator', () => {
  it('does ten tasks, and its types hold', { timeout: 120_000 }, async () => {
    const served = await (await fetch(`${service.url}/openapi.json`)).json();
    expect(served).toEqual(JSON.parse(await describeSandbox()));
    mkdirSync(dir, { recursive: true });
    symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
    writeFileSync(join(dir, 'service.d.ts'), await openapiTypescript(served as never));
    writeFileSync(join(dir, 'tasks.ts'), TASKS);
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const tsc = resolve('node_modules/.bin/tsc');
    execFileSync(tsc, [...flags, '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', join(dir, 'tasks.ts')], {
      cwd: dir,
    });
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
      'voids the sale': 'success',
    });
  });
});
