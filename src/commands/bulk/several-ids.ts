import type { EmptyCells } from '../../bulk/map-row.js';
import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { wholeNumber } from '../../command/whole-number.js';
import { usage } from '../../errors/errors.js';
import type { TreeObject } from '../../json/tree.js';
import { reasonOf } from '../operation/limited-history.js';
import type { PreparedWrite } from '../operation/write.js';
import { type BulkInput, bulkRun } from './journals.js';

/** Several ids on one command: the same bulk run that `cops bulk` makes (command line, section 1). */
export function runManyIds(
  context: Context,
  prepared: readonly PreparedWrite[],
  options: Readonly<Record<string, unknown>>,
): Promise<Done> {
  const [first] = prepared;
  if (!first) throw new RangeError('no ids');
  return bulkRun(context, {
    family: first.family,
    operation: first.operation,
    risk: first.risk,
    ids: prepared.map((one) => one.ids[0] ?? ''),
    base: first.body as TreeObject,
    noKey: first.key === null,
    validate: options.validate !== false,
    ...bulkNumbers(options),
  });
}

/** The numbers that a bulk run takes from the command line, checked. */
export function bulkNumbers(options: Readonly<Record<string, unknown>>): Partial<BulkInput> {
  const text = (name: string): string | undefined => options[name] as string | undefined;
  const concurrency = wholeNumber(text('concurrency'), '--concurrency', 1, 64);
  const maxFailures = wholeNumber(text('maxFailures'), '--max-failures', 1);
  const journal = text('journal');
  const expect = wholeNumber(text('expect'), '--expect', 0);
  const empty = emptyCells(text('empty'));
  return {
    concurrency,
    maxFailures,
    expect,
    journal,
    empty,
    reason: reasonOf(options.reason),
    again: options.again === true,
    stopOnFraud: options.stopOnFraud === true,
  };
}

function emptyCells(text: string | undefined): EmptyCells | undefined {
  if (text === undefined || text === 'skip' || text === 'null') return text;
  throw usage(`--empty ${text}: give skip or null.`);
}
