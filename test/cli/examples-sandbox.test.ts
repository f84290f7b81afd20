/**
 * Every example of every action, run on the sandbox as it stands in help, but for the ids: they are those of items
 * that the sandbox has. Each write has a sandbox of its own.
 * @module-tag sweep
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { spokenFamily } from '../../src/catalogue/conventions.js';
import { examplesOf } from '../../src/catalogue/examples.js';
import { FAMILY_INDEX, loadFamily, pathParameters } from '../../src/catalogue/index.js';
import type { Operation } from '../../src/catalogue/types.js';
import type { ItemStore, Stored } from '../../src/sandbox/store/item-store.js';
import { openSandboxStore } from '../../src/sandbox/store/open-store.js';
import { laySandbox, SOME } from '../harness/seeded.js';
import { home as makeHome } from './helpers.js';
import type { Home, Ran } from './program.js';

const FAMILIES: ReadonlySet<string> = new Set(FAMILY_INDEX.map(({ name }) => name));

/** What has to be done first, so that there is an item which the action takes. */
const PENDING =
  'sales pending create --campaign <campaigns> --iso-currency USD -d products[0].id=<products> -d products[0].quantity:=1 -d customer_id=<customers>';
const IMAGE = 'products images create <products> -d image_url=https://shop.example.com/tea.png';
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'subscriptions activate': ['subscriptions suspend <subscriptions:active>'],
  'products images get': [IMAGE],
  'products images edit': [IMAGE],
  'products images delete': [IMAGE],
  'ai-threads cancel': [
    'ai-assistants trigger <ai_assistants> -d source_type=item -d item_type=sale -d item_id=<sales>',
  ],
  'projects disassociate-entity': ['projects associate-entity <projects> --entity-type product --entity-id <products>'],
  'subscription-profiles delete': [
    'subscription-profiles create --name Unused --frequency unit -d frequency_unit.unit=months -d frequency_unit.value=5',
  ],
  'secure-forms get': ['secure-forms create --form-source smtp_profile'],
  'products sync get': ['products sync start --third-party-shop <user_shops>'],
  'sales pending edit': [PENDING],
  'sales pending process': [PENDING],
  'sales estimate': [PENDING],
};

/** Items that an action takes: by their status, where not every one will do. */
const STATUS: Readonly<Record<string, string>> = {
  'subscriptions activate': 'suspended',
  'ai-threads cancel': 'Running',
  'trials expire': 'active',
  'trials extend': 'active',
  'trials shorten': 'active',
  'trials cancel': 'active',
  'sales pending edit': 'pending',
  'sales pending process': 'pending',
  'sales estimate': 'pending',
};

/** Actions that cannot end well on the sandbox, with what they end with and why. */
const ENDS: Readonly<Record<string, readonly [code: number, why: string]>> = {
  'sales create': [1, 'the published schema breaks off before the products of a sale'],
  'sales pending create': [1, 'the published schema breaks off before the products of a sale'],
  'invoices create': [1, 'nothing of its body was seen'],
  'salvage-transactions process': [5, 'what is left to be salvaged has cards that fail, which is why it is left'],
};

/** The examples of every action as a shell splits them, all by one shell. */
async function splitAll(): Promise<ReadonlyMap<string, string[]>> {
  const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
  const lines = families.flatMap((family) => family.operations.flatMap((operation) => examplesOf(family, operation)));
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join('\n');
  const text = execFileSync('sh', ['-f'], { input: script, encoding: 'utf8', maxBuffer: 1 << 24 });
  const told = text.split('\n\0').slice(0, -1);
  expect(told.length).toBe(lines.length);
  return new Map(lines.map((line, at) => [line, (told[at] ?? '').split('\0').slice(0, -1)]));
}

/** The items of one sandbox, as its own store knows them. */
class Items {
  readonly #known = new Map<string, readonly Stored[]>();

  constructor(private readonly store: ItemStore) {}

  all(family: string): readonly Stored[] {
    const known = this.#known.get(family);
    if (known) return known;
    const own = this.store.all(family, false);
    const found = own.length > 0 ? own : this.store.all(family, null as unknown as boolean);
    this.#known.set(family, found);
    return found;
  }

  /** What was done since it was read is seen. */
  forget(): void {
    this.#known.clear();
  }

  /** The ids of a family that an action takes, those of one customer where what it belongs to is named before. */
  ids(family: string, { status, above }: { readonly status?: string; readonly above?: string } = {}): string[] {
    const fits = this.all(family).filter(
      ({ value, customer }) =>
        (status === undefined || value.status === status) && (above === undefined || customer === above),
    );
    return fits.map(({ id }) => id);
  }

  /** A method of the provider that has the same turn. */
  providerMethod(turn: number): string | undefined {
    const providers = this.all('site_shipping_providers');
    const methods = providers[turn % Math.max(1, providers.length)]?.value.methods as { id: string }[] | undefined;
    return methods?.[0]?.id;
  }
}

const BELOW: Readonly<Record<string, string>> = {
  payment_method_id: 'customer_cards',
  product_image_id: 'product_images',
  product_sync_id: 'product_syncs',
};

/** The family that the id of a word is of: told by the option in front of it, or by the field that it is given to. */
function familyOfWord(words: readonly string[], at: number): string | undefined {
  const word = words[at] ?? '';
  const before = words[at - 1] ?? '';
  const field = before.startsWith('--')
    ? before.slice(2).replaceAll('-', '_')
    : (/([a-z_]+)(?:\[\d*\])?=/.exec(word)?.[1] ?? '');
  const kind = KINDS[field];
  if (kind === undefined) return spokenFamily(field, FAMILIES);
  const told = kind.map((name) => toldFor(words, name)).find((value) => value !== undefined);
  return told === undefined ? 'sales' : (spokenFamily(told, FAMILIES) ?? spokenFamily(`${told}_id`, FAMILIES));
}

/** Fields whose family another field says. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  item_id: ['item_type'],
  item_value: ['item_type'],
  entity_id: ['entity_type'],
  source_id: ['source_type'],
};

function toldFor(words: readonly string[], field: string): string | undefined {
  const option = words.indexOf(`--${field.replaceAll('_', '-')}`);
  if (option >= 0) return words[option + 1];
  return words.find((word) => word.startsWith(`${field}=`))?.slice(field.length + 1);
}

/** A line of an example with ids of this sandbox; `turn` takes another item where the one before it did not do. */
function withIds(operation: Operation, family: string, words: readonly string[], items: Items, turn: number): string[] {
  const first = operation.action.split(' ').length + 1;
  const parameters = pathParameters(operation);
  const command = words.slice(0, first).join(' ');
  const above: string[] = [];
  return words.map((word, at) => {
    const parameter = at >= first && !word.startsWith('-') ? parameters[at - first] : undefined;
    if (parameter !== undefined) {
      if ((operation.params?.[parameter] ?? 'id') !== 'id') return word;
      const below = BELOW[parameter];
      const owner = at > first ? above[0] : undefined;
      const ids = items.ids(below ?? (at === first ? family : (spokenFamily(parameter, FAMILIES) ?? parameter)), {
        status: at === first ? STATUS[command] : undefined,
        above: owner,
      });
      const id = ids[owner === undefined ? turn % Math.max(1, ids.length) : 0] ?? word;
      above.push(id);
      return id;
    }
    return word.replaceAll(/(?<![A-Za-z0-9])[A-Za-z0-9]{20}(?![A-Za-z0-9])/g, (id) => {
      const of = familyOfWord(words, at);
      if (word.includes('provider_method=')) return items.providerMethod(turn) ?? id;
      const ids = of === undefined ? [] : items.ids(of, { status: of === 'sales' ? STATUS[command] : undefined });
      return ids[turn % Math.max(1, ids.length)] ?? id;
    });
  });
}

/** Another item is tried where the service refuses this one: not every state allows every action. */
const TURNS = 8;

/** A sandbox of its own, with the files that examples name. */
async function place(): Promise<Home> {
  const home = makeHome({ COPS_PROFILE: 'sandbox' });
  await laySandbox(home.env.COPS_DATA_DIR ?? '', Date.now(), SOME);
  return home;
}

async function withItems<T>(home: Home, work: (items: Items) => Promise<T> | T): Promise<T> {
  const { store, database } = await openSandboxStore({ dataDir: home.env.COPS_DATA_DIR ?? '', now: Date.now });
  try {
    return await work(new Items(store));
  } finally {
    database.close();
  }
}

function writeFiles(home: Home, items: Items): string {
  const cwd = path.join(home.folder, 'work');
  if (existsSync(cwd)) return cwd;
  mkdirSync(cwd);
  const card = { card_number: '4111111111111111', exp_month: 1, exp_year: 31, card_code: '123' };
  const portal = {
    name: 'Help',
    enabled: true,
    tracking_domain: items.ids('tracking_domains')[0],
    recaptcha: { site_key: 'site', secret_key: 'secret-of-recaptcha' },
    smtp_profile: items.ids('smtp_profiles')[0],
  };
  writeFileSync(path.join(cwd, 'portal.json'), JSON.stringify(portal));
  writeFileSync(path.join(cwd, 'card.json'), JSON.stringify({ payment: { credit_card: card } }));
  return cwd;
}

/** A line of `BEFORE` with ids in the places of `<family>` and `<family:status>`. */
const prepared = (line: string, items: Items): string[] =>
  line
    .split(' ')
    .map((word) =>
      word.replaceAll(
        /<(\w+)(?::(\w+))?>/g,
        (_, family: string, status?: string) => items.ids(family, { status })[0] ?? '',
      ),
    );

async function runExample(
  home: Home,
  fresh: Items,
  family: string,
  operation: Operation,
  words: readonly string[],
): Promise<Ran & { line: string }> {
  const command = words.slice(0, operation.action.split(' ').length + 1).join(' ');
  // Every sandbox begins with the same items: they are read again only where something is done first.
  const using = <T>(work: (items: Items) => Promise<T>): Promise<T> =>
    command in BEFORE ? withItems(home, work) : work(fresh);
  return using(async (items) => {
    const cwd = writeFiles(home, items);
    for (const line of BEFORE[command] ?? []) {
      const mark = path.join(cwd, `done ${line.replaceAll('/', ' ')}`);
      if (existsSync(mark)) continue;
      writeFileSync(mark, '');
      const done = await home.run([...prepared(line, items), '-q'], { cwd });
      expect(done.code, `${line}: ${done.stderr}`).toBe(0);
      items.forget();
    }
    let last: (Ran & { line: string }) | undefined;
    for (let turn = 0; turn < TURNS; turn++) {
      const line = withIds(operation, family, words, items, turn);
      if (last?.line === line.join(' ')) break;
      last = { ...(await home.run(line, { cwd })), line: line.join(' ') };
      if (![1, 4, 5].includes(last.code ?? 0)) break;
    }
    return last as Ran & { line: string };
  });
}

let split: ReadonlyMap<string, string[]>;
beforeAll(async () => {
  split = await splitAll();
});

describe.each(FAMILY_INDEX.map(({ name }) => name))('the examples of %s', (name) => {
  it('run on the sandbox', async () => {
    const family = await loadFamily(name);
    const shared = await place();
    const wrong: string[] = [];
    const tryAll = async (fresh: Items): Promise<void> => {
      for (const operation of family.operations) {
        for (const line of examplesOf(family, operation)) {
          const words = split.get(line) ?? [];
          const isWrite = operation.risk !== 'read' && !words.includes('--dry-run') && !words.includes('--skeleton');
          const home = isWrite ? await place() : shared;
          const ran = await runExample(home, fresh, name, operation, words);
          const command = words.slice(0, operation.action.split(' ').length + 1).join(' ');
          const isSent = isWrite || operation.method === 'GET';
          const [code, why] = (isSent ? ENDS[command] : undefined) ?? [0, 'it is an example'];
          if (ran.code !== code)
            wrong.push(`cops ${ran.line}: ${ran.code}, not ${code} (${why}): ${ran.stderr.slice(0, 600)}`);
          if (isWrite) home.remove();
        }
      }
    };
    await withItems(shared, tryAll);
    expect(wrong).toEqual([]);
  }, 60_000);
});
