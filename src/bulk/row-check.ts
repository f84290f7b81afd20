import type { RowCondition } from '../account/journal/journal-lines.js';
import { CopsError } from '../base/errors/errors.js';
import type { FamilyOperation } from '../catalogue/types.js';
import type { Context } from '../session/context/context.js';
import type { Reader } from '../session/read/reading.js';
import type { EngineOptions } from './engine.js';

/** Errors that end a run at whichever row they occur. */
const ENDS: ReadonlySet<string> = new Set(['stopped', 'interrupted']);

/** Reads a row's item again and compares it with the conditions that selected the rows, if there were any. */
export async function rowCheck(
  context: Context,
  reader: Reader,
  { family }: Pick<FamilyOperation, 'family'>,
  condition: RowCondition | undefined,
): Promise<EngineOptions['check']> {
  if (condition === undefined) return undefined;
  const { fitCheck } = await import('../session/read/still-fits.js');
  const check = await fitCheck(context, reader, family, condition);
  return async ({ ids: [id = ''] }) => {
    try {
      return await check(id);
    } catch (error) {
      if (!(error instanceof CopsError) || ENDS.has(error.kind)) throw error;
      return `it could not be read again: ${error.message}`;
    }
  };
}
