import type { Database } from '../../base/database/types.js';
import { FAMILY_INDEX, loadFamily } from '../../catalogue/index.js';
import type { Field } from '../../catalogue/types.js';
import { wrapWords } from '../../items/text/width.js';
import { INNER_MEANINGS, rawName } from './layout.js';
import { MIRROR_VIEWS, textsOf, viewColumns } from './views.js';

/** One column that can be queried. */
export interface TableColumn {
  readonly table: string;
  readonly column: string;
  readonly meaning: string;
}

/** Every table and view that a query can use, column by column, with a line of meaning each. */
export async function describeTables(database: Database): Promise<TableColumn[]> {
  const texts = new Map(MIRROR_VIEWS.map((view) => [view.name, view]));
  const names = textsOf(database, "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name");
  // The views for people first, then those of single lists, then the mirror's own tables.
  names.sort((one, other) => Number(texts.has(other)) - Number(texts.has(one)) || one.localeCompare(other));
  const rows: TableColumn[] = [];
  for (const table of names) {
    const text = texts.get(table);
    const meanings = text ? new Map(text.columns) : await columnMeanings(database, table);
    for (const column of viewColumns(database, table))
      rows.push({ table, column, meaning: meanings.get(column) ?? '' });
  }
  for (const [table, columns] of Object.entries(INNER_MEANINGS))
    for (const [column, meaning] of Object.entries(columns)) rows.push({ table, column, meaning });
  return rows;
}

/** The same for a mirror of all lists that does not exist yet, with the columns known in advance. */
export async function expectedTables(): Promise<TableColumn[]> {
  const { inScratch } = await import('./scratch.js');
  const { listsOfSync } = await import('./choose-sync-lists.js');
  const { lists } = await listsOfSync([], false);
  const families = lists.map(({ family }) => family.name);
  return inScratch(families, 'test', async (database) => describeTables(database));
}

/** The columns of a family by name, with a line of meaning each. */
export async function columnMeanings(database: Database, family: string): Promise<Map<string, string>> {
  const meanings = new Map<string, string>([['id', 'its id']]);
  if (!FAMILY_INDEX.some(({ name }) => name === family)) return meanings;
  const { item = {} } = await loadFamily(family);
  const rows = database.prepare('SELECT path, name, minor FROM _columns WHERE family = ?').all(family);
  for (const [path, name, minor] of rows) {
    const field = fieldAt(item, String(path).split('.'));
    meanings.set(String(name), meaningOf(String(path), field));
    if (minor !== null)
      meanings.set(String(minor), `${String(path)} in minor units of its currency; NULL if not exact`);
    if (/_unix$/.test(String(name))) meanings.set(String(name).replace(/_unix$/, ''), `${String(path)} as text, UTC`);
  }
  for (const column of viewColumns(database, rawName(family))) {
    const shown = column.replace(/_unix$/, '');
    if (!meanings.has(column)) meanings.set(column, 'no item has shown it yet');
    if (!meanings.has(shown)) meanings.set(shown, 'no item has shown it yet');
  }
  return meanings;
}

function meaningOf(path: string, field: Field | undefined): string {
  const words = path.replaceAll('.', ', ').replaceAll('_', ' ');
  const kind =
    field?.format === 'unix'
      ? 'seconds since 1970'
      : field?.type === 'boolean'
        ? '1 or 0'
        : field?.type === 'array'
          ? 'JSON list'
          : '';
  const choices = field?.enum ? `one of ${field.enum.join(', ')}` : '';
  return [words, kind, choices, field?.note ?? ''].filter((text) => text !== '').join('; ');
}

function fieldAt(fields: Readonly<Record<string, Field>>, steps: readonly string[]): Field | undefined {
  const [first = '', ...rest] = steps;
  const field = Object.hasOwn(fields, first) ? fields[first] : undefined;
  return rest.length === 0 || !field ? field : fieldAt(field.fields ?? {}, rest);
}

/** Width of a column's name before its meaning. */
const NAME = 32;

/**
 * Tables with their columns below them, for people: names are complete, so that they can be copied; meanings are
 * wrapped.
 */
export function tablesText(rows: readonly TableColumn[], columns: number): string {
  const lines: string[] = [];
  let last: string | undefined;
  const width = Math.min(NAME, Math.max(0, ...rows.map(({ column }) => column.length)));
  const measure = { width: (text: string) => text.length };
  for (const { table, column, meaning } of rows) {
    if (table !== last) lines.push(...(last === undefined ? [] : ['']), table);
    last = table;
    const [first = '', ...rest] = wrapWords(meaning, Math.max(20, columns - width - 4), measure);
    const name = `  ${column.padEnd(width)}`;
    const isLong = column.length > width && meaning !== '';
    const below = ' '.repeat(width + 4);
    lines.push(...(isLong ? [name, `${below}${first}`] : [`${name}  ${first}`]), ...rest.map((part) => below + part));
  }
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
