/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, customer, type Merchant, NAMED, type Question, refused, text } from './merchant.js';
import type { Json } from './service.js';

/*
 * Questions made of the sentences of the published page, section by section; the answers were written from the page
 * before the sandbox was asked.
 */

const BODIES: Question[] = [
  [
    'metadata names of 100 and 101, values of 255 and 256 (8)',
    ['200', '400 code 0', '200', '400 code 0'],
    async (m) => {
      const says = (name: number, value: number) =>
        m.says('/customers', customer(m, { metadata: [{ name: text(name), value: text(value) }] }));
      return [await says(100, 1), await says(101, 1), await says(1, 255), await says(1, 256)];
    },
  ],
  [
    'a customer without an e-mail (4.10)',
    NAMED,
    (m) => refused(m, '/customers', customer(m, {}, { email: undefined }), 'customer.email'),
  ],
  [
    'a customer of country US (4.10)',
    NAMED,
    (m) => refused(m, '/customers', customer(m, {}, { country: 'US' }), 'customer.country'),
  ],
  [
    'a billing address without a last name (4.10)',
    NAMED,
    (m) =>
      refused(
        m,
        '/customers',
        customer(m, { bill_to: { first_name: 'A', email: 'a@example.com' } }),
        'bill_to.last_name',
      ),
  ],
  [
    'a card whose year has four digits (4.10)',
    NAMED,
    (m) =>
      refused(m, '/customers', customer(m, { payment: { credit_card: { ...m.card(), exp_year: 2060 } } }), 'exp_year'),
  ],
  [
    'a customer of a campaign by its name (4.10)',
    '200',
    (m) => m.says('/customers', customer(m, { campaign: 'Default' })),
  ],
  [
    'a rate without qualifiers (4.11)',
    NAMED,
    async (m) => {
      const body = await m.ratesBody([[5, {}]]);
      return refused(
        m,
        '/shipping_profiles',
        { ...body, rates: [{ ...body.rates[0], qualifiers: undefined }] },
        'rates[0].qualifiers',
      );
    },
  ],
  [
    'a rate without one enabled qualifier (4.11)',
    '400 code 0',
    async (m) => m.says('/shipping_profiles', await m.ratesBody([[5, {}]])),
  ],
  [
    'a country of two letters in a rate (4.11)',
    '400 code 0',
    async (m) =>
      m.says('/shipping_profiles', await m.ratesBody([[5, { countries: [{ iso_code: 'US', enabled: true }] }]])),
  ],
  [
    'a subscription profile of frequency calendar without its object (4.7)',
    '400 code 0',
    async (m) => m.says(`/subscription_profiles/${await m.profile()}`, { frequency: 'calendar' }),
  ],
  [
    'frequency_unit without frequency is ignored (4.7)',
    'months',
    async (m) => {
      const id = await m.profile();
      await m.done(`/subscription_profiles/${id}`, { frequency_unit: { unit: 'days', value: 3 } });
      return (await m.get(`/subscription_profiles/${id}`)).frequency_unit.unit;
    },
  ],
  [
    'a property that is not of a profile (4.7)',
    NAMED,
    async (m) => refused(m, `/subscription_profiles/${await m.profile()}`, { colour: 'red' }, 'colour'),
  ],
  [
    'two profiles of one name (2.3)',
    '400 code 0',
    async (m) => {
      const name = m.name();
      await m.profile({ name });
      return m.says('/subscription_profiles', { name, frequency: 'unit', frequency_unit: { unit: 'days', value: 1 } });
    },
  ],
  [
    'a portal whose recaptcha lacks a key (4.5)',
    NAMED,
    async (m) => {
      const { id } = await m.first('/customer_portals');
      return refused(m, `/customer_portals/${id}`, { recaptcha: { site_key: 'x' } }, 'recaptcha.secret_key');
    },
  ],
  [
    'is the secret of a recaptcha shown? (2.6)',
    false,
    async (m) => {
      const { id } = await m.first('/customer_portals');
      await m.done(`/customer_portals/${id}`, { recaptcha: { site_key: 'x', secret_key: 'not-to-be-seen' } });
      return JSON.stringify(await m.get(`/customer_portals/${id}`)).includes('not-to-be-seen');
    },
  ],
  [
    'the value of an encrypted variable is hidden (2.8)',
    false,
    async (m) => {
      const id = await m.made('/functions', { name: m.name() });
      const environment_variables = [{ name: 'TOKEN', value: 'not-to-be-seen', encrypted: true }];
      await m.done(`/functions/${id}`, { environment_variables });
      return JSON.stringify(await m.get(`/functions/${id}`)).includes('not-to-be-seen');
    },
  ],
  [
    'a function of another source is not triggered (4.13)',
    '400 code 0',
    async (m) => {
      const id = await m.made('/functions', { name: m.name() });
      await m.done(`/functions/${id}`, { event_source: 'account_event', account_event_notations: ['sale.created'] });
      return m.says(`/functions/${id}/trigger`);
    },
  ],
  [
    'functions take invoice.created (6.1)',
    '200',
    async (m) => {
      const id = await m.made('/functions', { name: m.name() });
      return m.says(`/functions/${id}`, {
        event_source: 'account_event',
        account_event_notations: ['invoice.created'],
      });
    },
  ],
  [
    'a metadata entry lists no values, and gives them alone (2.8)',
    [false, true],
    async (m) => {
      await m.done('/customers', customer(m, { metadata: [{ name: 'shade', value: 'teal' }] }));
      const { results } = await m.get('/metadata?limit=25&page=1');
      const entry = results.find(({ name }: Json) => name === 'shade');
      return [
        JSON.stringify(entry).includes('teal'),
        JSON.stringify(await m.get(`/metadata/${entry.id}`)).includes('teal'),
      ];
    },
  ],
  [
    'a note of a sale is on its customer too (4.13)',
    '200',
    async (m) => m.says('/notes', { item_type: 'sale', item_id: (await m.sold()).id, text: 'called' }),
  ],
];

const ASSISTANT_STEPS: [string, Json][] = [
  [
    'an end with outputs',
    { id: 'b', type: 'action_end_thread', outputs: { output_1: { connections: [{ node: 'a', output: 'input_1' }] } } },
  ],
  ['a branch without its first message', { id: 'b', type: 'action_branch', node_settings: { output_2_message: 'x' } }],
  [
    'a delay of 73 hours',
    { id: 'b', type: 'action_time_delay', node_settings: { time_unit: 'hours', time_value: '73' } },
  ],
  ['a delay of +1', { id: 'b', type: 'action_time_delay', node_settings: { time_unit: 'hours', time_value: '+1' } }],
  ['a step of 20001 characters', { id: 'b', type: 'action_step', node_settings: { step_message: text(20_001) } }],
  [
    '10001 emoji, which count twice',
    { id: 'b', type: 'action_step', node_settings: { step_message: '😀'.repeat(10_001) } },
  ],
  ['an id with a space', { id: 'b b', type: 'action_end_thread' }],
  ['an id of 81 characters', { id: text(81), type: 'action_end_thread' }],
  ['an id used twice', { id: 'a', type: 'action_end_thread' }],
  ['a coordinate beyond', { id: 'b', type: 'action_end_thread', position: { x_axis: 0, y_axis: -100_001 } }],
];

async function assistant(m: Merchant, flow: Json[], more: Json = {}): Promise<Json> {
  const { results } = await m.get('/user_third_party_integrations');
  const ai = results.find((one: Json) => one.site_third_party_integration.integration_type === 'ai');
  return { name: m.name(), settings: {}, third_party_integration: ai.id, flow, ...more };
}

const ASSISTANTS: Question[] = [
  ...ASSISTANT_STEPS.map(
    ([what, node]): Question => [
      `${what} rejects the flow with its node (2.10, 7.3)`,
      [400, true, node.id, true, true],
      async (m) => {
        const { status, body } = await m.post(
          '/ai_assistants',
          await assistant(m, [{ id: 'a', type: 'start_thread' }, node]),
        );
        const { error_code, node_id, invalid_setting, explanation } = body;
        return [
          status,
          /^E095[89]$/.test(error_code),
          node_id,
          invalid_setting !== '',
          typeof explanation === 'string',
        ];
      },
    ],
  ),
  [
    'leading zeros of a delay (2.10)',
    '200',
    async (m) =>
      m.says(
        '/ai_assistants',
        await assistant(m, [
          { id: 'a', type: 'start_thread' },
          { id: 'b', type: 'action_time_delay', node_settings: { time_unit: 'days', time_value: '003' } },
        ]),
      ),
  ],
  [
    'an assistant that is not on demand is not triggered (4.12)',
    '400 code 0',
    async (m) => {
      const body = await assistant(m, [{ id: 'a', type: 'start_thread' }], {
        settings: { trigger_settings: { trigger: '' } },
      });
      return m.says(`/ai_assistants/${await m.made('/ai_assistants', body)}/trigger`);
    },
  ],
  [
    'a schedule every half hour (2.10)',
    '400 code 0',
    async (m) => {
      const schedule = { cron_expression: '*/30 * * * *' };
      const settings = { trigger_settings: { trigger: 'schedule', schedule } };
      return m.says('/ai_assistants', await assistant(m, [{ id: 'a', type: 'start_thread' }], { settings }));
    },
  ],
  [
    'a schedule without a zone is in UTC, and keeps one (2.10)',
    ['UTC', 'Asia/Tokyo'],
    async (m) => {
      const at = (schedule: Json) => ({ trigger_settings: { trigger: 'schedule', schedule } });
      const hourly = { cron_expression: '0 * * * *' };
      const id = await m.made(
        '/ai_assistants',
        await assistant(m, [{ id: 'a', type: 'start_thread' }], { settings: at(hourly) }),
      );
      const zone = async () => (await m.get(`/ai_assistants/${id}`)).settings.trigger_settings.schedule.cron_timezone;
      const first = await zone();
      await m.done(`/ai_assistants/${id}`, { settings: at({ ...hourly, cron_timezone: 'Asia/Tokyo' }) });
      await m.done(`/ai_assistants/${id}`, { settings: at({ cron_expression: '0 6 * * *' }) });
      return [first, await zone()];
    },
  ],
  [
    'a filter that its event does not have (6.2)',
    '400 code 0',
    async (m) => {
      const account_event = { notation: 'tax.created', filters: { gateway_filter: ['x'] } };
      const settings = { trigger_settings: { trigger: 'account_event', account_event } };
      return m.says('/ai_assistants', await assistant(m, [{ id: 'a', type: 'start_thread' }], { settings }));
    },
  ],
  [
    '51 metadata entries in a filter (8)',
    '400 code 0',
    async (m) => {
      const metadata_filter = Array.from({ length: 51 }, (_, n) => ({ name: `n${n}`, value: 'v' }));
      const account_event = { notation: 'sale.created', filters: { metadata_filter } };
      const settings = { trigger_settings: { trigger: 'account_event', account_event } };
      return m.says('/ai_assistants', await assistant(m, [{ id: 'a', type: 'start_thread' }], { settings }));
    },
  ],
];

describe('bodies (2, 4.5 to 4.13)', () => askTogether(BODIES));
describe('assistants (2.10, 4.12, 7.3)', () => askTogether(ASSISTANTS));
