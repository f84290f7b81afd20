/** @module-tag sweep */
import { describe, expect, it } from 'vitest';
import { spokenFamily } from '../../../src/catalogue/conventions.js';
import { FAMILY_INDEX } from '../../../src/catalogue/index.js';
import { describeSandbox } from '../../../src/sandbox/serve/description.js';
import { Dice } from '../../sandbox/random-life.js';
import { type Json, SandboxWorld } from '../../sandbox/world.js';
import { Bodies } from './described-bodies.js';

/*
 * What openapi.json says is what the sandbox does: a body that it takes ends in 200 or a refusal that says why, one that
 * is a step from it in a refusal that names the place, and none in an error of its own, then or later.
 * `COPS_LONG=1` sends 50,000 of them; `COPS_SEED` takes others.
 */

const LONG = process.env.COPS_LONG === '1';
const SEED = Number(process.env.COPS_SEED ?? 1);
const BODIES = LONG ? 50_000 : 2_000;
const WORLDS = LONG ? 20 : 1;
const DAY = 86_400;

const description: Json = JSON.parse(await describeSandbox());
const writes = Object.entries<Json>(description.paths)
  .flatMap(([path, { post }]) =>
    post ? [{ path, schema: post.requestBody.content['application/json'].schema as Json }] : [],
  )
  // Queries run in a process each: they have a test of their own.
  .filter(({ path }) => path !== '/bigquery');
const families = new Set(FAMILY_INDEX.map(({ name }) => name));

/** Items by the names that speak of them, those of which something can still become first. */
class Known {
  readonly #ids = new Map<string, string[]>();

  constructor(
    readonly world: SandboxWorld,
    readonly dice: Dice,
  ) {}

  idFor(name: string): string | undefined {
    const family = spokenFamily(name, families) ?? name;
    return families.has(family) ? this.#pick(family, () => this.#items(family)) : undefined;
  }

  #items(family: string): Json[] {
    const { store } = this.world.opened;
    return [...store.all(family, false), ...store.all(family, null)].map(({ value, id }) => ({ ...value, id }));
  }

  /** One of the newest of some items, which are looked for once until the next refresh. */
  #pick(key: string, items: () => Json[]): string | undefined {
    const ids =
      this.#ids.get(key) ??
      items()
        .map(({ id }) => id as string)
        .slice(-60);
    this.#ids.set(key, ids);
    return ids.length === 0 ? undefined : this.dice.pick(ids);
  }

  /** One that is in a state. */
  idOf(family: string, key: string, fits: (item: Json) => boolean): string | undefined {
    return this.#pick(`${family} ${key}`, () => this.#items(family).filter(fits));
  }

  /** A body with what the rules of its operation ask for beyond its schema, so that most get as far as the work. */
  completed(path: string, body: Json): Json {
    if (this.dice.below(5) === 0) return body;
    if (/^\/(?:sales|invoices)(?:\/pending|\/estimate|$)/.test(path)) return this.#order(path, body);
    const helped = { ...body };
    if ('item_type' in body || /^\/(?:notes|metadata|ai_voice_agents.*trigger)/.test(path))
      Object.assign(helped, { item_type: 'sale', item_id: this.idFor('sales') });
    if ('entity_type' in body) Object.assign(helped, { entity_type: 'product', entity_id: this.idFor('products') });
    if ('source_id' in body) helped.source_id = this.idFor('sales');
    if (path === '/key_values') helped.key = Array.from({ length: 9 }, () => 'abcdefgh'[this.dice.below(8)]).join('');
    if (path === '/fraud_detections') helped.source_id = this.idFor('sales');
    if ('flow' in body) helped.flow = [{ id: 'a', type: 'start_thread' }];
    if ('key_type' in body) delete helped.key_type;
    if (path.startsWith('/ai_assistants') && 'third_party_integration' in body)
      helped.third_party_integration = this.idOf('user_third_party_integrations', 'ai', isOf('ai')) ?? NONE;
    if (path.startsWith('/ai_assistants') && body.settings?.trigger_settings) delete helped.settings.trigger_settings;
    if (path === '/smtp_messages') helped.email_template_id = this.idOf('email_templates', 'api', isDirect) ?? NONE;
    if (Array.isArray(body.rates)) helped.rates = body.rates.map((rate: Json) => this.#rate(rate));
    return helped;
  }

  #order(path: string, body: Json): Json {
    const enabled = (item: Json) => item.enabled !== false;
    const lines = body.products ?? [{}, {}].slice(0, 1 + this.dice.below(2));
    const products = lines.map((line: Json) => ({ ...line, id: this.idOf('products', 'enabled', enabled) }));
    const payment_profile = this.idOf('payment_profiles', 'enabled', enabled);
    const gateway = path.endsWith('estimate') ? { payment_type: 'credit_card', payment_profile } : { payment_profile };
    const { coupon_code: _, ...most } = { ...body, campaign: this.idFor('campaigns'), ...gateway, products };
    const whole: Json = { ...most, customer_id: this.idOf('customers', 'free', (item) => item.blocked !== true) };
    // An estimate of another sale is one of what that holds.
    if (path.endsWith('estimate')) delete whole.sale_id;
    return whole;
  }

  #rate(rate: Json): Json {
    const [carrier] = this.#items('site_shipping_providers');
    const countries = [{ iso_code: 'DEU', enabled: true }];
    const qualifiers = { ...rate.qualifiers, countries };
    return { ...rate, provider: carrier.id, provider_method: carrier.methods[0].id, qualifiers };
  }

  /** Items that came since are met too. */
  refresh(): void {
    this.#ids.clear();
  }

  pathOf(path: string): string {
    const [, first = ''] = path.split('/');
    const special = path.startsWith('/sales/pending/')
      ? 'pending'
      : path.endsWith('/activate')
        ? 'suspended'
        : undefined;
    const state = special ?? STATES[first];
    const isOpen = (item: Json) => item.status === state;
    let parent: string | undefined;
    return path.replace(/\{([^}]*)\}/g, (_, name: string) => {
      const family = name === 'product_image_id' ? 'product_images' : 'customer_cards';
      const below = () => this.world.opened.store.ofCustomer(family, parent as string, false);
      if (parent !== undefined) return below()[0]?.id ?? NONE;
      parent =
        state && this.dice.below(5) > 0 ? (this.idOf(first, state, isOpen) ?? this.idFor(first)) : this.idFor(first);
      return parent ?? NONE;
    });
  }
}

/** The state from which most can happen. */
const STATES: Readonly<Record<string, string>> = {
  trials: 'active',
  subscriptions: 'suspended',
  ai_threads: 'Running',
};
const isOf = (type: string) => (item: Json) => item.site_third_party_integration?.integration_type === type;
const isDirect = (item: Json) => item.template_trigger === 'api_direct';

const NONE = 'A'.repeat(20);

/** What of an answer is not as the description says; undefined when all is well. */
function faultOf({ status, body }: { status: number; body: Json }, place: string | undefined): string | undefined {
  const message = String(body.message ?? '');
  if (place !== undefined) {
    // What is wrong with a node of a flow is told with the node.
    const told = body.invalid_setting === undefined ? message.includes(place) : isOfNode(place, body.invalid_setting);
    return status === 400 && told ? undefined : `${place} is not named`;
  }
  if (status === 200) return body.code === 1 ? undefined : 'no envelope';
  if (message.startsWith('The request is invalid:')) return 'is described, and refused';
  const isNamed = [400, 402, 404].includes(status) && message !== '';
  return isNamed && (status !== 400 || /^E\d{4}$/.test(body.error_code)) ? undefined : 'no named rule';
}

/** Whether a place is that which a refusal names within a node, or the node itself. */
function isOfNode(place: string, setting: string): boolean {
  return place === setting || place.replace(/^flow\[\d+\]\.(?:node_settings\.(?=.))?/, '') === setting;
}

describe('bodies made of openapi.json', () => {
  it('has a schema for every write', () => expect(writes.length).toBeGreaterThan(150));

  it('end in 200, in a rule that is named, or in a refusal that names the place', { timeout: 7_200_000 }, async ({
    annotate,
  }) => {
    const faults: string[] = [];
    const ends: Record<string, number> = {};
    for (let part = 0; part < WORLDS; part++) await play(SEED + part, BODIES / WORLDS, faults, ends);
    await annotate(JSON.stringify(ends));
    expect(faults).toEqual([]);
    const { 'fitting 200': taken = 0 } = ends;
    expect(taken).toBeGreaterThan(BODIES / 10);
  });
});

async function play(seed: number, count: number, faults: string[], ends: Record<string, number>): Promise<void> {
  const world = await SandboxWorld.make(seed % 5);
  const dice = new Dice(seed);
  const known = new Known(world, dice);
  const bodies = new Bodies(seed, (name) => known.idFor(name));
  // What is deleted is gone for all that comes after it.
  const lasting = writes.filter(({ path }) => !path.endsWith('/delete'));
  try {
    for (let index = 0; index < count; index++) {
      if (index % 100 === 0) known.refresh();
      const { path, schema } = dice.pick(dice.below(40) === 0 ? writes : lasting);
      const fitting = known.completed(path, bodies.fitting(schema));
      const wrong = dice.below(2) === 0 ? bodies.wrong(schema, fitting) : undefined;
      const target = known.pathOf(path);
      const answer = await world.send('POST', target, wrong?.body ?? fitting);
      const end = `${wrong ? 'wrong' : 'fitting'} ${answer.status}`;
      ends[end] = (ends[end] ?? 0) + 1;
      const fault = faultOf(answer, wrong?.place);
      const said = () =>
        `${path} ${JSON.stringify(wrong?.body ?? fitting)}: ${answer.status} ${JSON.stringify(answer.body)}`;
      if (fault !== undefined && faults.length < 200) faults.push(`${fault}: ${said()}`);
      // What it left must not break what happens by itself.
      if (index % 250 === 249) await later(world, faults);
    }
    await later(world, faults, 40);
    await readAll(world, faults);
  } finally {
    await world.close();
  }
}

async function later(world: SandboxWorld, faults: string[], days = 1): Promise<void> {
  world.now += days * DAY;
  const answer = await world.send('GET', '/campaigns?limit=1&page=1');
  if (answer.status !== 200) faults.push(`a day later: ${JSON.stringify(answer.body)}`);
}

/** Every list of the description still answers. */
async function readAll(world: SandboxWorld, faults: string[]): Promise<void> {
  for (const [path, { get }] of Object.entries<Json>(description.paths)) {
    if (!get || path.includes('{') || /search|validate/.test(path)) continue;
    const dated = get.parameters.some((one: Json) => one.name === 'date_start');
    const days = path === '/ai_memos' ? 7 : 90;
    const range = dated ? `&date_start=${world.now - days * DAY}&date_end=${world.now}` : '';
    const answer = await world.send('GET', `${path}?limit=25&page=1${range}`);
    if (answer.status !== 200) faults.push(`GET ${path}: ${JSON.stringify(answer.body)}`);
  }
}
