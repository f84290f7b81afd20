import { CopsError, type ErrorKind, stopped } from '../../base/errors/errors.js';
import { DAY } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import type { Profile } from '../profiles/types.js';
import { effectiveRisk, type KnownRisk } from './decide.js';

/** Families whose items show `live_mode` (service.md#envelopes, service.md#customers), the commonest first. */
const SHOWING = ['customers', 'subscription_renewals', 'sales', 'campaigns'];

/** One page of a list, as its items show the key's mode; undefined for an item that shows none. */
export interface ShownPage {
  readonly items: readonly { readonly liveMode?: boolean | undefined }[];
}

export interface ProveInput {
  readonly profile: Pick<Profile, 'name' | 'mode' | 'modeAssumed' | 'proof' | 'embedded'>;
  /** Family of the operation; its own list is read first. */
  readonly family: Family;
  /** What is about to be done, for messages: `subscriptions cancel`. */
  readonly doing: string;
  /** What reading the item showed; a failure counts as such. */
  readonly item: { readonly liveMode?: boolean | undefined; readonly failure?: unknown };
  /** Reads one page. @throws CopsError stopped (12) when an item contradicts the declared mode */
  readonly page: (
    request: { method: 'GET'; path: string; query: readonly (readonly [string, string])[] },
    idField: string,
  ) => Promise<ShownPage>;
  /** The current time of the service, unix seconds. */
  readonly now: () => Promise<number>;
  /** `--yes`, and whether `--mode-unproven` is given too. */
  readonly yes: boolean;
  readonly modeUnproven: boolean;
}

/** True for a write that must not leave before its key is proven: grave, and in a mode declared as test. */
export function needsProof(
  profile: Pick<Profile, 'mode' | 'modeAssumed' | 'proof'>,
  risk: KnownRisk,
  method: 'GET' | 'POST' = 'POST',
): boolean {
  const real = effectiveRisk(risk, method);
  const grave = real === 'money' || real === 'irreversible';
  return grave && profile.mode.value === 'test' && !profile.modeAssumed && profile.proof !== 'proven';
}

/**
 * Proves that a key is the test key it is stored as, before a risky write leaves (command-line.md#keys-and-modes): by
 * the item itself, else by one cheap read after another of items that show `live_mode`. False when nothing shows it.
 * @throws CopsError stopped (12) for a contradiction, a failed read, or `--yes` without `--mode-unproven` where
 * nothing can prove it
 */
export async function proveTestKey(input: ProveInput): Promise<boolean> {
  const { item } = input;
  if (item.liveMode === false) return true;
  if (item.failure !== undefined) passOver(item.failure, input);
  const names = [input.family.name, ...SHOWING.filter((name) => name !== input.family.name)];
  for (const name of names) {
    const family = name === input.family.name ? input.family : await loadFamily(name);
    const list = family.operations.find(isPlainList);
    if (list && (await listShowsTest(list, family, input))) return true;
  }
  if (input.yes && !input.modeUnproven) throw unprovable(input);
  return false;
}

/** Error kinds that concern this run or this machine, not a read that failed at the service. */
const PASSED_ON: readonly ErrorKind[] = ['stopped', 'interrupted', 'usage', 'local', 'internal'];

/** A list of the whole family: no id in its path, no filter that it wants. */
function isPlainList(operation: Operation): boolean {
  const { list, path, query = {} } = operation;
  const plain = list !== undefined && list.style !== 'search' && !path.includes('{');
  return plain && !Object.values(query).some((field) => field.required);
}

async function listShowsTest(list: Operation, family: Family, input: ProveInput): Promise<boolean> {
  const query: (readonly [string, string])[] = [];
  if (list.list?.style === 'windowed') {
    const end = await input.now();
    const from = end - (list.list.spanDays ?? 30) * DAY;
    query.push(['date_start', String(from)], ['date_end', String(end)]);
  }
  if (list.list?.style !== 'single') query.push(['limit', '1'], ['page', '1']);
  try {
    const page = await input.page({ method: 'GET', path: list.path, query }, family.idField);
    return page.items.some((one) => one.liveMode === false);
  } catch (error) {
    passOver(error, input);
    return false;
  }
}

/** If this key may not make a read, or the read finds nothing, tries the next one; any other failure ends it. */
function passOver(error: unknown, input: ProveInput): void {
  if (!(error instanceof CopsError) || PASSED_ON.includes(error.kind)) throw error;
  const { kind, facts } = error;
  if (kind === 'not_found' || kind === 'refused' || (kind === 'not_authorised' && facts.httpStatus === 403)) return;
  throw stopped(
    `${input.doing}: the key of profile ${input.profile.name.value} is declared as a test key, but the read that ` +
      `would prove it failed: ${error.message}`,
    'Nothing was sent: an unproven key may be a live one. Try again once the service is readable.',
    { mode: 'test', mode_proof: 'unproven' },
  );
}

function unprovable(input: ProveInput): CopsError {
  return stopped(
    `${input.doing}: the key of profile ${input.profile.name.value} is declared as a test key, but no item that it ` +
      'reads shows live_mode: --yes alone is not enough',
    'Nothing was sent. If you know that it is a test key (an empty account), use: --yes --mode-unproven.',
    { mode: 'test', mode_proof: 'unproven' },
  );
}
