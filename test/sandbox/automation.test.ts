/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, type Service, startService } from './service.js';

let service: Service;
let integration: string;
beforeAll(async () => {
  service = await startService();
  integration = await integrationOf('ai');
});
afterAll(() => service.stop());

const get = async (path: string): Promise<Json> => (await service.get(path)).body;
const START = [{ id: 'start', type: 'start_thread' }];

async function integrationOf(type: string): Promise<string> {
  const all = (await get('/user_third_party_integrations')).results as Json[];
  return all.find((one) => one.site_third_party_integration.integration_type === type)?.id;
}
const create = (settings: Json, more: Json = {}) =>
  service.post('/ai_assistants', { name: 'A', settings, third_party_integration: integration, flow: START, ...more });
const onEvent = (account_event: Json) => ({ trigger_settings: { trigger: 'account_event', account_event } });
const read = async (settings: Json): Promise<Json> => {
  const made = await create(settings);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return get(`/ai_assistants/${made.body.ai_assistant_id}`);
};
async function functionWith(event_source: string): Promise<string> {
  const made = await service.post('/functions', { name: `F ${Math.random()}` });
  await service.post(`/functions/${made.body.function_id}`, { event_source });
  return made.body.function_id;
}

describe('settings of an assistant (service.md#assistants)', () => {
  it('are read with their defaults: one minute of delay, one run, 30 days, unlimited tokens, no filter', async () => {
    const { settings } = await read(onEvent({ notation: 'sale.created' }));
    expect(settings.assistant_limits).toEqual({ thread_max_tokens: 0, token_max_per_day: 0 });
    expect(settings.trigger_settings.account_event).toEqual({
      notation: 'sale.created',
      filters: { campaign_filter: [], metadata_filter: [], status_filter: [] },
      delay: { time_value: 1, time_unit: 'minutes' },
      limits: { max_run_count: 1, min_time_value: 30, min_time_unit: 'days' },
    });
  });

  it('give a position to a node that has none', async () => {
    const { flow } = await read({});
    expect(flow[0].position).toEqual({ x_axis: expect.any(Number), y_axis: expect.any(Number) });
  });

  it('show a filter function as {id, name}; an empty string removes it', async () => {
    const id = await functionWith('api_direct');
    const assistant = await read(onEvent({ notation: 'sale.created', filter_function: id }));
    const shown = (one: Json) => one.settings.trigger_settings.account_event.filter_function;
    expect(shown(assistant)).toEqual({ id, name: expect.stringMatching(/^F /) });
    await service.post(`/ai_assistants/${assistant.id}`, { settings: onEvent({ filter_function: '' }) });
    expect(shown(await get(`/ai_assistants/${assistant.id}`))).toBe('');
    const other = await functionWith('function_url');
    expect((await create(onEvent({ notation: 'sale.created', filter_function: other }))).status).toBe(400);
  });

  it('keep what an edit does not name: the zone of a schedule, the delay, the other filters', async () => {
    const schedule = { cron_expression: '0 6 * * *', cron_timezone: 'Europe/Berlin' };
    const timed = await read({ trigger_settings: { trigger: 'schedule', schedule } });
    const change = { trigger_settings: { schedule: { cron_expression: '0 7 * * *' } } };
    expect((await service.post(`/ai_assistants/${timed.id}`, { settings: change })).status).toBe(200);
    expect((await get(`/ai_assistants/${timed.id}`)).settings.trigger_settings).toEqual({
      trigger: 'schedule',
      schedule: { cron_expression: '0 7 * * *', cron_timezone: 'Europe/Berlin' },
    });
    const { settings } = await read({
      trigger_settings: { trigger: 'schedule', schedule: { cron_expression: '0 6 * * 1' } },
    });
    expect(settings.trigger_settings.schedule.cron_timezone).toBe('UTC');
  });

  it.each([
    ['an event that is none', onEvent({ notation: 'sale.updated' })],
    ['an event for functions only', onEvent({ notation: 'invoice.created' })],
    [
      'a filter that the event type does not support',
      onEvent({ notation: 'discount.created', filters: { status_filter: ['x'] } }),
    ],
    [
      'a blank metadata value',
      onEvent({ notation: 'sale.created', filters: { metadata_filter: [{ name: 'a', value: ' ' }] } }),
    ],
    ['8 days of delay', onEvent({ notation: 'sale.created', delay: { time_value: 8, time_unit: 'days' } })],
    ['169 hours of delay', onEvent({ notation: 'sale.created', delay: { time_value: 169, time_unit: 'hours' } })],
    [
      '10081 minutes of delay',
      onEvent({ notation: 'sale.created', delay: { time_value: 10_081, time_unit: 'minutes' } }),
    ],
    ['no run', onEvent({ notation: 'sale.created', limits: { max_run_count: 0 } })],
    ['100001 runs', onEvent({ notation: 'sale.created', limits: { max_run_count: 100_001 } })],
    ['no schedule', { trigger_settings: { trigger: 'schedule' } }],
    [
      'six parts of a cron',
      { trigger_settings: { trigger: 'schedule', schedule: { cron_expression: '0 0 6 * * *' } } },
    ],
    [
      'runs every half hour',
      { trigger_settings: { trigger: 'schedule', schedule: { cron_expression: '0,30 * * * *' } } },
    ],
    [
      'an hour that no day has',
      { trigger_settings: { trigger: 'schedule', schedule: { cron_expression: '0 24 * * *' } } },
    ],
  ])('refuse %s', async (_name, settings) => {
    expect((await create(settings)).status).toBe(400);
  });

  it.each(['0 * * * *', '30 6-18/2 * * mon-fri', '*/60 0 1 jan *'])('take the schedule %s', async (cron_expression) => {
    expect((await create({ trigger_settings: { trigger: 'schedule', schedule: { cron_expression } } })).status).toBe(
      200,
    );
  });

  it('need an integration of the site type ai', async () => {
    expect((await create({}, { third_party_integration: await integrationOf('tax') })).status).toBe(400);
  });
});

/** Two nodes after the start, one after the other; each rule of the flow is broken by a change of it. */
function flow(change: (nodes: Json[]) => void = () => {}): Json[] {
  const edge = (node: string, output = 'input_1') => ({ connections: [{ node, output }] });
  const from = (node: string, input = 'output_1') => ({ input_1: { connections: [{ node, input }] } });
  const nodes: Json[] = [
    { id: 'a', type: 'start_thread', outputs: { output_1: edge('b') } },
    {
      id: 'b',
      type: 'action_branch',
      node_settings: { output_1_message: 'yes' },
      inputs: from('a'),
      outputs: { output_1: edge('c'), output_4: edge('d') },
    },
    {
      id: 'c',
      type: 'action_time_delay',
      node_settings: { time_unit: 'hours', time_value: '072' },
      inputs: from('b'),
      outputs: { output_1: edge('e') },
    },
    { id: 'd', type: 'action_end_thread', inputs: from('b', 'output_4') },
    { id: 'e', type: 'action_step', node_settings: { step_message: 'Go' }, inputs: from('c') },
    { id: 'f', type: 'action_step', node_settings: { step_message: 'Unconnected' } },
  ];
  change(nodes);
  return nodes;
}
const node = (nodes: Json[], id: string): Json => nodes.find((one) => one.id === id) as Json;

describe('the flow of an assistant (service.md#assistants)', () => {
  it('is kept as it was sent, unconnected nodes and all', async () => {
    const made = await create({}, { flow: flow() });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const kept = (await get(`/ai_assistants/${made.body.ai_assistant_id}`)).flow as Json[];
    expect(kept.map(({ position: _position, ...one }) => one)).toEqual(flow());
  });

  it.each<[string, (nodes: Json[]) => void]>([
    ['no node', (nodes) => nodes.splice(0)],
    [
      '251 nodes',
      (nodes) => {
        for (let n = 0; n < 245; n++) nodes.push({ id: `n${n}`, type: 'action_end_thread' });
      },
    ],
    [
      'an id of 81 characters',
      (nodes) => {
        node(nodes, 'f').id = 'f'.repeat(81);
      },
    ],
    [
      'an id with a space',
      (nodes) => {
        node(nodes, 'f').id = ' f';
      },
    ],
    [
      'an id twice',
      (nodes) => {
        node(nodes, 'f').id = 'e';
      },
    ],
    [
      'a type that is none',
      (nodes) => {
        node(nodes, 'f').type = 'action_wait';
      },
    ],
    [
      'a message of 20001 characters',
      (nodes) => {
        node(nodes, 'f').node_settings.step_message = 'x'.repeat(20_001);
      },
    ],
    [
      '10001 emoji, of which each counts as two',
      (nodes) => {
        node(nodes, 'f').node_settings.step_message = '😀'.repeat(10_001);
      },
    ],
    [
      'a second message of 20001 characters',
      (nodes) => {
        node(nodes, 'b').node_settings.output_2_message = 'x'.repeat(20_001);
      },
    ],
    [
      'a branch without its first message',
      (nodes) => {
        node(nodes, 'b').node_settings = { output_2_message: 'x' };
      },
    ],
    [
      'a step without settings',
      (nodes) => {
        delete node(nodes, 'f').node_settings;
      },
    ],
    [
      '4321 minutes',
      (nodes) => {
        node(nodes, 'c').node_settings = { time_unit: 'minutes', time_value: '4321' };
      },
    ],
    [
      'a delay of nothing',
      (nodes) => {
        node(nodes, 'c').node_settings.time_value = '0';
      },
    ],
    [
      'a delay with a sign',
      (nodes) => {
        node(nodes, 'c').node_settings.time_value = '+1';
      },
    ],
    [
      'a delay as a number',
      (nodes) => {
        node(nodes, 'c').node_settings.time_value = 1;
      },
    ],
    [
      'two delays in a row',
      (nodes) => {
        Object.assign(node(nodes, 'e'), {
          type: 'action_time_delay',
          node_settings: { time_unit: 'days', time_value: '1' },
        });
      },
    ],
    [
      'an edge into the start',
      (nodes) => {
        node(nodes, 'a').inputs = { input_1: { connections: [{ node: 'e', input: 'output_1' }] } };
      },
    ],
    [
      'an output after the end',
      (nodes) => {
        node(nodes, 'd').outputs = { output_1: { connections: [{ node: 'f', output: 'input_1' }] } };
      },
    ],
    [
      'an output_2 of a step',
      (nodes) => {
        node(nodes, 'e').outputs = { output_2: { connections: [{ node: 'f', output: 'input_1' }] } };
      },
    ],
    [
      'a self connection',
      (nodes) => {
        Object.assign(node(nodes, 'f'), {
          inputs: { input_1: { connections: [{ node: 'f', input: 'output_1' }] } },
          outputs: { output_1: { connections: [{ node: 'f', output: 'input_1' }] } },
        });
      },
    ],
    [
      'a fan-out',
      (nodes) => {
        node(nodes, 'e').outputs = {
          output_1: {
            connections: [
              { node: 'f', output: 'input_1' },
              { node: 'd', output: 'input_1' },
            ],
          },
        };
      },
    ],
    [
      'an edge told at its end only',
      (nodes) => {
        node(nodes, 'f').inputs = { input_1: { connections: [{ node: 'e', input: 'output_1' }] } };
      },
    ],
    [
      'a position beyond 100000',
      (nodes) => {
        node(nodes, 'f').position = { x_axis: 100_001, y_axis: 0 };
      },
    ],
  ])('is refused whole for %s', async (_name, change) => {
    expect((await create({}, { flow: flow(change) })).status).toBe(400);
  });
});

describe('functions (service.md#other-items)', () => {
  const edit = async (settings: Json) => {
    const id = await functionWith('api_direct');
    return { id, answer: await service.post(`/functions/${id}`, settings) };
  };

  it('have an address only with the source function_url', async () => {
    const { id } = await edit({ event_source: 'function_url' });
    expect((await get(`/functions/${id}`)).function_url).toMatch(/^https:/);
    await service.post(`/functions/${id}`, { event_source: 'api_direct' });
    expect(await get(`/functions/${id}`)).not.toHaveProperty('function_url');
  });

  it.each([
    ['a schedule without its cron', { event_source: 'schedule' }],
    ['a cron of four parts', { event_source: 'schedule', cron_expression: '0 6 * *' }],
    ['an event that is none', { event_source: 'account_event', account_event_notations: ['sale.made'] }],
    ['a delay without its unit', { event_source: 'account_event', timing_options: { timing: 'delay', time_value: 5 } }],
    ['a range of addresses', { event_source: 'function_url', ip_whitelist: ['10.0.0.0/8'] }],
  ])('refuse %s', async (_name, settings) => {
    expect((await edit(settings)).answer.status).toBe(400);
  });

  it('accept invoice.created, which assistants do not', async () => {
    const { answer } = await edit({ event_source: 'account_event', account_event_notations: ['invoice.created'] });
    expect(answer.status).toBe(200);
  });
});

describe('customer portals (service.md#customer-portals)', () => {
  const mail = (html: string) => ({ from: 'a@example.com', from_name: 'A', subject: 'S', html, to_cc: [], to_bcc: [] });

  it('need the code in their mails and a domain with active SSL', async () => {
    const [portal] = (await service.get('/customer_portals', { limit: 1, page: 1 })).body.results;
    const path = `/customer_portals/${portal.id}`;
    const mails = (html: string) => ({ customer_emails: { customer_account_confirm_email: mail(html) } });
    expect((await service.post(path, mails('<p>Hello</p>'))).status).toBe(400);
    expect((await service.post(path, mails('<p>{{email_code}}</p>'))).status).toBe(200);
    const made = await service.post('/tracking_domains', { name: 'New', domain_name: 'new.example.com' });
    const change = { tracking_domain: made.body.tracking_domain_id };
    expect((await service.post(path, change)).status).toBe(400);
    await service.post(`/tracking_domains/${made.body.tracking_domain_id}/initialize_ssl`);
    expect((await service.post(path, change)).status).toBe(200);
    expect((await get(path)).tracking_domain).toEqual({
      id: made.body.tracking_domain_id,
      name: 'New',
      domain_name: 'new.example.com',
    });
  });
});

describe('mail (service.md#lists: customer_id)', () => {
  it('about an item is listed for its customer', async () => {
    const now = await service.now();
    const dates = { date_start: now - 7 * 86_400, date_end: now + 60, limit: 25, page: 1 };
    const [sale] = (await service.get('/sales', dates)).body.results as Json[];
    const [template] = (await service.get('/email_templates', { limit: 25, page: 1 })).body.results.filter(
      (one: Json) => one.template_trigger === 'api_direct',
    );
    const about = {
      item_type: 'sale',
      item_id: sale?.id,
      custom_arguments: [{ name: 'word', value: 'Hello' }],
    };
    const sent = await service.post('/smtp_messages', { email_template_id: template.id, ...about });
    expect(sent.status).toBe(200);
    const mine = await service.get('/smtp_messages', { ...dates, customer_id: sale?.customer.id });
    expect(mine.body.results).toMatchObject([{ id: sent.body.smtp_message_id, ...about }]);
    expect((await service.post('/smtp_messages', { email_template_id: template.id, item_type: 'sale' })).status).toBe(
      400,
    );
  });
});
