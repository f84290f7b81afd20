import { FAMILY_INDEX, loadFamily } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { CopsError } from '../../errors/errors.js';
import { planRequest } from '../../request/plan.js';
import type { Plan } from '../../setup/types.js';
import type { Account } from './account.js';

/** Families whose items go on by what a set-up says: counted where their list can be asked for. */
const COUNTED: ReadonlySet<string> = new Set(['subscriptions', 'trials']);

/** More objects are not counted one by one. */
const MOST = 25;

/** What hangs on the objects that a plan changes, in words, where the service can count it. Only GETs. */
export async function reachOf(account: Account, plan: Plan): Promise<Readonly<Record<string, string>>> {
  const reach: Record<string, string> = {};
  const changed = plan.steps.filter(({ action, id }) => (action === 'edit' || action === 'delete') && id !== undefined);
  for (const { family, key, id } of changed.slice(0, MOST)) {
    const words: string[] = [];
    for (const { users, list, filter } of await listsFilteredBy(family.replaceAll('-', '_'))) {
      const count = await countOf(account, users, list, [[filter, id ?? '']]);
      if (count !== undefined) words.push(`${count.toLocaleString('en-US')} ${users.name.replaceAll('_', ' ')}`);
    }
    if (words.length > 0) reach[`${family}/${key}`] = `used by ${words.join(' and ')}`;
  }
  return reach;
}

async function listsFilteredBy(family: string): Promise<{ users: Family; list: Operation; filter: string }[]> {
  const found: { users: Family; list: Operation; filter: string }[] = [];
  for (const { name } of FAMILY_INDEX) {
    if (!COUNTED.has(name)) continue;
    const users = await loadFamily(name);
    const list = users.operations.find(({ action }) => action === 'list');
    const filter = Object.entries(list?.query ?? {}).find(([, field]) => field.refers?.includes(family))?.[0];
    if (list && filter !== undefined) found.push({ users, list, filter });
  }
  return found;
}

async function countOf(
  { reader }: Account,
  family: Family,
  list: Operation,
  query: readonly (readonly [string, string])[],
): Promise<number | undefined> {
  try {
    const paging = [['limit', '1'] as const, ['page', '1'] as const];
    return (await reader.page(planRequest(family, list, { ids: [], query: [...paging, ...query] }), family.idField))
      .totalCount;
  } catch (error) {
    if (error instanceof CopsError && (error.kind === 'stopped' || error.kind === 'interrupted')) throw error;
    return undefined;
  }
}
