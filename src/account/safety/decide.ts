import { type CopsError, stopped } from '../../base/errors/errors.js';
import { type CommandLine, cops, say, type Text } from '../../base/text/command-line.js';
import type { Risk } from '../../catalogue/types.js';
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
