import type { ItemStore } from '../store/item-store.js';
import { modeOf, singular } from '../store/kinds.js';
import { NAMES } from '../store/store-tables.js';

/** One table of the analytics operation: a family as rows. */
export interface AnalyticsTable {
  /** Singular, as in the published example (`sale`, `note`). */
  readonly name: string;
  readonly kind: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

const NOT_TABLES = new Set(['api_calls', 'sentinel', 'function_runs', 'key_values', 'secure_forms']);
/** Columns are the properties of the family's newest items. */
const SAMPLE = 40;

/** The tables that a mode can query, with their columns. */
export function readTables(store: ItemStore, live: boolean): AnalyticsTable[] {
  const families = store.database.prepare('SELECT name FROM families ORDER BY name').all();
  const tables: AnalyticsTable[] = [];
  for (const [family] of families as [string][]) {
    if (NOT_TABLES.has(family)) continue;
    const kind = store.kind(family, modeOf(family, live));
    const sample = store.pages.items(kind, 0, SAMPLE);
    if (sample.length === 0) continue;
    const types = new Map<string, string>();
    for (const item of sample) {
      for (const [name, value] of Object.entries(item)) {
        if (types.get(name) === undefined && value !== null) types.set(name, typeOf(value));
      }
    }
    tables.push({ name: singular(family), kind, columns: [...types].map(([name, type]) => ({ name, type })) });
  }
  return tables;
}

function typeOf(value: unknown): string {
  if (typeof value === 'string') return 'STRING';
  if (typeof value === 'boolean') return 'BOOL';
  if (typeof value === 'number') return Number.isInteger(value) ? 'INT64' : 'FLOAT64';
  return 'JSON';
}

/** SQL that exposes a table under its public name and hides the sandbox's internal tables. */
export function tableViews(tables: readonly AnalyticsTable[]): string[] {
  const hidden = NAMES.filter((name) => !tables.some((table) => table.name === name)).map(
    (name) => `CREATE TEMP VIEW "${name}" AS SELECT NULL AS empty WHERE 0`,
  );
  const shown = tables.map(({ name, kind, columns }) => {
    const list = columns.map((column) => `${shownColumn(name, column.name)} AS "${column.name}"`).join(', ');
    return `CREATE TEMP VIEW "${name}" AS SELECT ${list} FROM (
      SELECT i.body || coalesce(p.text, '') AS j FROM main.items i LEFT JOIN main.parts p ON p.id = i.part WHERE i.kind = ${kind})`;
  });
  return [...hidden, ...shown];
}

/** The value of a column; a subscription and a product show their current profile (`Shown`). */
function shownColumn(table: string, column: string): string {
  const own = `json_extract(j, '$.${column}')`;
  if (column !== 'subscription_profile' || !['subscription', 'product'].includes(table)) return own;
  return `coalesce((SELECT body FROM main.shown WHERE id = json_extract(j, '$.subscription_profile.id')), ${own})`;
}
