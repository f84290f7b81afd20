import type { Origin } from '../../account/history/types.js';
import type { Profile } from '../../account/profiles/types.js';
import { broughtBy } from '../../account/safety/as-sent.js';
import type { KnownRisk } from '../../account/safety/decide.js';
import { warningsOf } from '../../account/safety/question.js';
import { faultsError, wrongOption } from '../../base/errors/errors.js';
import { cops, mapText, placeholder, say, type Text } from '../../base/text/command-line.js';
import type { ServiceRequest } from '../../base/transport.js';
import { operationNamed } from '../../catalogue/index.js';
import type { Family, FamilyOperation, Operation } from '../../catalogue/types.js';
import type { Values } from '../../items/json/lossless.js';
import { lastKept } from '../../items/json/tree.js';
import { canonicalBody, intentionTag, maskBody } from '../../items/secrets/mask-body.js';
import { holdsCard } from '../../items/secrets/redact.js';
import { sanitise } from '../../items/text/inert.js';
import type { Notes } from '../../screen/types.js';
import { serviceName } from '../../service/http/base-url.js';
import { type ChosenKey, chooseKey, planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { OptionsOf, REASON_OPTION, REPEAT_OPTIONS, STRICT_IDS_OPTION } from '../context/spec.js';
import type { Named } from '../names/resolve-name.js';

/** The writes of one operation to record. */
export interface LimitedWrites extends FamilyOperation {
  readonly risk: KnownRisk;
  /** `--reason`. */
  readonly reason?: string | undefined;
}

/** One write that only lacks its confirmation. */
export interface PreparedWrite extends LimitedWrites {
  readonly ids: readonly string[];
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body: Readonly<Record<string, unknown>>;
  /** The user's own key, `null` for none, undefined for a new one. */
  readonly key: string | null | undefined;
  readonly again: boolean;
  /** The meanings of names given instead of ids. */
  readonly named?: readonly Named[] | undefined;
  /** False with `--no-strict-ids`: `--yes` confirms a name as well. */
  readonly strictIds?: boolean | undefined;
  /** The share that was typed instead of a sum, such as `50%`. */
  readonly share?: string | undefined;
  /** What the line requested if the body was computed from it (`--by 1mo`): the repeat guard compares this. */
  readonly asked?: Readonly<Record<string, unknown>> | undefined;
}

/** What was read of a write's item. */
export interface Seen {
  readonly item?: Values;
  readonly text?: string;
  readonly missing?: string;
  readonly failure?: unknown;
  readonly liveMode?: boolean | null | undefined;
}

/** Typed options of single writes. */
export type WriteOptions = OptionsOf<{
  options: [...typeof REPEAT_OPTIONS, typeof REASON_OPTION, typeof STRICT_IDS_OPTION];
}>;

/** What the options say about a write. @throws CopsError usage (2) for a reason that must not be in a history */
export function asTold(
  options: WriteOptions,
  notes: Notes,
): Pick<PreparedWrite, 'key' | 'again' | 'strictIds' | 'reason'> {
  return {
    key: options.idempotencyKey === false ? null : options.idempotencyKey,
    again: options.again === true,
    strictIds: options.strictIds !== false,
    reason: reasonOf(options.reason, notes),
  };
}

/** The longest reason that is stored, characters. */
const LONGEST_REASON = 1000;

/**
 * A reason as it is stored.
 * @param notes where to say that it is not sent to the service
 * @throws CopsError usage (2) for one that must not be in a history
 */
export function reasonOf(text: string | undefined, notes?: Notes): string | undefined {
  if (text === undefined) return undefined;
  if (text.length > LONGEST_REASON) throw wrongOption('--reason', `it can have at most ${LONGEST_REASON} characters.`);
  if (text.trim() === '') throw wrongOption('--reason', 'it is empty.');
  if (holdsCard(text)) throw wrongOption('--reason', 'it must not contain a card number; use its last four digits.');
  notes?.note(
    say`The reason stays in the history here and is not sent to the service. For a note that the service keeps: ${cops`customers note ${placeholder('<who>')} ${placeholder('<text>')}`}`,
  );
  return text;
}

/** The request of a write with the key of this run. */
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

/** What the history stores of every write of one operation with one profile. */
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
 * Recognises a write that comes again: by address, operation, ids and body. Secrets are masked before hashing, so that
 * nobody can guess them from the history. A body that is given again must be unchanged.
 */
export function taggerOf(
  profile: Profile,
  operation: Operation,
): (ids: readonly string[], body: Readonly<Record<string, unknown>>) => string {
  const what = `${serviceName(profile.baseUrl.value)} ${operation.method} ${operation.path}`;
  const textOf = lastKept((body: unknown) => canonicalBody(maskBody(operation, body)));
  return (ids, body) => intentionTag(what, ids, textOf(body));
}

/** The part of a write that says what else it does. */
type Bringing = Pick<PreparedWrite, 'operation' | 'body'>;

/** An operation that a field of a write also causes, as a separate write. */
export interface BroughtWrite {
  readonly field: string;
  /** Family and action: `sales void`. */
  readonly name: string;
  readonly write: PreparedWrite;
  /** False if nothing says which items it affects. */
  readonly isOfItem: boolean;
}

/** What the body of a write causes besides its operation; none for nearly all writes. */
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

/** @param lines what would be asked for that operation alone, the account's line first */
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
