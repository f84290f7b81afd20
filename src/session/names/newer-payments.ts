import { CopsError } from '../../base/errors/errors.js';
import { copsLine, say, type Text } from '../../base/text/command-line.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { get, plain } from '../../items/json/lossless.js';
import type { Context } from '../context/context.js';
import { withoutOptions } from '../context/lines.js';
import { type Candidate, candidateOf, fitsOf, ownParts } from './candidates.js';
import { eachFamilyItem, type FamilyItemsOptions } from './family-items.js';
import { ownerOf } from './people.js';
import type { Named } from './resolve-name.js';

const PAYMENTS = ['transactions', 'wallet_transactions', 'check_directs', 'offline_payments'];
/** Parts of a payment: who lacks them is not refunded all of it. */
const NO_PAYMENTS = ['shipping', 'tax'];

type Looking = Pick<FamilyItemsOptions, 'asker' | 'now'>;

/**
 * Says which payments of the same person for something else are newer than the item that `--latest` means, which is the
 * latest of its own family only.
 */
export async function tellNewer({ notes }: Context, found: Named, options: Looking): Promise<void> {
  const newer = await newerPayments(found, options);
  if (newer) notes.warn(newer);
}

/** The line that refunds what somebody paid otherwise who has nothing of a family. */
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
    const [list, refund] = [findOperation(other, 'list'), findOperation(other, 'refund')];
    if (!list || !refund) continue;
    const fits = fitsOf(other, refund);
    const found: Candidate[] = [];
    for (const customer of people)
      await eachFamilyItem(
        other,
        list,
        { ...options, query: list.query?.customer_id ? [['customer_id', customer] as const] : [] },
        ({ id, item, raw }) => {
          const one = candidateOf(other, id, item, raw, fits);
          if (one.fits && one.customer === customer) found.push(one);
        },
      );
    const [newest] = found.sort((a, b) => (b.made ?? 0) - (a.made ?? 0));
    if (!newest) continue;
    const command = name.replaceAll('_', '-');
    const words = withoutOptions(world.argv, without).map((word) => (word === called ? command : word));
    return say`The latest of ${command} is ${newest.id} (${newest.label}); to refund there: ${copsLine(words)}`;
  }
  return undefined;
}

async function newerPayments(
  { id: own, made, customer, family: of }: Named,
  options: Looking,
): Promise<Text | undefined> {
  const command = of.replaceAll('_', '-');
  if (made === undefined || customer === undefined)
    return `--latest is the latest of ${command} only: whether another payment is newer is not known.`;
  const found: (Candidate & { readonly family: string })[] = [];
  try {
    for (const name of PAYMENTS.filter((one) => one !== of)) {
      const family = await loadFamily(name);
      const list = findOperation(family, 'list');
      if (!list) continue;
      const query = list.query?.customer_id ? ([['customer_id', customer]] as const) : [];
      const since = { ...options, beginning: made + 1, query };
      await eachFamilyItem(family, list, since, ({ id, item, raw }) => {
        const isTaken = [undefined, 'approved'].includes(plain(get(item, 'result')) ?? undefined);
        const isOther = !raw.includes(own) && !/refund/.test(plain(get(item, 'method')) ?? '');
        const candidate = candidateOf(family, id, item, raw);
        if (isTaken && isOther && ownerOf(item) === customer && (candidate.made ?? 0) > made)
          found.push({ ...candidate, family: name.replaceAll('_', '-') });
      });
    }
  } catch (error) {
    if (!(error instanceof CopsError) || !['not_authorised', 'not_found', 'refused'].includes(error.kind)) throw error;
    return `--latest is the latest of ${command} only: newer payments for something else could not be read (${error.message}).`;
  }
  if (found.length === 0) return undefined;
  const about = ownParts(found);
  const told = found.slice(0, 3).map(({ id, family }, at) => `${id} of ${family} (${about[at]})`);
  const more = found.length > told.length ? ` and ${found.length - told.length} more` : '';
  return `Newer than that, and passed over, because --latest looks at ${command} only: ${told.join(', ')}${more}.`;
}
