import { CopsError, type ErrorKind, stopped } from '../../base/errors/errors.js';
import { type CommandLine, cops, say, type Text } from '../../base/text/command-line.js';
import { DAY } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family, Operation, Risk } from '../../catalogue/types.js';
import type { Profile } from '../profiles/types.js';
import { contradiction } from './proofs.js';

/** `unknown`: an operation that only a pulled description knows. */
export type KnownRisk = Risk | 'unknown';

export type Decision = 'allow' | 'ask' | 'ask-typed';

export type GuardedProfile = Pick<Profile, 'name' | 'mode' | 'modeAssumed' | 'proof' | 'readOnly' | 'embedded'>;

export interface DecideInput {
  readonly risk: KnownRisk;
  /** Settles `unknown` risk: a POST has no guarantee, a GET reads. */
  readonly method?: 'GET' | 'POST';
  readonly profile: GuardedProfile;
  /** `--yes`. */
  readonly yes: boolean;
  readonly canPrompt: boolean;
  readonly dryRun: boolean;
  /** The operation's name in messages: `subscriptions cancel`. */
  readonly operation?: string;
  /** The line names its item by something else than the id. */
  readonly byName?: boolean;
  /** The name fits several items, of which only one has not ended. */
  readonly chosen?: boolean | undefined;
  /** False with `--no-strict-ids`: `--yes` confirms a name as well. */
  readonly strictIds?: boolean;
  /** The line with ids instead of names, which needs no further confirmation. */
  readonly lineWithIds?: () => CommandLine | undefined;
  /** What the names mean: `Jane Meyer, jane@example.com`. */
  readonly called?: string | undefined;
}

/** The risk that counts: an operation of unknown risk is irreversible unless it only reads. */
export function effectiveRisk(risk: KnownRisk, method: 'GET' | 'POST' = 'POST'): Risk {
  if (risk !== 'unknown') return risk;
  return method === 'GET' ? 'read' : 'irreversible';
}

/** Whether calls are guarded as live: live mode, or a key that no item has proven to be a test key. */
export function guardedAsLive(profile: Pick<Profile, 'mode' | 'modeAssumed' | 'proof' | 'embedded'>): boolean {
  if (profile.mode.value !== 'test') return true;
  if (profile.embedded && !profile.modeAssumed) return false;
  return profile.proof !== 'proven';
}

/**
 * Allowed, to be asked, to be asked with the id typed, or refused (command-line.md#writes).
 * @throws CopsError stopped (12): read-only profile, a key of the other mode, or nobody there to ask.
 */
export function decide(input: DecideInput): Decision {
  const { profile } = input;
  const risk = effectiveRisk(input.risk, input.method);
  if (risk !== 'read' && profile.readOnly.value) throw readOnly(input);
  if (input.dryRun) return 'allow';
  if (profile.proof === 'contradicted') throw contradiction(profile.mode.value === 'live' ? 'test' : 'live', profile);
  if (risk !== 'read' && input.byName && (profile.mode.value === 'live' || profile.modeAssumed))
    return decideByName(input, risk);
  if (risk === 'read' || input.yes) return 'allow';
  if (risk === 'write' || !guardedAsLive(profile)) return input.chosen && input.canPrompt ? 'ask' : 'allow';
  if (!input.canPrompt) throw unasked(input, risk);
  return risk === 'irreversible' ? 'ask-typed' : 'ask';
}

function readOnly(input: DecideInput): CopsError {
  const name = input.profile.name.value;
  return stopped(
    `Profile ${name} is read-only: ${input.operation ?? 'this'} is not a read`,
    say`Use another profile, or allow writing: ${cops`profiles edit ${name} --no-read-only`}`,
  );
}

/** A live write to an item that is not named by id always asks (`--yes` alone does not confirm a name). */
function decideByName(
  { yes, strictIds, canPrompt, operation, lineWithIds, called }: DecideInput,
  risk: Risk,
): Decision {
  if (yes && strictIds === false) return 'allow';
  if (canPrompt) return risk === 'irreversible' ? 'ask-typed' : 'ask';
  const line = lineWithIds?.();
  throw stopped(
    `${operation ?? 'this operation'} does not name its item by id, in live mode: it needs a confirmation`,
    line === undefined
      ? 'Nothing was sent. Give the id, or add --yes together with --no-strict-ids to confirm what the name means.'
      : say`Nothing was sent. If ${called || 'that'} is the one you mean: ${line}\n--yes with --no-strict-ids also confirms a name.`,
    { risk, by_name: true },
  );
}

function unasked(input: DecideInput, risk: 'money' | 'irreversible'): CopsError {
  const { profile } = input;
  const what = risk === 'money' ? 'moves money or changes what will be charged' : 'cannot be undone';
  const why =
    profile.mode.value === 'live'
      ? profile.modeAssumed
        ? 'in live mode, which is assumed because nobody said which mode this key has'
        : 'in live mode'
      : 'with a key that no item has proven to be a test key yet, so it is guarded as live';
  return stopped(
    `${input.operation ?? 'this operation'} ${what}, ${why}: it needs a confirmation, but nobody is there to ask`,
    'Nothing was sent. Add --yes to confirm it in a script, or run it at a terminal.' +
      (profile.modeAssumed ? ' If it is a test key, say so: COPS_MODE=test, or --test.' : '') +
      (profile.mode.value === 'test' ? ' Reading any one item with this key (a list or get) proves its mode.' : ''),
    { risk, mode: profile.mode.value, mode_proof: profile.proof },
  );
}

/** The two questions that guard an operation; `session/context/context.ts`'s Prompter is one. */
export interface Asker {
  confirm(question?: string): Promise<boolean>;
  /** True if exactly `expected` is typed. */
  typed(question: string, expected: string): Promise<boolean>;
}

export interface ConfirmInput {
  readonly decision: Decision;
  /** Already sanitised. */
  readonly lines: readonly Text[];
  /** What must be typed (an id, a count) if the decision requires it. */
  readonly expected: string;
  readonly asker: () => Promise<Asker>;
  /** Shows the lines before the question. */
  readonly show: (text: Text) => void;
}

/**
 * Asks if the decision says so; an `allow` passes silently.
 * @throws CopsError stopped (12) if the answer is not a clear yes.
 */
export async function confirm(input: ConfirmInput): Promise<void> {
  if (input.decision === 'allow') return;
  for (const line of input.lines) input.show(line);
  const asker = await input.asker();
  const yes =
    input.decision === 'ask'
      ? await asker.confirm()
      : await asker.typed(`Type ${input.expected} to go ahead`, input.expected);
  if (!yes) throw stopped('not confirmed: nothing was sent');
}

/** Families whose items show `live_mode` (service.md#envelopes, service.md#customers), the commonest first. */
const SHOWING = ['customers', 'subscription_renewals', 'sales', 'campaigns'];

/** The mode that each item on one page of a list shows; undefined for an item that shows none. */
export interface ShownPage {
  readonly items: readonly { readonly liveMode?: boolean | null | undefined }[];
}

export interface ProveInput {
  readonly profile: Pick<Profile, 'name' | 'mode' | 'modeAssumed' | 'proof' | 'embedded'>;
  /** Family of the operation; its own list is read first. */
  readonly family: Family;
  /** What is about to be done, for messages: `subscriptions cancel`. */
  readonly doing: string;
  /** What reading the item showed; a failure counts as such. */
  readonly item: { readonly liveMode?: boolean | null | undefined; readonly failure?: unknown };
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

/** A list of the whole family: no id in its path and no required filter. */
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

/** Tries the next read if this key may not make one or it finds nothing; any other failure ends the proof. */
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
