import type { Body, FieldFormat, FieldType } from '../../catalogue/types.js';
import { type BodyFault, faultsOfBody } from '../../items/checks/validate.js';
import { pathText } from '../../items/json/tree.js';
import type { Value } from '../store/text.js';
import { invalid, nodeRefused } from './refusal.js';

/**
 * Checks a body against what the catalogue knows of it, as the client does; the words are the service's.
 * @throws Refusal 400 that names every fault with its path.
 */
export function checkBody(body: Value, shape: Body): void {
  const faults = faultsOfBody(shape, body);
  if (faults.length === 0) return;
  for (const fault of faults) checkNode(body, fault);
  const words = faults.map((fault) => `${pathText(fault.place)} ${said(fault)}`);
  throw invalid(`The request is invalid: ${words.join('; ')}.`);
}

/** Spec 7.3: what is wrong with a node of a flow is told with the node, whichever rule it breaks. */
function checkNode({ flow }: Value, fault: BodyFault): void {
  const [first, index, ...place] = fault.place;
  if (first !== 'flow' || typeof index !== 'number' || !Array.isArray(flow)) return;
  const inner = pathText(place[0] === 'node_settings' && place.length > 1 ? place.slice(1) : place);
  throw nodeRefused((flow[index] as Value | null)?.id, inner || 'type', said(fault));
}

function said(fault: BodyFault): string {
  switch (fault.kind) {
    case 'missing':
      return 'is required';
    case 'unknown':
      return 'is not accepted';
    case 'type':
      return `must be ${withArticle(fault.expected)}`;
    case 'fraction':
      return 'must be an integer';
    case 'unix':
      return 'must be a time in unix seconds';
    case 'value':
      return `must be one of ${fault.allowed.join(', ')}`;
    case 'format':
      return `must be ${FORMS[fault.format]}`;
    case 'length':
      return fault.actual < fault.min ? `is shorter than ${fault.min}` : `is longer than ${fault.max}`;
    case 'range':
      return fault.actual < fault.min ? `must not be below ${fault.min}` : `must not be above ${fault.max}`;
    case 'count':
      return fault.actual < fault.min ? `needs at least ${fault.min}` : `takes at most ${fault.max}`;
  }
}

function withArticle(type: FieldType): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

const FORMS: Readonly<Record<FieldFormat, string>> = {
  id: 'an identifier of 20 characters',
  email: 'an e-mail address',
  'date-time': 'a date and time',
  unix: 'a time in unix seconds',
  country: 'a country code of three letters',
  currency: 'a currency code of three letters',
  url: 'a web address',
  ipv4: 'an IPv4 address',
  timezone: 'an IANA time zone',
  cron: 'a cron expression of five parts',
  digits: 'digits only',
};
