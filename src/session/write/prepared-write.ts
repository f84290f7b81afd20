import type { Origin } from '../../account/history/types.js';
import type { Profile } from '../../account/profiles/types.js';
import { broughtBy } from '../../account/safety/as-sent.js';
import type { KnownRisk } from '../../account/safety/decide.js';
import { warningsOf } from '../../account/safety/question.js';
import { faultsError, wrongOption } from '../../base/errors/errors.js';
import { mapText, say, type Text } from '../../base/text/command-line.js';
import type { ServiceRequest } from '../../base/transport.js';
import { operationNamed } from '../../catalogue/index.js';
import type { Family, FamilyOperation, Operation } from '../../catalogue/types.js';
import type { TreeObject } from '../../items/json/tree.js';
import { canonicalBody, intentionTag, maskBody } from '../../items/secrets/mask-body.js';
import { holdsCard } from '../../items/secrets/redact.js';
import { sanitise } from '../../items/text/inert.js';
import { serviceName } from '../../service/http/base-url.js';
import { type ChosenKey, chooseKey, planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { Named } from '../names/resolve-name.js';

/** The writes of one operation that are to be recorded. */
export interface LimitedWrites extends FamilyOperation {
  readonly risk: KnownRisk;
  /** `--reason`. */
  readonly reason?: string | undefined;
}

/** One write that is ready to be sent but for its question. */
export interface PreparedWrite extends LimitedWrites {
  readonly ids: readonly string[];
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body: Readonly<Record<string, unknown>>;
  /** The user's own key, `null` for none, undefined for a new one. */
  readonly key: string | null | undefined;
  readonly again: boolean;
  /** What names that stood in the place of ids were found to mean. */
  readonly named?: readonly Named[] | undefined;
  /** False with `--no-strict-ids`: `--yes` confirms a name as well. */
  readonly strictIds?: boolean | undefined;
  /** What was asked for where the body was computed from it (`--by 1mo`): the repeat guard compares this. */
  readonly asked?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of single writes, as they were typed. */
export interface WriteOptions {
  /** False with `--no-idempotency-key`. */
  readonly idempotencyKey?: string | false | undefined;
  readonly again?: boolean | undefined;
  /** False with `--no-strict-ids`. */
  readonly strictIds?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** What the options say of a write. @throws CopsError usage (2) for a reason that no history should hold */
export function asTold(options: WriteOptions): Pick<PreparedWrite, 'key' | 'again' | 'strictIds' | 'reason'> {
  return {
    key: options.idempotencyKey === false ? null : options.idempotencyKey,
    again: options.again === true,
    strictIds: options.strictIds !== false,
    reason: reasonOf(options.reason),
  };
}

/** Longest reason that is kept, characters. */
const LONGEST_REASON = 1000;

/** A reason as it is kept. @throws CopsError usage (2) for one that no history should hold */
export function reasonOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text.length > LONGEST_REASON) throw wrongOption('--reason', `at most ${LONGEST_REASON} characters are kept.`);
  if (text.trim() === '') throw wrongOption('--reason', 'it is empty.');
  if (holdsCard(text))
    throw wrongOption('--reason', 'a card number is never kept; its last four digits tell which it is.');
  return text;
}

/** The request of a write with the key that this run gives it. */
export function requestOf({ family, operation, ids, query, body }: PreparedWrite, key: string | null): ServiceRequest {
  return planRequest(family, operation, { ids, query, body, idempotencyKey: key });
}

/** The idempotency key of one intention: the user's, a new one, or none (command-line.md#writes). */
export async function keyFor(
  context: Context,
  { operation, key, body }: Pick<PreparedWrite, 'operation' | 'key' | 'body'>,
): Promise<ChosenKey> {
  const { idempotencyKey, key: apiKey } = await context.profile();
  const ownKey = typeof body.idempotency_key === 'string' ? body.idempotency_key : undefined;
  const chosen = chooseKey(operation, { setting: idempotencyKey.value, flag: key, ownKey }, () => context.world.uuid());
  if (apiKey.value !== '' && chosen.key?.includes(apiKey.value))
    throw faultsError('--idempotency-key', [
      { path: 'idempotency_key', message: 'is stored in the history, where API keys do not belong' },
    ]);
  return chosen;
}

/** What the history keeps of every write of one operation with one profile. */
export function originOf(profile: Profile, family: Family, operation: Operation): Origin {
  return {
    profile: profile.name.value,
    baseUrl: profile.baseUrl.value,
    mode: profile.mode.value,
    operation: `${family.name.replaceAll('_', '-')} ${operation.action}`,
    fingerprint: profile.fingerprint,
  };
}

/**
 * What one write is recognised by when it comes again: address, operation, ids and body. Secrets are masked before they
 * are hashed, so that nothing can be guessed back from the history. A body that is given again must be unchanged.
 */
export function taggerOf(
  profile: Profile,
  operation: Operation,
): (ids: readonly string[], body: Readonly<Record<string, unknown>>) => string {
  const what = `${serviceName(profile.baseUrl.value)} ${operation.method} ${operation.path}`;
  let last: { readonly body: unknown; readonly text: string } | undefined;
  return (ids, body) => {
    if (last?.body !== body) last = { body, text: canonicalBody(maskBody(operation, body as TreeObject)) };
    return intentionTag(what, ids, last.text);
  };
}

/** A write as far as it says what else it does. */
type Bringing = Pick<PreparedWrite, 'operation' | 'body'>;

/** An operation that a field of a write brings besides, as a write of its own. */
export interface BroughtWrite {
  readonly field: string;
  /** Family and action: `sales void`. */
  readonly name: string;
  readonly write: PreparedWrite;
  /** False where nothing tells which items it is done to. */
  readonly isOfItem: boolean;
}

/** What the body of a write brings besides its operation; none for nearly all writes. */
export async function broughtWrites({ operation, body }: Bringing): Promise<readonly BroughtWrite[]> {
  const all: BroughtWrite[] = [];
  for (const { field, operation: name, ids } of broughtBy(operation, body)) {
    const known = await operationNamed(name);
    if (!known) throw new RangeError(name);
    const { risk } = known.operation;
    const write = { ...known, risk, ids: ids ?? [], body: {}, key: null, again: false };
    all.push({ field, name, write, isOfItem: ids !== undefined });
  }
  return all;
}

/** @param lines what would be asked of that operation alone, the line of the account first */
export async function broughtLines(
  prepared: Bringing,
  lines: (write: PreparedWrite) => Promise<readonly Text[]>,
): Promise<Text[]> {
  const all: Text[] = [];
  for (const { field, name, write, isOfItem } of await broughtWrites(prepared)) {
    const { summary } = write.operation;
    const whole = isOfItem ? (await lines(write)).slice(1) : [`${name}: ${summary}`, ...warningsOf(write.operation)];
    all.push(...whole.map((line, index) => mapText(index === 0 ? say`And with ${field}: ${line}` : line, sanitise)));
  }
  return all;
}
