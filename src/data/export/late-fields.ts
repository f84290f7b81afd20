import { isFieldName, learnValue, widen, widenAll } from '../../items/schema/learn.js';
import type { Schema, SchemaField } from '../../items/schema/types.js';

/** A path with values in `_other`: it appeared after the columns were settled, or its values do not fit its column. */
export interface LateField {
  readonly path: string;
  /** Items with such a value. */
  readonly items: number;
  /** The types of those values. */
  readonly field: SchemaField;
}

/** Collects late fields while rows are written. */
export class LateFields {
  #found = new Map<string, { items: number; field: SchemaField }>();

  note(path: string, json: string): void {
    const field = learnValue(path.slice(path.lastIndexOf('.') + 1), json);
    const known = this.#found.get(path);
    if (!known) this.#found.set(path, { items: 1, field });
    else {
      known.items++;
      known.field = widen(known.field, field);
    }
  }

  /** The fields found since the last call, in order of first appearance; undefined if there are none. */
  take(): readonly LateField[] | undefined {
    const found = [...this.#found].map(([path, { items, field }]) => ({ path, items, field }));
    this.#found = new Map();
    return found.length > 0 ? found : undefined;
  }
}

/** Merges the late fields of several parts into one list. */
export function joinLate(parts: Iterable<readonly LateField[] | undefined>): LateField[] {
  const all = new Map<string, LateField>();
  for (const part of parts) {
    for (const late of part ?? []) {
      const known = all.get(late.path);
      all.set(
        late.path,
        known ? { ...known, items: known.items + late.items, field: widen(known.field, late.field) } : late,
      );
    }
  }
  return [...all.values()];
}

/** A schema that also has room for late fields. */
export function withLate(schema: Schema, late: readonly LateField[]): Schema {
  let wider = schema;
  for (const { path, field } of late) {
    const words = path.split('.');
    if (!words.every(isFieldName)) continue;
    const whole = words
      .slice(0, -1)
      .reduceRight<SchemaField>((below, name) => ({ name, type: 'object', fields: [below] }), field);
    wider = widenAll(wider, [whole]);
  }
  return wider;
}

/** Name of the column for everything that belongs to no other column, as one JSON object by dotted path. */
export const OTHER = '_other';

/** The values of one item that belong to no column: paths, and ranges of the item's bytes. */
export class OtherFields {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #paths: string[] = [];
  /** In pairs: the start and end of each. */
  readonly #ranges: number[] = [];

  /** Begins another item, in these bytes. */
  begin(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#paths.length = 0;
    this.#ranges.length = 0;
  }

  add(path: string, start: number, end: number): void {
    this.#paths.push(path);
    this.#ranges.push(start, end);
  }

  get any(): boolean {
    return this.#paths.length > 0;
  }

  /** Value by value. */
  fields(): LateField[] {
    return this.#paths.map((path, i) => {
      const field = learnValue(path.slice(path.lastIndexOf('.') + 1), this.#json(i));
      return { path, items: 1, field };
    });
  }

  /** As one JSON object by path; undefined if empty. Also reports each value to `late`. */
  json(late?: LateFields): string | undefined {
    if (this.#paths.length === 0) return undefined;
    const members = this.#paths.map((path, i) => {
      const raw = this.#json(i);
      if (raw !== 'null') late?.note(path, raw);
      return `${JSON.stringify(path)}:${raw}`;
    });
    return `{${members.join(',')}}`;
  }

  #json(i: number): string {
    return this.#bytes.toString('utf8', this.#ranges[2 * i], this.#ranges[2 * i + 1]);
  }
}
