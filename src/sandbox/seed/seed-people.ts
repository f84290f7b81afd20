import { DAY } from '../../base/time/units.js';
import { TEST_CARDS } from '../../catalogue/terms.js';
import { cardView } from '../rules/cards.js';
import type { Value } from '../store/item-values.js';
import type { Chance } from '../store/prng.js';
import { type AccountData, type SeedScene, seededHead } from './seed-account.js';
import { COMPANIES, FIRST_NAMES, LAST_NAMES, PHONES, PLACES, RARE_NAMES, STREETS } from './seed-words.js';

/**
 * A seeded customer with the card that pays. `others`: other cards on file, some disabled: they pay nothing as long as
 * the first exists. `failing`: whether the stored card no longer pays, as the last renewals show.
 */
export type Person = ReturnType<typeof makePerson>;

const GOOD_CARDS = ['4111111111111111', '5555555555554444', '4242424242424242'];
const OTHER_CARDS = ['378282246310005', '5105105105105100', '4012888888881881', '4242424242424242'];

/**
 * Makes one customer with cards; the customer's own item is written once all purchases are known. Rare properties use a
 * random sequence of their own (`rare`), so that they do not change anything else.
 * @param before the customer made before; at intervals the next one lives in the same household
 */
export function makePerson(
  scene: SeedScene,
  account: AccountData,
  number: number,
  daysAgo: number,
  rare: Chance,
  before: Value | undefined,
) {
  const { chance } = scene;
  const first = chance.pick(FIRST_NAMES);
  const usualLast = chance.pick(LAST_NAMES);
  const last = rare.happens(0.05) ? rare.pick(RARE_NAMES) : usualLast;
  const [city, state, zip, country] = chance.pick(PLACES);
  const failing = chance.happens(0.09);
  const campaign = chance.pick(account.campaigns);
  const plain = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  const customer = seededHead(scene, daysAgo, {
    live_mode: account.live,
    enabled: !chance.happens(0.03),
    blocked: false,
    internal_id: `C-${10_000 + number}`,
    first_name: first,
    last_name: last,
    company: chance.happens(0.1) ? rare.pick(COMPANIES)(last) : '',
    email: `${plain}.${number}@example.com`,
    phone: phone(country, String(chance.int(10_000_000)).padStart(7, '0'), rare),
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
  if (before && number % HOUSEHOLD === 0) shareHome(customer, before, number % (2 * HOUSEHOLD) === 0);
  const bad = chance.pick(TEST_CARDS.filter((card) => card.outcome === 'declined' || card.outcome === 'error'));
  const id = chance.id();
  const facts = {
    card_number: failing ? bad.number : chance.pick(GOOD_CARDS),
    exp_month: 1 + chance.int(12),
    exp_year: nextYear(scene) + chance.int(4),
  };
  const at = Number(customer.created_date_unix) + 1;
  // Without a default card, the oldest enabled card pays, which is the same one.
  const isDefault = !rare.happens(0.04);
  const card = cardView(id, at, customer, facts, isDefault);
  if (scene.isVaried && rare.happens(0.02)) customer.blocked = true;
  // With several cards and no default, it is unclear which is charged next; the data has enough such customers.
  return { customer, card, others: otherCards(scene, customer, rare, isDefault ? 0.25 : 0.75), failing };
}

/** At this interval a person lives at the address of the one before; every second of them also shares the mailbox. */
const HOUSEHOLD = 20;

function shareHome(customer: Value, before: Value, sharesMail: boolean): void {
  const home = ['last_name', 'address_line_1', 'address_line_2', 'city', 'state', 'zip', 'country'];
  for (const name of sharesMail ? [...home, 'email'] : home) customer[name] = before[name];
}

function phone(country: string, digits: string, rare: Chance): string {
  const forms = PHONES[country] ?? (PHONES.USA as (typeof PHONES)[string]);
  return (rare.happens(0.5) ? (forms[0] as (typeof forms)[number]) : rare.pick(forms))(digits);
}

/** The year after the reset, two digits: seeded cards are valid until then. */
function nextYear({ day }: SeedScene): number {
  return (new Date(day * 1000).getUTCFullYear() + 1) % 100;
}

/** Gives some people one or two more cards, added later; a disabled one has expired. */
function otherCards(scene: SeedScene, customer: Value, rare: Chance, share: number): Value[] {
  const { day } = scene;
  const next = nextYear(scene);
  const created = Number(customer.created_date_unix);
  const count = rare.happens(share) ? 1 + rare.int(2) : 0;
  return Array.from({ length: count }, (_, index) => {
    const at = Math.min(created + 2 + index + rare.int(60 * DAY), day - 60 + index);
    const isOld = rare.happens(0.4);
    const facts = {
      card_number: OTHER_CARDS[(rare.int(2) + 2 * index) % OTHER_CARDS.length],
      exp_month: 1 + rare.int(12),
      exp_year: isOld ? next - 4 + rare.int(3) : next + rare.int(4),
    };
    return { ...cardView(rare.id(), at, customer, facts, false), enabled: !isOld };
  });
}
