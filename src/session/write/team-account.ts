import type { Team } from '../../account/team/team.js';
import type { LedgerItem } from '../../account/team/types.js';
import { CopsError, stopped, unless } from '../../base/errors/errors.js';
import { DAY } from '../../base/time/units.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { List } from '../../catalogue/types.js';
import { pager } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { otherItem, type Reader, shownMode } from '../read/reading.js';

/** Families whose items stay once they exist, and show their mode or belong to one. */
const LASTING = ['transactions', 'sales', 'customers'];

/** How many items identify an account. */
export const MARKS = 3;

/**
 * Checks the key of a profile against the ledger: it must read the items that were noted when the ledger was made. The
 * ledger then knows the key, unless its user may only read there.
 * @throws CopsError stopped (12) for a key of another account or mode
 */
export async function proveLedgerKey(team: Team, reader: Reader, isWriting = true): Promise<void> {
  const { items } = await (isWriting ? team.enter() : team.facts());
  const { fingerprint } = reader.profile;
  if (await team.trusts(fingerprint)) return;
  for (const item of items) await readsItem(item, reader);
  if (isWriting) await team.trust(fingerprint);
}

async function readsItem({ family: name, id }: LedgerItem, reader: Reader): Promise<void> {
  const fault = (why: string): CopsError =>
    stopped(
      `the key of profile ${reader.profile.name.value} does not belong to the ledger's account: ${name} ${id} ${why}`,
      'Nothing was sent. A ledger belongs to one account and mode: use one of its keys, or another ledger.',
      { ledger: 'another account' },
    );
  const family = await loadFamily(name);
  const get = findOperation(family, 'get');
  if (!get) throw fault('cannot be read by this version');
  let text: string;
  try {
    text = await reader.answer(planRequest(family, get, { ids: [id] }));
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind === 'interrupted' || error.kind === 'stopped') throw error;
    throw fault(`cannot be read (${error.message})`);
  }
  if (otherItem(text, family.idField, id) !== undefined) throw fault('returned another item');
  const isLive = shownMode(text);
  if (isLive !== undefined && isLive !== (reader.profile.mode.value === 'live'))
    throw fault('belongs to the other mode');
}

/** Items that identify a key's account; fewer than wanted if the account has no more. */
export async function markItems(context: Context, reader: Reader): Promise<readonly LedgerItem[]> {
  const found: LedgerItem[] = [];
  const end = Math.floor((await context.now()) / 1000);
  for (const name of LASTING) {
    const family = await loadFamily(name);
    const list = family.operations.find(({ action, list: lists }) => action === 'list' && lists !== undefined);
    if (!list || found.length >= MARKS) continue;
    const { style, spanDays = 30 } = list.list as List;
    const range = style === 'windowed' ? { from: end - spanDays * DAY, to: end } : undefined;
    const fetch = pager(reader, planRequest(family, list, { ids: [] }), family.idField);
    const page = await fetch({ range, ...(style !== 'single' && { limit: MARKS, page: 1 }) }).catch(
      unless('not_found', 'refused', 'not_authorised'),
    );
    const ids = page?.items.flatMap((item) => item.id ?? []) ?? [];
    found.push(...ids.slice(0, MARKS - found.length).map((id) => ({ family: name, id: String(id) })));
  }
  return found;
}
