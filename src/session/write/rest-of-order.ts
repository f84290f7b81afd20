import Big from 'big.js';
import { refundAmounts } from '../../account/safety/question.js';
import { CopsError } from '../../base/errors/errors.js';
import { cops, placeholder, say } from '../../base/text/command-line.js';
import { loadFamily } from '../../catalogue/index.js';
import { REFUNDED_PARTS } from '../../catalogue/references.js';
import type { Family } from '../../catalogue/types.js';
import { get, idsAt, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import type { Context } from '../context/context.js';
import { itemValues } from '../joins/read-values.js';
import type { Reader } from '../read/reading.js';
import type { PreparedWrite, Seen } from './prepared-write.js';
import { previewItem } from './write.js';

/** Somebody who refunds one part of an order, whole or by a share, may mean the order: names what is left of the others. */
export async function tellRestOfOrder(
  context: Context,
  prepared: PreparedWrite,
  reader: Reader,
  seen: Seen | undefined,
): Promise<void> {
  const { family, operation, ids, body, share } = prepared;
  if (operation.action !== 'refund' || (body.amount !== undefined && share === undefined)) return;
  const rows = async (of: Family, wanted: readonly string[]): Promise<Lossless[]> => {
    if (wanted.length === 0) return [];
    const read = await itemValues(context, reader, of, { ids: wanted, paths: [] });
    return [...read.values()].flatMap((one) => one?.item ?? []);
  };
  const tell = async (): Promise<void> => {
    const { text } = seen ?? (await previewItem(prepared, reader));
    if (text === undefined) return;
    const item = parseLossless(text);
    const holders = REFUNDED_PARTS.includes(family.name)
      ? await rows(await loadFamily('sales'), idsAt(item, 'sales'))
      : [item];
    for (const name of REFUNDED_PARTS) {
      const others = new Set(holders.flatMap((one) => idsAt(one, name)).filter((id) => !ids.includes(id)));
      const of = await loadFamily(name);
      for (const part of await rows(of, [...others])) {
        const { left, refunded, currency = '' } = refundAmounts((path) => plain(get(part, path)) || undefined);
        if (left === undefined || new Big(left).lte(0)) continue;
        const isUntouched = refunded === undefined || new Big(refunded).eq(0);
        const amount = share === undefined ? [] : ['--amount', isUntouched ? share : placeholder('<part>')];
        const line = cops`${name.replaceAll('_', '-')} refund ${plain(get(part, of.idField)) ?? ''} ${amount}`;
        const what = plain(get(part, 'product.name')) ?? name.replaceAll('_', ' ');
        const order = plain(get(holders[0] ?? null, 'internal_id'));
        context.notes.warn(
          say`Not refunded with it: ${what} of the same order${order ? ` (${order})` : ''}, ${left} ${currency}. To refund ${share === undefined ? 'that' : 'a share of that'} too: ${line}`,
        );
      }
    }
  };
  try {
    await tell();
  } catch (error) {
    // The refund is done all the same.
    if (!(error instanceof CopsError)) throw error;
    const line = cops`${family.name.replaceAll('_', '-')} get ${ids} --columns sales,product_sales,shipping,tax`;
    context.notes.warn(say`The rest of the order could not be read. Its parts: ${line}`);
  } finally {
    context.notes.progressDone();
  }
}
