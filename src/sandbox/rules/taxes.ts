import { joined, listUnder, type Value } from '../store/item-values.js';
import { type Links, moneyItem, onGround, type PurchaseFacts, paid } from './builders.js';
import type { Scene } from './call.js';
import type { Cents } from './money.js';

/** The rate that a tax profile's integration answers with, in hundredths of a percent. reading: tax-rate */
const TAX_BASIS_POINTS = 825;

/** What is taxed, and the tax. */
export interface Taxed {
  readonly cents: Cents;
  /** Percent. */
  readonly rate?: number;
  readonly profile?: { readonly id: string; readonly name: string };
}

/**
 * The tax on products less their discount, by the first enabled tax profile that has an integration and applies to the
 * campaign (a profile without campaigns applies to all, published). Shipping is not taxed. reading: tax-rate
 */
export function taxOn(scene: Scene, campaignId: string, cents: Cents): Taxed {
  for (const { id, value } of scene.store.each('tax_profiles', scene.live)) {
    const campaigns = listUnder(value, 'campaign_filter').map((one) => String(one.id ?? one));
    const applies = campaigns.length === 0 || campaigns.includes(campaignId);
    if (value.enabled === false || !value.third_party_integration || !applies) continue;
    const tax = Math.round((cents * TAX_BASIS_POINTS) / 10_000);
    return { cents: tax, rate: TAX_BASIS_POINTS / 100, profile: { id, name: String(value.name ?? '') } };
  }
  return { cents: 0 };
}

/** Records the tax of a sale, renewal or trial expiration; returns its id, if there is any tax. */
export function fileTax(
  scene: Scene,
  facts: { ground: PurchaseFacts; tax: Taxed; links: Links; settled: boolean },
): string[] {
  if (facts.tax.cents === 0) return [];
  const id = scene.newId();
  const own = moneyItem(id, scene.now, paid(facts.tax.cents, facts.settled), facts.links, { status: 'paid' });
  const tax: Value = {
    name: facts.tax.profile?.name ?? 'Tax',
    description: '',
    rate: facts.tax.rate ?? null,
    tax_profile: facts.tax.profile ?? null,
  };
  const value = onGround(joined(own, tax), facts.ground);
  scene.store.insert('tax', value, { live: scene.live, customer: String(facts.ground.customer.id) });
  return [id];
}
