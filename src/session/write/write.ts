import { refuseRepeat } from '../../account/history/entries.js';
import type { GatedHistory, Pending } from '../../account/history/types.js';
import type { Profile } from '../../account/profiles/types.js';
import {
  confirm,
  decide,
  effectiveRisk,
  type KnownRisk,
  needsProof,
  type ProveInput,
  proveTestKey,
} from '../../account/safety/decide.js';
import { questionLines, refundAmounts } from '../../account/safety/question.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { type CommandLine, joinedTexts, mapText, type Text, withPlaces } from '../../base/text/command-line.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { valuesOf } from '../../items/json/lossless.js';
import { parseJson } from '../../items/json/parse-json.js';
import { serialise } from '../../items/json/tree.js';
import { minorDigits } from '../../items/schema/types.js';
import { hideCards } from '../../items/secrets/redact.js';
import { amountFault } from '../../items/select/amounts.js';
import { sanitise } from '../../items/text/inert.js';
import { atOnce } from '../../screen/notes.js';
import { namedSum } from '../../service/body/data-path.js';
import { type WriteOutcome, waitTold } from '../../service/http/retry.js';
import { write } from '../../service/http/send-write.js';
import { askedIds, itemRead } from '../../service/request/request-plan.js';
import { fromService, toService } from '../../service/request/wallet.js';
import type { Context, Done } from '../context/context.js';
import { aimedText } from '../context/line-flags.js';
import { lineWithIds } from '../context/lines.js';
import { otherItem, patience, type Reader, shownMode } from '../read/reading.js';
import { limitedHistory, policyGate } from './limited-history.js';
import {
  broughtLines,
  keyFor,
  originOf,
  type PreparedWrite,
  requestOf,
  type Seen,
  taggerOf,
} from './prepared-write.js';
import { hidingOf, lastWords, RecordedEnd, settledBy } from './write-end.js';

/** How long an interrupted write waits for its answer, milliseconds (command-line.md#exit-codes). */
const GRACE_MS = 3_000;

/** The answer of a POST that only reads. */
export async function postedText(reader: Reader, prepared: PreparedWrite): Promise<string> {
  try {
    const text = await reader.answer(requestOf(prepared, null));
    return hidingOf(reader.profile, prepared.operation, prepared.body).answer(text);
  } catch (error) {
    throw hidingOf(reader.profile, prepared.operation, prepared.body).error(error);
  }
}

/** A read-only profile refuses a write before anything is shown or asked. @throws CopsError stopped (12) */
export async function refuseReadOnly(context: Context, operation: Operation, risk: KnownRisk): Promise<void> {
  const profile = await context.profile();
  const { method } = operation;
  decide({ risk, method, profile, yes: false, canPrompt: false, dryRun: true, operation: context.command });
}

/** The result of a line whose write was already sent with the user's own key (`own-key.ts`). */
export async function endedBefore(context: Context, prepared: PreparedWrite): Promise<Done | undefined> {
  const isOwn = typeof prepared.key === 'string' || typeof prepared.body.idempotency_key === 'string';
  if (!isOwn) return undefined;
  const { endOfOwnKey } = await import('./own-key.js');
  return endOfOwnKey(context, prepared);
}

/**
 * Asks if risk, mode and proof require it (command-line.md#writes). Returns what it read of the item for that.
 * @param read what was read of the item before
 */
export async function guard(
  context: Context,
  prepared: PreparedWrite,
  reader: Reader,
  read?: Seen,
): Promise<Seen | undefined> {
  const profile = await context.profile();
  const prompter = await context.prompter();
  const command = `${prepared.family.name.replaceAll('_', '-')} ${prepared.operation.action}`;
  const question = {
    risk: prepared.risk,
    profile,
    yes: context.options.yes,
    dryRun: false,
    operation: context.command,
    byName: (prepared.named ?? []).length > 0,
    chosen: prepared.named?.some(({ isChosen }) => isChosen),
    strictIds: prepared.strictIds !== false,
    lineWithIds: () => readyLine(context, prepared),
    called: prepared.named?.map(({ label }) => label).join('; '),
  } as const;
  const { method } = prepared.operation;
  const { yes, modeUnproven } = context.options;
  // The policy stops a write before anybody is asked, and judges it again when it is recorded.
  await policyGate(context, prepared, reader).rehearse([prepared]);
  let seen = read;
  if (needsProof(profile, prepared.risk, method)) {
    // What is refused with any key is refused before anything is read.
    decide({ ...question, method, yes: true, canPrompt: true });
    seen ??= await previewItem(prepared, reader);
    refuseFinerSum(prepared, seen);
    if ((await proveKey(context, reader, prepared.family, command, seen)) && !question.chosen) return seen;
  }
  const first = decide({ ...question, method, canPrompt: prompter.canPrompt() });
  if (first === 'allow') {
    if (hasFraction(prepared)) {
      seen ??= await previewItem(prepared, reader);
      refuseFinerSum(prepared, seen);
    }
    if (seen && yes && modeUnproven) context.notes.warn(`${command} with a key that is not proven to be a test key.`);
    return seen;
  }
  seen ??= await previewItem(prepared, reader);
  refuseFinerSum(prepared, seen);
  await confirm({
    decision: first,
    lines: [
      ...(await askedLines(profile, prepared, seen)),
      ...(await broughtLines(prepared, async (write) => askedLines(profile, write, await previewItem(write, reader)))),
    ],
    expected: prepared.ids.at(-1) ?? bodyId(prepared) ?? prepared.operation.action,
    asker: async () => prompter,
    show: (text) => context.notes.warn(text),
  });
  return seen;
}

/** The line with the ids of its names, which a script can use. */
function readyLine({ world, options }: Context, { named = [], risk }: PreparedWrite): CommandLine | undefined {
  return lineWithIds(world.argv, named, ...(risk === 'write' || options.yes ? [] : ['--yes']));
}

/** What to show of a write before it is confirmed, one line each, with foreign text made inert. */
export async function askedLines(
  profile: Profile,
  prepared: PreparedWrite,
  seen: Pick<Seen, 'item' | 'text' | 'missing'>,
): Promise<Text[]> {
  const { changedFields, changeText, keptLines } = await import('./edited-fields.js');
  const item = seen.text === undefined ? undefined : parseJson(seen.text).value;
  const lines = questionLines({
    profile,
    family: prepared.family.name.replaceAll('_', '-'),
    operation: {
      ...prepared.operation,
      preview: { says: [], show: columnsOf(prepared.family), ...prepared.operation.preview },
    },
    risk: effectiveRisk(prepared.risk, prepared.operation.method),
    ids: prepared.ids,
    body: valuesOf(serialise(prepared.body)),
    // An item may have values that are not known: only a known change is shown as one.
    sets: changedFields(prepared.operation, prepared.body, item).map((change) => [
      change.path,
      change.from === undefined ? change.to : changeText(change),
    ]),
    tz: profile.tz.value,
    item: seen.item,
    itemMissing: seen.missing,
    named: (prepared.named ?? []).map(
      ({ typed, id, label }) => `"${hideCards(typed)}" is ${id}${label ? ` (${label})` : ''}`,
    ),
  });
  const kept = keptLines(prepared.operation, prepared.body, item);
  return [...lines, ...kept].map((line) => mapText(line, sanitise));
}

/** The table columns of an item, for questions without their own list. */
function columnsOf(family: Family): { readonly path: string; readonly label: string }[] {
  const worth = family.columns.filter(({ path }) => path !== family.idField && path !== 'live_mode');
  return worth.map(({ path }) => ({ path, label: path.replace(/_unix$/, '').replaceAll(/[._]/g, ' ') }));
}

/** The first id that a body names: typed for an operation whose path has none. */
function bodyId({ body }: PreparedWrite): string | undefined {
  const value = Object.entries(body).find(([name, found]) => name.endsWith('_id') && typeof found === 'string')?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** The amount that a refund names, with its digits. */
const sumOf = (body: PreparedWrite['body']): string | undefined => valuesOf(serialise(body))('amount');

/** True for an amount that does not exist in some currencies, or that named one: its item is read before it is sent. */
export function hasFraction({ operation, body }: Pick<PreparedWrite, 'operation' | 'body'>): boolean {
  if (namedSum(body)) return true;
  return operation.preview?.refund !== undefined && /\.\d*[1-9]/.test(sumOf(body) ?? '');
}

/** Why an amount does not fit its item's currency: `10.50` of yen, or `14.50 EUR` of dollars. */
export function finerSum(
  { operation, body }: Pick<PreparedWrite, 'operation' | 'body'>,
  { item }: Pick<Seen, 'item'>,
): string | undefined {
  const named = namedSum(body);
  const currency = (item && refundAmounts(item).currency) ?? '';
  if (named && !named.sum.currencies?.includes(currency)) {
    const wanted = named.sum.currencies?.length === 1 ? named.sum.currencies[0] : 'the named currency';
    const is = currency === '' ? "the item's currency is unknown" : `the item is in ${currency}`;
    return `${named.path}: ${named.sum.text} is of ${wanted}; ${is}`;
  }
  if (!operation.preview?.refund || !item) return undefined;
  const digits = minorDigits(currency);
  const given = sumOf(body);
  const fault = given === undefined || digits === undefined ? undefined : amountFault(given, digits);
  return fault === undefined ? undefined : `amount: ${fault}; the item is in ${currency}`;
}

/** @throws CopsError usage (2) for a refund finer than its item's currency */
export function refuseFinerSum(prepared: PreparedWrite, seen: Pick<Seen, 'item'>): void {
  const fault = finerSum(prepared, seen);
  if (fault !== undefined) throw usage(`${fault}.`, 'Nothing was sent. Give the amount in that currency, digits only.');
}

/** Proves the key of a grave write in test mode, by its item or others. @throws CopsError stopped (12) */
export async function proveKey(
  context: Context,
  reader: Reader,
  family: Family,
  doing: string,
  item: { readonly liveMode?: boolean | null | undefined; readonly failure?: unknown },
): Promise<boolean> {
  const { yes, modeUnproven } = context.options;
  const now = async () => Math.floor((await context.now()) / 1000);
  const page: ProveInput['page'] = (request, idField) => reader.page(request, idField);
  return proveTestKey({ profile: reader.profile, family, doing, item, page, now, yes, modeUnproven });
}

/** The item before a write, if its family can read it. */
export async function previewItem(prepared: PreparedWrite, reader: Reader): Promise<Seen> {
  const { family, operation, ids } = prepared;
  try {
    const read = itemRead(family, operation, ids);
    if (!read) return {};
    const text = await reader.answer(read.request);
    const liveMode = shownMode(text);
    const other = otherItem(text, family.idField, read.id);
    // A question must not show another item's facts.
    if (other !== undefined) return { missing: `the service answered with item ${other}`, liveMode };
    return { item: valuesOf(text), text, liveMode };
  } catch (error) {
    // A contradictory mode stops everything; any other failure only leaves the question without its facts.
    if (error instanceof CopsError && (error.kind === 'stopped' || error.kind === 'interrupted')) throw error;
    return { missing: error instanceof Error ? error.message : String(error), failure: error };
  }
}

/**
 * Sends one guarded write with its trail: intent durable before it leaves, outcome after (command-line.md#writes).
 * @throws CopsError what became of a write that was not done. `text`: the answer, in the spec's words. `interrupted`: a
 * signal came meanwhile, so nothing may follow it.
 */
export async function sendWrite(context: Context, prepared: PreparedWrite, reader: Reader) {
  const { world, notes } = context;
  const profile = await context.profile();
  const { family, operation, ids, named = [] } = prepared;
  const { key, own } = await keyFor(context, prepared);
  const request = requestOf(prepared, key);
  const { name, mode } = profile;
  const account = { profile: name.value === 'env' ? undefined : name.value, mode: mode.value };
  const settles = settledBy(prepared, own && key !== null ? key : undefined);
  const hiding = hidingOf(profile, operation, prepared.body);
  // Opened first: a failure here must not leave an intent that counts as a write of unknown outcome.
  const transport = await context.transport();
  const history = await limitedHistory(context, prepared, reader);
  const record = new RecordedEnd(context, history);
  const stop = new AbortController();
  let sending = false;
  const undo = world.onSignal((signal, count) => {
    if (sending && count === 1)
      atOnce(notes).warn('Interrupted: waiting briefly for the answer to the write in progress.');
    stop.abort(new CopsError('interrupted', 'Interrupted', { exitCode: signal === 'SIGINT' ? 130 : 143 }));
  });
  const busy = notes.busy?.('Waiting for the service');
  try {
    // A signal that came while the question or an editor was open ends it here, with nothing recorded or sent.
    world.interrupted.throwIfAborted();
    const pending = await history.begin(
      {
        ...originOf(profile, family, operation),
        ids,
        tag: taggerOf(profile, operation)(ids, prepared.asked ?? prepared.body),
        body: prepared.body,
        key: key ?? undefined,
        named: named.length > 0 ? Object.fromEntries(named.map(({ typed, id }) => [typed, id])) : undefined,
      },
      {
        again: prepared.again,
        // Another command may have done the same while this one read, asked or waited.
        since: world.started === undefined ? undefined : new Date(world.started).toISOString(),
      },
    );
    if (!prepared.again) await refuseRunning(prepared, reader, history, pending);
    sending = true;
    let outcome: WriteOutcome | undefined;
    world.holdUntilTold?.(() => lastWords(context.command, pending.id, outcome));
    const sent = await write(transport, toService(request, profile.walletWord.value), {
      ...patience(context),
      pacer: reader.pacer,
      signal: stop.signal,
      graceMs: GRACE_MS,
      hasKey: key !== null,
      mayLeave: () => history.mayLeave?.(),
      asked: askedIds(operation, profile.walletWord.value)(ids),
      ownKey: own,
      settledBy: settles,
      context: {},
      onRetry: (info) => {
        const told = waitTold(info);
        if (told) atOnce(notes).note(told);
        notes.detail(`Trying again with the same key: ${hiding.text(info.reason)}.`);
      },
    });
    outcome = hiding.outcome(sent);
    await record.end(pending, outcome, outcome.claim === 'done' ? settles : aimedText(settles, account));
    if (outcome.claim !== 'done') throw await withWayOn(prepared, reader, outcome.error);
    const text = await observeDone(reader, outcome);
    return { text, apiCallId: outcome.envelope.api_call_id, interrupted: stop.signal.aborted };
  } finally {
    busy?.done();
    undo();
    await record.close();
  }
}

/** Refuses a grave write to an item that a bulk run has open, which may have done it with another body. */
async function refuseRunning(
  { family, operation, ids, risk }: PreparedWrite,
  { profile }: Reader,
  history: GatedHistory,
  pending: Pending,
): Promise<void> {
  if ((risk !== 'money' && risk !== 'irreversible') || ids.length === 0) return;
  const origin = originOf(profile, family, operation);
  const tags = await history.openTags(origin).catch(async (error: unknown) => {
    await pending.finish({ outcome: 'not_sent' });
    throw error;
  });
  const own = String([origin.mode, origin.operation, ids]);
  const other = [...tags.values()].find(
    (entry) => entry.journal !== undefined && String([entry.mode, entry.operation, entry.ids]) === own,
  );
  await refuseRepeat(pending, other, 'a write of a bulk run to the same item');
}

/** Values of an item that a hint may name. */
const NAMED = 'id customer.id product.id campaign_id iso_currency subscription_profile.payment_profile'.split(' ');

/** Adds to a refusal what can be done in the item's state, which takes one read. */
async function withWayOn(prepared: PreparedWrite, reader: Reader, error: CopsError): Promise<CopsError> {
  const { refusedIn } = prepared.operation;
  if (error.kind !== 'refused' || refusedIn === undefined || error.facts.hint !== undefined) return error;
  const { item } = await previewItem(prepared, reader);
  const says = refusedIn[item?.('status') ?? ''];
  if (!says || !item) return error;
  const hint = withPlaces(says, Object.fromEntries(NAMED.map((path) => [`<${path}>`, item(path)])));
  return new CopsError(error.kind, error.message, { ...error.facts, hint });
}

/**
 * The answer of a done write, in the spec's words. It may show that the key belongs to the other mode; since that
 * cannot be undone, it is reported as done.
 * @throws CopsError stopped (12)
 */
export async function observeDone(reader: Reader, { reply }: DoneOutcome): Promise<string> {
  const text = fromService(reply.body.toString('utf8'), reader.profile.walletWord.value);
  try {
    await reader.observe(text);
  } catch (error) {
    if (error instanceof CopsError && error.kind === 'stopped') throw contradictedAfterDone(error);
  }
  return text;
}

type DoneOutcome = Extract<WriteOutcome, { claim: 'done' }>;

/** A contradiction of the key's mode (exit code 12) that only shows after a write. */
export function contradictedAfterDone(error: CopsError): CopsError {
  return new CopsError('stopped', `The write was done, but its key is not of the declared mode: ${error.message}`, {
    ...error.facts,
    hint: joinedTexts(['It was done, and no further request was sent.', error.facts.whatNext], ' '),
  });
}
