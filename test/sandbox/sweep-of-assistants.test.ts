/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, type Question } from './merchant.js';
import type { Json } from './service.js';
import { asked, assistant, row, START, step, taken, wait } from './sweep-assistants.js';

/*
 * Sentences of the published description about AI assistants: their settings, limits and filters. The answers were
 * written before the sandbox was asked.
 */

/** Settings of a trigger by an event. */
const byEvent = (more: Json, notation = 'sale.created') => ({
  settings: {
    assistant_instructions: 'Help.',
    trigger_settings: { trigger: 'account_event', account_event: { notation, ...more } },
  },
});
const byTime = (schedule: Json) => ({
  settings: { assistant_instructions: 'Help.', trigger_settings: { trigger: 'schedule', schedule } },
});
const delay = (time_value: unknown, time_unit: string) => byEvent({ delay: { time_value, time_unit } });
const limits = (more: Json) =>
  byEvent({ limits: { max_run_count: 2, min_time_value: 1, min_time_unit: 'days', ...more } });
const filters = (more: Json) => byEvent({ filters: more });
const limited = (assistant_limits: Json) => ({
  settings: { assistant_instructions: 'Help.', assistant_limits, trigger_settings: { trigger: '' } },
});

const SETTINGS: readonly (readonly [string, number, Json])[] = [
  ['notation invoice.created (2.10: for functions only)', 400, byEvent({}, 'invoice.created')],
  ['an empty notation', 200, byEvent({}, '')],
  ['notation product, a base', 200, byEvent({}, 'product')],
  ['notation sale.sold', 400, byEvent({}, 'sale.sold')],
  [
    'a trigger that is none',
    400,
    { settings: { assistant_instructions: 'x', trigger_settings: { trigger: 'weather' } } },
  ],
  ['an empty trigger', 200, { settings: { assistant_instructions: 'x', trigger_settings: { trigger: '' } } }],
  ['a delay of 0 minutes', 400, delay(0, 'minutes')],
  ['a delay of 10080 minutes', 200, delay(10_080, 'minutes')],
  ['a delay of 10081 minutes', 400, delay(10_081, 'minutes')],
  ['a delay of 168 hours', 200, delay(168, 'hours')],
  ['a delay of 169 hours', 400, delay(169, 'hours')],
  ['a delay of 7 days', 200, delay(7, 'days')],
  ['a delay of 8 days', 400, delay(8, 'days')],
  ['a delay of weeks', 400, delay(1, 'weeks')],
  ['max_run_count 0', 400, limits({ max_run_count: 0 })],
  ['max_run_count 100000', 200, limits({ max_run_count: 100_000 })],
  ['max_run_count 100001', 400, limits({ max_run_count: 100_001 })],
  ['min_time_value 0', 400, limits({ min_time_value: 0 })],
  ['min_time_unit minutes', 400, limits({ min_time_unit: 'minutes' })],
  ['a schedule each hour', 200, byTime({ cron_expression: '0 * * * *' })],
  ['a schedule each half hour (one hour apart)', 400, byTime({ cron_expression: '*/30 * * * *' })],
  ['a schedule at 10:00 and 10:59', 400, byTime({ cron_expression: '0,59 10 * * *' })],
  ['a schedule of six parts', 400, byTime({ cron_expression: '0 0 3 * * *' })],
  ['a schedule in a zone that is none', 400, byTime({ cron_expression: '0 3 * * *', cron_timezone: 'Mars/Base' })],
  ['a payment type credit_card', 200, filters({ payment_type_filter: ['credit_card'] })],
  ['a payment type cash', 400, filters({ payment_type_filter: ['cash'] })],
  [
    '50 pairs of metadata',
    200,
    filters({ metadata_filter: Array.from({ length: 50 }, (_, at) => ({ name: `n${at}`, value: 'v' })) }),
  ],
  [
    '51 pairs of metadata',
    400,
    filters({ metadata_filter: Array.from({ length: 51 }, (_, at) => ({ name: `n${at}`, value: 'v' })) }),
  ],
  ['a blank value of metadata', 400, filters({ metadata_filter: [{ name: 'n', value: '  ' }] })],
  ['a value of metadata of 256 units', 400, filters({ metadata_filter: [{ name: 'n', value: 'v'.repeat(256) }] })],
  ['a filter that is none', 400, filters({ weather_filter: ['rain'] })],
  ['a shipping status lost', 400, byEvent({ filters: { shipping_status_filter: ['lost'] } }, 'shipping.created')],
  [
    'a dispute status OPEN',
    200,
    byEvent({ filters: { wallet_dispute_status_filter: ['OPEN'] } }, 'wallet_dispute.created'),
  ],
  [
    'a dispute reason BORED',
    400,
    byEvent({ filters: { wallet_dispute_reason_filter: ['BORED'] } }, 'wallet_dispute.created'),
  ],
  ['a result maybe', 400, byEvent({ filters: { result_filter: ['maybe'] } }, 'transaction.created')],
  ['tokens without end (0)', 200, limited({ thread_max_tokens: 0, token_max_per_day: 0 })],
  ['tokens below zero', 400, limited({ thread_max_tokens: -1 })],
  ['tokens of 1.5', 400, limited({ token_max_per_day: 1.5 })],
];

const OTHERS: Question[] = [
  ...(['name', 'settings', 'third_party_integration', 'flow'] as const).map(
    (name): Question => [`without ${name} (4.12)`, 400, (m) => taken(m, { [name]: undefined })],
  ),
  [
    'an integration that is not of type ai',
    400,
    async (m) => {
      const { results } = await m.get('/user_third_party_integrations');
      const tax = results.find((one: Json) => one.site_third_party_integration.integration_type !== 'ai');
      return taken(m, { third_party_integration: tax.id });
    },
  ],
  [
    'keys of 10 characters twice on its creation (7.4: 11 to 255, others give no protection)',
    [200, 200],
    async (m) => [await taken(m, { idempotency_key: 'ten-signs.' }), await taken(m, { idempotency_key: 'ten-signs.' })],
  ],
  [
    'keys of 11 characters twice on its creation',
    [200, 400],
    async (m) => [
      await taken(m, { idempotency_key: 'eleven-sign' }),
      await taken(m, { idempotency_key: 'eleven-sign' }),
    ],
  ],
  [
    'settings of a node that are refused: what the body adds (7.3)',
    ['a', true, true, true],
    async (m) => {
      const { body } = await m.post('/ai_assistants', await assistant(m, { flow: row(START, step('a', '')) }));
      const { node_id, invalid_setting, explanation, error_code } = body;
      return [
        node_id,
        /^E095[89]$/.test(error_code),
        typeof invalid_setting === 'string',
        typeof explanation === 'string',
      ];
    },
  ],
  [
    'a delay of a fraction: what the body adds (7.3)',
    ['d', true, 'string'],
    async (m) => {
      const { body } = await m.post('/ai_assistants', await assistant(m, { flow: row(START, wait('d', 1.5)) }));
      return [body.node_id, /^E095[89]$/.test(body.error_code), typeof body.explanation];
    },
  ],
  [
    'a refused flow leaves the one before (rule 7)',
    [400, 3],
    async (m) => {
      const path = `/ai_assistants/${await m.made('/ai_assistants', await assistant(m))}`;
      return [await m.status(`POST ${path}`, { flow: [step('x')] }), (await m.get(path)).flow.length];
    },
  ],
  [
    'a flow that is given replaces the whole one (4.12)',
    ['start', 'n'],
    async (m) => {
      const path = `/ai_assistants/${await m.made('/ai_assistants', await assistant(m))}`;
      await m.done(path, { flow: row(START, step('n')) });
      return (await m.get(path)).flow.map(({ id }: Json) => id);
    },
  ],
  [
    'a position that is left out: numbers on a read',
    true,
    async (m) => {
      const { flow } = await m.get(`/ai_assistants/${await m.made('/ai_assistants', await assistant(m))}`);
      return flow.every(({ position }: Json) => Number.isFinite(position.x_axis) && Number.isFinite(position.y_axis));
    },
  ],
  [
    'defaults of limits, delay and tokens (2.10)',
    [1, 30, 'days', 1, 'minutes', 0, 0],
    async (m) => {
      const { settings } = await m.get(
        `/ai_assistants/${await m.made('/ai_assistants', await assistant(m, byEvent({})))}`,
      );
      const { limits: of, delay: wait } = settings.trigger_settings.account_event;
      const { thread_max_tokens, token_max_per_day } = settings.assistant_limits;
      return [
        of.max_run_count,
        of.min_time_value,
        of.min_time_unit,
        wait.time_value,
        wait.time_unit,
        thread_max_tokens,
        token_max_per_day,
      ];
    },
  ],
  [
    'filters that are unset on a read: which are there? (4.12)',
    ['campaign_filter', 'metadata_filter', 'status_filter'],
    async (m) => {
      const { settings } = await m.get(
        `/ai_assistants/${await m.made('/ai_assistants', await assistant(m, byEvent({})))}`,
      );
      return Object.keys(settings.trigger_settings.account_event.filters).sort();
    },
  ],
  [
    'cron_timezone on create, and on an edit without it (2.10)',
    ['UTC', 'Europe/Berlin'],
    async (m) => {
      const cron_expression = '0 3 * * *';
      const zone = async (path: string) => (await m.get(path)).settings.trigger_settings.schedule.cron_timezone;
      const path = `/ai_assistants/${await m.made('/ai_assistants', await assistant(m, byTime({ cron_expression })))}`;
      const first = await zone(path);
      await m.done(path, byTime({ cron_expression, cron_timezone: 'Europe/Berlin' }));
      await m.done(path, byTime({ cron_expression: '0 4 * * *' }));
      return [first, await zone(path)];
    },
  ],
  [
    'filter_function: of another source, of api_direct, as read, and removed (2.10)',
    [400, 200, 'id name', ''],
    async (m) => {
      const path = `/ai_assistants/${await m.made('/ai_assistants', await assistant(m, byEvent({})))}`;
      const id = await m.made('/functions', { name: m.name() });
      const set = (filter_function: string) => m.status(`POST ${path}`, byEvent({ filter_function }));
      await m.done(`/functions/${id}`, { event_source: 'schedule', cron_expression: '0 3 * * *' });
      const other = await set(id);
      await m.done(`/functions/${id}`, { event_source: 'api_direct' });
      const direct = await set(id);
      const read = async () => (await m.get(path)).settings.trigger_settings.account_event.filter_function;
      const shown = Object.keys(await read())
        .sort()
        .join(' ');
      await set('');
      return [other, direct, shown, Object.keys((await read()) || {}).join(' ')];
    },
  ],
  [
    'trigger of one that is on demand, of one that is not (4.12)',
    [200, 400],
    async (m) => {
      const one = await m.made('/ai_assistants', await assistant(m));
      const other = await m.made('/ai_assistants', await assistant(m, byEvent({})));
      return [
        await m.status(`POST /ai_assistants/${one}/trigger`),
        await m.status(`POST /ai_assistants/${other}/trigger`),
      ];
    },
  ],
  [
    'a thread of a wait: Timer, cancelled once, not twice',
    ['Timer', 200, 'Cancelled', 400],
    async (m) => {
      const id = await m.made(
        '/ai_assistants',
        await assistant(m, { flow: row(START, wait('w', '2', 'hours'), step('a')) }),
      );
      const { ai_thread_id } = await m.done(`/ai_assistants/${id}/trigger`);
      const path = `/ai_threads/${ai_thread_id}`;
      await m.pass(10 / 1440);
      const state = async () => (await m.get(path)).status;
      const waiting = await state();
      return [waiting, await m.status(`POST ${path}/cancel`), await state(), await m.status(`POST ${path}/cancel`)];
    },
  ],
  [
    'a thread of steps: Complete in the end, not to be cancelled',
    ['Complete', 400],
    async (m) => {
      const { ai_thread_id } = await m.done(
        `/ai_assistants/${await m.made('/ai_assistants', await assistant(m))}/trigger`,
      );
      await m.pass(1 / 24);
      const path = `/ai_threads/${ai_thread_id}`;
      return [(await m.get(path)).status, await m.status(`POST ${path}/cancel`)];
    },
  ],
];

describe('settings', () => askTogether(asked(SETTINGS)));
describe('the rest of assistants', () => askTogether(OTHERS));
