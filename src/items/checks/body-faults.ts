import type { Fault, Findings } from '../../base/errors/errors.js';
import { didYouMean, nearest, orRather } from '../../base/errors/nearest.js';
import { bodyFields, checkedBody, isOpenBody, isOpenObject, rootField, typeName } from '../../catalogue/body-fields.js';
import type { CheckName } from '../../catalogue/check-names.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { formatFault } from '../../catalogue/value-formats.js';
import { isObject, NumberText, ownMember, pathText, type Tree, type TreeObject } from '../json/tree.js';
import { isSecretPath } from '../secrets/secret-fields.js';
import { describeFields } from './describe-fault.js';
import type { BodyFinding, Check } from './types.js';
import { type BodyFault, faultsOfBody, type Received } from './validate.js';

/** Each check loads when an operation that names it is used. */
const CHECKS: Readonly<Record<CheckName, () => Promise<Check>>> = {
  'subscription-profile-frequency': async () => (await import('./profile-checks.js')).frequency,
  'subscription-profile-reach': async () => (await import('./profile-checks.js')).reach,
  'shipping-rates': async () => (await import('./profile-checks.js')).shippingRates,
  'customer-portal': async () => (await import('./profile-checks.js')).customerPortal,
  metadata: async () => (await import('./profile-checks.js')).checkMetadata,
  assistant: async () => (await import('./assistant.js')).assistant,
  'assistant-trigger': async () => (await import('./pairs.js')).assistantTrigger,
  function: async () => (await import('./function.js')).functionSettings,
  'refund-amount': async () => (await import('./payment-checks.js')).checkRefundAmount,
  'sale-payment': async () => (await import('./payment-checks.js')).salePayment,
  'sale-estimate': async () => (await import('./payment-checks.js')).saleEstimate,
  'chargeback-source': async () => (await import('./payment-checks.js')).chargebackSource,
  'display-prices': async () => (await import('./payment-checks.js')).displayPrices,
  'product-fields': async () => (await import('./payment-checks.js')).productFields,
  'item-pair': async () => (await import('./pairs.js')).itemPair,
  'key-value': async () => (await import('./pairs.js')).keyValue,
  'bin-prefixes': async () => (await import('./pairs.js')).binPrefixes,
  'secure-form': async () => (await import('./pairs.js')).secureForm,
  'fulfillment-center': async () => (await import('./pairs.js')).fulfillmentCenter,
};

/** What the caller knows about a body; if omitted, `whole` follows from the action. */
export interface BodyContext {
  readonly operation: Operation;
  readonly current?: TreeObject;
  readonly whole?: boolean;
}

/** The faults found by the named checks; an unknown name finds nothing. */
export const runChecks = async (
  names: readonly string[],
  body: TreeObject,
  context: BodyContext,
): Promise<readonly Fault[]> => (await findings(names, body, context)).filter((finding) => !finding.note).map(plain);

/**
 * Everything known to be wrong with a body, and what the operator should know: its schema and all documented checks of
 * its operation, together. A check says nothing about a place that the schema refuses.
 */
export async function judgeBody(body: TreeObject, context: BodyContext): Promise<Findings> {
  const schema = await bodyFaults(context.operation, body);
  const found = await findings(context.operation.checks ?? [], body, context);
  const refused = new Set(schema.faults.map((fault) => fault.path));
  const faults = found.filter((finding) => !finding.note && !refused.has(finding.path)).map(plain);
  const notes = found.filter((finding) => finding.note).map((finding) => `${finding.path}: ${finding.message}.`);
  return { faults: [...schema.faults, ...faults], notes: [...schema.notes, ...notes] };
}

async function findings(names: readonly string[], body: TreeObject, context: BodyContext): Promise<BodyFinding[]> {
  const { operation, current } = context;
  const whole = context.whole ?? (operation.action === 'create' || operation.action.endsWith(' create'));
  const found: BodyFinding[] = [];
  for (const name of new Set(names)) {
    const load = Object.hasOwn(CHECKS, name) ? CHECKS[name as CheckName] : undefined;
    if (load) for await (const finding of (await load())(body, { whole, current })) found.push(finding);
  }
  return found;
}

const plain = ({ path, message }: BodyFinding): Fault => ({ path, message });

/** All check names, for the test that compares them with the catalogue. */
export const CHECK_LIST: readonly string[] = Object.keys(CHECKS);

type Parts = readonly (string | number)[];

/**
 * Checks a body against the catalogue's description of its operation. Lists all faults together, each with its path. An
 * unknown field is a fault where the schema is closed, and a note where more fields may exist. `idempotency_key` is
 * always allowed (service.md#idempotency). Numbers may be `NumberText`.
 */
export async function bodyFaults(operation: Operation, body: TreeObject): Promise<Findings> {
  if (isEmptyEdit(operation, body))
    return { faults: [{ path: '', message: 'there is nothing to change: no fields are given' }], notes: [] };
  const faults = faultsOfBody(checkedBody(operation), plainTree(body))
    .filter((fault) => !isGuess(operation, fault))
    .map((fault): Fault => ({ path: pathText(fault.place), message: messageOf(operation, fault) }));
  return { faults, notes: unknownNotes(operation, body) };
}

/** The parts of an assumed field, and which of them are required, are a guess: only types are checked. */
function isGuess(operation: Operation, { kind, place }: BodyFault): boolean {
  if (kind !== 'missing' && kind !== 'unknown') return false;
  return place.length > 1 && !Object.hasOwn(bodyFields(operation), String(place[0]));
}

/** A message for a fault that says what to write instead. Never gives hints about a secret. */
function messageOf(operation: Operation, fault: BodyFault): string {
  switch (fault.kind) {
    case 'missing':
      return 'is required';
    case 'unknown':
      return unknownText(operation, fault);
    case 'type':
      return typeText(operation, fault);
    case 'fraction':
      return 'must be a whole number';
    case 'unix':
      return 'must be a time in unix seconds, not milliseconds';
    case 'value': {
      const allowed = fault.allowed.map((one) => (one === '' ? '""' : one)).join(', ');
      return `must be one of ${allowed}${orRather(fault.given, fault.allowed)}`;
    }
    case 'format':
      return formatFault(fault.format, fault.given) ?? '';
    case 'length':
      return lengthText(fault);
    case 'range':
      return rangeText(fault);
    case 'count':
      return countText(fault);
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly actual: number;
}

function lengthText({ min, max, actual }: Bounds): string {
  if (min === max) return `must have exactly ${min} characters, these are ${actual}`;
  if (actual > max) return `must have at most ${max} characters, these are ${actual}`;
  return actual === 0 ? 'must not be empty' : `must have at least ${min} characters, these are ${actual}`;
}

function rangeText({ min, max, actual }: Bounds): string {
  if (Number.isFinite(min) && Number.isFinite(max)) return `must be ${min} to ${max}`;
  return actual < min ? `must be at least ${min}` : `must be at most ${max}`;
}

function countText({ min, max, actual }: Bounds): string {
  if (actual < min) return `must have at least ${min} element${min === 1 ? '' : 's'}, there are ${actual}`;
  return `must have at most ${max} elements, there are ${actual}`;
}

function unknownText(operation: Operation, { place, known }: BodyFault & { kind: 'unknown' }): string {
  if (known.length === 0) return 'is not a field: nothing is accepted here';
  const below = place.length === 1 ? placeBelow(operation, String(place[0])) : undefined;
  if (below !== undefined) return `is not a field here; it belongs below ${parentOf(below)}: ${below}`;
  const close = nearest(String(place.at(-1)), known, 2);
  if (close.length > 0) return `is not a field; did you mean ${close.join(' or ')}?`;
  const listed = known.length <= 12 ? `; the fields are ${known.join(', ')}` : '';
  return `is not a field${listed}`;
}

/** Where a name at the top of a body belongs, if exactly one nested field has it. */
function placeBelow(operation: Operation, name: string): string | undefined {
  const paths = describeFields(operation).flatMap(({ path }) =>
    path.includes('.') && !path.includes('[') && path.endsWith(`.${name}`) ? [path] : [],
  );
  const ofCustomer = paths.find((path) => path === `customer.${name}`);
  return paths.length === 1 ? paths[0] : ofCustomer;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('.'));

const RECEIVED: Readonly<Record<Received, string | undefined>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
  infinite: 'a number without end',
  other: undefined,
};

function typeText(operation: Operation, { place, expected, received }: BodyFault & { kind: 'type' }): string {
  const quotes = expected === 'string' && received === 'number' && !isSecretPath(operation, place);
  const not = RECEIVED[received];
  return `must be ${typeName(expected)}${quotes ? ' (in quotes)' : ''}${not === undefined ? '' : `, not ${not}`}`;
}

/** True for an edit that changes nothing. */
export function isEmptyEdit(operation: Operation, body: TreeObject): boolean {
  const edits = operation.action === 'edit' || operation.action.endsWith(' edit');
  return edits && Object.keys(body).every((name) => name === 'idempotency_key');
}

/** One note for each field sent although nothing is known about it. */
function unknownNotes(operation: Operation, body: TreeObject): string[] {
  if (!isOpenBody(operation) && !hasOpenObject(rootField(operation))) return [];
  const given = Object.keys(body).filter((name) => name !== 'idempotency_key');
  if (given.length > 0 && Object.keys(bodyFields(operation)).length === 0)
    return [`The fields of ${operation.path} are not documented: the body is sent as given.`];
  const notes: string[] = [];
  const step = (value: Tree, field: Field | undefined, parts: Parts): void => {
    if (!field || field.type === 'any') return;
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) step(element, field.items, [...parts, index]);
    } else if (isObject(value) && field.type === 'object') {
      // An object without known fields is meant to be filled freely.
      if (field.fields === undefined || Object.keys(field.fields).length === 0) return;
      for (const name of Object.keys(value)) {
        const known = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined;
        const member = ownMember(value, name);
        if (known && member !== undefined) step(member, known, [...parts, name]);
        else if (isOpenObject(field) && !(parts.length === 0 && name === 'idempotency_key')) {
          notes.push(unknownNote([...parts, name], Object.keys(field.fields)));
        }
      }
    }
  };
  step(body, rootField(operation), []);
  return notes;
}

const unknownNote = (parts: Parts, known: readonly string[]): string =>
  `${pathText(parts)} is not a known field; it is sent as given.${didYouMean(String(parts.at(-1)), known)}`;

function hasOpenObject(field: Field): boolean {
  if (field.type === 'object' && isOpenObject(field)) return true;
  return [...Object.values(field.fields ?? {}), ...(field.items ? [field.items] : [])].some(hasOpenObject);
}

/** The tree as plain JavaScript, only for checking: long numbers lose digits. */
export function plainTree(value: Tree): unknown {
  if (value instanceof NumberText) return value.value;
  if (Array.isArray(value)) return value.map(plainTree);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainTree(member)]));
}
