import { checkedBody } from '../../catalogue/body-fields.js';
import type { FieldType, Operation } from '../../catalogue/types.js';
import { type BodyFault, faultsOfBody } from '../../items/checks/validate.js';
import { pathText } from '../../items/json/tree.js';
import type { Value } from '../store/item-values.js';
import { FORMS } from '../store/query-fields.js';
import { invalid, nodeRefused } from './refusals.js';
import { isSum, LARGEST_SUM } from './sums.js';

/**
 * Checks a body against the catalogue, as the client does; the messages are the service's.
 * @throws Refusal 400 that names every fault with its path.
 */
export function refuseBadBody(body: Value, operation: Operation): void {
  const faults = [...faultsOfBody(checkedBody(operation), body), ...faultsOfSums(body, [])];
  for (const fault of faults) checkNode(body, fault);
  const told = faults.map((fault) => `${pathText(fault.place)} ${said(fault)}`);
  if (told.length > 0) throw invalid(`The request is invalid: ${[...new Set(told)].join('; ')}.`);
}

/** Finds amounts that are impossible for money, whatever is known about their body. */
function* faultsOfSums(content: object, place: readonly (string | number)[]): Generator<BodyFault> {
  for (const [name, value] of Object.entries(content)) {
    const at = [...place, Array.isArray(content) ? Number(name) : name];
    if (typeof value === 'object' && value !== null) yield* faultsOfSums(value, at);
    else if (typeof value === 'number' && isSum(name) && (value < 0 || value > LARGEST_SUM))
      yield { place: at, kind: 'range', min: 0, max: LARGEST_SUM, actual: value };
  }
}

/** Reports a fault in a node of a flow together with the node, whichever rule it breaks. */
function checkNode({ flow }: Value, fault: BodyFault): void {
  const [first, index, ...place] = fault.place;
  if (first !== 'flow' || typeof index !== 'number' || !Array.isArray(flow)) return;
  const inner = pathText(place[0] === 'node_settings' && place.length > 1 ? place.slice(1) : place);
  throw nodeRefused((flow[index] as Value | null)?.id, inner || pathText(fault.place), said(fault));
}

/** What each kind of fault is called. */
const SAID: { readonly [Kind in BodyFault['kind']]: (fault: Extract<BodyFault, { kind: Kind }>) => string } = {
  missing: () => 'is required',
  unknown: () => 'is not accepted',
  type: ({ expected }) => `must be ${withArticle(expected)}`,
  fraction: () => 'must be an integer',
  unix: () => 'must be a time in unix seconds',
  value: ({ allowed }) => `must be one of ${allowed.join(', ')}`,
  format: ({ format }) => `must be ${FORMS[format]}`,
  length: ({ actual, min, max }) => (actual < min ? `is shorter than ${min}` : `is longer than ${max}`),
  range: ({ actual, min, max }) => (actual < min ? `must not be below ${min}` : `must not be above ${max}`),
  count: ({ actual, min, max }) => (actual < min ? `needs at least ${min}` : `takes at most ${max}`),
};
const said = (fault: BodyFault): string => (SAID[fault.kind] as (one: BodyFault) => string)(fault);

function withArticle(type: FieldType): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}
