import type { Database } from '../../base/database/types.js';
import { DAY } from '../../base/time/units.js';
import type { Value } from '../store/item-values.js';
import { KINDS_OF_ITEMS } from '../store/kinds.js';
import { Chance } from '../store/prng.js';
import { createStoreTables, INDEXES, markBegin, SCHEMA_VERSION, writeMeta } from '../store/store-tables.js';
import { seedExtras } from './extras.js';
import { seedOrder, seedPurchase } from './life.js';
import { seedRich } from './rich.js';
import { type AccountData, type SeedScene, seedAccount, seedCampaigns, seedSentinel } from './seed-account.js';
import { seedAutomation } from './seed-automation.js';
import { makePerson } from './seed-people.js';
import type { Made } from './seed-recurring.js';
import { seedSetup } from './seed-setup.js';
import { SeedWriter } from './seed-writer.js';
import { seedSite } from './site.js';

/** How many days the data reaches back. */
export const REACH_DAYS = 400;

/** Renewals in test mode, by the name of a size. */
export const SIZES: Readonly<Record<string, number>> = { small: 1500, medium: 20_000, large: 200_000 };

export interface SeedOptions {
  readonly seed: number;
  /** Renewals in test mode; live mode gets a third, at most 5,000. */
  readonly renewals: number;
  /** The clock, unix seconds; the data ends at the start of its UTC day. */
  readonly now: number;
  /** `empty`: live mode has only its campaigns, and test mode has a rich set-up to move there. */
  readonly liveData?: 'full' | 'empty' | undefined;
  /** `empty`: test mode has only its campaigns. */
  readonly testData?: 'full' | 'empty' | undefined;
  /** Whether processed refunds are transactions too, now and later; everything else is the same. */
  readonly refundTransactions?: boolean | undefined;
  /** Reports progress at intervals; after the last renewal the indexes are still to be built. */
  readonly progress?: (renewals: number, wanted: number) => void;
}

/**
 * Creates the tables and fills them. The same seed, size and day give the same data; people, products and their ids are
 * the same on any day. Everything is created within 400 days (the set-up somewhat more) before the start of the day;
 * nothing falls due on the day itself. Runs inside the caller's transaction; `between` may begin another, so that large
 * data is committed in pieces.
 */
export function seedDatabase(database: Database, options: SeedOptions, between: () => void = () => {}): void {
  const day = Math.floor(options.now / DAY) * DAY;
  createStoreTables(database, KINDS_OF_ITEMS);
  writeMeta(database, 'schema', String(SCHEMA_VERSION));
  writeMeta(database, 'state', 'building');
  writeMeta(database, 'seed', JSON.stringify({ seed: options.seed, renewals: options.renewals, day }));
  if (options.refundTransactions) writeMeta(database, 'refund_transactions', '1');
  const writer = new SeedWriter(database, KINDS_OF_ITEMS);
  const site = seedSite({ writer, chance: new Chance(`${options.seed} site`), day });
  const refunds = options.refundTransactions === true;
  for (const live of [false, true]) {
    const wanted = live ? Math.min(Math.ceil(options.renewals / 3), 5000) : options.renewals;
    const name = `${options.seed} ${live}`;
    const isVaried = options.renewals > (SIZES.small as number);
    const scene: SeedScene = { writer, chance: new Chance(name), day, refunds, isVaried };
    if ((live ? options.liveData : options.testData) === 'empty') {
      seedCampaigns(scene, live);
      seedSentinel(scene, live);
      continue;
    }
    const account = seedAccount(scene, live, site);
    const made = seedPeople(scene, name, account, wanted, (renewals) => {
      between();
      if (!live) options.progress?.(renewals, wanted);
    });
    const wallet = seedSetup(scene, account, site, made.coupons);
    seedExtras(scene, account, made, wallet);
    seedAutomation(scene, account, made, site);
    if (options.liveData === 'empty') seedRich(scene, account, site);
  }
  writer.finish();
  between();
  options.progress?.(options.renewals, options.renewals);
  database.exec(INDEXES);
  writeMeta(database, 'clock_offset', '0');
  markBegin(database);
  writeMeta(database, 'state', 'ready');
}

/**
 * Customers and their purchases. Each person and each purchase has its own random sequence, so the same number is the
 * same person with the same ids, however many renewals the calendar gives the others.
 */
function seedPeople(
  { writer, day, refunds, isVaried = false }: SeedScene,
  name: string,
  account: AccountData,
  wanted: number,
  between: (renewals: number) => void,
): Made {
  const made: Made = { renewals: 0, sold: 0, coupons: { SAVE10: 0, FIVEOFF: 0 }, sales: [], transactions: [] };
  let before: Value | undefined;
  for (let number = 1; made.renewals < wanted; number++) {
    const scene: SeedScene = { writer, day, refunds, isVaried, chance: new Chance(`${name} person ${number}`) };
    const { chance } = scene;
    const daysAgo = 5 + chance.int(REACH_DAYS - 6);
    const person = makePerson(scene, account, number, daysAgo, new Chance(`${name} person ${number} rare`), before);
    before = person.customer;
    const start = Number(person.customer.created_date_unix);
    const purchases = 1 + chance.int(4);
    let spent = 0;
    for (let turn = 0; turn < purchases; turn++) {
      const product = chance.pick(account.products);
      const at = turn === 0 ? start + 60 : start + chance.int(Math.max(1, day - start - 60)) + 30;
      const own: SeedScene = { ...scene, chance: new Chance(`${name} person ${number} purchase ${turn}`) };
      seedPurchase(own, account, person, product, at, made, wanted);
      spent++;
    }
    const own = new Chance(`${name} person ${number} order`);
    if (isVaried && own.happens(0.2)) {
      const at = start + own.int(Math.max(1, day - start - 60)) + 30;
      seedOrder({ ...scene, chance: own }, account, person, at, made);
      spent++;
    }
    const filing = { customer: String(person.customer.id) };
    writer.add('customers', account.live, { ...person.customer, sales_count: spent }, filing);
    for (const card of [person.card, ...person.others]) writer.add('customer_cards', account.live, card, filing);
    // Only what later steps choose from is kept in memory.
    if (made.sales.length > 2000) made.sales.splice(0, 1000);
    if (made.transactions.length > 2000) made.transactions.splice(0, 1000);
    if (number % 100 === 0) between(made.renewals);
  }
  return made;
}
