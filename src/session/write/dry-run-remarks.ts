import Big from 'big.js';
import { PolicyFile } from '../../account/policy/file.js';
import { refundAmounts } from '../../account/safety/question.js';
import { type CopsError, unless } from '../../base/errors/errors.js';
import { oneOf } from '../../base/errors/nearest.js';
import { cops, placeholder, say } from '../../base/text/command-line.js';
import { typedFields } from '../../catalogue/body-fields.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import { valuesOf } from '../../items/json/lossless.js';
import { parseJson } from '../../items/json/parse-json.js';
import { serialise } from '../../items/json/tree.js';
import { sanitise } from '../../items/text/inert.js';
import { namedSum } from '../../service/body/data-path.js';
import { itemRead } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { openReader } from '../read/reading.js';
import { copiesBefore, keptBefore } from './edited-fields.js';
import { policyGate } from './limited-history.js';
import { broughtWrites, type PreparedWrite } from './prepared-write.js';
import { hasFraction, previewItem, refuseFinerSum } from './write.js';

/** What a request does not show: what else its fields cause, and whether an amount to refund is left at all. */
export async function remarkDryRun(context: Context, prepared: readonly PreparedWrite[]): Promise<void> {
  const [first] = prepared;
  if (!first) return;
  for (const { field, name, write } of await broughtWrites(first))
    context.notes.note(sanitise(`With ${field} it also does: ${[name, ...write.ids].join(' ')}.`));
  if (first.operation.risk !== 'write')
    for (const told of first.operation.preview?.says ?? []) context.notes.note(told);
  await remarkKept(context, prepared);
  const isEmpty = Object.keys(first.body).every((name) => name === 'idempotency_key');
  const asked = Object.entries(typedFields(first.operation)).flatMap(([name, field]) => (field.asked ? name : []));
  if (isEmpty && asked.length > 0)
    context.notes.warn(`The body is empty, and without ${asked.join(', ')} this does nothing: --skeleton shows one.`);
  const copies = copiesBefore(first);
  if (copies) context.notes.note(copies);
  await remarkStates(context, first, prepared);
  const amount = first.operation.preview?.refund ? valuesOf(serialise(first.body))('amount') : undefined;
  const named = namedSum(first.body);
  // Reading the embedded service sends no request to anybody.
  const { embedded } = await context.profile();
  if (embedded && prepared.length === 1 && first.operation.preview?.refund) {
    const { tellRestOfOrder } = await import('./rest-of-order.js');
    await tellRestOfOrder(context, first, await openReader(context), undefined);
  }
  if (amount === undefined && named === undefined) return;
  if (named && embedded && prepared.length === 1)
    refuseFinerSum(first, await previewItem(first, await openReader(context)));
  if (amount === undefined) return;
  if (embedded && prepared.length > 1 && hasFraction(first)) {
    const reader = await openReader(context);
    for (const one of prepared) refuseFinerSum(one, await previewItem(one, reader));
  }
  if (prepared.length > 1 || !embedded) {
    const get = cops`${first.family.name.replaceAll('_', '-')} get ${prepared.length > 1 ? placeholder('<id>') : first.ids[0]}`;
    context.notes.note(
      say`A dry run reads nothing, so whether ${amount} is left to refund is unknown. ${get} shows it${hasFraction(first) ? ', and its currency' : ''}.`,
    );
    return;
  }
  const { item } = await previewItem(first, await openReader(context));
  refuseFinerSum(first, { item });
  const { left, currency = '' } = item ? refundAmounts(item) : {};
  if (left === undefined || !/^\d+(\.\d+)?$/.test(amount)) {
    context.notes.note(`Whether ${amount} is left to refund is unknown: the item shows no amount.`);
  } else if (new Big(amount).gt(left)) {
    context.notes.warn(`${amount} ${currency} is more than what is left to refund: ${left} ${currency}.`);
  }
}

/** What an edit leaves beside what it changes; the values of one item of the embedded service, names otherwise. */
async function remarkKept(context: Context, [first, ...others]: readonly PreparedWrite[]): Promise<void> {
  if (!first || keptBefore(first, undefined) === undefined) return;
  const { embedded } = await context.profile();
  const isRead = embedded && others.length === 0;
  const seen = isRead ? await previewItem(first, await openReader(context)) : undefined;
  const item = seen?.text === undefined ? undefined : parseJson(seen.text).value;
  const kept = keptBefore(first, item, others.length === 0 ? context.world.argv : undefined);
  if (kept) context.notes.warn(kept, {});
}

/**
 * Says what this machine's policy would stop. Limits on amounts need the items. They are read only from the embedded
 * service, because a dry run sends no requests.
 */
export async function remarkPolicy(context: Context, prepared: readonly PreparedWrite[]): Promise<void> {
  const [first] = prepared;
  const policy = await new PolicyFile(context.configDir).current();
  if (!first || !policy || policy.rules.length === 0) return;
  const stops: CopsError[] = [];
  const reader = await openReader(context);
  const gate = policyGate(context, first, reader, reader.profile.embedded);
  const isOf = (one: PreparedWrite) => one.family === first.family && one.operation === first.operation;
  // If the policy cannot be judged now (the ledger is away), the write stops, but its dry run does not.
  const moves = await gate.rehearse(prepared.filter(isOf), false, stops).catch(unless('stopped'));
  const isUnread = ({ facts }: CopsError) => !reader.profile.embedded && /^most/.test(String(facts.more?.limit));
  for (const text of new Set(stops.flatMap((stop) => (isUnread(stop) ? [] : [stop.message]))))
    context.notes.warn(`The policy would stop it: ${text}.`);
  if (!moves || stops.some(isUnread) || !prepared.every(isOf))
    context.notes.note(
      say`This machine's policy was not checked in full. To check it: ${cops`policy check <this line>`}.`,
    );
}

/** Most items whose states a dry run reads. */
const MOST_STATES = 1000;
/** Most ids in a line that shows states. */
const MOST_IDS = 20;

/**
 * Says for how many items the state forbids the write, or that this was not checked: a dry run sends no requests, except
 * to the embedded service.
 */
export async function remarkStates(
  context: Context,
  { family, operation }: FamilyOperation,
  rows: readonly { readonly ids: readonly string[] }[],
): Promise<void> {
  const { notWhile } = operation;
  const ids = [...new Set(rows.map((row) => row.ids.join(' ')))];
  if (!notWhile || ids.length === 0) return;
  const command = `${family.name.replaceAll('_', '-')} ${operation.action}`;
  if (!(await context.profile()).embedded) {
    const line =
      ids.length > MOST_IDS
        ? cops`${family.name.replaceAll('_', '-')} list --where ${`status=${notWhile.join(',')}`} --columns id,status`
        : cops`${family.name.replaceAll('_', '-')} get ${ids} --columns id,status`;
    context.notes.note(
      say`The items were not read: ${command} is refused for those that are ${oneOf(notWhile)}, or leaves them as they are. To see them: ${line}`,
    );
    return;
  }
  const reader = await openReader(context);
  const seen = new Map<string, number>();
  const going: string[] = [];
  for (const id of ids.slice(0, MOST_STATES)) {
    const read = itemRead(family, operation, [id]);
    const text = read && (await reader.answer(read.request).catch(unless('not_found')));
    const state = (text === undefined ? undefined : valuesOf(text)('status'))?.toLowerCase() ?? 'not found';
    if (state === 'not found' || notWhile.includes(state)) seen.set(state, (seen.get(state) ?? 0) + 1);
    else going.push(id);
  }
  const count = Math.min(ids.length, MOST_STATES);
  const items = count === 1 ? '1 item' : `${count} items`;
  const of = count < ids.length ? `the first ${items} (the others were not read)` : items;
  const stuck = [...seen.values()].reduce((sum, one) => sum + one, 0);
  const states = [...seen].map(([state, number]) => `${number} ${state}`).join(', ');
  if (stuck === 0) context.notes.note(`The state of ${count === 1 ? 'the item' : `all ${of}`} allows ${command}.`);
  else {
    const left = stuck === 1 ? 'it is' : 'they are';
    context.notes.warn(`${stuck} of ${of} would be refused or left as ${left}: ${states}.`);
  }
  if (operation.leaves) await (await import('./goes-on.js')).tellAllGoOn(context, { family, operation }, reader, going);
}
