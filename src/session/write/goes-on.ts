import { CopsError } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import { relationsOf } from '../../catalogue/relations.js';
import type { Family, FamilyOperation } from '../../catalogue/types.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { followRelation } from '../../items/select/follow.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { Reader } from '../read/reading.js';
import type { PreparedWrite, Seen } from './prepared-write.js';
import { previewItem } from './write.js';

/** The most items to read, and the most warnings to print one by one. */
const TOLD = 20;

/** Warns of what still falls due after a write ends its item, such as the trial of a cancelled subscription. */
export async function tellGoesOn(context: Context, prepared: PreparedWrite, reader: Reader): Promise<Seen | undefined> {
  const seen = await previewItem(prepared, reader);
  if (seen.text !== undefined) await tellOfItems(context, prepared, reader, [parseLossless(seen.text)]);
  return seen;
}

/** The same for the items that a run ended, or would end. Few are read one by one; for many, one line says how to look. */
export async function tellAllGoOn(
  context: Context,
  of: FamilyOperation,
  reader: Reader,
  ended: Iterable<string>,
): Promise<void> {
  const [word] = of.operation.leaves ?? [];
  const ids = [...new Set(ended)];
  if (word === undefined || ids.length === 0) return;
  try {
    if (ids.length <= TOLD) return await tellOfItems(context, of, reader, await readEach(of.family, ids, reader));
  } catch (error) {
    if (!(error instanceof CopsError)) throw error;
  }
  const state = `${of.family.name.replaceAll('_', '-')} status=${of.operation.notWhile?.[0] ?? ''}`;
  context.notes.warn(
    say`Not checked: whether their ${word} go on and charge. To look: ${cops`${word} list --where status=active --with ${state}`}`,
  );
}

async function readEach(family: Family, ids: readonly string[], reader: Reader): Promise<Lossless[]> {
  const get = findOperation(family, 'get');
  if (get === undefined) return [];
  return Promise.all(
    ids.map(async (id) => parseLossless(await reader.answer(planRequest(family, get, { ids: [id] })))),
  );
}

async function tellOfItems(
  context: Context,
  { family, operation }: FamilyOperation,
  reader: Reader,
  items: readonly Lossless[],
): Promise<void> {
  for (const relation of relationsOf(family).filter(({ word }) => operation.leaves?.includes(word))) {
    const linked = items.map((item) => followRelation(item, relation));
    const ids = linked.flatMap((one) => (one.state === 'known' ? one.ids : []));
    const to = await loadFamily(relation.to);
    const rows = await readEach(to, [...new Set(ids)], reader);
    const due = rows.filter((row) => to.due?.while?.values.includes(plain(get(row, 'status')) ?? ''));
    const list = to.name.replaceAll('_', '-');
    const line = cops`${list} cancel ${due.map(idOf)}`;
    const [first, ...others] = due
      .slice(0, TOLD)
      .map((row) => say`${list.replace(/s$/, '')} ${idOf(row)} ${charges(to, row)}`);
    if (first === undefined) continue;
    if (items.length === 1 && others.length === 0) context.notes.warn(say`Its ${first}. To end it too: ${line}`);
    else {
      for (const one of [first, ...others]) context.notes.warn(say`The ${one}.`);
      if (due.length > TOLD) context.notes.warn(`So do ${due.length - TOLD} others.`);
      context.notes.warn(say`To end ${due.length === 1 ? 'it' : 'them'} too: ${line}`);
    }
  }
}

const idOf = (row: Lossless): string => plain(get(row, 'id')) ?? '';

/** `goes on, and charges 49.00 USD when it ends on 2026-12-03`. */
function charges({ due }: Family, row: Lossless): string {
  const of = (path: string) => plain(get(row, path));
  const end = due && of(due.path);
  const amount = of('amount');
  const sum = amount === undefined ? '' : ` ${amount} ${of('iso_currency') ?? ''}`.trimEnd();
  return `goes on, and charges${sum} when it ends${end === undefined ? '' : ` on ${isoDay(Number(end))}`}`;
}
