import { CopsError } from '../../base/errors/errors.js';
import { Item } from '../../items/json/item-json.js';
import type { Context, Done } from '../../session/context/context.js';
import { DEFAULTS } from '../../session/context/defaults.js';
import { wholeNumber } from '../../session/context/whole-number.js';
import { checkSql, type RunningQuery, runMirrorQuery } from './mirror-query.js';
import { ownMirror } from './own-mirror.js';
import { readMirror } from './read-mirror.js';
import { checkRestricted, type Restriction, restrictedViews } from './restricted.js';
import { inexactIn, mixedIn, standingOf } from './standing.js';

/** Rows of one query over the profile's own mirror, seen as the restriction has it; `signal` ends it. */
export async function askOwnMirror(
  context: Context,
  query: string,
  asked: { readonly limit: string; readonly restriction?: Restriction },
  signal: AbortSignal,
): Promise<Done> {
  checkSql(query);
  if (asked.restriction) checkRestricted(query);
  return askMirror(context, await ownMirror(context), query, asked, signal);
}

/** Rows of one query over a mirror; how current the mirror is goes to standard error. */
export async function askMirror(
  context: Context,
  mirror: string,
  query: string,
  { limit, restriction }: { readonly limit?: string | undefined; readonly restriction?: Restriction },
  signal: AbortSignal,
): Promise<Done> {
  const { notes } = context;
  const { inexact, before } = await tellStanding(context, mirror, query, restriction);
  const most =
    wholeNumber(limit, '--limit', 1) ?? (context.world.stdout.isTTY === true ? DEFAULTS.terminalRows : undefined);
  const answer = await runMirrorQuery(mirror, query, signal, { before }).catch(async (error: unknown) => {
    // Who may see a part only is told no names of the rest.
    if (restriction) throw error;
    const { withNames } = await import('./missing-name.js');
    throw await withNames(context, mirror, query, error);
  });
  const state = { more: false };
  return {
    result: {
      shape: 'list',
      columns: answer.columns.map((path) => ({ path, title: path })),
      idField: answer.columns[0] ?? 'id',
      items: limited(answer, most, state),
    },
    finish: () => {
      if (state.more) notes.warn(`The first ${most} rows of more; --limit shows more of them.`, {});
      if (inexact.length === 0) return undefined;
      return new CopsError(
        'incomplete',
        `Some amounts are finer than their currency's minor unit, or have no currency; they are NULL in ${inexact.join(', ')}.`,
        { hint: 'The table _inexact names the rows; a sum over them leaves them out.' },
      );
    },
  };
}

function tellStanding(context: Context, mirror: string, query: string, restriction: Restriction | undefined) {
  return readMirror(context, mirror, ({ database, facts }) => {
    const standing = standingOf(database, facts);
    context.notes.note(standing.told);
    for (const list of standing.incomplete) context.notes.warn(`Not complete: ${list}`, {});
    const mixed = restriction ? [] : mixedIn(database, query);
    if (mixed.length > 0)
      context.notes.warn(
        `Note: amounts are added up without a look at their currency, and there are several in ${mixed.join(', ')}: group by it.`,
      );
    return {
      inexact: inexactIn(database, query),
      before: restriction ? restrictedViews(database, restriction) : [],
    };
  });
}

async function* limited(
  answer: RunningQuery,
  most: number | undefined,
  state: { more: boolean },
): AsyncGenerator<Item> {
  let count = 0;
  for await (const row of answer.rows) {
    if (most !== undefined && count >= most) {
      state.more = true;
      return;
    }
    count++;
    yield new Item(row);
  }
}
