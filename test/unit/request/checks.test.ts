import { describe, expect, it } from 'vitest';
import { CHECK_NAMES } from '../../../src/catalogue/check-names.js';
import { loadFamily } from '../../../src/catalogue/index.js';
import type { Operation } from '../../../src/catalogue/types.js';
import { spec } from '../../../src/cli/actions/check/spec.js';
import { scheduleFault } from '../../../src/items/checks/automation-checks.js';
import { type BodyContext, CHECK_LIST, judgeBody, runChecks } from '../../../src/items/checks/body-faults.js';
import type { TreeObject } from '../../../src/items/json/tree.js';
import { ID, operation } from './entries.js';

const EDIT = operation({ action: 'edit' });
const CREATE = operation({ action: 'create' });

async function paths(name: string, body: unknown, context: Partial<BodyContext> = {}): Promise<string[]> {
  const faults = await runChecks([name], body as TreeObject, { operation: EDIT, ...context });
  return faults.map((fault) => fault.path);
}
async function notes(name: string, body: unknown, context: Partial<BodyContext> = {}): Promise<string[]> {
  const entry = { ...EDIT, ...context.operation, checks: [name] } as Operation;
  return (await judgeBody(body as TreeObject, { ...context, operation: entry })).notes.filter(
    (text) => !text.includes('documented'),
  );
}

it('knows every check that the catalogue names, and no other', () => {
  expect([...CHECK_LIST].sort()).toEqual([...CHECK_NAMES].sort());
});

it('has a schema behind each check command', async () => {
  const behind: Readonly<Record<string, readonly [action: string, check: string]>> = {
    ai_assistants: ['create', 'assistant'],
    customer_portals: ['create', 'customer-portal'],
    functions: ['edit', 'function'],
    shipping_profiles: ['create', 'shipping-rates'],
    subscription_profiles: ['create', 'subscription-profile-frequency'],
  };
  expect(Object.keys(behind)).toEqual(spec.families);
  for (const [name, [action, check]] of Object.entries(behind)) {
    const entry = (await loadFamily(name)).operations.find((candidate) => candidate.action === action);
    expect(entry?.checks).toContain(check);
  }
});

describe('subscription-profile-frequency (service.md#subscription-profiles)', () => {
  const check = 'subscription-profile-frequency';
  const unit = { unit: 'months', value: 1 };
  it.each<[unknown, string[]]>([
    [{ frequency: 'unit', frequency_unit: unit }, []],
    [{ name: 'x' }, []],
    [{ frequency: 'unit' }, ['frequency_unit']],
    [{ frequency: 'calendar', frequency_unit: unit }, ['frequency_unit', 'frequency_calendar']],
    [{ frequency_unit: unit }, ['frequency_unit']],
    [{ frequency_calendar: {} }, ['frequency_calendar']],
    [{ frequency_fiscal: { unit: 'year', setting: 'infrequent' } }, ['frequency_fiscal', 'frequency_fiscal.value']],
    [{ frequency: 'fiscal', frequency_fiscal: { unit: 'year', setting: 'infrequent', value: 2 } }, []],
    [{ frequency: 'fiscal', frequency_fiscal: { unit: 'year', setting: 'standard' } }, []],
    [{ occurrences: 'specific', occurrences_value: 3 }, []],
    [{ occurrences: 'indefinite' }, []],
  ])('%j', async (body, expected) => {
    expect(await paths(check, body)).toEqual(expected);
  });

  it('asks for the number of occurrences where it can know', async () => {
    const body = { occurrences: 'specific' };
    expect(await paths(check, body, { operation: CREATE })).toEqual(['occurrences_value']);
    expect(await paths(check, body, { whole: true })).toEqual(['occurrences_value']);
    expect(await paths(check, body, { current: { occurrences_value: 3 } })).toEqual([]);
    expect(await paths(check, body, { current: {} })).toEqual(['occurrences_value']);
    expect(await paths(check, { occurrences: 'specific', occurrences_value: null })).toEqual(['occurrences_value']);
    expect(await paths(check, body)).toEqual([]);
    expect(await notes(check, body)).toHaveLength(1);
  });

  it('tells how far an edit reaches', async () => {
    expect((await notes('subscription-profile-reach', { frequency: 'unit' }))[0]).toContain('all subscriptions');
    expect(await notes('subscription-profile-reach', { name: 'x' })).toEqual([]);
    expect(
      await notes('subscription-profile-reach', { frequency: 'unit' }, { current: { subscription_specific: true } }),
    ).toEqual([]);
    expect((await notes('subscription-profile-reach', { shipping_profile: ID }))[0]).toContain('none of its rules');
    expect(await notes('subscription-profile-reach', { shipping_profile: null })).toEqual([]);
  });
});

describe('shipping-rates (service.md#shipping-rates)', () => {
  const rate = (qualifiers: unknown): unknown => ({ rates: [{ rate: 5, qualifiers }] });
  it.each<[unknown, string[]]>([
    [rate({ countries: [{ iso_code: 'USA', enabled: true }] }), []],
    [rate({ products: [], revenue_rules: [{ enabled: false }, { enabled: true }] }), []],
    [rate({ countries: [{ iso_code: 'USA', enabled: false }] }), ['rates[0].qualifiers']],
    [rate({ products: [], product_groups: [], countries: [], revenue_rules: [] }), ['rates[0].qualifiers']],
    [rate({}), ['rates[0].qualifiers']],
    [rate({ countries: [{ enabled: 'true' }] }), ['rates[0].qualifiers']],
    [{ rates: [5, { rate: -1 }] }, ['rates[0].qualifiers', 'rates[1].qualifiers', 'rates[1].rate']],
    [{ name: 'x' }, []],
  ])('%j', async (body, expected) => {
    expect(await paths('shipping-rates', body)).toEqual(expected);
  });
});

describe('customer-portal (service.md#customer-portals)', () => {
  const mail = (html: string, extra = {}): unknown => ({
    customer_emails: { customer_account_password_reset: { html, ...extra } },
  });
  it.each<[unknown, string[]]>([
    [mail('Code: {{email_code}}'), []],
    [mail('Code: {{ email_code }}'), ['customer_emails.customer_account_password_reset.html']],
    [
      mail('{{email_code}}', { from: 'x', to_cc: ['a@b.co', 'no'], to_bcc: ['{{customer_email}}'] }),
      [
        'customer_emails.customer_account_password_reset.from',
        'customer_emails.customer_account_password_reset.to_cc[1]',
      ],
    ],
    [{ recaptcha: { site_key: ' ', secret_key: 'x' } }, ['recaptcha.site_key']],
  ])('%j', async (body, expected) => {
    expect(await paths('customer-portal', body)).toEqual(expected);
  });
});

describe('metadata (service.md#envelopes)', () => {
  it.each<[unknown, string[]]>([
    [[{ name: 'n', value: 'v' }], []],
    [[{ name: '', value: '' }], ['metadata[0].name', 'metadata[0].value']],
    [[{ name: 'n'.repeat(100), value: 'v'.repeat(255) }], []],
    [[{ name: 'n'.repeat(101), value: 'v'.repeat(256) }], ['metadata[0].name', 'metadata[0].value']],
  ])('%#', async (metadata, expected) => {
    expect(await paths('metadata', { metadata })).toEqual(expected);
  });
});

describe('function (service.md#other-items)', () => {
  it.each<[unknown, string[]]>([
    [{ event_source: 'schedule', cron_expression: '*/5 * * * *', cron_timezone: 'UTC' }, []],
    [{ event_source: 'schedule', cron_expression: '61 * * * *' }, ['cron_expression']],
    [{ event_source: 'schedule', cron_expression: '0 0 * * * *' }, ['cron_expression']],
    [{ event_source: 'schedule', cron_expression: '' }, ['cron_expression']],
    [{ event_source: 'api_direct', cron_expression: '0 0 * * *' }, ['cron_expression']],
    [
      {
        event_source: 'api_direct',
        ip_restricted: true,
        account_event_notations: ['sale.created'],
        ip_whitelist: [],
        timing_options: { timing: 'immediate' },
      },
      ['account_event_notations', 'ip_restricted'],
    ],
    [
      {
        account_event_notations: [
          'invoice.created',
          'product',
          'sale.create',
          'product.updated',
          'sale.created.failed.declined',
        ],
      },
      ['account_event_notations[2]'],
    ],
    [{ account_event_filters: { campaign_filter: [ID], shop_filter: [ID] } }, ['account_event_filters.shop_filter']],
    [{ timing_options: { timing: 'delay' } }, ['timing_options.time_unit', 'timing_options.time_value']],
    [{ timing_options: { timing: 'delay', time_unit: 'hours', time_value: 2 } }, []],
    [{ timing_options: { timing: 'delay', time_unit: 'hours', time_value: 0 } }, ['timing_options.time_value']],
    [
      { dependencies: [{ name: 'a' }, { name: 'a' }], custom_arguments: [{ name: ' ' }] },
      ['dependencies[1].name', 'custom_arguments[0].name'],
    ],
  ])('%j', async (body, expected) => {
    expect(await paths('function', body)).toEqual(expected);
  });

  it('takes the source from the item when the body has none', async () => {
    expect(
      await paths('function', { cron_expression: '0 0 * * *' }, { current: { event_source: 'api_direct' } }),
    ).toEqual(['cron_expression']);
    expect(await paths('function', { event_source: 'schedule' }, { whole: true })).toEqual(['cron_expression']);
    expect(
      await paths('function', { event_source: 'schedule' }, { current: { cron_expression: '0 0 * * *' } }),
    ).toEqual([]);
  });
});

describe('payments', () => {
  it.each<[string, unknown, string[]]>([
    ['refund-amount', {}, []],
    ['refund-amount', { amount: 0.01 }, []],
    ['refund-amount', { amount: 0 }, ['amount']],
    ['refund-amount', { amount: -5 }, ['amount']],
    ['sale-payment', { payment_type: 'wallet' }, ['wallet_transaction_id']],
    ['sale-payment', { payment_type: 'credit_card' }, ['payment_profile', 'credit_card']],
    ['sale-payment', { payment_type: 'credit_card', payment_profile: ID, customer_id: ID }, []],
    ['sale-payment', { payment_type: 'credit_card', payment_profile: ID, credit_card: { exp_month: 1 } }, []],
    ['sale-payment', { payment_type: 'offline_payment' }, []],
    ['sale-estimate', { include_gateway: true }, ['payment_type', 'payment_profile']],
    ['sale-estimate', { include_gateway: true, payment_type: 'credit_card', payment_profile: ID }, []],
    ['chargeback-source', {}, ['transaction_id']],
    ['chargeback-source', { transaction_id: ID, gateway_transaction_id: 'x' }, ['transaction_id']],
    ['chargeback-source', { gateway_transaction_id: 'x' }, []],
    ['product-fields', { price: 1, metadata: [], images: [] }, ['metadata', 'images']],
    ['item-pair', { item_type: 'sale' }, ['item_id']],
    ['item-pair', { item_id: ID }, ['item_type']],
    ['item-pair', {}, []],
    ['assistant-trigger', { source_type: 'item', item_type: 'sale', item_id: ID }, []],
    ['assistant-trigger', { item_type: 'sale', item_id: ID }, ['source_type']],
    ['assistant-trigger', { source_type: 'item' }, ['item_type']],
    ['assistant-trigger', { previous_ai_thread: { id: ID }, messages: ['x'] }, ['messages']],
    ['key-value', { key: 'a1' }, ['key']],
    ['key-value', { key: 'tax_rate', key_type: 'pointer', pointer_type: 'payment_profile', value: 'x' }, []],
    ['key-value', { key_type: 'string', pointer_type: 'payment_profile' }, ['pointer_type']],
    ['bin-prefixes', { bin_6: ['411111', '41111', '4111111111111111', 'x'] }, ['bin_6[1]', 'bin_6[2]', 'bin_6[3]']],
    ['secure-form', { form_source: 'gateway' }, ['form_source_id']],
    ['secure-form', { form_source: 'wallet_account', form_source_id: ID }, ['form_source_id']],
    ['secure-form', { form_source: 'smtp_profile' }, []],
    ['fulfillment-center', { fulfillment_center: ID }, ['fields']],
    ['fulfillment-center', { fulfillment_center: ID, fields: [{ id: 'a', value: 'b' }] }, []],
    ['fulfillment-center', { name: 'x' }, []],
  ])('%s %j', async (name, body, expected) => {
    expect(await paths(name, body)).toEqual(expected);
  });

  it('tells what a refund without an amount does, and what display prices do not', async () => {
    expect((await notes('refund-amount', {}))[0]).toContain('everything left');
    expect(await notes('refund-amount', { amount: 5 })).toEqual([]);
    expect((await notes('display-prices', { msrp: 5, price: 4 }))[0]).toContain('charges nothing');
  });

  it('never repeats a card number', async () => {
    const faults = await runChecks(['bin-prefixes'], { bin_6: ['4111111111111111'] }, { operation: EDIT });
    expect(JSON.stringify(faults)).not.toContain('4111111111111111');
  });
});

describe('schedules', () => {
  it.each<[string, boolean, RegExp | undefined]>([
    ['0 6 * * *', true, undefined],
    ['59 * * * *', true, undefined],
    ['0 0 29 2 *', true, undefined],
    ['0 0 * * MON-FRI', true, undefined],
    ['0,59 * * * *', true, /one hour apart/],
    ['*/30 * * * *', true, /one hour apart/],
    ['* 3 1 1 *', true, /one hour apart/],
    ['0,30 0 29 2 *', true, /one hour apart/],
    ['*/30 * * * *', false, undefined],
    ['0 0 30 2 *', true, /never runs/],
    ['60 * * * *', true, /not a valid/],
    ['0 24 * * *', true, /not a valid/],
    ['0 0 * *', true, /five parts/],
    ['0 0 0 * * *', true, /five parts/],
    ['@daily', true, /five parts/],
    ['', true, /five parts/],
  ])('%s', async (expression, hourApart, expected) => {
    const fault = await scheduleFault(expression, hourApart);
    if (expected) expect(fault).toMatch(expected);
    else expect(fault).toBeUndefined();
  });
});
