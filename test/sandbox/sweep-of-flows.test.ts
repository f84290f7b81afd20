/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether } from './merchant.js';
import { asked, branch, END, from, type Node, row, START, step, to, wait } from './sweep-assistants.js';

/* Rules of the published description for the flow of an assistant; the answers were written before the sandbox was asked. */

type Row = readonly [question: string, status: number, flow: Node[]];

const FLOWS: readonly Row[] = [
  ['a start, a step, an end', 200, row(START, step('a'), END)],
  ['a start alone', 200, [START]],
  ['no node (1 to 250)', 400, []],
  ['250 nodes', 200, row(START, ...Array.from({ length: 249 }, (_, at) => step(`n${at}`)))],
  ['251 nodes', 400, row(START, ...Array.from({ length: 250 }, (_, at) => step(`n${at}`)))],
  ['no start', 400, row(step('a'), END)],
  ['two starts', 400, [...row(START, END), { id: 'other', type: 'start_thread' }]],
  ['a start with empty settings', 200, row({ ...START, node_settings: {} }, END)],
  [
    'a start that is led to',
    400,
    [
      { ...START, inputs: from('a') },
      { ...step('a'), outputs: { output_1: to('start') } },
    ],
  ],
  ['an edge to nowhere (rule 1)', 400, [{ ...START, outputs: { output_1: to('nowhere') } }]],
  ['an edge declared at its beginning alone (rule 1)', 400, [{ ...START, outputs: { output_1: to('a') } }, step('a')]],
  ['an edge declared at its end alone (rule 1)', 400, [START, { ...step('a'), inputs: from('start') }]],
  [
    'an edge declared from another output (rule 1)',
    400,
    [
      { ...START, outputs: { output_1: to('a') } },
      { ...step('a'), inputs: from('start', 'output_2') },
    ],
  ],
  [
    'two targets of an output (rule 2)',
    400,
    [
      { ...START, outputs: { output_1: { connections: [...to('a').connections, ...to('c').connections] } } },
      { ...step('a'), inputs: from('start') },
      { ...step('c'), inputs: from('start') },
    ],
  ],
  [
    'a node joined to itself (rule 3)',
    400,
    [START, { ...step('a'), inputs: from('a'), outputs: { output_1: to('a') } }],
  ],
  ['two delays in a row (rule 3)', 400, row(START, wait('a', '5'), wait('c', '5'))],
  [
    'two delays in a row that nothing leads to (rule 3: drafts too)',
    400,
    [START, ...row(wait('a', '5'), wait('c', '5'))],
  ],
  ['two delays with a step between', 200, row(START, wait('a', '5'), step('s'), wait('c', '5'))],
  ['a node that nothing leads to (rule 4)', 200, [...row(START, END), step('a')]],
  [
    'a circle (rule 5)',
    200,
    [
      START,
      { ...step('a'), inputs: from('c'), outputs: { output_1: to('c') } },
      { ...step('c'), inputs: from('a'), outputs: { output_1: to('a') } },
    ],
  ],
  [
    'an end that leads on',
    400,
    [
      ...row(START, END).slice(0, 1),
      { ...END, inputs: from('start'), outputs: { output_1: to('a') } },
      { ...step('a'), inputs: from('end') },
    ],
  ],
  ['a type that is none', 400, row(START, { id: 'a', type: 'action_sleep', node_settings: {} })],
  ['a step without settings', 400, row(START, { id: 'a', type: 'action_step' })],
  ['a step with an empty message', 400, row(START, step('a', ''))],
  ['a step with a blank message', 400, row(START, step('a', ' \n\t '))],
  ['a step of 20000 characters', 200, row(START, step('a', 'x'.repeat(20_000)))],
  ['a step of 20001 characters', 400, row(START, step('a', 'x'.repeat(20_001)))],
  ['a step of 10000 emoji (rule 6)', 200, row(START, step('a', '😀'.repeat(10_000)))],
  ['a step of 10001 emoji (rule 6)', 400, row(START, step('a', '😀'.repeat(10_001)))],
  ['a message that is a number', 400, row(START, step('a', 5))],
  ['a branch without its first message', 400, row(START, branch({ output_2_message: 'x' }))],
  ['a branch with a blank first message', 400, row(START, branch({ output_1_message: '  ' }))],
  ['a branch with an empty second message', 200, row(START, branch({ output_1_message: 'x', output_2_message: '' }))],
  [
    'a third message of 20001 characters',
    400,
    row(START, branch({ output_1_message: 'x', output_3_message: 'x'.repeat(20_001) })),
  ],
  [
    'a branch that leads on by its fourth output',
    200,
    [
      ...row(START, { ...branch({ output_1_message: 'x' }), outputs: {} }).slice(0, 1),
      { ...branch({ output_1_message: 'x' }), inputs: from('start'), outputs: { output_4: to('a') } },
      { ...step('a'), inputs: from('b', 'output_4') },
    ],
  ],
  [
    'a branch with a fifth output',
    400,
    [
      ...row(START, branch({ output_1_message: 'x' })).slice(0, 1),
      { ...branch({ output_1_message: 'x' }), inputs: from('start'), outputs: { output_5: to('a') } },
      { ...step('a'), inputs: from('b', 'output_5') },
    ],
  ],
  [
    'a step that leads on by a second output',
    400,
    [
      ...row(START, step('a')).slice(0, 1),
      { ...step('a'), inputs: from('start'), outputs: { output_2: to('c') } },
      { ...step('c'), inputs: from('a', 'output_2') },
    ],
  ],
  ...(
    [
      ['4320', 'minutes', 200],
      ['4321', 'minutes', 400],
      ['0', 'minutes', 400],
      ['72', 'hours', 200],
      ['73', 'hours', 400],
      ['3', 'days', 200],
      ['4', 'days', 400],
      ['1', 'weeks', 400],
      ['007', 'minutes', 200],
      ['1.5', 'hours', 400],
      ['+1', 'hours', 400],
      [' 1', 'hours', 400],
      ['1e1', 'hours', 400],
      ['', 'hours', 400],
      [5, 'hours', 400],
    ] as const
  ).map(
    ([value, unit, status]): Row => [
      `a delay of ${JSON.stringify(value)} ${unit}`,
      status,
      row(START, wait('a', value, unit)),
    ],
  ),
  ['an id of 80 characters', 200, row(START, step('i'.repeat(80)))],
  ['an id of 81 characters', 400, row(START, step('i'.repeat(81)))],
  ['an empty id', 400, row(START, step(''))],
  ['an id with a space at its end', 400, row(START, step('a '))],
  ['an id of hyphen and underscore', 200, row(START, step('a-b_c'))],
  ['an id with an umlaut', 400, row(START, step('ä'))],
  ['an id twice', 400, [...row(START, step('a')), step('a')]],
  ['a position at the limit', 200, row(START, { ...step('a'), position: { x_axis: 100_000, y_axis: -100_000 } })],
  ['a position behind the limit', 400, row(START, { ...step('a'), position: { x_axis: 100_001, y_axis: 0 } })],
  ['a position of text', 400, row(START, { ...step('a'), position: { x_axis: '1', y_axis: 0 } })],
];

describe('flows', () => askTogether(asked(FLOWS.map(([question, status, flow]) => [question, status, { flow }]))));
