import { isObject, type Tree } from '../../json/tree.js';
import { at, fault, isBlank, isSet, listAt, note, objectAt, textAt } from './read.js';
import type { Finding } from './types.js';

type NodeType = 'start_thread' | 'action_step' | 'action_branch' | 'action_time_delay' | 'action_end_thread';

/** Outputs that each type of node continues through (spec 2.10). */
const OUTPUTS: Readonly<Record<NodeType, readonly string[]>> = {
  start_thread: ['output_1'],
  action_step: ['output_1'],
  action_branch: ['output_1', 'output_2', 'output_3', 'output_4'],
  action_time_delay: ['output_1'],
  action_end_thread: [],
};
const SETTINGS: Readonly<Record<NodeType, readonly string[]>> = {
  start_thread: [],
  action_step: ['step_message'],
  action_branch: ['output_1_message', 'output_2_message', 'output_3_message'],
  action_time_delay: ['time_unit', 'time_value'],
  action_end_thread: [],
};
const DELAYS: Readonly<Record<string, number>> = { days: 3, hours: 72, minutes: 4320 };
const MAX_NODES = 250;
/** Counted in UTF-16 units, so that many emoji count as two (spec 2.10 rule 6). */
const MAX_MESSAGE = 20_000;

interface Node {
  readonly index: number;
  readonly id: string | undefined;
  readonly type: NodeType | undefined;
  readonly value: Tree;
}

interface Edge {
  readonly from: Node;
  readonly output: string;
  /** Id as written; the node may not exist. */
  readonly to: string;
  readonly path: string;
}

/** All rules of an assistant's flow (spec 2.10), each fault with its path and the node's id. */
export function flowFindings(flow: Tree | undefined): Finding[] {
  if (!Array.isArray(flow)) return [];
  const found: Finding[] = [];
  if (flow.length < 1 || flow.length > MAX_NODES) {
    found.push(fault('flow', `must have 1 to ${MAX_NODES} nodes, there are ${flow.length}`));
  }
  const nodes = flow.map((value, index): Node => {
    const type = textAt(value, 'type');
    const known = type !== undefined && Object.hasOwn(OUTPUTS, type) ? (type as NodeType) : undefined;
    return { index, id: textAt(value, 'id'), type: known, value };
  });
  const byId = new Map<string, Node>();
  for (const node of nodes) {
    found.push(...idFindings(node, byId), ...settingFindings(node));
    if (node.id !== undefined && !byId.has(node.id)) byId.set(node.id, node);
  }
  const starts = nodes.filter((node) => node.type === 'start_thread');
  if (starts.length !== 1) {
    found.push(
      fault(
        'flow',
        `needs exactly one node of type start_thread, there ${starts.length === 0 ? 'is none' : `are ${starts.length}`}`,
      ),
    );
  }
  return [...found, ...edgeFindings(nodes, byId)];
}

function idFindings(node: Node, byId: ReadonlyMap<string, Node>): Finding[] {
  if (node.id === undefined) return [];
  const path = `flow[${node.index}].id`;
  if (!/^[A-Za-z0-9_-]{1,80}$/.test(node.id)) {
    return [fault(path, 'must be 1 to 80 ASCII letters, digits, underscores or hyphens')];
  }
  const first = byId.get(node.id);
  return first ? [fault(path, `"${node.id}" is used by flow[${first.index}] already: ids are unique in a flow`)] : [];
}

function settingFindings(node: Node): Finding[] {
  const { type } = node;
  if (!type || !isObject(node.value)) return [];
  const path = `flow[${node.index}].node_settings`;
  const settings = objectAt(node.value, 'node_settings');
  const found: Finding[] = [];
  if (settings === undefined && SETTINGS[type].length > 0) {
    if (at(node.value, 'node_settings') === undefined)
      found.push(fault(path, `${named(node)} needs ${SETTINGS[type][0]}`));
    return found;
  }
  for (const [name, value] of Object.entries(settings ?? {})) {
    if (!SETTINGS[type].includes(name) && isSet(value)) {
      found.push(note(`${path}.${name}`, `has no meaning for ${named(node)} of type ${type}`));
    }
  }
  if (type === 'action_step') found.push(...message(node, settings, 'step_message', true));
  if (type === 'action_branch') {
    found.push(...message(node, settings, 'output_1_message', true));
    found.push(
      ...message(node, settings, 'output_2_message', false),
      ...message(node, settings, 'output_3_message', false),
    );
  }
  if (type === 'action_time_delay') found.push(...delay(node, settings));
  return found;
}

function message(node: Node, settings: Tree | undefined, name: string, required: boolean): Finding[] {
  const path = `flow[${node.index}].node_settings.${name}`;
  const value = at(settings, name);
  if (value === undefined) return required ? [fault(path, `${named(node)} needs it`)] : [];
  if (typeof value !== 'string') return [];
  if (required && isBlank(value)) return [fault(path, `must not be blank (${named(node)})`)];
  if (value.length <= MAX_MESSAGE) return [];
  return [
    fault(
      path,
      `must have at most ${MAX_MESSAGE} characters, these are ${value.length} (some, such as many emoji, count as two)`,
    ),
  ];
}

function delay(node: Node, settings: Tree | undefined): Finding[] {
  const path = `flow[${node.index}].node_settings`;
  const found: Finding[] = [];
  for (const name of ['time_unit', 'time_value']) {
    if (at(settings, name) === undefined) found.push(fault(`${path}.${name}`, `${named(node)} needs it`));
  }
  const value = textAt(settings, 'time_value');
  if (value === undefined) return found;
  const unit = textAt(settings, 'time_unit') ?? '';
  const max = Object.hasOwn(DELAYS, unit) ? DELAYS[unit] : undefined;
  const whole = /^\d+$/.test(value);
  if (!whole) found.push(fault(`${path}.time_value`, 'must be digits only: no sign, fraction, space or exponent'));
  else if (/^0+$/.test(value)) found.push(fault(`${path}.time_value`, 'must be at least 1'));
  else if (max !== undefined && Number(value) > max)
    found.push(fault(`${path}.time_value`, `must be 1 to ${max} ${unit}`));
  return found;
}

function edgeFindings(nodes: readonly Node[], byId: ReadonlyMap<string, Node>): Finding[] {
  const found: Finding[] = [];
  for (const node of nodes) {
    for (const edge of outgoing(node, found)) found.push(...edgeFaults(edge, byId));
    found.push(...incomingFaults(node, byId));
  }
  return found;
}

/** The declared edges out of a node; what is wrong with their ports goes into `found`. */
function outgoing(node: Node, found: Finding[]): Edge[] {
  const edges: Edge[] = [];
  for (const [output, port] of Object.entries(objectAt(node.value, 'outputs') ?? {})) {
    const path = `flow[${node.index}].outputs.${output}.connections`;
    const connections = listAt(port, 'connections');
    if (connections.length === 0) continue;
    if (node.type && !OUTPUTS[node.type].includes(output)) {
      const allowed =
        OUTPUTS[node.type].length === 0 ? 'has no outputs' : `continues through ${OUTPUTS[node.type].join(', ')} only`;
      found.push(fault(path, `${named(node)} of type ${node.type} ${allowed}`));
    }
    if (connections.length > 1)
      found.push(fault(path, `${named(node)}: an output has at most one target, there are ${connections.length}`));
    const unmatched = node.type === 'action_branch' && output !== 'output_4' && output !== 'output_1';
    if (unmatched && !isSet(at(node.value, 'node_settings', `${output}_message`))) {
      found.push(note(path, `is connected, but ${output}_message of ${named(node)} is empty, so it is never picked`));
    }
    for (const [index, connection] of connections.entries()) {
      const to = textAt(connection, 'node');
      if (to !== undefined) edges.push({ from: node, output, to, path: `${path}[${index}]` });
    }
  }
  return edges;
}

function edgeFaults(edge: Edge, byId: ReadonlyMap<string, Node>): Finding[] {
  const target = byId.get(edge.to);
  if (edge.to === edge.from.id) return [fault(edge.path, `${named(edge.from)} is connected to itself`)];
  if (!target) return [fault(edge.path, `points to the node "${short(edge.to)}", which does not exist`)];
  const found: Finding[] = [];
  if (target.type === 'start_thread') found.push(fault(edge.path, 'leads into the start, which has no incoming edge'));
  if (edge.from.type === 'action_time_delay' && target.type === 'action_time_delay') {
    found.push(
      fault(edge.path, `two time delays directly one after the other (${named(edge.from)}, ${named(target)})`),
    );
  }
  const back = listAt(target.value, 'inputs', 'input_1', 'connections');
  const declared = back.some(
    (connection) => textAt(connection, 'node') === edge.from.id && textAt(connection, 'input') === edge.output,
  );
  if (!declared && target.type !== 'start_thread') {
    const missing = `flow[${target.index}].inputs.input_1.connections needs {"node":"${edge.from.id ?? ''}","input":"${edge.output}"}`;
    found.push(fault(edge.path, `is not declared at the other end: ${missing}`));
  }
  return found;
}

function incomingFaults(node: Node, byId: ReadonlyMap<string, Node>): Finding[] {
  const path = `flow[${node.index}].inputs.input_1.connections`;
  const connections = listAt(node.value, 'inputs', 'input_1', 'connections');
  if (connections.length === 0) return [];
  if (node.type === 'start_thread') return [fault(path, `${named(node)} is the start, which has no incoming edge`)];
  const found: Finding[] = [];
  if (connections.length > 1)
    found.push(
      fault(path, `${named(node)}: a node has at most one incoming connection, there are ${connections.length}`),
    );
  for (const [index, connection] of connections.entries()) {
    const [from, output] = [textAt(connection, 'node'), textAt(connection, 'input')];
    if (from === undefined || output === undefined) continue;
    const place = `${path}[${index}]`;
    const source = byId.get(from);
    if (from === node.id) found.push(fault(place, `${named(node)} is connected to itself`));
    else if (!source) found.push(fault(place, `comes from the node "${short(from)}", which does not exist`));
    else if (!declares(source, output, node.id)) {
      const missing = `flow[${source.index}].outputs.${output}.connections needs {"node":"${node.id ?? ''}","output":"input_1"}`;
      found.push(fault(place, `is not declared at the other end: ${missing}`));
    }
  }
  return found;
}

function declares(source: Node, output: string, target: string | undefined): boolean {
  const connections = listAt(source.value, 'outputs', output, 'connections');
  return connections.some(
    (connection) => textAt(connection, 'node') === target && textAt(connection, 'output') === 'input_1',
  );
}

function named(node: Node): string {
  return node.id === undefined ? `node ${node.index}` : `node "${short(node.id)}"`;
}

function short(id: string): string {
  return id.length > 80 ? `${id.slice(0, 80)}…` : id;
}
