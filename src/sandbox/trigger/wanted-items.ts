import { CopsError, closing } from '../../base/errors/errors.js';
import { bodyFields } from '../../catalogue/body-fields.js';
import type { SeedFile } from '../../items/checks/seed-shape.js';
import type { TreeObject } from '../../items/json/tree.js';
import { bodyChanges, itemToBody } from '../../service/body/body-changes.js';
import { findRoute } from '../serve/routes.js';
import { createService } from '../serve/service.js';
import type { Stored } from '../store/item-store.js';
import { isItem, type Value } from '../store/item-values.js';
import type { OpenedSandbox } from '../store/open-store.js';
import { readMeta, writeMeta } from '../store/store-tables.js';
import { card, decline, orderBody } from './goods.js';
import { CARDS, Tools } from './trigger-tools.js';

/** The result of a file's entry: created, changed to match the file, or unchanged. */
export interface WantedItem {
  readonly family: string;
  readonly name: string;
  readonly id: string;
  readonly outcome: 'made' | 'changed' | 'there';
}

/** Entries as the steps of a path, so that a refusal can name the place. */
export type EntryPath = readonly string[];

/** An entry that the service's rules or existing data prevent. */
export class UnfitEntry extends CopsError {
  constructor(
    readonly entry: EntryPath,
    { kind, message, facts }: Pick<CopsError, 'kind' | 'message' | 'facts'>,
  ) {
    super(kind, message, facts);
  }
}

type Step = (tools: Tools, item: Stored) => Promise<unknown>;

/** A state of an item: how to recognise it, and the steps that lead to it from other states. */
interface State {
  is(value: Value): boolean;
  readonly from: Readonly<Record<string, Step>>;
  /** Creates an item in this state; by default a sale paid by an approved card. */
  readonly begin?: (tools: Tools, order: Value) => Promise<Value>;
}

const act =
  (action: string): Step =>
  (tools, { family, id }) =>
    tools.post(`/${family}/${id}/${action}`);
const hasStatus = (status: string) => (value: Value) => value.status === status;
const refunded = ({ amount_refunded: sum }: Value) => Number(sum) > 0;

const refundAll: Step = async (tools, { value }) => {
  for (const id of (value.product_sales as string[] | undefined) ?? []) await tools.post(`/product_sales/${id}/refund`);
};
const failRenewal: Step = async (tools, item) => {
  await decline(tools, item);
  await tools.post(`/subscriptions/${item.id}/renew`);
};
const void_ = act('void');

const STATES: Readonly<Record<'customers' | 'sales' | 'subscriptions', Readonly<Record<string, State>>>> = {
  customers: {
    enabled: { is: ({ enabled }) => enabled !== false, from: { disabled: act('enable') } },
    disabled: { is: ({ enabled }) => enabled === false, from: { enabled: act('disable') } },
  },
  sales: {
    paid: { is: (value) => value.status === 'paid' && !refunded(value), from: {} },
    pending: {
      is: hasStatus('pending'),
      from: {},
      begin: (tools, order) => tools.post('/sales/pending', { ...order, credit_card: undefined }),
    },
    declined: {
      is: hasStatus('failed'),
      from: {},
      begin: (tools, order) => tools.post('/sales', { ...order, credit_card: card(CARDS.declined) }),
    },
    voided: { is: hasStatus('voided'), from: { paid: void_, refunded: void_ } },
    refunded: { is: (value) => value.status === 'paid' && refunded(value), from: { paid: refundAll } },
  },
  subscriptions: {
    active: { is: hasStatus('active'), from: { suspended: act('activate') } },
    overdue: { is: hasStatus('overdue'), from: { active: failRenewal } },
    suspended: { is: hasStatus('suspended'), from: { active: act('suspend') } },
    cancelled: {
      is: hasStatus('cancelled'),
      from: { active: act('cancel'), overdue: act('cancel'), suspended: act('cancel') },
    },
  },
};

/** Maps file entries to items. Stored with the service, because its own items have no such names. */
const SEEDED = 'seeded';

/**
 * Makes the contents of a file exist, in their states, through the service's own operations: leaves matching items,
 * changes different ones and creates the rest. Running the same file again creates nothing.
 * @throws UnfitEntry for what the rules refuse, and for an item that cannot reach the wanted state
 */
export async function makePresent(
  opened: OpenedSandbox,
  file: SeedFile,
  facts: { readonly live: boolean; readonly random: () => number },
): Promise<WantedItem[]> {
  return closing(createService(opened), async (service) => {
    const present = new Present(opened, new Tools(opened, service, facts.live, facts.random));
    return await present.all(file);
  });
}

class Present {
  readonly #done: WantedItem[] = [];
  readonly #known: Record<string, string>;

  constructor(
    private readonly opened: OpenedSandbox,
    private readonly tools: Tools,
  ) {
    this.#known = JSON.parse(readMeta(opened.database, SEEDED) ?? '{}') as Record<string, string>;
  }

  async all({ products = {}, customers = {}, sales = {}, subscriptions = {} }: SeedFile): Promise<WantedItem[]> {
    for (const [name, entry] of Object.entries(products))
      await this.#at(['products', name], () => this.#product(name, entry));
    for (const [name, { state, ...entry }] of Object.entries(customers))
      await this.#at(['customers', name], () => this.#customer(name, entry, state));
    for (const [name, { state = 'paid', customer, products: goods, ...more }] of Object.entries(sales))
      await this.#at(['sales', name], () =>
        this.#sold('sales', name, state, { customer, goods, more }, async (sale) => sale),
      );
    for (const [name, { state = 'active', customer, product, ...more }] of Object.entries(subscriptions))
      await this.#at(['subscriptions', name], () =>
        this.#sold('subscriptions', name, state, { customer, goods: { [product]: 1 }, more }, async (sale) => {
          const [id] = (sale.value.subscriptions as string[] | undefined) ?? [];
          if (id === undefined) throw new CopsError('usage', `No subscription comes of ${product}: it has no profile.`);
          return this.tools.get('subscriptions', id);
        }),
      );
    return this.#done;
  }

  async #at(entry: EntryPath, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof CopsError && !(error instanceof UnfitEntry)) throw new UnfitEntry(entry, error);
      throw error;
    }
  }

  async #product(name: string, { subscription_profile: profile, ...entry }: Value): Promise<void> {
    const used = profile === undefined ? undefined : await this.#profile(name, profile);
    const body = { ...entry, ...(used && { subscription_profile: used.id }) };
    const there = this.#found('products', name, 'name', name);
    if (there) {
      const outcome = await this.#edited(there, body);
      return this.#keep(name, there, used?.outcome === 'changed' ? 'changed' : outcome);
    }
    const made = await this.tools.post('/products', { name, ...body });
    this.#keep(name, this.tools.get('products', made.product_id), 'made');
  }

  /** The profile of a product: a named one, or the product's own. */
  async #profile(product: string, wanted: unknown): Promise<{ id: string; outcome: WantedItem['outcome'] }> {
    const { tools } = this;
    if (typeof wanted === 'string') {
      const [named] = tools.store.named('subscription_profiles', tools.live, 'name', wanted);
      return { id: (named ?? tools.get('subscription_profiles', wanted)).id, outcome: 'there' };
    }
    const [own] = tools.store.named('subscription_profiles', tools.live, 'name', product);
    if (own) return { id: own.id, outcome: await this.#edited(own, wanted as Value) };
    const made = await tools.post('/subscription_profiles', { name: product, ...(wanted as Value) });
    return { id: String(made.subscription_profile_id), outcome: 'made' };
  }

  async #customer(name: string, entry: Value, state = 'enabled'): Promise<void> {
    const { tools } = this;
    const [first = name, ...others] = name.split(' ');
    const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.');
    const contact = { first_name: first, last_name: others.join(' ') || first, email: `${slug}@example.com`, ...entry };
    const there = this.#found('customers', name, 'email', contact.email);
    if (there) {
      const outcome = await this.#edited(there, { customer: entry });
      return this.#keep(name, there, (await this.#into('customers', there, state)) ?? outcome);
    }
    const made = await tools.post('/customers', { campaign: tools.find('campaigns')?.id, customer: contact });
    const item = tools.get('customers', made.customer_id);
    await this.#into('customers', item, state);
    this.#keep(name, item, 'made');
  }

  /** A sale, or an item that follows from one, in a state. */
  async #sold(
    family: 'sales' | 'subscriptions',
    name: string,
    state: string,
    { customer, goods, more }: { customer: string; goods: Readonly<Record<string, number>>; more: Value },
    part: (sale: Stored) => Promise<Stored>,
  ): Promise<void> {
    const { tools } = this;
    const there = this.#found(family, name);
    if (there) return this.#keep(name, there, (await this.#into(family, there, state)) ?? 'there');
    const order = await orderBody(tools, 'plain', {
      products: Object.entries(goods).map(([good, quantity]) => ({
        id: this.#refer('products', 'name', good),
        quantity,
      })),
      customer: undefined,
      customer_id: this.#refer('customers', 'email', customer),
      ...more,
    });
    const { begin = (of: Tools, body: Value) => of.post('/sales', body) } = STATES[family][state] as State;
    const made = await begin(tools, order);
    // The answer of a failed payment does not name the sale it leaves.
    const sale = tools.get('sales', made.sale_id ?? tools.store.newest('sales', tools.live)?.id);
    const item = await part(sale);
    await this.#into(family, item, state);
    this.#keep(name, item, 'made');
  }

  /**
   * The id of an item named in an entry: an entry of its family, the value of an identifying field, or the id itself.
   */
  #refer(family: 'products' | 'customers', field: string, name: string): string {
    const found = this.#found(family, name, field, name) ?? this.tools.store.get(family, name, this.tools.live);
    if (found) return found.id;
    throw new CopsError('usage', `There is no ${name} in ${family}, neither in this file nor in the sandbox.`);
  }

  #found(family: string, name: string, field?: string, text?: string): Stored | undefined {
    const { store, live } = this.tools;
    const known = this.#known[this.#key(family, name)];
    const own = known === undefined ? undefined : store.get(family, known, live);
    return own ?? (field === undefined ? undefined : store.named(family, live, field, text ?? name)[0]);
  }

  #key(family: string, name: string): string {
    return `${this.tools.live ? 'live' : 'test'} ${family} ${name}`;
  }

  /** Changes the fields that differ from an entry. */
  async #edited(item: Stored, entry: Value): Promise<'changed' | 'there'> {
    const path = `/${item.family}/${item.id}`;
    const { operation } = await findRoute('POST', path);
    const shown = Object.keys(entry).map((name): [string, unknown] => {
      const value = item.value[name];
      return [name, isItem(value) && typeof entry[name] === 'string' ? value.id : value];
    });
    const before = { ...Object.fromEntries(shown), ...itemToBody(operation, item.value as TreeObject) } as TreeObject;
    const changes = bodyChanges(before, entry as TreeObject, bodyFields(operation));
    const isChanged = Object.values(changes).some((one) => !isItem(one) || Object.keys(one).length > 0);
    if (!isChanged) return 'there';
    await this.tools.post(path, changes);
    return 'changed';
  }

  /** Brings an item into a state. @returns `changed`, or undefined if it is already in it */
  async #into(family: keyof typeof STATES, item: Stored, state: string): Promise<'changed' | undefined> {
    const states = STATES[family];
    const { value } = this.tools.get(family, item.id);
    const wanted = states[state] as State;
    if (wanted.is(value)) return undefined;
    const now = Object.keys(states).find((one) => states[one]?.is(value)) ?? String(value.status);
    const step = Object.hasOwn(wanted.from, now) ? wanted.from[now] : undefined;
    if (!step)
      throw new CopsError('refused', `${item.id} in ${family} is ${now}, and cannot become ${state} any more.`, {
        hint: 'Give the entry another name, and a new one is made.',
      });
    await step(this.tools, this.tools.get(family, item.id));
    return 'changed';
  }

  #keep(name: string, { family, id }: Stored, outcome: WantedItem['outcome']): void {
    this.#known[this.#key(family, name)] = id;
    writeMeta(this.opened.database, SEEDED, JSON.stringify(this.#known));
    this.#done.push({ family, name, id, outcome });
  }
}
