/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Sentences of the published description about functions, key values, notes, memos, threads and other families shown in
 * part, each a question with its answer. The answers were written before the sandbox was asked.
 */

async function aFunction(m: Merchant, settings: Json = {}): Promise<string> {
  const id = await m.made('/functions', { name: m.name() });
  if (Object.keys(settings).length > 0) await m.done(`/functions/${id}`, settings);
  return `/functions/${id}`;
}

const EDITS: readonly (readonly [string, number, Json])[] = [
  [
    'notation invoice.created (2.8)',
    200,
    { event_source: 'account_event', account_event_notations: ['invoice.created'] },
  ],
  ['notation sale.paid, which is none (6.1)', 400, { account_event_notations: ['sale.paid'] }],
  ['notation sale.updated, which is no base (6.1)', 400, { account_event_notations: ['sale.updated'] }],
  ['notation product, a base (6.1)', 200, { event_source: 'account_event', account_event_notations: ['product'] }],
  [
    'notation salvage_transaction, a base (6.1)',
    200,
    { event_source: 'account_event', account_event_notations: ['salvage_transaction'] },
  ],
  [
    'notation sentinel.alert, a base (6.1)',
    200,
    { event_source: 'account_event', account_event_notations: ['sentinel.alert'] },
  ],
  [
    'notation trial.updated, a base (6.1)',
    200,
    { event_source: 'account_event', account_event_notations: ['trial.updated'] },
  ],
  [
    'notation pending_refund.created.shipping.full.no_fulfillment (6.1)',
    200,
    { event_source: 'account_event', account_event_notations: ['pending_refund.created.shipping.full.no_fulfillment'] },
  ],
  [
    'notation pending_refund.created.tax.no_fulfillment (6.1)',
    400,
    { account_event_notations: ['pending_refund.created.tax.no_fulfillment'] },
  ],
  ['an event source that is none (2.8)', 400, { event_source: 'webhook' }],
  ['a filter other than the campaign (6.2)', 400, { account_event_filters: { currency_filter: ['USD'] } }],
  [
    'a delay without its unit (2.8)',
    400,
    { event_source: 'account_event', timing_options: { timing: 'delay', time_value: 5 } },
  ],
  [
    'a delay without its value (2.8)',
    400,
    { event_source: 'account_event', timing_options: { timing: 'delay', time_unit: 'hours' } },
  ],
  [
    'a delay in days (2.8)',
    400,
    { event_source: 'account_event', timing_options: { timing: 'delay', time_unit: 'days', time_value: 1 } },
  ],
  ['immediate without more (2.8)', 200, { event_source: 'account_event', timing_options: { timing: 'immediate' } }],
  ['a cron of four parts (2.8)', 400, { event_source: 'schedule', cron_expression: '0 3 * *' }],
  [
    'a cron of five parts in a zone (2.8)',
    200,
    { event_source: 'schedule', cron_expression: '0 3 * * *', cron_timezone: 'Europe/Berlin' },
  ],
  [
    'a zone that is none (2.8)',
    400,
    { event_source: 'schedule', cron_expression: '0 3 * * *', cron_timezone: 'Mars/Base' },
  ],
  [
    'addresses as a range (2.8)',
    400,
    { event_source: 'function_url', ip_restricted: true, ip_whitelist: ['10.0.0.0/8'] },
  ],
  ['single addresses (2.8)', 200, { event_source: 'function_url', ip_restricted: true, ip_whitelist: ['10.0.0.1'] }],
];

const triggered = async (m: Merchant, settings: Json, body: Json = {}) =>
  m.status(`POST ${await aFunction(m, { function_code: 'callback(null, 1)', ...settings })}/trigger`, body);

const FUNCTIONS: Question[] = [
  ...EDITS.map(
    ([name, status, settings]): Question => [
      `function: ${name}`,
      status,
      async (m) => m.status(`POST ${await aFunction(m)}`, settings),
    ],
  ),
  ['function: trigger of one of source api_direct (4.13)', 200, (m) => triggered(m, { event_source: 'api_direct' })],
  ...['account_event', 'email_template', 'payment_profile', 'function_url'].map(
    (event_source): Question => [
      `function: trigger of one of source ${event_source} (4.13)`,
      400,
      (m) => triggered(m, { event_source }),
    ],
  ),
  [
    'function: trigger of a disabled one (2.8)',
    400,
    (m) => triggered(m, { event_source: 'api_direct', enabled: false }),
  ],
  [
    'function: is function_url there for its source, and for another? (2.8)',
    [true, false],
    async (m) => {
      const has = async (event_source: string) =>
        Boolean((await m.get(await aFunction(m, { event_source }))).function_url);
      return [await has('function_url'), await has('api_direct')];
    },
  ],
  [
    'function: the value of a variable, plain and encrypted (2.8)',
    [true, false],
    async (m) => {
      const path = await aFunction(m, {
        environment_variables: [
          { name: 'OPEN', value: 'plain-value', encrypted: false },
          { name: 'SHUT', value: 'hidden-value', encrypted: true },
        ],
      });
      const text = JSON.stringify(await m.get(path));
      return [text.includes('plain-value'), text.includes('hidden-value')];
    },
  ],
  [
    'function: an edit of variables adds or updates, of arguments replaces',
    [['A', 'B'], ['y']],
    async (m) => {
      const path = await aFunction(m, {
        environment_variables: [{ name: 'A', value: '1', encrypted: false }],
        custom_arguments: [{ name: 'x', description: 'one' }],
      });
      await m.done(path, {
        environment_variables: [{ name: 'B', value: '2', encrypted: false }],
        custom_arguments: [{ name: 'y', description: 'two' }],
      });
      const { environment_variables: variables, custom_arguments: known } = await m.get(path);
      return [variables.map(({ name }: Json) => name), known.map(({ name }: Json) => name)];
    },
  ],
];

const KEYS: Question[] = (
  [
    ['a', 400],
    ['ab', 200],
    ['a_b', 200],
    ['a__b', 400],
    ['_ab', 400],
    ['ab_', 400],
    ['ab1', 400],
    ['x'.repeat(101), 400],
  ] as const
).map(
  ([key, status]): Question => [
    `key value: the key ${key.slice(0, 12)} of ${key.length} (2 to 100 letters with single inner underscores)`,
    status,
    (m) => m.status('POST /key_values', { key, value: '1' }),
  ],
);

const pointer = (more: Json) => (m: Merchant, key: string) =>
  m.status('POST /key_values', { key, key_type: 'pointer', ...more });

const KEY_VALUES: Question[] = [
  ...KEYS,
  [
    'key value: a description of 256 characters',
    400,
    (m) => m.status('POST /key_values', { key: 'long_text', value: '1', description: 'd'.repeat(256) }),
  ],
  [
    'key value: a second one of its key',
    400,
    async (m) => {
      await m.done('/key_values', { key: 'twice', value: '1' });
      return m.status('POST /key_values', { key: 'twice', value: '2' });
    },
  ],
  [
    'key value: a pointer without pointer_type',
    400,
    (m) => pointer({ value: m.all('payment_profiles')[0]?.id })(m, 'no_type'),
  ],
  [
    'key value: a pointer to nothing',
    400,
    (m) => pointer({ pointer_type: 'payment_profile', value: 'Nothing at all' })(m, 'to_nothing'),
  ],
  [
    'key value: a pointer by name',
    200,
    (m) => pointer({ pointer_type: 'payment_profile', value: m.all('payment_profiles')[0]?.name })(m, 'by_name'),
  ],
  [
    'key value: renamed by an edit',
    400,
    async (m) => {
      await m.done('/key_values', { key: 'fixed_name', value: '1' });
      return m.status('POST /key_values/fixed_name', { key: 'other_name' });
    },
  ],
];
describe('functions', () => askTogether(FUNCTIONS));
describe('key values', () => askTogether(KEY_VALUES));
