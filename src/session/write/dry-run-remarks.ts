import Big from 'big.js';
import { refundAmounts } from '../../account/safety/question.js';
import { valuesOf } from '../../account/safety/shown-values.js';
import { cops, placeholder, say } from '../../base/text/command-line.js';
import { parseJson } from '../../items/json/parse-json.js';
import { serialise } from '../../items/json/tree.js';
import { sanitise } from '../../items/text/inert.js';
import { namedSum } from '../../service/body/data-path.js';
import type { Context } from '../context/context.js';
import { openReader } from '../read/reading.js';
import { keptBefore } from './kept-beside.js';
import { copiesBefore } from './kept-copies.js';
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
  const copies = copiesBefore(first);
  if (copies) context.notes.note(copies);
  const amount = first.operation.preview?.refund ? valuesOf(serialise(first.body))('amount') : undefined;
  const named = namedSum(first.body);
  if (amount === undefined && named === undefined) return;
  // Reading the embedded service sends no request to anybody.
  const { embedded } = await context.profile();
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
