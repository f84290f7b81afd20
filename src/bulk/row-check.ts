import type { RowCondition } from '../account/journal/journal-lines.js';
import { CopsError } from '../base/errors/errors.js';
import type { FamilyOperation } from '../catalogue/types.js';
import type { Context } from '../session/context/context.js';
import { itemValues } from '../session/joins/read-values.js';
import type { Reader } from '../session/read/reading.js';
import type { EngineOptions } from './engine.js';
import { itemFamily } from './row-values.js';
import type { PlannedRow, RowSubject } from './types.js';

/** Errors that end a run at whichever row they occur. */
const ENDS: ReadonlySet<string> = new Set(['stopped', 'interrupted']);

/**
 * Reads a row's item again, and compares it with the conditions that selected the rows and the values that its body was
 * computed from. Undefined if there are neither, so that rows do not wait for a check.
 */
export async function rowCheck(
  context: Context,
  reader: Reader,
  job: FamilyOperation & { readonly subject?: RowSubject | undefined },
  { condition, first }: { readonly condition: RowCondition | undefined; readonly first: readonly PlannedRow[] },
): Promise<EngineOptions['check']> {
  if (condition === undefined && !first.some(({ read }) => read !== undefined)) return undefined;
  const { fitCheck, silently } = await import('../session/read/still-fits.js');
  const fits = condition && (await fitCheck(context, reader, job.family, condition));
  const moved = async ({ ids, body, read = {} }: PlannedRow): Promise<string | undefined> => {
    const family = itemFamily(job);
    const id = String(job.subject ? body[job.subject.field] : ids[0]);
    const paths = Object.keys(read);
    if (!family || paths.length === 0) return undefined;
    const values = (await itemValues(silently(context), reader, family, { ids: [id], paths })).get(id)?.values;
    const is = (path: string) => {
      const one = values?.get(path);
      return one && 'value' in one ? one.value : undefined;
    };
    const changed = paths.filter((path) => is(path) !== read[path]);
    return changed.length > 0 ? `its ${changed.join(' and ')} changed after it was read` : undefined;
  };
  return async (row) => {
    try {
      return (await fits?.(row.ids[0] ?? '')) ?? (await moved(row));
    } catch (error) {
      if (!(error instanceof CopsError) || ENDS.has(error.kind)) throw error;
      return `it could not be read again: ${error.message}`;
    }
  };
}
