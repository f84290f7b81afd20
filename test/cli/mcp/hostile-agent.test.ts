/** @module-tag thorough */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Handler, listHandler, ok, wrote } from '../../fixtures/service/service.js';
import { golden } from '../../golden/file.js';
import { A, B, items, pair } from '../helpers.js';
import { Agent } from './agent.js';
import { ORDERS, TRIES } from './tries.js';

const REFUND = { operation: 'transactions refund', ids: [A], body: '{"amount":5}' };
const paid = { id: A, live_mode: false, amount: 100, amount_total: 100, amount_refunded: 0, iso_currency: 'USD' };
const posts = ({ requests }: { readonly requests: readonly { readonly method: string }[] }) =>
  requests.filter(({ method }) => method === 'POST').length;

function shop(item: () => object = () => paid, refund: Handler = () => wrote('pending_refund', B)): Handler {
  return (request, ...rest) => (request.method === 'GET' ? ok({ ...item() }) : refund(request, ...rest));
}

/** A server that may refund, and nothing else. */
async function till(handler: Handler = shop(), words: readonly string[] = []) {
  const { service, home } = await pair(handler);
  const agent = await Agent.start(home, ['mcp', '--allow', 'money', '--families', 'transactions', ...words]);
  return { service, home, agent };
}

describe('a hostile agent', () => {
  it('writes nothing by any call of the table', async () => {
    let name = '';
    const { service, agent } = await till(shop(() => ({ ...paid, name, customer: { first_name: name, note: name } })));
    const came: string[] = [];
    for (const { kind, tried, tool, given } of TRIES) {
      const { outcome, error } = await agent.call(tool, given);
      expect.soft([outcome, posts(service)], `${kind}: ${tried}`).toEqual(['refused', 0]);
      came.push(`${kind} | ${tried} | ${error?.kind ?? 'protocol'}: ${String(error?.message).slice(0, 90)}`);
    }
    for (const order of ORDERS) {
      name = order;
      const told = await agent.call('read', { operation: 'transactions get', ids: [A] });
      expect.soft([told.items?.[0]?.name, told.from_service, posts(service)], order).toEqual([order, ['items'], 0]);
      came.push(
        `order in a name and a note | ${JSON.stringify(order).replace(/\p{Cf}/gu, (one) => `\\u${one.charCodeAt(0).toString(16)}`)} | data of items`,
      );
    }
    const table = `${came.join('\n')}\n`;
    expect(table).toBe(golden('mcp/hostile-agent.txt', table));
    expect(came.length).toBeGreaterThanOrEqual(200);
  });

  it.each(ORDERS)('takes no order from a name: %j', async (name) => {
    const { service, agent } = await till((request) =>
      request.method === 'GET'
        ? listHandler({ items: items(2, Math.floor(Date.now() / 1000) - 9, { name }) })(request)
        : wrote('pending_refund', B),
    );
    const told = await agent.call('read', { operation: 'transactions list' });
    expect(told.complete).toBe(true);
    expect(told.items.map((one: { name: string }) => one.name)).toEqual([name, name]);
    expect(Object.keys(told).sort()).toEqual(['complete', 'from_service', 'items', 'next', 'notes', 'total']);
    expect(JSON.stringify(told.notes)).not.toContain('refund');
    expect(posts(service)).toBe(0);
  });

  it('sends what was prepared once, however often its token comes, also all at once', async () => {
    const { service, agent } = await till();
    const { token } = await agent.call('prepare', REFUND);
    const told = await Promise.all(Array.from({ length: 12 }, () => agent.call('commit', { token })));
    expect(told.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(posts(service)).toBe(1);
  });

  it('takes no other body, id or mode with a good token, and sends what was shown', async () => {
    const { service, agent } = await till();
    const { token } = await agent.call('prepare', REFUND);
    for (const more of [{ body: '{"amount":99}' }, { ids: [B] }, { mode: 'live' }, { operation: 'sales void' }]) {
      expect(await agent.call('commit', { token, ...more })).toMatchObject({ outcome: 'refused' });
    }
    for (const near of [`${token} `, ` ${token}`, token.toLowerCase(), token.slice(1), `${token}=`, `${token}\u0000`]) {
      expect(await agent.call('commit', { token: near })).toMatchObject({ outcome: 'refused' });
    }
    expect(posts(service)).toBe(0);
    expect(await agent.call('commit', { token })).toMatchObject({ outcome: 'done' });
    const sent = service.requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ path, json }) => [path, json])).toEqual([
      [`/transactions/${A}/refund`, expect.objectContaining({ amount: 5 })],
    ]);
  });

  it('is too late after ten minutes', async () => {
    const { service, agent } = await till();
    const { token } = await agent.call('prepare', REFUND);
    await agent.clock.sleep(600_001);
    expect(await agent.call('commit', { token })).toMatchObject({ outcome: 'refused', error: { kind: 'stopped' } });
    expect(posts(service)).toBe(0);
  });

  it('does not write to an item that changed since it was shown', async () => {
    let refunded = 0;
    const { service, agent } = await till(shop(() => ({ ...paid, amount_refunded: refunded })));
    const { token } = await agent.call('prepare', REFUND);
    refunded = 50;
    expect(await agent.call('commit', { token })).toMatchObject({ outcome: 'refused', error: { kind: 'stopped' } });
    expect(posts(service)).toBe(0);
  });

  it('does not do a second time what somebody did since it was prepared', { tags: ['process'] }, async () => {
    const { service, home, agent } = await till();
    const { token } = await agent.call('prepare', REFUND);
    const refunded = await home.spawn(['transactions', 'refund', A, '--amount', '5']);
    expect(refunded.code, refunded.stderr).toBe(0);
    const told = await agent.call('commit', { token });
    expect(told).toMatchObject({ outcome: 'refused', error: { message: expect.stringContaining('was done at') } });
    expect(posts(service)).toBe(1);
  });

  it('voids every other token of an item with a commit', async () => {
    const { service, agent } = await till();
    const first = await agent.call('prepare', REFUND);
    const second = await agent.call('prepare', { ...REFUND, body: '{"amount":7}' });
    expect(await agent.call('commit', { token: first.token })).toMatchObject({ outcome: 'done' });
    expect(await agent.call('commit', { token: second.token })).toMatchObject({ outcome: 'refused' });
    expect(posts(service)).toBe(1);
  });

  it('cannot repeat a write whose outcome is unknown', async () => {
    const { service, agent } = await till(shop(undefined, () => 'drop'));
    const { token } = await agent.call('prepare', REFUND);
    expect(await agent.call('commit', { token })).toMatchObject({ outcome: 'unknown' });
    const sent = posts(service);
    expect(await agent.call('commit', { token })).toMatchObject({ outcome: 'refused' });
    expect(await agent.call('prepare', REFUND)).not.toHaveProperty('token');
    expect(posts(service)).toBe(sent);
    const keys = service.requests.filter(({ method }) => method === 'POST').map(({ json }) => json);
    expect(new Set(keys.map((one) => (one as { idempotency_key: string }).idempotency_key)).size).toBe(1);
  });

  it('prepares and sends nothing unless the line allows it', async () => {
    const { service, home } = await pair(shop());
    const agent = await Agent.start(home, ['mcp']);
    for (const tool of ['prepare', 'commit']) {
      expect(await agent.call(tool, tool === 'prepare' ? REFUND : { token: 'x' })).toMatchObject({
        outcome: 'refused',
      });
    }
    expect(posts(service)).toBe(0);
  });

  it('prepares nothing of a risk that the line does not allow', async () => {
    const { service, home } = await pair(shop());
    const agent = await Agent.start(home, ['mcp', '--allow', 'write']);
    for (const operation of ['transactions refund', 'sales void', 'sales refund', 'subscriptions cancel']) {
      const told = await agent.call('prepare', { operation, ids: [A], body: '{}' });
      expect(told, operation).toMatchObject({ outcome: 'refused' });
    }
    expect(service.requests).toEqual([]);
  });

  it.each(['live', 'test'] as const)('moves no money without a person: %s mode, nothing proven', async (mode) => {
    const handler = shop(() => ({ ...paid, live_mode: undefined }));
    const { service, home } = await pair(handler, mode, {}, false);
    const agent = await Agent.start(home, [...(mode === 'live' ? ['--live'] : []), 'mcp', '--allow', 'money']);
    const { token } = await agent.call('prepare', REFUND);
    const told = await agent.call('commit', { token });
    expect(told).toMatchObject({
      outcome: 'refused',
      error: { hint: expect.stringContaining(`cops transactions refund ${A}`) },
    });
    expect(posts(service)).toBe(0);
  });

  it('goes alone in live mode only for the very operation that a rule names, within its limit', async () => {
    const { service, home } = await pair(
      shop(() => ({ ...paid, live_mode: true })),
      'live',
    );
    const rule = (alone: string) => `rules:\n  - {name: r, alone: [${alone}], most: {USD: 10}}\n`;
    const file = path.join(home.env.COPS_CONFIG_DIR ?? '', 'policy.yaml');
    mkdirSync(path.dirname(file), { recursive: true });
    const agent = await Agent.start(home, ['--live', 'mcp', '--allow', 'money']);
    const tried = async (alone: string, amount: number) => {
      writeFileSync(file, `zone: UTC\n${rule(alone)}`);
      const { token, outcome } = await agent.call('prepare', { ...REFUND, body: `{"amount":${amount}}` });
      return token === undefined ? outcome : (await agent.call('commit', { token })).outcome;
    };
    expect(await tried('sales refund', 5)).toBe('refused');
    expect(await tried('transactions refund', 50)).toBe('refused');
    expect(posts(service)).toBe(0);
    expect(await tried('transactions refund', 5)).toBe('done');
    expect(posts(service)).toBe(1);
  });

  it('does not serve a live profile unless the line says --live', async () => {
    const { home } = await pair(shop(), 'live');
    const ran = await home.run(['mcp', '--allow', 'money']);
    expect(ran).toMatchObject({ code: 12, stdout: '' });
  });

  it('hides personal data in items, errors and conditions with --mask', async () => {
    const customer = { ...paid, customer: { email: 'jane@example.com', first_name: 'Jane', phone: '555 0100' } };
    const { agent } = await till(
      shop(() => customer),
      ['--mask'],
    );
    const read = await agent.call('read', { operation: 'transactions get', ids: [A] });
    const prepared = await agent.call('prepare', REFUND);
    const asked = await agent.call('read', {
      operation: 'transactions list',
      where: ['customer.email = jane@example.com'],
    });
    for (const told of [read, prepared]) expect(JSON.stringify(told)).not.toMatch(/jane|555/i);
    expect(asked).toMatchObject({ outcome: 'refused' });
  });
});
