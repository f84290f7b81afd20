import { flowFindings } from '../body/checks/flow.js';
import type { Tree } from '../json/tree.js';
import { invalid } from './refusal.js';
import type { Value } from './text.js';

/**
 * Checks an assistant's flow by the rules of spec 2.10, as the client does; one violation rejects the whole flow.
 * Which of E0959 and E0958 stands for what is not shown: here E0959 is for settings, E0958 for connections. reading: flow-codes
 * @throws Refusal 400 with `node_id`, `invalid_setting` and `explanation`.
 */
export function checkFlow(flow: unknown): void {
  const fault = [...flowFindings(flow as Tree)].find(({ note }) => !note);
  if (!fault) return;
  const nodes = flow as Value[];
  const [, index, place] = /^flow\[(\d+)\]\.(?:node_settings\.)?(.*)$/.exec(fault.path) ?? [];
  const second = nodes.filter(({ type }) => type === 'start_thread')[1];
  const isEdge = place !== undefined && /^(?:in|out)puts\b/.test(place);
  throw invalid('The flow was rejected.', isEdge ? 'E0958' : 'E0959', {
    node_id: (index === undefined ? second : nodes[Number(index)])?.id ?? '',
    invalid_setting: isEdge ? 'connections' : (place ?? 'type'),
    explanation: fault.message,
  });
}
