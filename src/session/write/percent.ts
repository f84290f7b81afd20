import Big from 'big.js';
import type { KnownRisk } from '../../account/safety/decide.js';
import { refundAmounts } from '../../account/safety/question.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import type { Operation } from '../../catalogue/types.js';
import type { Values } from '../../items/json/lossless.js';
import { minorDigits } from '../../items/schema/types.js';
import type { Context } from '../context/context.js';
import type { OperationInput } from '../operation/spec.js';
import { openReader } from '../read/reading.js';
import { previewItem, refuseReadOnly } from './write.js';

/** A share of a sum. */
interface Share {
  /** As it is typed on a line. */
  readonly text: string;
  /** The share is `part` out of `whole`: 50 out of 100, 1 out of 3. */
  readonly part: string;
  readonly whole: string;
}

const PERCENT = /^\s*(\d{1,3}(?:\.\d{1,6})?)\s*%\s*$/;
const FRACTION = /^\s*(\d{1,3})\s*[/\u2044]\s*(\d{1,3})\s*$/;

/** The share that a text stands for: `50%`, `1/3` or `half`. Undefined if it stands for none. */
function shareOf(text: string): Share | undefined {
  const [, part, whole = '100'] = /^\s*half\s*$/i.test(text)
    ? ['', '50']
    : (PERCENT.exec(text) ?? FRACTION.exec(text) ?? []);
  return part === undefined ? undefined : { part, whole, text: whole === '100' ? `${part}%` : `${part}/${whole}` };
}

const GIVE_THE_SUM = 'Give the amount, such as --amount 10.00.';

/**
 * Replaces a share (`--amount 50%`, `1/3`, `half`) with its sum, rounded down to the digits of the currency. Takes only
 * what can mean just one sum: one item, of a known currency, with nothing refunded yet.
 * @throws CopsError `usage` if the share could mean more than one sum
 */
export async function settlePercents(
  context: Context,
  input: OperationInput,
  risk: KnownRisk,
  idSets: readonly (readonly string[])[],
): Promise<OperationInput> {
  const found = shareIn(input);
  if (!found) return input;
  const { field, share } = found;
  const [ids] = idSets;
  if (idSets.length !== 1 || !ids) {
    throw usage(
      `${share.text} of several items means a different amount for each.`,
      'Refund them one by one, or give the amount.',
    );
  }
  if (context.options.dryRun && !(await context.profile()).embedded)
    throw usage(`${share.text} of an unknown amount: --dry-run sends nothing and reads nothing.`, GIVE_THE_SUM);
  await refuseReadOnly(context, input.operation, risk);
  const { family, operation } = input;
  const seen = await previewItem(
    { family, operation, risk, ids, body: {}, key: null, again: false },
    await openReader(context),
  );
  if (!seen.item) {
    if (seen.failure instanceof CopsError) throw seen.failure;
    throw usage(`${share.text} of an unknown amount: ${seen.missing ?? 'the item cannot be read'}.`, GIVE_THE_SUM);
  }
  const { sum, said } = sumOf(share, seen.item);
  context.notes.note(said);
  return { ...withSum(input, field, sum), share: share.text };
}

/** The sum that a share of an item comes to, and a sentence about it. */
function sumOf({ text, part, whole: parts }: Share, item: Values): { readonly sum: string; readonly said: string } {
  const { currency = '', refunded, left } = refundAmounts(item);
  if (new Big(part).lte(0) || new Big(part).gt(parts))
    throw usage(`${text} cannot be refunded.`, 'Give more than 0% and at most 100%.');
  const digits = minorDigits(currency);
  if (left === undefined || refunded === undefined || !/^\d+(\.\d+)?$/.test(refunded) || digits === undefined) {
    const what = digits === undefined ? 'its currency' : 'what is left of it';
    throw usage(`${text} of the item is unknown: it does not show ${what}.`, GIVE_THE_SUM);
  }
  // With far more digits than any amount has, a third never looks like a round sum.
  const exactly = (whole: Big): Big =>
    new Big(
      whole
        .times(part)
        .div(parts)
        .toFixed(digits + 8, Big.roundDown),
    );
  const of = (whole: Big): string => exactly(whole).toFixed(digits, Big.roundDown);
  const rest = new Big(left);
  if (!new Big(refunded).eq(0)) {
    const whole = rest.plus(refunded);
    throw usage(
      `${refunded} ${currency} of it is already refunded: ${text} can mean two amounts.`,
      `Give the amount: ${of(whole)} is ${text} of the ${whole.toFixed(digits)} paid, ${of(rest)} is ${text} of the ${rest.toFixed(digits)} left.`,
    );
  }
  const sum = of(rest);
  if (new Big(sum).lte(0)) throw usage(`${text} of ${left} ${currency} is less than the smallest coin.`, GIVE_THE_SUM);
  const exact = exactly(rest);
  const rounded = exact.eq(sum) ? `${sum} ${currency}` : `${exact.toFixed()}, rounded down to ${sum} ${currency}`;
  return { sum, said: `${text} of ${left} ${currency} is ${rounded}.` };
}

/** The share that the line gives for a refund, and the field it is given for. */
function shareIn({ operation, typed, options }: OperationInput) {
  for (const field of percentFields(operation)) {
    const data = (options.data ?? []).filter((text) => text.startsWith(`${field}=`));
    const text = typed[field] ?? data.at(-1)?.slice(field.length + 1);
    const share = typeof text === 'string' ? shareOf(text) : undefined;
    if (share !== undefined) return { field, share };
  }
  return undefined;
}

/** The fields of a refund that take part of a payment. */
function percentFields({ preview, body }: Operation): string[] {
  if (!preview?.refund) return [];
  return Object.entries(body?.fields ?? {}).flatMap(([name, field]) => (field.means === 'money' ? [name] : []));
}

/** The line with the sum in place of the share, however the share was given. */
function withSum(input: OperationInput, field: string, sum: string): OperationInput {
  const isShare = (text: string): boolean =>
    text.startsWith(`${field}=`) && shareOf(text.slice(field.length + 1)) !== undefined;
  const data = input.options.data?.filter((text) => !isShare(text)) ?? [];
  const { [field]: _share, ...typed } = input.typed;
  // As JSON, whose digits are the currency's own: as a text, `5.000` could be read two ways.
  return { ...input, options: { ...input.options, data: [...data, `${field}:=${sum}`] }, typed };
}
