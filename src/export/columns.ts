import type { Family, Field } from '../catalogue/types.js';

/** Name of the column that takes what no other column takes, as one JSON object by dotted path. */
export const OTHER = '_other';

export interface ExportColumn {
  readonly path: string;
  /** What the catalogue knows of its values; undefined for paths it does not know. */
  readonly field: Field | undefined;
}

/**
 * The flattened columns of a family in a stable order: its id, then the known item fields in the order of the
 * catalogue, objects with known fields taken apart (`customer.email`), arrays and other objects as JSON, then the
 * paths that only tables show.
 */
export function flatColumns(family: Family): ExportColumn[] {
  const found = new Map<string, ExportColumn>();
  const add = (path: string, field: Field | undefined) => {
    if (!found.has(path)) found.set(path, { path, field });
  };
  const { item = {} } = family;
  add(family.idField, item[family.idField]);
  const walk = (prefix: string, fields: Readonly<Record<string, Field>>) => {
    for (const [name, field] of Object.entries(fields)) {
      const path = `${prefix}${name}`;
      if (field.type === 'object' && field.fields && Object.keys(field.fields).length > 0)
        walk(`${path}.`, field.fields);
      else add(path, field);
    }
  };
  walk('', item);
  for (const { path } of family.columns) {
    const below = [...found.keys()].some((known) => known.startsWith(`${path}.`));
    if (!below) add(path, undefined);
  }
  return [...found.values()];
}

/** The top-level fields of a family's items, for typed formats: nested ones stay whole. */
export function topColumns(family: Family): ExportColumn[] {
  const found = new Map<string, ExportColumn>();
  const { item = {} } = family;
  found.set(family.idField, { path: family.idField, field: item[family.idField] });
  for (const [name, field] of Object.entries(item)) found.set(name, { path: name, field });
  for (const { path } of family.columns) {
    const name = path.split('.')[0] as string;
    if (!found.has(name)) found.set(name, { path: name, field: undefined });
  }
  return [...found.values()];
}
