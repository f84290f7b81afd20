/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, DECLINED, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/* Sentences of the published description about the events that let a run of an assistant begin; the answers were written before the sandbox was asked. */

type Deed = (m: Merchant) => Promise<unknown>;

const buy =
  (number: string, more: Json = {}): Deed =>
  async (m) =>
    m.post('/sales', m.order([{ id: await m.product() }], { credit_card: m.card(number), ...more }));
async function customer(m: Merchant): Promise<string> {
  return m.made('/customers', {
    campaign: m.all('campaigns')[0]?.id,
    customer: { first_name: 'A', last_name: 'B', email: `${m.name()}@example.com` },
  });
}

const FLOW = [
  { id: 's', type: 'start_thread', outputs: { output_1: { connections: [{ node: 'e', output: 'input_1' }] } } },
  { id: 'e', type: 'action_end_thread', inputs: { input_1: { connections: [{ node: 's', input: 'output_1' }] } } },
];

/** Threads that an assistant with these settings of an event begins by a deed, within two days. */
async function threads(m: Merchant, account_event: Json, deed: Deed, wait = 2, more: Json = {}): Promise<number> {
  const { results } = await m.get('/user_third_party_integrations');
  const ai = results.find((one: Json) => one.site_third_party_integration.integration_type === 'ai');
  const id = await m.made('/ai_assistants', {
    name: m.name(),
    enabled: true,
    third_party_integration: ai.id,
    flow: FLOW,
    settings: { assistant_instructions: 'Look.', trigger_settings: { trigger: 'account_event', account_event } },
    ...more,
  });
  await deed(m);
  await m.pass(wait);
  const count = m.all('ai_threads').filter((one) => JSON.stringify(one).includes(id)).length;
  await m.done(`/ai_assistants/${id}/delete`);
  return count;
}

const noted =
  (pairs: readonly Json[] = []): Deed =>
  async (m) => {
    const id = await customer(m);
    if (pairs.length > 0) await m.done('/metadata', { item_type: 'customer', item_id: id, metadata: pairs });
    await m.done('/notes', { item_type: 'customer', item_id: id, text: 'Hi' });
  };
const pair = (name: string, value: string) => ({ name, value });
const note = (filters: Json, more: Json = {}) => ({ notation: 'note.created', filters, ...more });
const only = (m: Merchant, name: string, at: number) => ({ [name]: [m.all('campaigns')[at]?.id] });
const verdict = async (m: Merchant, answer: string) => {
  const id = await m.made('/functions', { name: m.name() });
  await m.done(`/functions/${id}`, { event_source: 'api_direct', function_code: `callback(null, '${answer}')` });
  return { notation: 'note.created', filter_function: id };
};

const RUNS: Question[] = [
  ['an event without filters: one thread', 1, (m) => threads(m, note({}), noted())],
  ['a disabled assistant', 0, (m) => threads(m, note({}), noted(), 2, { enabled: false })],
  ['campaign_filter of its campaign (6.2)', 1, (m) => threads(m, note(only(m, 'campaign_filter', 0)), noted())],
  ['campaign_filter of another one', 0, (m) => threads(m, note(only(m, 'campaign_filter', 1)), noted())],
  [
    'metadata: its pair',
    1,
    (m) => threads(m, note({ metadata_filter: [pair('tier', 'gold')] }), noted([pair('tier', 'gold')])),
  ],
  [
    'metadata: another value',
    0,
    (m) => threads(m, note({ metadata_filter: [pair('tier', 'iron')] }), noted([pair('tier', 'gold')])),
  ],
  [
    'metadata: one of two values of a name (4.12: alternatives)',
    1,
    (m) =>
      threads(
        m,
        note({ metadata_filter: [pair('tier', 'iron'), pair('tier', 'gold')] }),
        noted([pair('tier', 'gold')]),
      ),
  ],
  [
    'metadata: one of two names (4.12: every name must match)',
    0,
    (m) =>
      threads(m, note({ metadata_filter: [pair('tier', 'gold'), pair('land', 'x')] }), noted([pair('tier', 'gold')])),
  ],
  [
    'metadata: a value with spaces around (4.12: trimmed)',
    1,
    (m) => threads(m, note({ metadata_filter: [pair('tier', '  gold ')] }), noted([pair('tier', 'gold')])),
  ],
  ['a filter function that says pass (6.3)', 1, async (m) => threads(m, await verdict(m, 'pass'), noted())],
  ['a filter function that says fail (6.3)', 0, async (m) => threads(m, await verdict(m, 'fail'), noted())],
  [
    'a delay of 3 hours: within 2 hours',
    0,
    (m) => threads(m, note({}, { delay: { time_value: 3, time_unit: 'hours' } }), noted(), 2 / 24),
  ],
  [
    'a delay of 3 hours: within 4 hours',
    1,
    (m) => threads(m, note({}, { delay: { time_value: 3, time_unit: 'hours' } }), noted(), 4 / 24),
  ],
  ...(
    [
      [undefined, 1],
      [2, 2],
    ] as const
  ).map(
    ([max_run_count, answer]): Question => [
      `two events of an item, max_run_count ${max_run_count ?? 'by default'}, hours between (6.3)`,
      answer,
      (m) =>
        threads(
          m,
          {
            notation: 'customer.updated.disabled',
            ...(max_run_count ? { limits: { max_run_count, min_time_value: 1, min_time_unit: 'hours' } } : {}),
          },
          async (one) => {
            const id = await customer(one);
            for (const word of ['disable', 'enable']) await one.done(`/customers/${id}/${word}`);
            await one.pass(0.5);
            await one.done(`/customers/${id}/disable`);
          },
        ),
    ],
  ),
  [
    'result_filter declined: an approved charge',
    0,
    (m) =>
      threads(
        m,
        { notation: 'transaction.created', filters: { result_filter: ['declined'] } },
        (one) => one.sold(),
        0.1,
      ),
  ],
  [
    'result_filter declined: a declined charge',
    1,
    (m) =>
      threads(m, { notation: 'transaction.created', filters: { result_filter: ['declined'] } }, buy(DECLINED), 0.1),
  ],
  [
    'payment_type_filter offline: a sale by card',
    0,
    (m) =>
      threads(m, { notation: 'sale.created', filters: { payment_type_filter: ['offline'] } }, (one) => one.sold(), 0.1),
  ],
  [
    'payment_type_filter offline: a sale taken offline',
    1,
    (m) =>
      threads(
        m,
        { notation: 'sale.created', filters: { payment_type_filter: ['offline'] } },
        (one) => one.sold({ payment_type: 'offline_payment', credit_card: undefined }),
        0.1,
      ),
  ],
  [
    'currency_filter EUR: a sale in EUR',
    1,
    (m) =>
      threads(
        m,
        { notation: 'sale.created', filters: { currency_filter: ['EUR'] } },
        (one) => one.sold({ iso_currency: 'EUR' }),
        0.1,
      ),
  ],
];

describe('which events begin a run', () => askTogether(RUNS));
