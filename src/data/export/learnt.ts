import { join } from 'node:path';
import { whileLocked } from '../../base/files/lock.js';
import { readOwnText } from '../../base/files/read-file.js';
import { sameSchema, widenAll } from '../../items/schema/learn.js';
import { type Schema, type SchemaField, VALUE_TYPES, type ValueType } from '../../items/schema/types.js';
import { writeAtomically } from './files.js';

/** What a profile has learnt about the fields in families' items. */
export type Learnt = ReturnType<typeof learntOf>;

/** The memory of one profile: a file per list below `schemas/<profile>/`. Names and types only, never values. */
export function learntOf(dataDir: string, profile: string) {
  const folder = join(dataDir, 'schemas', encodeURIComponent(profile));
  const fileOf = (list: string) => join(folder, `${list.replace(/\W+/g, '-')}.json`);
  return {
    /** Undefined if nothing was learnt, or the file is unusable. */
    read: (list: string) => readSchema(fileOf(list)),
    /** Adds to what is known; may fail silently, because it can be learnt again. */
    async keep(list: string, schema: Schema) {
      const path = fileOf(list);
      try {
        await whileLocked(path, {}, async () => {
          const known = await readSchema(path);
          const wider = known ? widenAll(known, schema) : schema;
          if (!known || !sameSchema(known, wider))
            await writeAtomically(path, `${JSON.stringify({ schema: 1, fields: wider })}\n`);
        });
      } catch {
        // The export itself is complete: its manifest holds the schema.
      }
    },
  };
}

async function readSchema(path: string): Promise<Schema | undefined> {
  try {
    const { schema, fields } = JSON.parse(readOwnText(path)) as { schema: unknown; fields: unknown };
    return schema === 1 && isSchema(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value could be a schema: files are not trusted. */
export function isSchema(value: unknown): value is Schema {
  return Array.isArray(value) && value.every(isField) && new Set(value.map(({ name }) => name)).size === value.length;
}

function isField(value: unknown): value is SchemaField {
  if (typeof value !== 'object' || value === null) return false;
  const { name, type, whole, scale, form, fields, element } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !/^\w+$/.test(name) || !VALUE_TYPES.includes(type as ValueType)) return false;
  if (type === 'decimal') return isCount(whole) && isCount(scale) && whole + scale <= 38;
  if (type === 'timestamp') return form === 'unix' || form === 'iso';
  if (type === 'object') return isSchema(fields);
  return type !== 'list' || isField(element);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
