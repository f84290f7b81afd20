import type { Database } from '../database/types.js';
import { isoTime } from '../time/units.js';
import type { MirrorFacts } from './mirror.js';
import type { ViewText } from './view-text.js';

/** One sentence on how a mirror stands, and what is not complete in it. */
export interface Standing {
  readonly told: string;
  /** Lists that are not proven complete, with the reason. */
  readonly incomplete: readonly string[];
}

/** As of when a mirror is, and whether all of its lists are complete. */
export function standingOf(database: Database, facts: MirrorFacts): Standing {
  const lists = database.prepare('SELECT family, state, why FROM _families ORDER BY family').all();
  const incomplete = lists
    .filter(([, state]) => state !== 'synced')
    .map(([family, , why]) => `${String(family)}: ${String(why)}`);
  const oldest = database.prepare('SELECT min(read_at) FROM _windows').get()?.[0];
  const asOf = facts.asOf === undefined ? 'no sync of all lists has ended yet' : `as of ${isoTime(facts.asOf)}`;
  const since = typeof oldest === 'number' ? `, every row seen since ${isoTime(oldest)}` : '';
  const whole =
    incomplete.length === 0
      ? `${lists.length} lists, all complete`
      : `${incomplete.length} of ${lists.length} lists not complete`;
  return { told: `Mirror of ${facts.service}, ${facts.mode} mode, ${asOf}${since}; ${whole}.`, incomplete };
}

/**
 * Amounts that a query may meet and that have no exact value in minor units: the columns it can reach, with how many
 * rows. A name anywhere in the query counts.
 */
export function inexactIn(database: Database, sql: string, views: readonly ViewText[]): string[] {
  const words = new Set(sql.toLowerCase().match(/\w+/g) ?? []);
  const all = words.size > 0 && sql.includes('*');
  const found: string[] = [];
  for (const [family, name, count] of database
    .prepare('SELECT family, name, count(*) FROM _inexact GROUP BY 1, 2')
    .all()) {
    const raw = `raw_${String(family)}`;
    const isView = views.some((view) => view.name === family);
    const direct = (words.has(raw) || (!isView && words.has(String(family)))) && (all || words.has(String(name)));
    const through = views.some((view) => words.has(view.name) && view.needs[raw]?.includes(String(name)));
    const minor = all || [...words].some((word) => word.includes('minor'));
    if (direct || (through && minor)) found.push(`${String(family)}.${String(name)} (${String(count)} rows)`);
  }
  return found;
}
