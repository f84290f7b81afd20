import { CopsError } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { findOperation } from '../../catalogue/index.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { get, parseLossless, plain } from '../../items/json/lossless.js';
import type { TreeObject } from '../../items/json/tree.js';
import type { Page } from '../../service/lists/growing-lists.js';
import { windowsOfList } from '../../service/lists/windows.js';
import type { PageFetch } from '../../service/request/pager.js';
import { pager } from '../../service/request/pager.js';
import { planRequest, searchRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';

/**
 * Tells a person, before something of the set-up is created, that its name is taken, if one request can tell: a search,
 * or the newest page of a list. A failure of that request stops nothing.
 */
export async function tellTaken(
  context: Pick<Context, 'notes' | 'now'>,
  family: Family,
  { action }: Operation,
  body: TreeObject,
  reader: PageFetch,
): Promise<void> {
  const name = action === 'create' && family.nature === 'set-up' ? nameIn(family, body) : undefined;
  const look = name && lookFor(family, name.value, Math.floor((await context.now()) / 1000), reader);
  if (!name || !look) return;
  try {
    const { items } = await look();
    const found = items
      .map(({ raw }) => parseLossless(raw))
      .find((item) => plain(get(item, name.field)) === name.value);
    const id = found === undefined ? undefined : plain(get(found, family.idField));
    if (id === undefined) return;
    const command = family.name.replaceAll('_', '-');
    const then = name.isUnique ? 'the service takes each once' : 'this makes another one';
    context.notes.warn(say`"${name.value}" is taken in ${command} (${then}): ${cops`${command} get ${id}`}`);
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind === 'interrupted') throw error;
  }
}

/** What the new one will be called by, and whether no other may be. */
function nameIn(
  { keys }: Family,
  body: TreeObject,
): { readonly field: string; readonly value: string; readonly isUnique: boolean } | undefined {
  const fields = [
    ...keys.map(({ field, unique }) => ({ field, isUnique: unique })),
    { field: 'name', isUnique: false },
  ];
  for (const { field, isUnique } of fields) {
    // `code` is taken for `coupon_code`.
    const value = body[field] ?? body[field.replace(/^[^_]+_/, '')];
    if (typeof value === 'string' && value !== '') return { field, value, isUnique };
  }
  return undefined;
}

function lookFor(family: Family, name: string, now: number, reader: PageFetch): (() => Promise<Page>) | undefined {
  const search = findOperation(family, 'search');
  if (search) return () => reader.page(searchRequest(family, search, name), family.idField);
  const operation = findOperation(family, 'list');
  if (!operation?.list || operation.path.includes('{')) return undefined;
  const [range] = windowsOfList(operation.list, { from: 0, to: now }) ?? [];
  const page = operation.list.style === 'single' ? {} : { limit: LARGEST_PAGE, page: 1 };
  const fetch = pager(reader, planRequest(family, operation, { ids: [] }), family.idField);
  return () => fetch({ ...(range && { range }), ...page });
}
