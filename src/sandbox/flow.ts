import { invalid, type Refusal } from './refusal.js';
import type { Value } from './text.js';

const TYPES = ['start_thread', 'action_step', 'action_branch', 'action_time_delay', 'action_end_thread'];
const DELAY_LIMITS: Readonly<Record<string, number>> = { days: 3, hours: 72, minutes: 4320 };
const LONGEST_MESSAGE = 20_000;

interface Node {
  readonly id: string;
  readonly type: string;
  readonly settings: Value;
  readonly value: Value;
}

/**
 * Checks an assistant's flow by the rules of spec 2.10; one violation rejects the whole flow.
 * Which of E0959 and E0958 stands for what is not shown: here E0959 is for settings, E0958 for connections. reading: flow-codes
 * @throws Refusal 400 with `node_id`, `invalid_setting` and `explanation`.
 */
export function checkFlow(flow: unknown): void {
  if (!Array.isArray(flow) || flow.length < 1 || flow.length > 250) throw invalid('flow must have 1 to 250 nodes.');
  const nodes = new Map<string, Node>();
  for (const value of flow as Value[]) {
    const node = readNode(value);
    if (nodes.has(node.id)) throw fault(node.id, 'id', 'The id is used twice.');
    nodes.set(node.id, node);
  }
  const starts = [...nodes.values()].filter(({ type }) => type === 'start_thread');
  if (starts.length !== 1) throw fault(starts[1]?.id ?? '', 'type', 'Exactly one start_thread is needed.');
  for (const node of nodes.values()) {
    checkSettings(node);
    checkPosition(node);
    checkEdges(node, nodes);
  }
}

function readNode(value: Value): Node {
  const id = value?.id;
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,80}$/.test(id)) {
    throw fault(String(id ?? ''), 'id', 'An id has 1 to 80 letters, digits, underscores or hyphens.');
  }
  if (!TYPES.includes(String(value.type))) throw fault(id, 'type', `The type must be one of ${TYPES.join(', ')}.`);
  return { id, type: String(value.type), settings: (value.node_settings ?? {}) as Value, value };
}

function checkSettings({ id, type, settings, value }: Node): void {
  const bare = type === 'start_thread' || type === 'action_end_thread';
  if (!bare && (typeof value.node_settings !== 'object' || value.node_settings === null)) {
    throw fault(id, 'node_settings', 'Settings are required.');
  }
  if (type === 'action_step') checkMessage(id, settings, 'step_message', true);
  if (type === 'action_branch') {
    checkMessage(id, settings, 'output_1_message', true);
    checkMessage(id, settings, 'output_2_message', false);
    checkMessage(id, settings, 'output_3_message', false);
  }
  if (type !== 'action_time_delay') return;
  const limit = DELAY_LIMITS[String(settings.time_unit)];
  if (limit === undefined) throw fault(id, 'time_unit', 'The unit must be minutes, hours or days.');
  const text = settings.time_value;
  if (typeof text !== 'string' || !/^\d+$/.test(text) || Number(text) < 1 || Number(text) > limit) {
    throw fault(id, 'time_value', `The value must be a string of digits from 1 to ${limit}.`);
  }
}

function checkMessage(id: string, settings: Value, name: string, needed: boolean): void {
  const text = settings[name];
  if (text === undefined && !needed) return;
  // The length counts UTF-16 units, so that many emoji count as two (rule 6).
  if (typeof text !== 'string' || text.length > LONGEST_MESSAGE || (needed && text.trim() === '')) {
    throw fault(id, name, `A message of ${needed ? 1 : 0} to ${LONGEST_MESSAGE} characters is needed.`);
  }
}

function checkPosition({ id, value }: Node): void {
  const position = value.position as Value | undefined;
  if (position === undefined) return;
  for (const axis of ['x_axis', 'y_axis']) {
    const at = position[axis];
    if (typeof at !== 'number' || Math.abs(at) > 100_000)
      throw fault(id, axis, 'A coordinate lies from -100000 to 100000.');
  }
}

function checkEdges(node: Node, nodes: ReadonlyMap<string, Node>): void {
  const { id, type } = node;
  const incoming = connections(node, 'inputs', 'input_1');
  if (type === 'start_thread' && incoming.length > 0) throw edge(id, 'The start has no incoming edge.');
  if (incoming.length > 1) throw edge(id, 'A node has at most one incoming connection.');
  for (const { node: from, input } of incoming as { node: string; input: string }[]) {
    const source = nodes.get(from);
    if (!source) throw edge(id, `The node ${from} does not exist.`);
    if (from === id) throw edge(id, 'A node cannot be connected to itself.');
    const back = connections(source, 'outputs', String(input));
    if (!back.some((one) => one.node === id)) throw edge(id, `The edge from ${from} is not declared at its other end.`);
    if (type === 'action_time_delay' && source.type === type)
      throw edge(id, 'Two time delays cannot follow one another.');
  }
  const outputs = (node.value.outputs ?? {}) as Value;
  for (const name of Object.keys(outputs)) {
    const targets = connections(node, 'outputs', name);
    if (targets.length > 0 && !allowedOutputs(type).includes(name)) throw edge(id, `A ${type} has no ${name}.`);
    if (targets.length > 1) throw edge(id, 'An output has at most one target.');
    for (const { node: to, output } of targets as { node: string; output: string }[]) {
      const target = nodes.get(to);
      if (!target) throw edge(id, `The node ${to} does not exist.`);
      if (to === id) throw edge(id, 'A node cannot be connected to itself.');
      if (output !== 'input_1') throw edge(id, 'An edge ends at input_1.');
      const back = connections(target, 'inputs', 'input_1');
      if (!back.some((one) => one.node === id && one.input === name))
        throw edge(id, `The edge to ${to} is not declared at its other end.`);
    }
  }
}

function allowedOutputs(type: string): string[] {
  if (type === 'action_end_thread') return [];
  return type === 'action_branch' ? ['output_1', 'output_2', 'output_3', 'output_4'] : ['output_1'];
}

function connections(node: Node, side: 'inputs' | 'outputs', port: string): Value[] {
  const ports = (node.value[side] ?? {}) as Record<string, { connections?: Value[] } | undefined>;
  return ports[port]?.connections ?? [];
}

function fault(nodeId: string, setting: string, explanation: string): Refusal {
  return invalid('The flow was rejected.', 'E0959', { node_id: nodeId, invalid_setting: setting, explanation });
}

function edge(nodeId: string, explanation: string): Refusal {
  return invalid('The flow was rejected.', 'E0958', { node_id: nodeId, invalid_setting: 'connections', explanation });
}
