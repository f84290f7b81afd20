import { dayIn } from '../../base/time/periods.js';
import type { Zone } from '../../base/time/zones.js';
import { Item } from '../../items/json/item-json.js';
import { NumberText, serialise, type Tree } from '../../items/json/tree.js';
import { wholeUnits } from '../report/figures.js';
import type { ClassedLine, SideSums } from './payout-classes.js';

const money = (minor: bigint | undefined, currency: string): Tree =>
  minor === undefined ? null : new NumberText(wholeUnits(minor, currency));

/** The lines as items; amounts have all digits of their currency. */
export async function* reconcileItems(lines: readonly ClassedLine[], zone: Zone): AsyncGenerator<Item> {
  for (const { class: kind, by, row, own, line } of lines) {
    const currency = row?.currency ?? own?.currency ?? '';
    const isLike = row && own && row.currency === own.currency;
    const isSum = by.startsWith('sum only');
    yield new Item(
      serialise({
        class: kind,
        by,
        line: isSum ? null : (row?.line ?? line ?? null),
        id: isSum ? null : row?.written || null,
        day: row && !row.isUndated ? dayIn(row.at, zone) : null,
        amount: row ? money(row.amount, row.currency) : null,
        fee: row ? money(row.fee, row.currency) : null,
        currency: currency === '' ? null : currency,
        transaction: isSum ? null : (own?.id ?? null),
        reference: isSum ? null : row?.written || own?.gatewayId || row?.refs.join(' ') || null,
        gateway_transaction_id: isSum ? null : own?.gatewayId || null,
        own_day: own ? dayIn(own.at, zone) : null,
        own_amount: own ? money(own.amount, own.currency) : null,
        own_fee: own ? money(own.fee, own.currency) : null,
        difference: isLike ? money(row.amount - own.amount, row.currency) : null,
      }),
    );
  }
}

/** The sums of each side by class: one sentence per currency. */
export function sumTexts(sums: readonly SideSums[], lines: readonly ClassedLine[]): string[] {
  const unread = lines.filter(({ line }) => line !== undefined).length;
  const texts = [...new Set(sums.map(({ currency }) => currency))].map((code) => {
    const own = sums.filter(({ currency }) => currency === code);
    const total = (side: 'there' | 'here'): string =>
      wholeUnits(
        own.reduce((sum, one) => sum + one[side], 0n),
        code,
      );
    const parts = own.map(
      (one) =>
        `${one.class} ${wholeUnits(one.there, code)} / ${wholeUnits(one.here, code)} (${one.rows} / ${one.movements})`,
    );
    return `${code}, file / account: ${total('there')} / ${total('here')} = ${parts.join(' + ')}.`;
  });
  return unread === 0 ? texts : [...texts, `${unread} rows of the file could not be read and stay unexplained.`];
}
