import type { Merchant, Question } from './merchant.js';
import type { Json } from './service.js';

/* Assistants with flows, for questions about them. */

export type Node = Json;

export const to = (node: string) => ({ connections: [{ node, output: 'input_1' }] });
export const from = (node: string, input = 'output_1') => ({ input_1: { connections: [{ node, input }] } });

/** Nodes in a row, each joined to the next through its output 1, at both ports. */
export function row(...nodes: Node[]): Node[] {
  return nodes.map((node, at) => ({
    ...node,
    ...(at > 0 ? { inputs: from(nodes[at - 1]?.id) } : {}),
    ...(at < nodes.length - 1 ? { outputs: { output_1: to(nodes[at + 1]?.id) } } : {}),
  }));
}

export const START = { id: 'start', type: 'start_thread' };
export const END = { id: 'end', type: 'action_end_thread' };
export const step = (id: string, step_message: unknown = 'Go') => ({
  id,
  type: 'action_step',
  node_settings: { step_message },
});
export const wait = (id: string, time_value: unknown, time_unit = 'minutes') => ({
  id,
  type: 'action_time_delay',
  node_settings: { time_unit, time_value },
});
export const branch = (node_settings: Json) => ({ id: 'b', type: 'action_branch', node_settings });

export async function assistant(m: Merchant, more: Json = {}): Promise<Json> {
  const { results } = await m.get('/user_third_party_integrations');
  const ai = results.find((one: Json) => one.site_third_party_integration.integration_type === 'ai');
  return {
    name: m.name(),
    settings: { assistant_instructions: 'Help.', trigger_settings: { trigger: 'on_demand' } },
    third_party_integration: ai.id,
    flow: row(START, step('a'), END),
    ...more,
  };
}
export const taken = async (m: Merchant, more: Json) => m.status('POST /ai_assistants', await assistant(m, more));

export const asked = (rows: readonly (readonly [string, number, Json])[]): Question[] =>
  rows.map(([question, status, more]) => [question, status, (m) => taken(m, more)]);
