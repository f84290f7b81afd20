import { cardView, TEST_CARDS } from '../rules/cards.js';
import type { Value } from '../store/text.js';
import { type AccountData, head, type SeedScene } from './account.js';
import { FIRST_NAMES, LAST_NAMES, PLACES, STREETS } from './words.js';

/** A seeded customer with the card that pays. */
export interface Person {
  readonly customer: Value;
  readonly card: Value;
  /** True when the stored card no longer pays, which the last renewals then show. */
  readonly failing: boolean;
}

const GOOD_CARDS = ['4111111111111111', '5555555555554444', '4242424242424242'];

/** Makes one customer with a card; the customer's own item is written when all purchases are known. */
export function makePerson(scene: SeedScene, account: AccountData, number: number, daysAgo: number): Person {
  const { chance } = scene;
  const first = chance.pick(FIRST_NAMES);
  const last = chance.pick(LAST_NAMES);
  const [city, state, zip, country] = chance.pick(PLACES);
  const failing = chance.happens(0.09);
  const campaign = chance.pick(account.campaigns);
  const plain = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  const customer = head(scene, daysAgo, {
    live_mode: account.live,
    enabled: !chance.happens(0.03),
    blocked: false,
    internal_id: `C-${10_000 + number}`,
    first_name: first,
    last_name: last,
    company: chance.happens(0.1) ? `${last} & Sons` : '',
    email: `${plain}.${number}@example.com`,
    phone: `+1555${String(chance.int(10_000_000)).padStart(7, '0')}`,
    address_line_1: `${1 + chance.int(900)} ${chance.pick(STREETS)}`,
    address_line_2: '',
    city,
    state,
    zip: `${zip}${chance.int(90) + 10}`,
    country,
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    customer_group: chance.happens(0.3) ? [chance.pick(account.customerGroups)] : [],
    metadata: chance.happens(0.4) ? [{ name: 'source', value: chance.pick(['ads', 'friend', 'search']) }] : [],
  });
  const bad = chance.pick(TEST_CARDS.filter((card) => card.outcome === 'declined' || card.outcome === 'error'));
  const card = cardView(
    chance.id(),
    Number(customer.created_date_unix) + 1,
    customer,
    {
      card_number: failing ? bad.number : chance.pick(GOOD_CARDS),
      exp_month: 1 + chance.int(12),
      exp_year: 27 + chance.int(4),
    },
    true,
  );
  return { customer, card, failing };
}
