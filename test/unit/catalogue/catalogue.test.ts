import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { checkCatalogue, typedOptions } from '../../../scripts/check-catalogue.js';
import { CHECK_NAMES } from '../../../src/catalogue/check-names.js';
import { spokenFamily } from '../../../src/catalogue/conventions.js';
import { EVENT_FILTERS, EVENTS, eventType } from '../../../src/catalogue/event-types.js';
import {
  canonicalAction,
  FAMILY_INDEX,
  familyByCommand,
  loadFamily,
  pathParameters,
} from '../../../src/catalogue/index.js';
import type { Family, Field, Operation } from '../../../src/catalogue/types.js';

const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
const all = families.flatMap((family) => family.operations.map((operation) => ({ family, operation })));

describe('the catalogue', () => {
  test('has no faults', () => {
    expect(checkCatalogue(families)).toEqual([]);
  });

  test('and its generated index agree', async () => {
    const script = fileURLToPath(new URL('../../../scripts/generate-index.mjs', import.meta.url));
    await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toBeDefined();
  });

  test('every check that is named exists, and every check is used', () => {
    const used = new Set<string>(all.flatMap(({ operation }) => operation.checks ?? []));
    expect([...used].toSorted()).toEqual([...CHECK_NAMES].toSorted());
  });

  test('names the permission of every operation that the service publishes one for, and no other', () => {
    const table: Record<string, string> = {
      ai_assistants: 'ai_assistant: retrieve create edit trigger delete',
      ai_memos: 'ai_memo: retrieve create delete mark_as_read',
      ai_prompts: 'ai_prompt: retrieve create edit',
      fulfillment_accounts: 'fulfillment_account: retrieve create edit delete',
      site_fulfillment_centers: 'site_fulfillment_center: retrieve',
      functions: 'function: retrieve create edit trigger delete',
      site_gateways: 'site_gateway: retrieve',
      user_gateways: 'user_gateway: retrieve create edit',
      gateway_groups: 'gateway_group: retrieve create edit add_user_gateway remove_user_gateway',
      invoices: 'invoice: retrieve create',
      key_values: 'key_value: retrieve create edit delete',
      metadata: 'metadata: retrieve insert',
      notes: 'note: create',
      offline_payments: 'offline_payment: retrieve',
      payment_profiles: 'payment_profile: retrieve create edit',
      wallet_accounts: 'wallet_account: retrieve create edit delete',
    };
    for (const { family, operation } of all) {
      const [resource, actions] = (table[family.name] ?? '').split(': ');
      const action = operation.method === 'GET' ? 'retrieve' : operation.action.replaceAll('-', '_');
      const wanted = actions?.split(' ').includes(action) ? `${resource}:${action}` : undefined;
      expect(operation.permission, `${family.name} ${operation.action}`).toBe(wanted);
    }
  });

  test('marks every secret field', () => {
    const secretNames = new Set(['card_number', 'card_code', 'secret_key']);
    const open: string[] = [];
    const walk = (fields: Readonly<Record<string, Field>>, at: string): void => {
      for (const [name, field] of Object.entries(fields)) {
        const path = `${at}.${name}`;
        const isCredential = /(^|\.)(fields|third_party_credentials\.fields|environment_variables)\.value$/.test(path);
        if ((secretNames.has(name) || isCredential) && field.secret !== true) open.push(path);
        if (field.fields !== undefined) walk(field.fields, path);
        if (field.items?.fields !== undefined) walk(field.items.fields, path);
      }
    };
    for (const { family, operation } of all) walk(operation.body?.fields ?? {}, `${family.name} ${operation.action}`);
    expect(open).toEqual([]);
  });

  test('asks with a preview before every irreversible operation on one item, and every refund', () => {
    const silent = all.filter(({ operation }) => {
      const grave = operation.risk === 'irreversible' || /(^| )(refund|renew|expire|process)$/.test(operation.action);
      return grave && operation.preview === undefined;
    });
    expect(silent.map(({ family, operation }) => `${family.name} ${operation.action}`)).toEqual([]);
  });

  test('says of every refund and void that it is accepted, not paid back', () => {
    const told = all.filter(({ operation }) => operation.acceptedOnly).map(({ operation }) => operation.path);
    expect(told.toSorted()).toEqual([
      '/product_sales/{product_sale_id}/refund',
      '/sales/{sale_id}/void',
      '/shipping/{shipping_id}/refund',
      '/subscription_renewals/{subscription_renewal_id}/refund',
      '/tax/{tax_id}/refund',
      '/transactions/{transaction_id}/refund',
    ]);
  });

  test('caps the assistant list at page 20 and cuts the tighter windows', () => {
    const of = (name: string): Operation['list'] =>
      all.find(({ family, operation }) => family.name === name && operation.action === 'list')?.operation.list;
    expect(of('ai_assistants')).toEqual({ style: 'paged', lastPage: 20 });
    for (const [name, days] of Object.entries({
      ai_memos: 7,
      api_calls: 2,
      ai_threads: 2,
      smtp_messages: 7,
      sales: 90,
    })) {
      expect(of(name)?.spanDays, name).toBe(days);
    }
    const unproven = all.filter(({ operation }) => operation.list?.datesUnproven).map(({ family }) => family.name);
    expect(unproven).toEqual([
      'check_directs',
      'discounts',
      'product_sales',
      'site_events',
      'site_logs',
      'subscriptions',
      'trials',
    ]);
  });
});

describe('references', () => {
  const names = new Set(FAMILY_INDEX.map(({ name }) => name));

  test.each([
    ['customer_id', 'customers'],
    ['campaign_filter', 'campaigns'],
    ['shop_filter', 'user_shops'],
    ['sales', 'sales'],
    ['tax', 'tax'],
    ['payment_method_id', 'customer_cards'],
    ['metadata_filter', undefined],
    ['name', undefined],
  ])('%s names items of %s', (name, family) => {
    expect(spokenFamily(name, names)).toBe(family);
  });

  test('of several families, or by kind, are told by the field itself', () => {
    const fieldsOf = (name: string, action: string) =>
      all.find(({ family, operation }) => family.name === name && operation.action === action)?.operation.body?.fields;
    expect(fieldsOf('fraud_detections', 'create')?.source_id?.refers).toContain('sales');
    expect(fieldsOf('notes', 'create')?.item_id?.refersBy).toEqual({ field: 'item_type' });
    expect(fieldsOf('shipping_profiles', 'create')?.rates?.items?.fields?.provider_method?.refers).toEqual([]);
    expect(fieldsOf('sales', 'create')?.wallet_transaction_id?.refers).toEqual([]);
  });

  test('lead only to what is kept under an id: data of a customer is no reference', () => {
    const create = all.find(({ family, operation }) => family.name === 'customers' && operation.action === 'create');
    expect(create?.operation.body?.fields.customer?.refers).toBeUndefined();
  });
});

describe('the checks of the catalogue', () => {
  const bodyOf = (fields: Record<string, Field>) => ({ closed: true, complete: true, fields });
  const base: Family = {
    name: 'things',
    summary: 'Things.',
    columns: [{ path: 'id' }],
    idField: 'id',
    nature: 'event',
    keys: [],
    operations: [
      {
        action: 'list',
        method: 'GET',
        path: '/things',
        operationId: '',
        summary: 'List things',
        risk: 'read',
        list: { style: 'windowed', spanDays: 90 },
        rules: [],
        example: 'things list',
        evidence: 'convention',
      },
    ],
  };
  const faultsOf = (family: object, operation: object = {}): string =>
    checkCatalogue([
      { ...base, ...family, operations: base.operations.map((entry) => ({ ...entry, ...operation })) } as Family,
    ]).join('\n');

  test('pass a sound family', () => {
    expect(faultsOf({})).toBe('');
  });

  test.each<[string, object, object, RegExp]>([
    ['a missing risk', {}, { risk: undefined }, /no risk/],
    ['a list without columns', { columns: [] }, {}, /no columns/],
    ['a first column that is not the id', { columns: [{ path: 'name' }] }, {}, /first column/],
    ['windows without a span', {}, { list: { style: 'windowed' } }, /span/],
    ['a span beyond 90 days', {}, { list: { style: 'windowed', spanDays: 91 } }, /1 to 90/],
    ['a path parameter without source', {}, { path: '/things/{word}' }, /\{word\} has no source/],
    ['a missing example', {}, { example: '' }, /no example/],
    ['an example of something else', {}, { example: 'others list' }, /something else/],
    ['a clash with a global option', {}, { query: { output: { type: 'string' } } }, /--output clashes/],
    ['a clash with a list option', {}, { query: { page_filter: { type: 'string' } } }, /--page clashes/],
    ['an unknown check', {}, { checks: ['nothing'] }, /unknown check/],
    ['another word for wallet', {}, { query: { acme_account_email: { type: 'string' } } }, /wallet differently/],
    [
      'a column without a source',
      { columns: [{ path: 'id' }, { path: 'size.unit' }] },
      {},
      /column size.unit is not a field/,
    ],
    ['a key without a source', { keys: [{ field: 'sku', unique: false, source: '' }] }, {}, /key sku is not a field/],
    ['no nature', { nature: undefined }, {}, /no nature/],
    [
      'an id of nothing',
      {},
      { query: { strange: { type: 'string', format: 'id' } } },
      /the family of strange is unknown/,
    ],
    [
      'a body field that is an id of nothing',
      {},
      { method: 'POST', list: undefined, body: bodyOf({ strange: { type: 'string', format: 'id' } }) },
      /things list: strange: its name implies no family/,
    ],
    [
      'a reference to no family',
      {},
      { method: 'POST', list: undefined, body: bodyOf({ strange: { type: 'any', refers: ['nothing'] } }) },
      /refers to nothing/,
    ],
    [
      'an id whose kind is told nowhere',
      {},
      { method: 'POST', list: undefined, body: bodyOf({ strange: { type: 'any', refersBy: { field: 'kind' } } }) },
      /its kind kind is not a field/,
    ],
    [
      'a body field that the envelope hides',
      {},
      { method: 'POST', list: undefined, body: bodyOf({ code: { type: 'string' } }) },
      /code clashes with the envelope/,
    ],
    ['a search without a term', {}, { list: { style: 'search' } }, /without a term/],
    [
      'a preview that nothing reads',
      {},
      { path: '/things/{thing_id}', preview: { show: [], says: [] } },
      /no read returns/,
    ],
    ['a wait that nothing reads', {}, { wait: { read: { family: 'things', action: 'get' } } }, /does not exist/],
  ])('find %s', (_name, family, operation, fault) => {
    expect(faultsOf(family, operation)).toMatch(fault);
  });

  test('find a double action and a double route', () => {
    const [operation] = base.operations;
    if (operation === undefined) throw new Error('no operation');
    const faults = checkCatalogue([{ ...base, operations: [operation, operation] }]).join('\n');
    expect(faults).toMatch(/things list: twice/);
    expect(faults).toMatch(/GET \/things: twice/);
  });
});

describe('command words', () => {
  test.each([
    ['subscription-profiles', 'subscription_profiles'],
    ['subscription_profiles', 'subscription_profiles'],
    ['subscription_profile', 'subscription_profiles'],
    ['subscription-profile', 'subscription_profiles'],
    ['tax', 'tax'],
    ['shipping', 'shipping'],
    ['sale', 'sales'],
    ['bigquery-table', 'bigquery_tables'],
  ])('%s is the family %s', (word, name) => {
    expect(familyByCommand(word)?.name).toBe(name);
  });

  test.each(['', 'nothing', 'constructor', '__proto__', 'Sales', 'sales '])('%j is no family', (word) => {
    expect(familyByCommand(word)).toBeUndefined();
  });

  const action = (family: string, ...words: string[]) => {
    const entry = familyByCommand(family);
    return entry && canonicalAction(entry, words);
  };
  test('aliases, underscores and sub-families', () => {
    expect(action('customers', 'ls')).toEqual({ action: 'list', used: 1 });
    expect(action('customers', 'show', 'ID')).toEqual({ action: 'get', used: 1 });
    expect(action('customers', 'retrieve')).toEqual({ action: 'get', used: 1 });
    expect(action('customers', 'update')).toEqual({ action: 'edit', used: 1 });
    expect(action('customers', 'add_to_group', 'ID')).toEqual({ action: 'add-to-group', used: 1 });
    expect(action('customers', 'payment-methods', 'ls')).toEqual({ action: 'payment-methods list', used: 2 });
    expect(action('customers', 'payment_method', 'rm', 'A', 'B')).toEqual({
      action: 'payment-methods delete',
      used: 2,
    });
    expect(action('products', 'sync', 'start')).toEqual({ action: 'sync start', used: 2 });
    expect(action('sales', 'pending', 'process')).toEqual({ action: 'pending process', used: 2 });
    expect(action('metadata', 'insert')).toEqual({ action: 'insert', used: 1 });
    expect(action('bigquery', 'query')).toEqual({ action: 'query', used: 1 });
  });
  test('nothing fits', () => {
    expect(action('customers')).toBeUndefined();
    expect(action('customers', 'payment-methods')).toBeUndefined();
    expect(action('customers', 'delete')).toBeUndefined();
    expect(action('customers', 'constructor')).toBeUndefined();
  });

  test('a family that does not exist is not loaded', async () => {
    await expect(loadFamily('nothing')).rejects.toThrow(RangeError);
    await expect(loadFamily('toString')).rejects.toThrow(RangeError);
  });
});

/** Splits a command line as a shell would, as far as the examples go. */
function split(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}

describe('examples', () => {
  test.each(all.map(({ family, operation }) => [operation.example, family, operation] as const))(
    '%s',
    (example, _family, operation) => {
      const words = split(example).slice(1 + operation.action.split(' ').length);
      const options = new Set(typedOptions(operation));
      const given = new Set<string>();
      const positional: string[] = [];
      while (words.length > 0) {
        const word = words.shift() ?? '';
        if (word === '-d') {
          const data = words.shift() ?? '';
          const name = /^([a-z_]+)(?:[.[]|:?=)/.exec(data)?.[1] ?? '';
          if (operation.body?.complete) expect(Object.keys(operation.body.fields)).toContain(name);
          given.add(name);
        } else if (word === '--body') {
          words.shift();
          for (const name of Object.keys(operation.body?.fields ?? {})) given.add(name);
        } else if (word === '--last' || word === '--limit') {
          expect(operation.list).toBeDefined();
          words.shift();
        } else if (word.startsWith('--')) {
          const name = word.slice(2).replace(/^no-(?=enabled$)/, '');
          expect(options).toContain(name);
          given.add(name.replaceAll('-', '_'));
          const field = operation.body?.fields[name.replaceAll('-', '_')];
          if (field?.type !== 'boolean') words.shift();
        } else positional.push(word);
      }
      const terms = Object.values(operation.query ?? {}).filter((field) => field.positional).length;
      const params = pathParameters(operation);
      expect(positional).toHaveLength(params.length + terms + (operation.positionalBody === undefined ? 0 : 1));
      params.forEach((name, index) => {
        if (operation.params?.[name] === undefined) expect(positional[index]).toMatch(/^[A-Za-z0-9]{20}$/);
      });
      for (const [name, field] of Object.entries(operation.body?.fields ?? {})) {
        if (field.required && name !== operation.positionalBody) expect(given, `${name} is required`).toContain(name);
        if (field.secret) expect(given).not.toContain(name);
      }
    },
  );
});

describe('events', () => {
  test('are spelled out, each base an event itself', () => {
    for (const event of [
      'ai_memo.created',
      'pending_refund.created',
      'pending_refund.created.shipping.partial.no_fulfillment',
      'pending_refund.created.shipping.has_fulfillment',
      'pending_refund.created.tax.full',
      'product.deleted',
      'sale.created.success.paid.is_upsell',
      'sale.created.failed.merchant_hold',
      'salvage_transaction.updated.processed.failed',
      'customer.updated.customer_group.removed',
      'subscription.updated.status.occurrence_limit',
      'trial.updated.expired.success',
      'sentinel.alert.firewall_block',
      'fraud_detection.updated.false_positive',
    ]) {
      expect(EVENTS).toContain(event);
    }
    expect(EVENTS).toContain('product');
    expect(EVENTS).not.toContain('fraud_detection.updated');
    expect(new Set(EVENTS).size).toBe(EVENTS.length);
  });

  test('every event type has its filters, but for two', () => {
    const types = new Set(EVENTS.map(eventType));
    expect(Object.keys(EVENT_FILTERS).filter((type) => !types.has(type))).toEqual([]);
    expect([...types].filter((type) => EVENT_FILTERS[type] === undefined).toSorted()).toEqual(['invoice', 'sentinel']);
  });
});
