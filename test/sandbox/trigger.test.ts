/** @module-tag sweep */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/catalogue/event-types.js';
import { familyOfItem } from '../../src/sandbox/store/kinds.js';
import { trigger } from '../../src/sandbox/trigger/index.js';
import { type Json, SandboxWorld } from './world.js';

/* Every event of service.md#events can be made to happen, with its items; the books balance after each of them. */

let world: SandboxWorld;
beforeAll(async () => {
  world = await SandboxWorld.make(3);
});
afterAll(() => world.close());

const make = (notation: string, item?: string) =>
  trigger(world.opened, notation, { live: false, item, random: Math.random }) as Promise<Json[]>;

describe('cops sandbox trigger', () => {
  it.each(EVENTS)('makes %s happen', async (notation) => {
    world.now += 60;
    const since = world.now;
    const raised = await make(notation);
    const made = raised.filter((event) => event.notation === notation).at(-1);
    expect(made).toMatchObject({ type: 'account_event', live_mode: false, created_date_unix: since });
    const family = familyOfItem(made.item_type) as string;
    if (notation !== 'product.deleted') expect(world.opened.store.get(family, made.item_id, false)).toBeDefined();
    expect(world.breaches()).toEqual([]);
  });

  it('acts on the item that is named, and refuses one that does not fit or is not there', async () => {
    const { id } = world.one('subscriptions', ({ status }) => status === 'active');
    const raised = await make('subscription.updated.status.cancelled', id);
    expect(raised.map(({ item_id }) => item_id)).toContain(id);
    await expect(make('subscription.updated.status.suspended', id)).rejects.toMatchObject({ kind: 'usage' });
    await expect(make('trial.updated.extended', 'A'.repeat(20))).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('lets a named customer buy', async () => {
    const { id } = world.one('customers', ({ enabled, blocked }) => enabled && !blocked);
    const raised = await make('sale.created.success.paid', id);
    expect(raised.at(-1)?.customer_id).toBe(id);
  });
});
