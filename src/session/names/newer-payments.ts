import { CopsError } from '../../base/errors/errors.js';
import { copsLine, say, type Text } from '../../base/text/command-line.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { get, plain } from '../../items/json/lossless.js';
import type { Context } from '../context/context.js';
import { withoutOptions } from '../context/lines.js';
import { type Candidate, candidateOf, fitsOf, OTHER_PAYMENTS, ownParts } from './candidates.js';
import { eachFamilyItem, type FamilyItem, type FamilyItemsOptions } from './family-items.js';
import { ownerOf } from './people.js';
import type { Named } from './resolve-name.js';

const PAYMENTS = ['transactions', ...OTHER_PAYMENTS];
/** Only parts of a payment: a refund of these never becomes one of the whole payment. */
const NO_PAYMENTS = ['shipping', 'tax'];

type Looking = Pick<FamilyItemsOptions, 'asker' | 'now'>;

/** The payments of a family, in all or those of a customer where the list can filter by one. */
async function eachPayment(
  family: Family,
  customer: string,
  options: Looking & Pick<FamilyItemsOptions, 'beginning'>,
  take: (one: FamilyItem) => void,
): Promise<void> {
  const list = findOperation(family, 'list');
  if (!list) return;
  const query = list.query?.customer_id ? ([['customer_id', customer]] as const) : [];
  await eachFamilyItem(family, list, { ...options, query }, take);
}

/** For somebody who has nothing of a family: the line that refunds the latest of their other payments. */
export async function paidElsewhere(
  { world }: Context,
  family: Family,
  { people, without }: { readonly people: ReadonlySet<string>; readonly without: readonly string[] },
  options: Looking,
): Promise<Text | undefined> {
  if (NO_PAYMENTS.includes(family.name)) return undefined;
  const called = family.name.replaceAll('_', '-');
  for (const name of PAYMENTS.filter((one) => one !== family.name)) {
    const other = await loadFamily(name);
    const refund = findOperation(other, 'refund');
    if (!refund) continue;
    const fits = fitsOf(other, refund);
    const found: Candidate[] = [];
    for (const customer of people)
      await eachPayment(other, customer, options, ({ id, item, raw }) => {
        const one = candidateOf(other, id, item, raw, fits);
        if (one.fits && one.customer === customer) found.push(one);
      });
    const [newest] = found.sort((a, b) => (b.made ?? 0) - (a.made ?? 0));
    if (!newest) continue;
    const command = name.replaceAll('_', '-');
    const words = withoutOptions(world.argv, without).map((word) => (word === called ? command : word));
    return say`The latest of ${command} is ${newest.id} (${newest.label}); to refund there: ${copsLine(words)}`;
  }
  return undefined;
}

/**
 * `--latest` means the latest item of one family only: names the same person's newer payments for something else;
 * undefined if there are none.
 */
export async function newerPayments(
  { id: own, made, customer, family: of }: Named,
  options: Looking,
): Promise<Text | undefined> {
  const command = of.replaceAll('_', '-');
  if (made === undefined || customer === undefined)
    return `--latest looks at ${command} only: another payment may be newer.`;
  const found: (Candidate & { readonly family: string })[] = [];
  try {
    for (const name of PAYMENTS.filter((one) => one !== of)) {
      const family = await loadFamily(name);
      await eachPayment(family, customer, { ...options, beginning: made + 1 }, ({ id, item, raw }) => {
        const isTaken = [undefined, 'approved'].includes(plain(get(item, 'result')) ?? undefined);
        const isOther = !raw.includes(own) && !/refund/.test(plain(get(item, 'method')) ?? '');
        const candidate = candidateOf(family, id, item, raw);
        if (isTaken && isOther && ownerOf(item) === customer && (candidate.made ?? 0) > made)
          found.push({ ...candidate, family: name.replaceAll('_', '-') });
      });
    }
  } catch (error) {
    if (!(error instanceof CopsError) || !['not_authorised', 'not_found', 'refused'].includes(error.kind)) throw error;
    return `--latest looks at ${command} only: newer payments for something else could not be read (${error.message}).`;
  }
  if (found.length === 0) return undefined;
  const about = ownParts(found);
  const told = found.slice(0, 3).map(({ id, family }, at) => `${id} of ${family} (${about[at]})`);
  const more = found.length > told.length ? ` and ${found.length - told.length} more` : '';
  return `Newer than that, but not chosen, because --latest looks at ${command} only: ${told.join(', ')}${more}.`;
}
