import { isObject, type Tree } from '../json/tree.js';
import { fault, isBlank, isSet, listBelow, note, objectBelow, textBelow, valueBelow } from './body-values.js';
import type { BodyFindings } from './types.js';

type NodeType = 'start_thread' | 'action_step' | 'action_branch' | 'action_time_delay' | 'action_end_thread';

/** The outputs through which each type of node continues (service.md#assistants). */
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
/** Counted in UTF-16 code units, so that many emoji count as two (service.md#assistants rule 6). */
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
  /** The id as written; such a node may not exist. */
  readonly to: string;
  readonly path: string;
}

/** Checks an assistant's flow against all rules (service.md#assistants); each fault has its path and the node's id. */
export function* flowFindings(flow: Tree | undefined): BodyFindings {
  if (!Array.isArray(flow)) return;
  if (flow.length < 1 || flow.length > MAX_NODES)
    yield fault('flow', `must have 1 to ${MAX_NODES} nodes, there are ${flow.length}`);
  const nodes = flow.map((value, index): Node => {
    const type = textBelow(value, 'type');
    const known = type !== undefined && Object.hasOwn(OUTPUTS, type) ? (type as NodeType) : undefined;
    return { index, id: textBelow(value, 'id'), type: known, value };
  });
  const byId = new Map<string, Node>();
  for (const node of nodes) {
    yield* idFindings(node, byId);
    yield* settingFindings(node);
    if (node.id !== undefined && !byId.has(node.id)) byId.set(node.id, node);
  }
  const starts = nodes.filter((node) => node.type === 'start_thread').length;
  const there = starts === 0 ? 'is none' : `are ${starts}`;
  if (starts !== 1) yield fault('flow', `needs exactly one node of type start_thread, there ${there}`);
  for (const node of nodes) {
    yield* outgoingFindings(node, byId);
    yield* incomingFaults(node, byId);
  }
}

function* idFindings({ index, id }: Node, byId: ReadonlyMap<string, Node>): BodyFindings {
  if (id === undefined) return;
  const path = `flow[${index}].id`;
  const first = byId.get(id);
  if (!/^[A-Za-z0-9_-]{1,80}$/.test(id))
    yield fault(path, 'must be 1 to 80 ASCII letters, digits, underscores or hyphens');
  else if (first) yield fault(path, `"${id}" is used by flow[${first.index}] already: ids are unique in a flow`);
}

function* settingFindings(node: Node): BodyFindings {
  const { type } = node;
  if (!type || !isObject(node.value)) return;
  const path = `flow[${node.index}].node_settings`;
  const settings = objectBelow(node.value, 'node_settings');
  if (settings === undefined && SETTINGS[type].length > 0) {
    if (valueBelow(node.value, 'node_settings') === undefined)
      yield fault(path, `${named(node)} needs ${SETTINGS[type][0]}`);
    return;
  }
  for (const [name, value] of Object.entries(settings ?? {}))
    if (!SETTINGS[type].includes(name) && isSet(value))
      yield note(`${path}.${name}`, `has no meaning for ${named(node)} of type ${type}`);
  if (type === 'action_time_delay') yield* delay(node, settings);
  // A node's own message comes first; the messages of its branches may be omitted.
  else for (const [index, name] of SETTINGS[type].entries()) yield* message(node, settings, name, index === 0);
}

function* message(node: Node, settings: Tree | undefined, name: string, required: boolean): BodyFindings {
  const path = `flow[${node.index}].node_settings.${name}`;
  const value = valueBelow(settings, name);
  if (value === undefined && required) yield fault(path, `${named(node)} needs it`);
  if (typeof value !== 'string') return;
  if (required && isBlank(value)) yield fault(path, `must not be blank (${named(node)})`);
  else if (value.length > MAX_MESSAGE) {
    const counted = `these are ${value.length} (some, such as many emoji, count as two)`;
    yield fault(path, `must have at most ${MAX_MESSAGE} characters, ${counted}`);
  }
}

function* delay(node: Node, settings: Tree | undefined): BodyFindings {
  const path = `flow[${node.index}].node_settings`;
  for (const name of SETTINGS.action_time_delay)
    if (valueBelow(settings, name) === undefined) yield fault(`${path}.${name}`, `${named(node)} needs it`);
  const value = textBelow(settings, 'time_value');
  if (value === undefined) return;
  const unit = textBelow(settings, 'time_unit') ?? '';
  const max = Object.hasOwn(DELAYS, unit) ? DELAYS[unit] : undefined;
  const place = `${path}.time_value`;
  if (!/^\d+$/.test(value)) yield fault(place, 'must be digits only: no sign, fraction, space or exponent');
  else if (/^0+$/.test(value)) yield fault(place, 'must be at least 1');
  else if (max !== undefined && Number(value) > max) yield fault(place, `must be 1 to ${max} ${unit}`);
}

/** Checks the ports of a node and the edges that leave them. */
function* outgoingFindings(node: Node, byId: ReadonlyMap<string, Node>): BodyFindings {
  const edges: Edge[] = [];
  for (const [output, port] of Object.entries(objectBelow(node.value, 'outputs') ?? {})) {
    const path = `flow[${node.index}].outputs.${output}.connections`;
    const connections = listBelow(port, 'connections');
    if (connections.length === 0) continue;
    if (node.type && !OUTPUTS[node.type].includes(output)) {
      const allowed =
        OUTPUTS[node.type].length === 0 ? 'has no outputs' : `continues through ${OUTPUTS[node.type].join(', ')} only`;
      yield fault(path, `${named(node)} of type ${node.type} ${allowed}`);
    }
    if (connections.length > 1)
      yield fault(path, `${named(node)}: an output has at most one target, there are ${connections.length}`);
    const unmatched = node.type === 'action_branch' && output !== 'output_4' && output !== 'output_1';
    if (unmatched && !isSet(valueBelow(node.value, 'node_settings', `${output}_message`)))
      yield note(path, `is connected, but ${output}_message of ${named(node)} is empty, so it is never picked`);
    for (const [index, connection] of connections.entries()) {
      const to = textBelow(connection, 'node');
      if (to !== undefined) edges.push({ from: node, output, to, path: `${path}[${index}]` });
    }
  }
  for (const edge of edges) yield* edgeFaults(edge, byId);
}

function* edgeFaults(edge: Edge, byId: ReadonlyMap<string, Node>): BodyFindings {
  const target = byId.get(edge.to);
  if (edge.to === edge.from.id) yield fault(edge.path, `${named(edge.from)} is connected to itself`);
  else if (!target) yield fault(edge.path, `points to the node "${short(edge.to)}", which does not exist`);
  else yield* arrivalFaults(edge, target);
}

function* arrivalFaults({ from, output, path }: Edge, target: Node): BodyFindings {
  if (target.type === 'start_thread') yield fault(path, 'leads into the start, which has no incoming edge');
  if (from.type === 'action_time_delay' && target.type === 'action_time_delay')
    yield fault(path, `two time delays directly one after the other (${named(from)}, ${named(target)})`);
  const back = listBelow(target.value, 'inputs', 'input_1', 'connections');
  if (target.type === 'start_thread' || names(back, from.id, 'input', output)) return;
  const missing = `flow[${target.index}].inputs.input_1.connections needs {"node":"${from.id ?? ''}","input":"${output}"}`;
  yield fault(path, `is not declared at the other end: ${missing}`);
}

function* incomingFaults(node: Node, byId: ReadonlyMap<string, Node>): BodyFindings {
  const path = `flow[${node.index}].inputs.input_1.connections`;
  const connections = listBelow(node.value, 'inputs', 'input_1', 'connections');
  if (connections.length === 0) return;
  if (node.type === 'start_thread') {
    yield fault(path, `${named(node)} is the start, which has no incoming edge`);
    return;
  }
  if (connections.length > 1)
    yield fault(path, `${named(node)}: a node has at most one incoming connection, there are ${connections.length}`);
  for (const [index, connection] of connections.entries()) {
    const [from, output] = [textBelow(connection, 'node'), textBelow(connection, 'input')];
    if (from === undefined || output === undefined) continue;
    const place = `${path}[${index}]`;
    const source = byId.get(from);
    if (from === node.id) yield fault(place, `${named(node)} is connected to itself`);
    else if (!source) yield fault(place, `comes from the node "${short(from)}", which does not exist`);
    else if (!names(listBelow(source.value, 'outputs', output, 'connections'), node.id, 'output', 'input_1')) {
      const missing = `flow[${source.index}].outputs.${output}.connections needs {"node":"${node.id ?? ''}","output":"input_1"}`;
      yield fault(place, `is not declared at the other end: ${missing}`);
    }
  }
}

/** Whether one of a port's connections leads to a port of the other node. */
const names = (
  connections: readonly Tree[],
  node: string | undefined,
  side: 'input' | 'output',
  port: string,
): boolean => connections.some((one) => textBelow(one, 'node') === node && textBelow(one, side) === port);

const named = (node: Node): string => (node.id === undefined ? `node ${node.index}` : `node "${short(node.id)}"`);

const short = (id: string): string => (id.length > 80 ? `${id.slice(0, 80)}…` : id);
