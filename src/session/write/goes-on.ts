import { cops, say } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import { relationsOf } from '../../catalogue/relations.js';
import { parseLossless } from '../../items/json/lossless.js';
import { followRelation } from '../../items/select/follow.js';
import type { Context } from '../context/context.js';
import type { Reader } from '../read/reading.js';
import type { PreparedWrite, Seen } from './prepared-write.js';
import { previewItem } from './write.js';

/** The most related rows that are read. */
const MOST = 3;

/** Warns of what still falls due after a write ends its item, such as the trial of a cancelled subscription. */
export async function tellGoesOn(
  { notes }: Context,
  prepared: PreparedWrite,
  reader: Reader,
): Promise<Seen | undefined> {
  const { family, operation } = prepared;
  const relations = relationsOf(family).filter(({ word }) => operation.leaves?.includes(word));
  if (relations.length === 0) return undefined;
  const seen = await previewItem(prepared, reader);
  for (const relation of seen.text === undefined ? [] : relations) {
    const linked = followRelation(parseLossless(seen.text ?? ''), relation);
    const to = await loadFamily(relation.to);
    const get = to.operations.find(({ action }) => action === 'get');
    for (const id of get && linked.state === 'known' ? [...linked.ids].slice(0, MOST) : []) {
      const row = get && (await previewItem({ ...prepared, family: to, operation: get, ids: [id] }, reader)).item;
      if (!row || !to.due?.while?.values.includes(row('status') ?? '')) continue;
      const due = row(to.due.path);
      const when = due === undefined ? '' : ` on ${isoDay(Number(due))}`;
      const amount = row('amount');
      const sum = amount === undefined ? '' : ` ${amount} ${row('iso_currency') ?? ''}`.trimEnd();
      const list = to.name.replaceAll('_', '-');
      notes.warn(
        say`Its ${list.replace(/s$/, '')} ${id} goes on, and charges${sum} when it ends${when}. To end it too: ${cops`${list} cancel ${id}`}`,
      );
    }
  }
  return seen;
}
