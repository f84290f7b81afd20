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

const PERCENT = /^\s*(\d{1,3}(?:\.\d{1,6})?)\s*%\s*$/;
/** The percentage in a text: `50%`, or `half`; undefined for any other text. */
const percentIn = (text: string): string | undefined => (/^\s*half\s*$/i.test(text) ? '50' : PERCENT.exec(text)?.[1]);
const GIVE_THE_SUM = 'Give the amount, such as --amount 10.00.';

/**
 * What was typed with the sum in the place of a percent (`--amount 50%`, `--amount half`), where the item tells it without a doubt:
 * one item, nothing of it refunded before, its currency known. The sum has the currency's digits and is rounded down.
 * @throws CopsError usage (2) where a percent could mean more than one sum
 */
export async function settlePercents(
  context: Context,
  input: OperationInput,
  risk: KnownRisk,
  idSets: readonly (readonly string[])[],
): Promise<OperationInput> {
  const share = shareIn(input);
  if (!share) return input;
  const [ids] = idSets;
  if (idSets.length !== 1 || !ids) {
    throw usage(
      `${share.percent}% of several items means a different amount for each.`,
      'Refund them one by one, or give the amount.',
    );
  }
  if (context.options.dryRun && !(await context.profile()).embedded)
    throw usage(`${share.percent}% of an unknown amount: --dry-run sends nothing and reads nothing.`, GIVE_THE_SUM);
  await refuseReadOnly(context, input.operation, risk);
  const { family, operation } = input;
  const seen = await previewItem(
    { family, operation, risk, ids, body: {}, key: null, again: false },
    await openReader(context),
  );
  if (!seen.item) {
    if (seen.failure instanceof CopsError) throw seen.failure;
    throw usage(`${share.percent}% of an unknown amount: ${seen.missing ?? 'the item cannot be read'}.`, GIVE_THE_SUM);
  }
  const { sum, said } = sumOf(share.percent, seen.item);
  context.notes.note(said);
  return { ...withSum(input, share.field, sum), share: share.percent };
}

/** The amount for a percentage of an item, and the sentence about it. */
export function sumOf(percent: string, item: Values): { readonly sum: string; readonly said: string } {
  const { currency = '', refunded, left } = refundAmounts(item);
  const share = new Big(percent);
  if (share.lte(0) || share.gt(100))
    throw usage(`${percent}% cannot be refunded.`, 'Give more than 0% and at most 100%.');
  const digits = minorDigits(currency);
  if (left === undefined || refunded === undefined || !/^\d+(\.\d+)?$/.test(refunded) || digits === undefined) {
    const what = digits === undefined ? 'its currency' : 'what is left of it';
    throw usage(`${percent}% of the item is unknown: it does not show ${what}.`, GIVE_THE_SUM);
  }
  const of = (whole: Big): string => whole.times(share).times('0.01').toFixed(digits, Big.roundDown);
  const rest = new Big(left);
  if (!new Big(refunded).eq(0)) {
    const whole = rest.plus(refunded);
    throw usage(
      `${refunded} ${currency} of it is already refunded: ${percent}% can mean two amounts.`,
      `Give the amount: ${of(whole)} is ${percent}% of the ${whole.toFixed(digits)} paid, ${of(rest)} is ${percent}% of the ${rest.toFixed(digits)} left.`,
    );
  }
  const sum = of(rest);
  if (new Big(sum).lte(0))
    throw usage(`${percent}% of ${left} ${currency} is less than the smallest coin.`, GIVE_THE_SUM);
  const exact = rest.times(share).times('0.01');
  const rounded = exact.eq(sum) ? `${sum} ${currency}` : `${exact.toFixed()}, rounded down to ${sum} ${currency}`;
  return { sum, said: `${percent}% of ${left} ${currency} is ${rounded}.` };
}

/** A part of a refund given as a percentage, and its item. */
function shareIn({ operation, typed, options }: OperationInput) {
  for (const field of percentFields(operation)) {
    const data = (options.data ?? []).filter((text) => text.startsWith(`${field}=`));
    const text = typed[field] ?? data.at(-1)?.slice(field.length + 1);
    const percent = typeof text === 'string' ? percentIn(text) : undefined;
    if (percent !== undefined) return { field, percent };
  }
  return undefined;
}

/** The refund fields that hold part of a payment. */
function percentFields({ preview, body }: Operation): string[] {
  if (!preview?.refund) return [];
  return Object.entries(body?.fields ?? {}).flatMap(([name, field]) => (field.means === 'money' ? [name] : []));
}

/** The amount overrides the field; removes a percentage that `-d` gave for it. */
function withSum(input: OperationInput, field: string, sum: string): OperationInput {
  const isPercent = (text: string): boolean =>
    text.startsWith(`${field}=`) && percentIn(text.slice(field.length + 1)) !== undefined;
  const data = input.options.data?.filter((text) => !isPercent(text)) ?? [];
  const { [field]: _percent, ...typed } = input.typed;
  // As JSON, whose digits are the currency's own: as a text, `5.000` could be read two ways.
  return { ...input, options: { ...input.options, data: [...data, `${field}:=${sum}`] }, typed };
}
