/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS, openSandboxStore, parseAnswers, writeAnswers } from '../../src/sandbox/serve/index.js';
import type { Incoming } from '../../src/sandbox/serve/messages.js';
import { createService } from '../../src/sandbox/serve/service.js';
import { type Json, SandboxWorld } from './world.js';

/* Functions, mail and assistants of the sandbox do what their settings say, by its events and its clock. */

const HOUR = 3600;
const DAY = 86_400;

let world: SandboxWorld;
beforeAll(async () => {
  world = await SandboxWorld.make();
});
afterAll(async () => {
  expect(world.breaches()).toEqual([]);
  await world.close();
});

const runsOf = (id: string): Json[] => world.all('function_runs', (run) => run.function_id === id);

describe('functions', () => {
  it('run by an account event, see its item and their variables, and leave result and logs', async () => {
    const id = await world.makeFunction({
      event_source: 'account_event',
      account_event_notations: ['sale.created.success.paid'],
      environment_variables: [
        { name: 'LEVEL', value: '3', encrypted: false },
        { name: 'TOKEN', value: 'hidden', encrypted: true },
      ],
      function_code: `console.log(process.env.TOKEN); callback(null, [event.item.status, process.env.LEVEL]);`,
    });
    const { sale_id: sale } = await world.post('/sales', world.order());
    await world.pass(1);
    expect(runsOf(id)).toMatchObject([
      {
        status: 'success',
        event_source: 'account_event',
        notation: 'sale.created.success.paid',
        item_type: 'sale',
        item_id: sale,
        result: ['paid', '3'],
        logs: [{ level: 'log', message: 'hidden' }],
      },
    ]);
    await world.send('POST', '/sales', world.order('Ceramic Mug', '4000000000000002'));
    await world.pass(1);
    expect(runsOf(id)).toHaveLength(1);
  });

  it('wait for their delay, keep to their campaigns, and do not run when they are disabled', async () => {
    const other = world.all('campaigns').at(0)?.id;
    const settings = { event_source: 'account_event', account_event_notations: ['customer.created'] };
    const code = { function_code: 'callback(null, event.item.id);' };
    const timing_options = { timing: 'delay', time_unit: 'hours', time_value: 2 };
    const late = await world.makeFunction({ ...settings, ...code, timing_options });
    const elsewhere = await world.makeFunction({
      ...settings,
      ...code,
      account_event_filters: { campaign_filter: [other] },
    });
    const off = await world.makeFunction({ ...settings, ...code, enabled: false });
    const order = world.order();
    expect(order.campaign).not.toBe(other);
    await world.post('/sales', order);
    await world.pass(HOUR);
    expect(runsOf(late)).toEqual([]);
    await world.pass(HOUR);
    expect(runsOf(late)).toMatchObject([{ status: 'success', created_date_unix: world.now }]);
    expect([...runsOf(elsewhere), ...runsOf(off)]).toEqual([]);
  });

  it('run by their schedule in its time zone, and stop when they are edited or deleted', async () => {
    const schedule = { cron_expression: '30 9 * * *', cron_timezone: 'Europe/Berlin' };
    const id = await world.makeFunction({
      event_source: 'schedule',
      ...schedule,
      function_code: 'callback(null, event.event_source);',
    });
    await world.pass(3 * DAY);
    const moments = runsOf(id).map((run) => new Date(run.created_date_unix * 1000).toISOString().slice(11, 16));
    expect(moments).toEqual(['08:30', '08:30', '08:30']);
    await world.post(`/functions/${id}`, { enabled: false });
    await world.pass(2 * DAY);
    expect(runsOf(id)).toHaveLength(3);
    await world.post(`/functions/${id}`, { enabled: true });
    await world.post(`/functions/${id}/delete`);
    await world.pass(2 * DAY);
    expect(runsOf(id)).toHaveLength(3);
  });

  it('are triggered with arguments, and their run is found by the id of the answer', async () => {
    const id = await world.makeFunction({
      event_source: 'api_direct',
      custom_arguments: [{ name: 'days', description: '' }],
      function_code: 'callback(null, event.custom_arguments.days * 2);',
    });
    const asked = await world.post(`/functions/${id}/trigger`, { custom_arguments: [{ name: 'days', value: 7 }] });
    await world.pass(0);
    expect(runsOf(id)).toMatchObject([{ id: asked.function_run_id, status: 'success', result: 14 }]);
  });

  it('that never end, or fail, are reported, and hold nothing else up', async () => {
    const id = await world.makeFunction({ event_source: 'api_direct', function_code: 'throw new Error("broken");' });
    await world.post(`/functions/${id}/trigger`);
    await world.pass(1);
    expect(runsOf(id)).toMatchObject([{ status: 'error', error: expect.stringContaining('broken'), result: null }]);
  });
});

describe('functions that nothing here calls (service.md#other-items)', () => {
  const functionOf = async (settings: Json) => {
    const id = await world.makeFunction({ function_code: 'callback(null, 1);', ...settings });
    return { id, item: await world.get(`/functions/${id}`) };
  };
  const runsOf = (id: string) => world.all('function_runs', (run) => run.function_id === id);

  it('of source function_url have an address, and only then', async () => {
    const { id, item } = await functionOf({
      event_source: 'function_url',
      ip_restricted: true,
      ip_whitelist: ['192.0.2.1'],
    });
    expect(new URL(item.function_url).protocol).toBe('https:');
    expect(item).toMatchObject({ ip_restricted: true, ip_whitelist: ['192.0.2.1'] });
    const refused = async (body: Json) => (await world.send('POST', `/functions/${id}`, body)).body.message;
    expect(await refused({ ip_whitelist: ['192.0.2.0/24'] })).toContain('ip_whitelist');
    expect(await refused({ function_url: 'https://example.com/' })).toContain('function_url');
    expect((await world.send('POST', `/functions/${id}/trigger`, {})).status).toBe(400);
    await world.post(`/functions/${id}`, { event_source: 'api_direct' });
    expect(await world.get(`/functions/${id}`)).not.toHaveProperty('function_url');
  });

  it('of source payment_profile are kept and passed over by payments', async () => {
    const { id, item } = await functionOf({ event_source: 'payment_profile' });
    expect(item).toMatchObject({ event_source: 'payment_profile' });
    expect(item).not.toHaveProperty('function_url');
    expect((await world.send('POST', `/functions/${id}/trigger`, {})).status).toBe(400);
    const payment_flow = [
      {
        id: 'a',
        type: 'start_payment_request',
        outputs: { output_1: { connections: [{ node: 'b', output: 'input_1' }] } },
      },
      { id: 'b', type: 'action_run_function', settings: { function: id } },
    ];
    const { payment_profile_id: payment_profile } = await world.post('/payment_profiles', {
      name: `Flow ${id}`,
      payment_flow,
    });
    const { sale_id } = await world.post('/sales', { ...world.order(), payment_profile });
    await world.pass(120);
    expect((await world.get(`/sales/${sale_id}`)).status).toBe('paid');
    expect(runsOf(id)).toEqual([]);
  });
});

describe('two processes on one sandbox', () => {
  it('run what is due once', async () => {
    const id = await world.makeFunction({
      event_source: 'account_event',
      account_event_notations: ['sale.created'],
      function_code: 'callback(null, event.item_id);',
    });
    const opened = await openSandboxStore({ dataDir: world.dataDir, now: () => world.now * 1000 });
    const { store, moment, isReady } = opened;
    const other = createService({ store, moment, isReady });
    const sales = [await world.post('/sales', world.order()), await world.post('/sales', world.order())];
    const query: Incoming['query'] = [
      ['limit', '1'],
      ['page', '1'],
    ];
    const read: Incoming = { method: 'GET', path: '/campaigns', query, key: ACCOUNTS[0]?.key };
    await Promise.all([world.pass(1), other.handle(read), world.pass(0)]);
    await other.close();
    opened.database.close();
    expect(
      runsOf(id)
        .map(({ result }) => result)
        .sort(),
    ).toEqual(sales.map(({ sale_id }) => sale_id).sort());
  });
});

describe('mail', () => {
  const template = async (more: Json): Promise<string> => {
    const made = await world.post('/email_templates', {
      name: `T ${Math.random()}`,
      smtp_profile: world.one('smtp_profiles').id,
      template_subject: 'Sale of {{sale.amount_total}}',
      template_from: 'shop@example.com',
      template_to: ['{{customer.email}}'],
      template_html: '<p>{{customer.first_name}}</p>',
      template_trigger: 'sale.created.success.paid',
      ...more,
    });
    return made.email_template_id;
  };
  const mailOf = (id: string): Json[] => world.all('smtp_messages', (mail) => mail.email_template.id === id);

  it('of an event is filled and filed, with what is filled in escaped', async () => {
    const id = await template({});
    const order = world.order();
    order.customer.first_name = '<b>Ann</b>';
    await world.post('/sales', order);
    await world.pass(1);
    const [mail] = mailOf(id);
    expect(mail).toMatchObject({ status: 'sent', to: [order.customer.email], html: '<p>&lt;b&gt;Ann&lt;/b&gt;</p>' });
    expect(mail.subject).toMatch(/^Sale of \d/);
  });

  it('that cannot be filled stays unsent and says why', async () => {
    const id = await template({ template_html: '{{sale.nothing_like_it}}' });
    await world.post('/sales', world.order());
    await world.pass(1);
    expect(mailOf(id)).toMatchObject([{ status: 'error', error: expect.stringContaining('sale.nothing_like_it') }]);
  });

  it('is filled by a function where the template names one', async () => {
    const maker = await world.makeFunction({
      event_source: 'email_template',
      function_code: 'callback(null, { word: "spring" });',
    });
    const id = await template({ template_subject: 'In {{word}}' });
    await world.post(`/email_templates/${id}`, { custom_data: { function: maker } });
    await world.post('/sales', world.order());
    await world.pass(1);
    expect(mailOf(id)).toMatchObject([{ status: 'sent', subject: 'In spring' }]);
  });

  it('by hand needs each argument that its template declares, and an active SMTP profile', async () => {
    const id = await template({
      template_trigger: 'api_direct',
      template_subject: '{{word}}',
      template_html: '{{custom_arguments.word}}',
      custom_arguments: [{ name: 'word', description: '' }],
    });
    const send = (body: Json) =>
      world.send('POST', '/smtp_messages', { email_template_id: id, to: ['a@example.com'], ...body });
    expect((await send({})).body.message).toContain('word');
    expect((await send({ custom_arguments: [{ name: 'word', value: 'Hi' }] })).status).toBe(200);
    expect(mailOf(id)).toMatchObject([{ subject: 'Hi', html: 'Hi', to: ['a@example.com'] }]);
    await world.post(`/smtp_profiles/${world.one('smtp_profiles').id}`, { enabled: false });
    expect((await send({ custom_arguments: [{ name: 'word', value: 'Hi' }] })).status).toBe(400);
    await world.post(`/smtp_profiles/${world.one('smtp_profiles').id}`, { enabled: true });
  });
});

/** A flow in a line: each node leads to the next one. */
function line(...nodes: readonly Json[]): Json[] {
  const all = [{ id: 'start', type: 'start_thread' }, ...nodes];
  return all.map((node, index) => {
    const [before, after] = [all[index - 1], all[index + 1]];
    return {
      ...node,
      inputs: before ? { input_1: { connections: [{ node: before.id, input: 'output_1' }] } } : {},
      outputs: after ? { output_1: { connections: [{ node: after.id, output: 'input_1' }] } } : {},
    };
  });
}
const step = (id: string, step_message: string) => ({ id, type: 'action_step', node_settings: { step_message } });

describe('assistants', () => {
  const assistant = async (trigger_settings: Json, flow: Json[], more: Json = {}): Promise<string> => {
    const integration = world.one(
      'user_third_party_integrations',
      (one) => one.site_third_party_integration.integration_type === 'ai',
    );
    const made = await world.post('/ai_assistants', {
      name: `A ${Math.random()}`,
      settings: { trigger_settings, ...more },
      third_party_integration: integration.id,
      flow,
    });
    return made.ai_assistant_id;
  };
  const threadsOf = (id: string): Json[] => world.all('ai_threads', (thread) => thread.ai_assistant_id === id);
  const script = (answers: Json[]) => {
    const parsed = parseAnswers(answers);
    if (typeof parsed === 'string') throw new Error(parsed);
    writeAnswers(world.opened.database, parsed);
  };
  const branch = {
    id: 'choose',
    type: 'action_branch',
    node_settings: { output_1_message: 'It is a refund.', output_2_message: 'It is a complaint.' },
    inputs: { input_1: { connections: [{ node: 'start', input: 'output_1' }] } },
    outputs: {
      output_1: { connections: [{ node: 'refund', output: 'input_1' }] },
      output_4: { connections: [{ node: 'none', output: 'input_1' }] },
    },
  };
  const from = (node: string, input: string) => ({ input_1: { connections: [{ node, input }] } });
  const branching = [
    {
      id: 'start',
      type: 'start_thread',
      outputs: { output_1: { connections: [{ node: 'choose', output: 'input_1' }] } },
    },
    branch,
    { ...step('refund', 'Refund.'), inputs: from('choose', 'output_1') },
    { ...step('none', 'Nothing.'), inputs: from('choose', 'output_4') },
  ];

  it('go through their flow step by step, wait by the clock, and write what their script says', async () => {
    script([
      {
        message: 'LOOK AT THE SALE',
        answer: 'It is fine.',
        actions: [
          { path: '/notes', body: { item_type: 'sale', item_id: '{{item_id}}', text: 'Seen: {{item.status}}' } },
          { path: '/ai_memos', body: { ai_thread_id: '{{thread_id}}', subject: 'Seen', message: 'A sale.' } },
        ],
      },
    ]);
    const wait = { id: 'wait', type: 'action_time_delay', node_settings: { time_unit: 'hours', time_value: '2' } };
    const id = await assistant(
      { trigger: 'on_demand' },
      line(step('look', 'Look at the sale.'), wait, step('end', 'Say goodbye.')),
    );
    const sale = world.one('sales', ({ status }) => status === 'paid').id;
    const asked = await world.post(`/ai_assistants/${id}/trigger`, {
      source_type: 'item',
      item_type: 'sale',
      item_id: sale,
    });
    expect(threadsOf(id)).toMatchObject([{ id: asked.ai_thread_id, status: 'Running', steps: [] }]);
    await world.pass(30);
    expect(threadsOf(id)[0].messages).toEqual([
      { role: 'user', content: 'Look at the sale.' },
      { role: 'assistant', content: 'It is fine.' },
    ]);
    expect(world.one('notes')).toMatchObject({ item_id: sale, text: 'Seen: paid' });
    expect(world.one('ai_memos')).toMatchObject({ ai_thread_id: asked.ai_thread_id, status: 'unread' });
    await world.pass(30);
    expect(threadsOf(id)[0].status).toBe('Timer');
    await world.pass(2 * HOUR - 1);
    expect(threadsOf(id)[0].status).toBe('Timer');
    await world.pass(1);
    await world.pass(60);
    expect(threadsOf(id)[0]).toMatchObject({
      status: 'Complete',
      steps: [{ node: 'start' }, { node: 'look' }, { node: 'wait' }, { node: 'end' }],
    });
    const said = world.all(
      'site_events',
      ({ notation, item_id }) => notation === 'note.created' && item_id === world.one('notes').id,
    );
    expect(said).toHaveLength(1);
  });

  it.each([
    ['the scripted branch', [{ node: 'choose', output: 1 }], 'refund'],
    ['no branch without an answer: output 4', [], 'none'],
    ['no branch whose message is empty', [{ node: 'choose', output: 3 }], 'none'],
  ])('take %s', async (_name, answers, node) => {
    script(answers);
    const id = await assistant({ trigger: 'on_demand' }, branching);
    await world.post(`/ai_assistants/${id}/trigger`);
    await world.pass(120);
    expect(threadsOf(id)[0].steps.map((one: Json) => one.node)).toEqual(['start', 'choose', node]);
    expect(threadsOf(id)[0].status).toBe('Complete');
  });

  it('end with Error when what they do is refused, and leave nothing of it', async () => {
    script([
      { node: 'look', actions: [{ path: '/notes', body: { item_type: 'sale', item_id: 'A'.repeat(20), text: 'x' } }] },
    ]);
    const id = await assistant({ trigger: 'on_demand' }, line(step('look', 'Look.'), step('more', 'More.')));
    const notes = world.all('notes').length;
    await world.post(`/ai_assistants/${id}/trigger`);
    await world.pass(120);
    expect(threadsOf(id)).toMatchObject([{ status: 'Error', error: expect.stringContaining('does not exist') }]);
    expect(world.all('notes')).toHaveLength(notes);
  });

  it('start by an event after its delay, once for an item, unless their filter function says no', async () => {
    script([]);
    const verdict = async (word: string) =>
      world.makeFunction({ event_source: 'api_direct', function_code: `callback(null, ${JSON.stringify(word)});` });
    const event = { notation: 'subscription.updated.status.suspended', delay: { time_value: 2, time_unit: 'hours' } };
    const flow = line(step('look', 'Look.'));
    const free = await assistant({ trigger: 'account_event', account_event: event }, flow);
    const passed = await assistant(
      { trigger: 'account_event', account_event: { ...event, filter_function: await verdict('pass') } },
      flow,
    );
    const vetoed = await assistant(
      { trigger: 'account_event', account_event: { ...event, filter_function: await verdict('fail') } },
      flow,
    );
    const filters = { status_filter: ['active'] };
    const filtered = await assistant({ trigger: 'account_event', account_event: { ...event, filters } }, flow);
    const { id } = world.one('subscriptions', ({ status }) => status === 'active');
    for (let turn = 0; turn < 2; turn++) {
      await world.post(`/subscriptions/${id}/suspend`);
      await world.post(`/subscriptions/${id}/activate`);
    }
    await world.pass(HOUR);
    expect(threadsOf(free)).toEqual([]);
    await world.pass(2 * HOUR);
    expect(threadsOf(free)).toMatchObject([
      { trigger: 'account_event', item_type: 'subscription', item_id: id, status: 'Complete' },
    ]);
    expect(threadsOf(passed)).toHaveLength(1);
    expect([...threadsOf(vetoed), ...threadsOf(filtered)]).toEqual([]);
  });

  it('start by their schedule, and stop above their tokens', async () => {
    const schedule = { cron_expression: '0 6 * * *', cron_timezone: 'UTC' };
    const limits = { assistant_limits: { thread_max_tokens: 3, token_max_per_day: 0 } };
    const id = await assistant({ trigger: 'schedule', schedule }, line(step('look', 'Look at all of it.')), limits);
    await world.pass(2 * DAY);
    expect(threadsOf(id)).toMatchObject([
      { trigger: 'schedule', status: 'Error', error: expect.stringContaining('thread_max_tokens') },
      { status: 'Error' },
    ]);
  });

  it('do not start themselves by what they do', async () => {
    script([
      {
        actions: [
          { path: '/notes', body: { item_type: 'customer', item_id: world.one('customers').id, text: 'Again' } },
        ],
      },
    ]);
    const id = await assistant(
      { trigger: 'account_event', account_event: { notation: 'note.created' } },
      line(step('look', 'Note it.')),
    );
    await world.post('/notes', { item_type: 'customer', item_id: world.one('customers').id, text: 'First' });
    await world.pass(HOUR);
    expect(threadsOf(id)).toHaveLength(1);
    script([]);
  });

  it.each([
    ['no list', {}],
    ['a word that is none', [{ anser: 'x' }]],
    ['an output that is none', [{ output: 5 }]],
    ['a deed that is none of theirs', [{ actions: [{ path: '/sales', body: {} }] }]],
    ['a path that leads elsewhere', [{ actions: [{ path: '/notes/../sales' }] }]],
  ])('have no script of %s', (_name, script) => expect(parseAnswers(script)).toEqual(expect.any(String)));
});
