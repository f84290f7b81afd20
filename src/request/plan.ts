import type { Family, Operation, PathParam } from '../catalogue/types.js';
import { idFault } from '../catalogue/value-formats.js';
import type { Fault } from '../errors/field-faults.js';
import { faultsError } from '../errors/field-faults.js';
import type { AskedId } from '../http/envelope.js';
import type { ServiceRequest } from '../http/types.js';
import { isObject, serialise } from '../json/tree.js';
import { quoted } from './query.js';
import { toService } from './wallet.js';

export interface PlanInput {
  /** Values of the path's placeholders, in order. */
  readonly ids: readonly string[];
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The body as an object; numbers may be `NumberText`. */
  readonly body?: unknown;
  /** Put into the body of what makes or changes something; null or absent for none (spec 7.4). */
  readonly idempotencyKey?: string | null;
  /** The service's word for `wallet`; `wallet` when absent. */
  readonly walletWord?: string;
}

/**
 * The one request that an operation means: checked path, query, and the exact text of the body. Pure. Throws a
 * usage error (exit code 2) that names all faults of ids and key at once. A key that the body brings itself stays
 * (it is the user's own) unless `idempotencyKey` says another, which is a fault.
 */
export function planRequest(family: Family, operation: Operation, input: PlanInput): ServiceRequest {
  const faults: Fault[] = [];
  const path = pathOf(operation, input.ids, faults);
  const body = operation.method === 'POST' ? bodyOf(operation, input, faults) : undefined;
  if (operation.method === 'GET' && Object.keys(input.body ?? {}).length > 0) {
    faults.push({ path: '', message: 'this operation only reads, it takes no body' });
  }
  if (faults.length > 0) throw faultsError(`cops ${family.name.replaceAll('_', '-')} ${operation.action}`, faults);
  const request: ServiceRequest = {
    method: operation.method,
    path,
    query: input.query ?? [],
    body,
  };
  return input.walletWord === undefined ? request : toService(request, input.walletWord);
}

/** The read of one item. */
export interface ItemRead {
  readonly request: ServiceRequest;
  /** The id of the item. */
  readonly id: string;
}

/** The read nearest to what an action changes: `payment-methods get` for its own actions, else the family's `get`. */
export function readNear(family: Family, action: string, ids: readonly string[]): Operation | undefined {
  return [action.replace(/[^ ]*$/, 'get'), 'get']
    .map((wanted) => family.operations.find((one) => one.action === wanted && one.method === 'GET'))
    .find((get) => get !== undefined && ids.length > 0 && pathParameters(get).length <= ids.length);
}

/**
 * What reads the item that an operation is about, as it is now; the item above, unless its question shows the nearest.
 * Undefined where nothing reads it, or an id is missing.
 */
export function itemRead(family: Family, operation: Operation, ids: readonly string[]): ItemRead | undefined {
  const get = readNear(family, operation.preview ? operation.action : 'get', ids);
  const count = get ? pathParameters(get).length : 0;
  const id = ids[count - 1];
  return get && id !== undefined ? { request: planRequest(family, get, { ids: ids.slice(0, count) }), id } : undefined;
}

/** Names of the placeholders of an operation's path, in order: `customer_id`, `payment_method_id`. */
export function pathParameters(operation: Operation): string[] {
  return operation.path.split(BRACES).filter((_, at) => at % 2 === 1);
}

/** Of the parts of a path between its braces every second one is a placeholder. */
const BRACES = /[{}]/;

/** The ids of a request's path by their names, in the service's words. */
export function askedIds(operation: Operation, ids: readonly string[], walletWord: string): AskedId[] {
  const names = pathParameters(operation).map((name) => name.replace(/^wallet(?=_)/, walletWord));
  return names.map((name, index) => ({ name, value: ids[index] ?? '' }));
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
  const parts = operation.path.split(BRACES);
  return parts.map((part, at) => (at % 2 === 1 ? encodeURIComponent(ids[(at - 1) / 2] ?? '') : part)).join('');
}

/** What is wrong with the value of a path placeholder; undefined when it is right. */
export function parameterFault(kind: PathParam, value: string): string | undefined {
  if (value === '') return 'is empty';
  if (kind === 'id') return idFault(value);
  if (kind === 'key') {
    if (value.length < 2 || value.length > 100) return 'is not a key: 2 to 100 characters are expected';
    if (!/^[a-zA-Z]+(?:_[a-zA-Z]+)*$/.test(value)) return 'is not a key: letters with single underscores between them';
    return undefined;
  }
  const sane = /^[A-Za-z0-9_$-][A-Za-z0-9_.$-]{0,254}$/.test(value);
  return sane ? undefined : 'is not a table name: letters, digits, underscores, dots and dashes are expected';
}

/** True when a POST of this operation carries an idempotency key: it makes or changes something. */
export function takesIdempotencyKey(operation: Operation): boolean {
  return operation.method === 'POST' && operation.risk !== 'read';
}

/** Bounds of a key's length: 10 to 255, and at least 11 where the service says so (spec 7.4). */
export function keyBounds(operation: Operation): { min: number; max: number } {
  return { min: operation.keyMinLength ?? 10, max: 255 };
}

/** Who gave an idempotency key, and which. */
export interface ChosenKey {
  /** What `planRequest` takes; null when nothing is sent. */
  readonly key: string | null;
  /** True when the user gave it, by option or inside the body. */
  readonly own: boolean;
}

/**
 * The idempotency key of one intention (command line, section 6): `--no-idempotency-key` (`flag` null) beats the
 * profile's setting, a key of the user beats a new one. Throws a usage error (exit code 2) when option and body
 * disagree.
 */
export function chooseKey(
  operation: Operation,
  given: { flag?: string | null; ownKey?: string; setting: 'auto' | 'always' | 'never' },
  mint: () => string,
): ChosenKey {
  const { flag, ownKey, setting } = given;
  if (ownKey !== undefined && flag === null) {
    throw faultsError('--no-idempotency-key', [
      { path: 'idempotency_key', message: 'stands in the body: take one of the two away' },
    ]);
  }
  if (ownKey !== undefined && flag !== undefined && flag !== ownKey) {
    throw faultsError('--idempotency-key', [
      { path: 'idempotency_key', message: 'the body has another key: take one of the two away' },
    ]);
  }
  const own = flag ?? ownKey;
  if (own !== undefined) return { key: own, own: true };
  if (flag === null || setting === 'never' || !takesIdempotencyKey(operation)) return { key: null, own: false };
  return { key: mint(), own: false };
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
    faults.push({ path: 'idempotency_key', message: 'the body has another key than the one given beside it' });
  } else if (key !== undefined && own === undefined && takesIdempotencyKey(operation)) {
    body.idempotency_key = key;
  }
  const used = body.idempotency_key;
  if (typeof used === 'string') {
    const { min, max } = keyBounds(operation);
    if (used.length < min || used.length > max) {
      faults.push({
        path: 'idempotency_key',
        message: `${min} to ${max} characters are expected, these are ${used.length}`,
      });
    }
  }
  return serialise(body);
}
