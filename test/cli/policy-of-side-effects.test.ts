/** @module-tag thorough */
/** A rule speaks of what a write does, also where only a field of its body does it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Handler, ok, wrote } from '../fixtures/service/service.js';
import { A, B, errorOf, json, pair } from './helpers.js';
import { Agent } from './mcp/agent.js';
import type { Home } from './program.js';

const SALE = { live_mode: false, amount_original_total: 131.57, amount_total: '131.57', amount_refunded: 0 };

/** Sales of 131.57 USD each; any other item is not there. */
const shop: Handler = (request) => {
  if (request.method !== 'GET') return wrote('fraud_detection', B);
  return request.url.includes('/sales/') ? ok({ id: A, ...SALE, iso_currency: 'USD' }) : ok({ id: A });
};

const CREATE = ['fraud-detections', 'create', '--source-id', A];
const VOID = [...CREATE, '--void-sale'];

function setPolicy(home: Home, rules: string): void {
  const folder = home.env.COPS_CONFIG_DIR ?? '';
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'policy.yaml'), `zone: UTC\nrules:\n${rules}\n`);
}

const posts = (service: { requests: readonly { method: string }[] }) =>
  service.requests.filter(({ method }) => method === 'POST').length;

describe('a fraud detection that voids its sale', () => {
  it('is held to the limit of refunds by all ways', async () => {
    const { service, home } = await pair(shop);
    await home.run(['policy', 'add', '--operations', 'refund', '--most', '100 USD']);
    const rows = path.join(home.folder, 'rows.csv');
    writeFileSync(rows, `source_id,void_sale\n${A},true\n`);
    const body = JSON.stringify({ source_id: A, void_sale: true });
    for (const line of [
      [...VOID, '--yes'],
      ['api', 'POST', '/fraud_detections', '--body', body, '--yes'],
      ['bulk', 'fraud-detections', 'create', '--input', rows, '--yes'],
    ]) {
      const ran = await home.run(line);
      expect(ran.stderr, line.join(' ')).toContain('the limit for one write is 100.00 USD, and this is 131.57 USD');
      expect(ran.code).not.toBe(0);
    }
    // The service may take the field in an edit as well: no body of that was seen to its end.
    expect((await home.run(['api', 'POST', `/fraud_detections/${B}`, '--body', body, '--yes'])).code).toBe(12);
    expect(posts(service)).toBe(0);
    expect((await home.run([...CREATE, '--yes'])).code).toBe(0);
    expect((await home.run([...CREATE, '--no-void-sale', '--flag-similar-sale', '--yes'])).code).toBe(0);
  });

  it('is told by policy check with its sum, with a rule and without', async () => {
    const { home } = await pair(shop);
    const check = async (line: readonly string[]) => json(await home.run(['policy', 'check', ...line, '-o', 'json']));
    expect(await check(VOID)).toMatchObject({ allowed: true, moves: ['131.57 USD'] });
    expect(await check(CREATE)).toMatchObject({ allowed: true, moves: ['nothing'] });
    expect(await check(['transactions', 'refund', A, '-d', 'amount=5'])).toMatchObject({ allowed: true });
    await home.run(['policy', 'add', '--operations', 'refund', '--most', '200 USD']);
    expect(await check(VOID)).toMatchObject({ allowed: true, moves: ['131.57 USD'] });
    await home.run(['policy', 'add', '--operations', 'sales void', '--most', '100 USD', '--name', 'voids']);
    expect(await check(VOID)).toMatchObject({ allowed: false, rule: 'voids', limit: 'most' });
  });

  it('is refused where the sum cannot be determined', async () => {
    const rule = '  - {name: r, operations: [sales void], most: {USD: 1000}}';
    const { service, home } = await pair(shop);
    setPolicy(home, rule);
    const ran = await home.run([
      'api',
      'POST',
      '/fraud_detections',
      '--body',
      '{"void_sale":true}',
      '--yes',
      '-o',
      'json',
    ]);
    expect(errorOf(ran)).toMatchObject({ kind: 'stopped', rule: 'r', limit: 'most' });
    expect(ran.stderr).toContain('void_sale does sales void, and the item cannot be read');
    const other = await pair((request) => (request.method === 'GET' ? ok({ id: A, live_mode: false }) : wrote('x', B)));
    setPolicy(other.home, rule);
    const strange = await other.home.run([...VOID, '--yes']);
    expect(strange.code).toBe(12);
    expect(strange.stderr).toContain('void_sale does sales void, and the item shows no currency');
    expect(posts(service) + posts(other.service)).toBe(0);
  });

  it('is stopped by a rule that sales are never voided, and by one that allows only fraud detections', async () => {
    const { service, home } = await pair(shop);
    for (const rule of ['never: [sales void]', 'only: [fraud-detections]']) {
      setPolicy(home, `  - {name: r, ${rule}}`);
      const ran = await home.run([...VOID, '--yes']);
      expect(ran.code).toBe(12);
      expect(ran.stderr).toContain('sales void (which fraud-detections create does with void_sale)');
    }
    expect(posts(service)).toBe(0);
    expect((await home.run([...CREATE, '--yes'])).code).toBe(0);
  });

  it('counts for the day of sales that are voided, and is kept in the history', async () => {
    const { home } = await pair(shop);
    setPolicy(home, '  - {name: day, operations: [sales void], most_a_day: {USD: 200}}');
    expect((await home.run([...VOID, '--yes'])).code).toBe(0);
    const [entry] = json<object[]>(await home.run(['history', 'list', '-o', 'json']));
    expect(entry).toMatchObject({
      operation: 'fraud-detections create',
      also: [{ operation: 'sales void', field: 'void_sale' }],
      amount: '131.57',
    });
    const second = await home.run(['sales', 'void', A, '--yes']);
    expect(second.code).toBe(12);
    expect(second.stderr).toContain("today's total is 131.57 USD");
  });

  it('asks with what is left of the sale, and tells that it is not paid back yet', async () => {
    const live: Handler = (request) =>
      request.method === 'GET' ? ok({ id: A, ...SALE, live_mode: true, iso_currency: 'USD' }) : wrote('x', B);
    const { service, home } = await pair(live, 'live');
    const asked = home.start(['--live', ...VOID], { terminal: 120 });
    await expect.poll(asked.stderr, { timeout: 10_000 }).toContain(`Type ${A}`);
    const told = asked.stderr().replaceAll(/\s+/g, ' ');
    expect(told).toContain(`And with void_sale: sales void ${A}`);
    expect(told).toContain('total: 131.57 USD');
    expect(told).toContain('Refunds all product sales, shipping and tax in full');
    asked.signal('SIGINT');
    expect((await asked.ended).code).not.toBe(0);
    expect(posts(service)).toBe(0);
    const sent = await home.run(['--live', ...VOID, '--yes']);
    expect(sent.stderr).toContain('Accepted by the service, not yet paid back');
  });

  it('is not let through by an agent that may only write, and is shown whole to one that may', async () => {
    const { service, home } = await pair(shop);
    const given = { operation: 'fraud-detections create', body: JSON.stringify({ source_id: A, void_sale: true }) };
    const writer = await Agent.start(home, ['mcp', '--allow', 'write,money']);
    expect(await writer.call('prepare', given)).toMatchObject({ outcome: 'refused' });
    const grave = await Agent.start(home, ['mcp', '--allow', 'write,money,irreversible']);
    const prepared = await grave.call('prepare', given);
    expect(JSON.stringify(prepared)).toContain(`And with void_sale: sales void ${A}`);
    expect(await grave.call('commit', { token: prepared.token })).toMatchObject({
      outcome: 'done',
      says: 'Accepted by the service, not yet paid back.',
    });
    expect(posts(service)).toBe(1);
  });
});

describe('a limit for one write', () => {
  const REFUND = ['transactions', 'refund', A, '--yes'];

  it('stops on an item that is not the requested one', async () => {
    const { service, home } = await pair(({ method }) =>
      method === 'GET'
        ? ok({ id: B, live_mode: false, amount: '1.00', amount_refunded: '0.00', iso_currency: 'USD' })
        : ok({}),
    );
    await home.run(['policy', 'add', '--operations', 'refund', '--most', '100 USD']);
    const ran = await home.run(REFUND);
    expect([ran.code, posts(service)], ran.stderr).toEqual([12, 0]);
    expect(ran.stderr).toContain(`the item ${B}, not the requested one`);
  });

  it('takes the largest sum that may be left, where the figures of an item disagree', async () => {
    const told = { amount: '500.00', amount_refunded: '0.00', amount_total: '5.00', iso_currency: 'USD' };
    const { service, home } = await pair(() => ok({ id: A, live_mode: false, ...told }));
    await home.run(['policy', 'add', '--operations', 'refund', '--most', '100 USD']);
    const ran = await home.run(REFUND);
    expect([ran.code, posts(service)], ran.stderr).toEqual([12, 0]);
    expect(ran.stderr).toContain('this is 500.00 USD');
  });
});
