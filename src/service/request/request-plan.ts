import { type Fault, faultsError } from '../../base/errors/errors.js';
import { orRather } from '../../base/errors/nearest.js';
import type { ServiceRequest } from '../../base/transport.js';
import { optionName, pathParameters } from '../../catalogue/index.js';
import type { Family, Operation, QueryField } from '../../catalogue/types.js';
import { formatFault, METADATA_NAME_EXISTS, parameterFault } from '../../catalogue/value-formats.js';
import { JsonSyntaxFault, parseWritten } from '../../items/json/parse-json.js';
import { isObject, ownMember, serialise } from '../../items/json/tree.js';
import { holdsCard } from '../../items/secrets/redact.js';
import type { AskedId } from '../http/envelope.js';
import { toService } from './wallet.js';

export interface PlanInput {
  /** Values of the path's placeholders, in order. */
  readonly ids: readonly string[];
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The body as an object; numbers may be `NumberText`. */
  readonly body?: unknown;
  /**
   * Added to the body of operations that make or change something; null or absent for none (service.md#idempotency).
   */
  readonly idempotencyKey?: string | null;
  /** The service's word for `wallet`; by default `wallet`. */
  readonly walletWord?: string;
}

/**
 * The one request that an operation means: checked path, query, and the exact text of the body. Pure. Throws a usage
 * error (exit code 2) that lists all faults in ids and key. A key in the body itself stays (it is the user's own); a
 * different `idempotencyKey` is a fault.
 */
export function planRequest(family: Family, operation: Operation, input: PlanInput): ServiceRequest {
  const faults: Fault[] = [];
  const path = pathOf(operation, input.ids, faults);
  const body = operation.method === 'POST' ? bodyOf(operation, input, faults) : undefined;
  if (operation.method === 'GET' && Object.keys(input.body ?? {}).length > 0)
    faults.push({ path: '', message: 'this operation only reads and takes no body' });
  if (faults.length > 0) throw faultsError(`cops ${family.name.replaceAll('_', '-')} ${operation.action}`, faults);
  const request: ServiceRequest = { method: operation.method, path, query: input.query ?? [], body };
  return input.walletWord === undefined ? request : toService(request, input.walletWord);
}

/** The request that searches for a term. */
export function searchRequest(family: Family, search: Operation, term: string): ServiceRequest {
  const name = Object.entries(search.query ?? {}).find(([, field]) => field.positional)?.[0] ?? 'search_term';
  return planRequest(family, search, { ids: [], query: [[name, term]] });
}

/** The read closest to what an action changes: `payment-methods get` for its own actions, else the family's `get`. */
export function readNear(family: Family, action: string, ids: readonly string[]): Operation | undefined {
  return [action.replace(/[^ ]*$/, 'get'), 'get']
    .map((wanted) => family.operations.find((one) => one.action === wanted && one.method === 'GET'))
    .find((get) => get !== undefined && ids.length > 0 && pathParameters(get).length <= ids.length);
}

/**
 * The request that reads the current item of an operation: the family's item, or the closest one if the operation's
 * question shows that. Undefined where nothing reads it, or an id is missing. `id`: the id of the item.
 */
export function itemRead(family: Family, operation: Operation, ids: readonly string[]) {
  const get = readNear(family, operation.preview ? operation.action : 'get', ids);
  const count = get ? pathParameters(get).length : 0;
  const id = ids[count - 1];
  return get && id !== undefined ? { request: planRequest(family, get, { ids: ids.slice(0, count) }), id } : undefined;
}

/** The ids in a request's path by name, in the service's words. */
export function askedIds(operation: Operation, walletWord: string): (ids: readonly string[]) => AskedId[] {
  const names = pathParameters(operation).map((name) => name.replace(/^wallet(?=_)/, walletWord));
  return (ids) => names.map((name, index) => ({ name, value: ids[index] ?? '' }));
}

function pathOf(operation: Operation, ids: readonly string[], faults: Fault[]): string {
  const names = pathParameters(operation);
  for (const [index, name] of names.entries()) {
    const value = ids[index];
    const fault = value === undefined ? 'is missing' : parameterFault(operation.params?.[name] ?? 'id', value);
    if (fault) faults.push({ path: name, message: value ? `${quoted(value)} ${fault}` : fault });
  }
  if (ids.length > names.length) {
    const wanted = names.length === 0 ? 'takes no id' : `takes ${names.map((name) => `<${name}>`).join(' ')} only`;
    faults.push({ path: '', message: `this operation ${wanted}, but ${ids.length} values are given` });
  }
  if (faults.length > 0) return operation.path;
  return names.reduce(
    (path, name, at) => path.replace(`{${name}}`, () => encodeURIComponent(ids[at] ?? '')),
    operation.path,
  );
}

/** True when a POST of this operation carries an idempotency key, because it makes or changes something. */
export function takesIdempotencyKey(operation: Operation): boolean {
  return operation.method === 'POST' && operation.risk !== 'read';
}

/** Allowed lengths of a key: 10 to 255, and at least 11 where the service says so (service.md#idempotency). */
export function keyBounds(operation: Operation): { min: number; max: number } {
  return { min: operation.keyMinLength ?? 10, max: 255 };
}

/**
 * The chosen idempotency key, and whose it is. `key`: for `planRequest`; null to send none. `own`: true when the user
 * gave it, by option or in the body.
 */
export type ChosenKey = ReturnType<typeof chooseKey>;

/**
 * The idempotency key of one intention (command-line.md#writes): `--no-idempotency-key` (`flag` null) overrides the
 * profile's setting, and a key from the user overrides a new one. Throws a usage error (exit code 2) when option and
 * body disagree.
 */
export function chooseKey(
  operation: Operation,
  given: { flag?: string | null; ownKey?: string; setting: 'auto' | 'always' | 'never' },
  mint: () => string,
) {
  const { flag, ownKey, setting } = given;
  if (ownKey !== undefined && flag === null) {
    throw faultsError('--no-idempotency-key', [
      { path: 'idempotency_key', message: 'is also in the body: remove one of the two' },
    ]);
  }
  if (ownKey !== undefined && flag !== undefined && flag !== ownKey) {
    throw faultsError('--idempotency-key', [
      { path: 'idempotency_key', message: 'the body has another key: remove one of the two' },
    ]);
  }
  const own = flag ?? ownKey;
  if (own !== undefined && holdsCard(own)) {
    throw faultsError('--idempotency-key', [
      { path: 'idempotency_key', message: 'is stored in the history, where card numbers do not belong' },
    ]);
  }
  if (own !== undefined) return { key: own, own: true };
  if (flag === null || setting === 'never' || !takesIdempotencyKey(operation)) return { key: null, own: false };
  return { key: mint(), own: false };
}

/** What is wrong with a key's length. */
export function keyFaults(operation: Operation, key: string): Fault[] {
  const { min, max } = keyBounds(operation);
  if (key.length >= min && key.length <= max) return [];
  return [{ path: 'idempotency_key', message: `${min} to ${max} characters are expected, these are ${key.length}` }];
}

function bodyOf(operation: Operation, input: PlanInput, faults: Fault[]): string {
  const given = input.body ?? {};
  if (!isObject(given)) {
    faults.push({ path: '', message: 'the body must be an object' });
    return '{}';
  }
  const body: Record<string, unknown> = { ...given };
  const key = input.idempotencyKey ?? undefined;
  const own = Object.hasOwn(body, 'idempotency_key') ? body.idempotency_key : undefined;
  if (own !== undefined && typeof own !== 'string') {
    faults.push({ path: 'idempotency_key', message: 'must be text' });
  } else if (own !== undefined && key !== undefined && own !== key) {
    faults.push({ path: 'idempotency_key', message: 'the body has a different key from the one given separately' });
  } else if (key !== undefined && own === undefined && takesIdempotencyKey(operation)) {
    body.idempotency_key = key;
  }
  const used = body.idempotency_key;
  if (typeof used === 'string') faults.push(...keyFaults(operation, used));
  return serialise(body);
}

/** Values by option (`campaign`) or by parameter (`campaign_filter`). */
export type FilterValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/**
 * The query parameters of filters, in catalogue order; a parameter with several values repeats (service.md#lists).
 * Throws one usage error (exit code 2) that lists every wrong value.
 */
export function buildQuery(operation: Operation, values: FilterValues): [name: string, value: string][] {
  const query: [string, string][] = [];
  const faults: Fault[] = [];
  const used = new Set<string>();
  for (const [name, field] of Object.entries(operation.query ?? {})) {
    const option = optionName(name);
    const key = [name, option].find((candidate) => Object.hasOwn(values, candidate) && values[candidate] !== undefined);
    const path = field.positional ? name : `--${option}`;
    if (key === undefined) {
      if (field.required) faults.push({ path, message: 'is required' });
      continue;
    }
    used.add(key);
    const given = [values[key]].flat().map(String);
    if (!field.many && !field.metadata && given.length > 1) {
      faults.push({ path, message: 'takes one value only' });
      continue;
    }
    for (const value of given) {
      const result = field.metadata ? metadataEntry(value) : checked(field, value);
      if (typeof result === 'string') query.push([name, result]);
      else faults.push({ path, message: result.fault });
    }
  }
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && !used.has(name))
      faults.push({ path: `--${optionName(name)}`, message: `is not a filter of ${operation.path}` });
  }
  if (faults.length > 0) throw faultsError('The filters are invalid', faults);
  return query;
}

type Checked = string | { readonly fault: string };

function checked(field: QueryField, value: string): Checked {
  if (value === '') return { fault: 'is empty' };
  if (field.enum && !field.enum.includes(value))
    return { fault: `${quoted(value)} is none of ${field.enum.join(', ')}${orRather(value, field.enum)}` };
  if (field.type === 'integer' && !/^-?\d{1,15}$/.test(value))
    return { fault: `${quoted(value)} is not a whole number` };
  if (field.type === 'boolean' && value !== 'true' && value !== 'false') return { fault: 'true or false is expected' };
  const fault = field.format ? formatFault(field.format, value) : undefined;
  return fault ? { fault: `${quoted(value)} ${fault}` } : value;
}

/** `name=value`, a bare name for items that have it, or a JSON object for a name that contains "=". */
function metadataEntry(text: string): Checked {
  const pair = text.startsWith('{') ? metadataObject(text) : metadataPair(text);
  if ('fault' in pair) return pair;
  if (pair.name.length < 1 || pair.name.length > 100) return { fault: 'a metadata name has 1 to 100 characters' };
  if (pair.value.length < 1 || pair.value.length > 255) return { fault: 'a metadata value has 1 to 255 characters' };
  return JSON.stringify({ name: pair.name, value: pair.value });
}

function metadataPair(text: string): { name: string; value: string } {
  const equals = text.indexOf('=');
  if (equals < 0) return { name: text, value: METADATA_NAME_EXISTS };
  return { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

function metadataObject(text: string): { name: string; value: string } | { fault: string } {
  try {
    const object = parseWritten(text);
    if (isObject(object)) {
      const [name, value] = [ownMember(object, 'name'), ownMember(object, 'value') ?? METADATA_NAME_EXISTS];
      if (typeof name === 'string' && typeof value === 'string') return { name, value };
    }
  } catch (fault) {
    if (!(fault instanceof JsonSyntaxFault)) throw fault;
  }
  return { fault: 'name=value, name, or {"name":"...","value":"..."} is expected' };
}

/** Quotes outside text on one line of a message. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
