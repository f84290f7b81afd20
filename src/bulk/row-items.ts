import { refundAmounts } from '../account/safety/question.js';
import type { FamilyOperation } from '../catalogue/types.js';
import { get, plain, type Values } from '../items/json/lossless.js';
import { namedSum } from '../service/body/data-path.js';
import type { Context } from '../session/context/context.js';
import { itemValues } from '../session/joins/read-values.js';
import type { Reader } from '../session/read/reading.js';
import { finerSum } from '../session/write/write.js';
import type { RowFaults } from './check.js';
import type { RowSource } from './input.js';
import type { RowMapper } from './map-row.js';
import { itemFamily } from './row-values.js';
import type { RowItem, RowSubject } from './types.js';

/** Items by the numbers of the rows that are about them. */
type RowItems = ReadonlyMap<number, RowItem>;

export interface RowItemsInput {
  readonly context: Context;
  readonly reader: Reader;
  readonly job: FamilyOperation & { readonly subject?: RowSubject | undefined };
  readonly source: RowSource;
  readonly mapper: RowMapper;
  /** What is wrong with rows so far. These rows are skipped, so that one error lists all faults. */
  readonly faults: RowFaults;
}

/**
 * Reads the items of rows, by the numbers of the rows: each item once, with what the paths of templates refer to.
 * Adds a fault for each row whose item lacks one of them.
 */
export async function rowItems(
  { context, reader, job, mapper, source, faults }: RowItemsInput,
  idOfRow: ReadonlyMap<number, string>,
): Promise<RowItems> {
  const family = itemFamily(job);
  if (!family || idOfRow.size === 0) return new Map();
  const asked = { ids: idOfRow.values(), paths: [...mapper.itemPaths] };
  const read = await itemValues(context, reader, family, asked).finally(() => context.notes.progressDone());
  const valuesOf = new Map(
    [...read].map(([id, one]): [string, Values] => [id, (path) => one && plain(get(one.item, path))]),
  );
  const items = new Map<number, RowItem>();
  for (const [row, id] of idOfRow) {
    const values = read.get(id)?.values;
    const of = valuesOf.get(id);
    if (values && of) items.set(row, { values, currency: refundAmounts(of).currency });
  }
  for await (const records of withItems(source, items).rows())
    for (const record of records) {
      const id = idOfRow.get(record.row);
      const item = valuesOf.get(id ?? '');
      if (id === undefined || !item) continue;
      const other = item(family.idField) ?? id;
      const mapped = other === id && record.item ? mapper.map(record) : undefined;
      if (!record.item) faults.tell(record.line, '', `no item of ${family.name.replaceAll('_', '-')} has the id ${id}`);
      else if (!mapped) faults.tell(record.line, '', `the service answered with ${other}, not with ${id}`);
      else if ('faults' in mapped)
        for (const { path, message } of mapped.faults) faults.tell(record.line, path, message);
      else {
        const { body } = mapped.row;
        const fault = namedSum(body) && finerSum({ operation: job.operation, body }, { item });
        if (fault !== undefined) faults.tell(record.line, '', fault);
      }
    }
  return items;
}

/** The same rows, with the items that were read for them. */
export function withItems(source: RowSource, items: RowItems): RowSource {
  if (items.size === 0) return source;
  return {
    ...source,
    async *rows(done) {
      for await (const records of source.rows(done))
        yield records.map((record) => {
          const item = items.get(record.row);
          return item ? { ...record, item } : record;
        });
    },
  };
}
