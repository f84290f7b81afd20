import { describe, expect, it } from 'vitest';
import { loadFamily } from '../../../src/catalogue/index.js';
import { judgeBody, runChecks } from '../../../src/items/checks/body-faults.js';
import type { TreeObject } from '../../../src/items/json/tree.js';
import { ID, operation } from './entries.js';

const EDIT = operation({ action: 'edit' });
type Node = Record<string, unknown> & { id: string };

const faultsOf = async (body: unknown, current?: unknown): Promise<string[]> =>
  (
    await runChecks(['assistant'], body as TreeObject, {
      operation: EDIT,
      ...(current ? { current: current as TreeObject } : {}),
    })
  ).map((fault) => fault.path);

/** Nodes in a line, each connected to the next. */
function line(...nodes: Node[]): Node[] {
  return nodes.map((node, index) => ({
    ...node,
    ...(index > 0 ? { inputs: { input_1: { connections: [{ node: nodes[index - 1]?.id, input: 'output_1' }] } } } : {}),
    ...(index < nodes.length - 1
      ? { outputs: { output_1: { connections: [{ node: nodes[index + 1]?.id, output: 'input_1' }] } } }
      : {}),
  }));
}
const start: Node = { id: 'start', type: 'start_thread' };
const step = (id: string, text = 'Do it'): Node => ({ id, type: 'action_step', node_settings: { step_message: text } });
const delay = (id: string, value: unknown, unit = 'hours'): Node => ({
  id,
  type: 'action_time_delay',
  node_settings: { time_unit: unit, time_value: value },
});
const end: Node = { id: 'end', type: 'action_end_thread' };
const branch = (id: string, settings: unknown): Node => ({ id, type: 'action_branch', node_settings: settings });
const flow = (nodes: unknown): Promise<string[]> => faultsOf({ flow: nodes });

describe('the flow of an assistant (service.md#assistants)', () => {
  it('passes what is right', async () => {
    expect(await flow(line(start, step('a'), delay('d', '0072'), step('b-_9'), end))).toEqual([]);
    expect(await flow([start])).toEqual([]);
    expect(await flow([...line(start, step('a')), step('loose')])).toEqual([]);
  });

  it('passes a cycle and a branch', async () => {
    const nodes = [
      { ...start, outputs: { output_1: { connections: [{ node: 'b', output: 'input_1' }] } } },
      {
        ...branch('b', { output_1_message: 'yes', output_2_message: 'no', output_3_message: '' }),
        inputs: { input_1: { connections: [{ node: 'start', input: 'output_1' }] } },
        outputs: {
          output_1: { connections: [{ node: 'c', output: 'input_1' }] },
          output_2: { connections: [] },
          output_4: { connections: [{ node: 'e', output: 'input_1' }] },
        },
      },
      {
        ...step('c'),
        inputs: { input_1: { connections: [{ node: 'b', input: 'output_1' }] } },
      },
      { ...end, id: 'e', inputs: { input_1: { connections: [{ node: 'b', input: 'output_4' }] } } },
    ];
    expect(await flow(nodes)).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['no node', [], ['flow', 'flow']],
    ['251 nodes', [start, ...Array.from({ length: 250 }, (_, index) => step(`s${index}`))], ['flow']],
    ['no start', [step('a')], ['flow']],
    ['two starts', [start, { ...start, id: 'again' }], ['flow']],
    ['an id used twice', [start, step('a'), step('a')], ['flow[2].id']],
    ['an id with a space', [start, step('a b')], ['flow[1].id']],
    ['an id with space around', [start, step(' a')], ['flow[1].id']],
    ['an id of 81 characters', [start, step('a'.repeat(81))], ['flow[1].id']],
    ['an id of another script', [start, step('ä')], ['flow[1].id']],
    ['a blank message', [start, step('a', ' \n')], ['flow[1].node_settings.step_message']],
    ['a message of 20001', [start, step('a', 'x'.repeat(20_001))], ['flow[1].node_settings.step_message']],
    ['a message of 20000', [start, step('a', 'x'.repeat(20_000))], []],
    [
      '10001 emoji, each counted as two',
      [start, step('a', '😀'.repeat(10_001))],
      ['flow[1].node_settings.step_message'],
    ],
    ['10000 emoji', [start, step('a', '😀'.repeat(10_000))], []],
    ['a step without settings', [start, { id: 'a', type: 'action_step' }], ['flow[1].node_settings']],
    [
      'a step with empty settings',
      [start, { id: 'a', type: 'action_step', node_settings: {} }],
      ['flow[1].node_settings.step_message'],
    ],
    [
      'a branch without its first message',
      [start, branch('a', { output_2_message: 'x' })],
      ['flow[1].node_settings.output_1_message'],
    ],
    [
      'a branch with a blank first',
      [start, branch('a', { output_1_message: ' ' })],
      ['flow[1].node_settings.output_1_message'],
    ],
    [
      'a branch with a long third',
      [start, branch('a', { output_1_message: 'x', output_3_message: 'x'.repeat(20_001) })],
      ['flow[1].node_settings.output_3_message'],
    ],
    ['73 hours', [start, delay('a', '73')], ['flow[1].node_settings.time_value']],
    ['4 days', [start, delay('a', '4', 'days')], ['flow[1].node_settings.time_value']],
    ['3 days', [start, delay('a', '003', 'days')], []],
    ['4320 minutes', [start, delay('a', '4320', 'minutes')], []],
    ['4321 minutes', [start, delay('a', '4321', 'minutes')], ['flow[1].node_settings.time_value']],
    ...['0', '000', '1.5', '+1', '-1', ' 1', '1e1', ''].map((value): [string, unknown, string[]] => [
      `a delay of "${value}"`,
      [start, delay('a', value)],
      ['flow[1].node_settings.time_value'],
    ]),
    [
      'a delay without a unit',
      [start, { id: 'a', type: 'action_time_delay', node_settings: { time_value: '1' } }],
      ['flow[1].node_settings.time_unit'],
    ],
    [
      'two delays one after the other',
      line(start, delay('a', '1'), delay('b', '1')),
      ['flow[1].outputs.output_1.connections[0]'],
    ],
    [
      'two delays one after the other in a draft',
      [start, ...line(delay('a', '1'), delay('b', '1'))],
      ['flow[1].outputs.output_1.connections[0]'],
    ],
    [
      'an edge to nowhere',
      [{ ...start, outputs: { output_1: { connections: [{ node: 'x', output: 'input_1' }] } } }],
      ['flow[0].outputs.output_1.connections[0]'],
    ],
    [
      'an edge from nowhere',
      [start, { ...step('a'), inputs: { input_1: { connections: [{ node: 'x', input: 'output_1' }] } } }],
      ['flow[1].inputs.input_1.connections[0]'],
    ],
    [
      'an edge declared only where it leaves',
      [{ ...start, outputs: { output_1: { connections: [{ node: 'a', output: 'input_1' }] } } }, step('a')],
      ['flow[0].outputs.output_1.connections[0]'],
    ],
    [
      'an edge declared only where it arrives',
      [start, { ...step('a'), inputs: { input_1: { connections: [{ node: 'start', input: 'output_1' }] } } }],
      ['flow[1].inputs.input_1.connections[0]'],
    ],
    [
      'an edge declared with another output at its end',
      [
        { ...start, outputs: { output_1: { connections: [{ node: 'a', output: 'input_1' }] } } },
        { ...step('a'), inputs: { input_1: { connections: [{ node: 'start', input: 'output_2' }] } } },
      ],
      ['flow[0].outputs.output_1.connections[0]', 'flow[1].inputs.input_1.connections[0]'],
    ],
    [
      'a node connected to itself',
      [
        start,
        {
          ...step('a'),
          inputs: { input_1: { connections: [{ node: 'a', input: 'output_1' }] } },
          outputs: { output_1: { connections: [{ node: 'a', output: 'input_1' }] } },
        },
      ],
      ['flow[1].outputs.output_1.connections[0]', 'flow[1].inputs.input_1.connections[0]'],
    ],
    [
      'an edge into the start',
      [
        { ...start, inputs: { input_1: { connections: [{ node: 'a', input: 'output_1' }] } } },
        { ...step('a'), outputs: { output_1: { connections: [{ node: 'start', output: 'input_1' }] } } },
      ],
      ['flow[0].inputs.input_1.connections', 'flow[1].outputs.output_1.connections[0]'],
    ],
    ['an edge out of the end', line(start, end, step('a')), ['flow[1].outputs.output_1.connections']],
  ])('judges %s', async (_, nodes, expected) => {
    expect(await flow(nodes)).toEqual(expected);
  });

  it('refuses fan-out and fan-in', async () => {
    const connection = (node: string): unknown => ({ node, output: 'input_1' });
    const from = (node: string): unknown => ({ input_1: { connections: [{ node, input: 'output_1' }] } });
    expect(
      await flow([
        { ...start, outputs: { output_1: { connections: [connection('a'), connection('b')] } } },
        { ...step('a'), inputs: from('start') },
        { ...step('b'), inputs: from('start') },
      ]),
    ).toEqual(['flow[0].outputs.output_1.connections']);
    const found = await flow([
      start,
      { ...step('a'), outputs: { output_1: { connections: [connection('c')] } } },
      { ...step('b'), outputs: { output_1: { connections: [connection('c')] } } },
      {
        ...step('c'),
        inputs: {
          input_1: {
            connections: [
              { node: 'a', input: 'output_1' },
              { node: 'b', input: 'output_1' },
            ],
          },
        },
      },
    ]);
    expect(found).toEqual(['flow[3].inputs.input_1.connections']);
  });

  it('refuses outputs that the type has not', async () => {
    const nodes = [
      start,
      { ...step('a'), outputs: { output_2: { connections: [{ node: 'b', output: 'input_1' }] } } },
      { ...step('b'), inputs: { input_1: { connections: [{ node: 'a', input: 'output_2' }] } } },
    ];
    expect(await flow(nodes)).toEqual(['flow[1].outputs.output_2.connections']);
  });

  it.each([null, 5, 'x', [null], [5], [{}], [[]], [{ id: 5, type: 7 }], [{ type: 'constructor', id: '__proto__' }]])(
    'survives %j',
    async (nodes) => {
      await expect(flow(nodes)).resolves.toBeInstanceOf(Array);
    },
  );
});

describe('trigger settings (service.md#assistants, service.md#events)', () => {
  const event = (account_event: unknown): unknown => ({ settings: { trigger_settings: { account_event } } });
  const BASE = 'settings.trigger_settings.account_event';

  it.each<[unknown, string[]]>([
    [{ notation: 'sale.created.success.paid' }, []],
    [{ notation: '' }, []],
    [{ notation: 'product' }, []],
    [{ notation: 'sale.updated' }, [`${BASE}.notation`]],
    [{ notation: 'product.created' }, []],
    [{ notation: 'invoice.created' }, [`${BASE}.notation`]],
    [{ notation: 'sale' }, [`${BASE}.notation`]],
    [{ notation: 'pending_refund.created.shipping.full.has_fulfillment' }, []],
    [{ notation: 'pending_refund.created.tax.has_fulfillment' }, [`${BASE}.notation`]],
    [
      { notation: 'sale.created', filters: { campaign_filter: [ID], product_filter: [ID] } },
      [`${BASE}.filters.product_filter`],
    ],
    [
      { notation: 'wallet_dispute.created', filters: { wallet_dispute_status_filter: ['OPEN'], metadata_filter: [] } },
      [],
    ],
    [{ notation: 'sentinel.alert', filters: { campaign_filter: [ID] } }, [`${BASE}.filters.campaign_filter`]],
    [
      {
        filters: {
          metadata_filter: [
            { name: 'a', value: ' ' },
            { name: 'a', value: 'v'.repeat(256) },
          ],
        },
      },
      [`${BASE}.filters.metadata_filter[0].value`, `${BASE}.filters.metadata_filter[1].value`],
    ],
    [
      { filters: { metadata_filter: Array.from({ length: 51 }, () => ({ name: 'a', value: 'b' })) } },
      [`${BASE}.filters.metadata_filter`],
    ],
    [{ delay: { time_value: 7, time_unit: 'days' } }, []],
    [{ delay: { time_value: 8, time_unit: 'days' } }, [`${BASE}.delay.time_value`]],
    [{ delay: { time_value: 169, time_unit: 'hours' } }, [`${BASE}.delay.time_value`]],
    [{ delay: { time_value: 10_080, time_unit: 'minutes' } }, []],
    [{ delay: { time_value: 5 } }, [`${BASE}.delay.time_unit`]],
  ])('%j', async (settings, expected) => {
    expect(await faultsOf(event(settings))).toEqual(expected);
  });

  it('judges filters by the event of the item when the body has none', async () => {
    const current = event({ notation: 'sale.created' });
    expect(await faultsOf(event({ filters: { product_filter: [ID] } }), current)).toEqual([
      `${BASE}.filters.product_filter`,
    ]);
  });

  it('wants schedules at least an hour apart', async () => {
    const schedule = (cron_expression: string): unknown => ({
      settings: { trigger_settings: { trigger: 'schedule', schedule: { cron_expression } } },
    });
    expect(await faultsOf(schedule('0 * * * *'))).toEqual([]);
    expect(await faultsOf(schedule('0,30 * * * *'))).toEqual(['settings.trigger_settings.schedule.cron_expression']);
    const without = { settings: { trigger_settings: { trigger: 'schedule' } } };
    expect(await faultsOf(without)).toEqual([]);
    expect(await faultsOf(without, {})).toEqual(['settings.trigger_settings.schedule.cron_expression']);
  });
});

it('names the faults of schema and rules at once, one a place', async () => {
  const family = await loadFamily('ai_assistants');
  const create = family.operations.find((entry) => entry.action === 'create');
  if (!create) throw new Error('no create');
  const { faults } = await judgeBody(
    {
      name: 'x',
      third_party_integration: 'short',
      settings: { trigger_settings: { account_event: { notation: 'sale.updated' }, trigger: 'sometimes' } },
      flow: [{ id: 'a b', type: 'start' }],
    } as TreeObject,
    { operation: create },
  );
  expect(faults.map((fault) => fault.path).sort()).toEqual([
    'flow',
    'flow[0].id',
    'flow[0].type',
    'settings.trigger_settings.account_event.notation',
    'settings.trigger_settings.trigger',
    'third_party_integration',
  ]);
});
