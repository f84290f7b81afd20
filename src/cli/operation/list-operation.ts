import { CopsError, closing } from '../../base/errors/errors.js';
import type { UsualColumns } from '../../screen/types.js';
import { buildQuery } from '../../service/request/request-plan.js';
import type { Context, Done } from '../../session/context/context.js';
import { Names } from '../../session/names/line-names.js';
import type { OperationInput } from '../../session/operation/spec.js';
import { listCommand } from '../../session/read/list.js';

/** Runs a list: from the service, or from a mirror where the line asks for past data. */
export async function listOperation(
  context: Context,
  input: OperationInput,
  words: readonly (readonly string[])[],
  positional: Readonly<Record<string, string>>,
): Promise<Done> {
  const usual = await usualColumns(context, input);
  if (usual) {
    const done = await listed(withColumns(context, usual.names), input, words, positional);
    return done.result.shape === 'list' ? { ...done, result: { ...done.result, usual } } : done;
  }
  return listed(context, input, words, positional);
}

/** The columns that the profile sets for this list; undefined where the line chooses columns, or a program reads it. */
async function usualColumns(context: Context, input: OperationInput): Promise<UsualColumns | undefined> {
  const { family, operation, options } = input;
  const { format, columns, columnsOf, query, raw, template } = await context.settings();
  const names = columnsOf?.[family.name];
  if (names === undefined || operation.action !== 'list' || context.options.dryRun) return undefined;
  const isSaid = [columns, query, template].some((one) => one !== undefined) || raw;
  const isOther = [options.groupBy, options.sum, options.count].some((one) => one !== undefined);
  if (isSaid || isOther || !['table', 'csv', 'tsv'].includes(format)) return undefined;
  return { names: names.split(','), setting: `columns.${family.name.replaceAll('_', '-')}` };
}

/** The same line as if it named these columns. */
function withColumns(context: Context, columns: readonly string[]): Context {
  const settings = async () => ({ ...(await context.settings()), columns });
  return { ...context, options: { ...context.options, columns }, settings };
}

async function listed(
  context: Context,
  input: OperationInput,
  words: readonly (readonly string[])[],
  positional: Readonly<Record<string, string>>,
): Promise<Done> {
  const { family, operation } = input;
  if (input.options.asOf !== undefined || input.options.sync === false) return keptAnswer(context, input);
  const names = new Names(context, family, operation);
  const ids = await names.ids(words);
  const query = buildQuery(operation, { ...(await names.filters(input.filters)), ...positional });
  const options = await names.madeFilters(input.options);
  const rows = await freshRows(context, options);
  const done = await listCommand(context, family, operation, ids[0] ?? [], query, options, { rows });
  return rows ? { ...done, finish: () => closing(rows, () => done.finish?.()) } : done;
}

/** Rows of the mirror for a line that may need related ones; other lines load nothing here. */
async function freshRows(context: Context, { maxAge, ...options }: OperationInput['options']) {
  const named = [options.where, options.sort, options.groupBy, options.sum, context.options.columns].flat();
  const mayJoin = options.with !== undefined || options.without !== undefined;
  if (!mayJoin && !named.some((text) => typeof text === 'string' && text.includes('.'))) return undefined;
  const { FreshRows } = await import('../../data/mirror/kept-lists.js');
  return new FreshRows(context, typeof maxAge === 'string' ? maxAge : undefined);
}

/** A list that a mirror answers: as of a past moment, or as last synced. */
async function keptAnswer(context: Context, { family, operation, options, filters }: OperationInput): Promise<Done> {
  const [{ keptList }, { filtersAsConditions }] = await Promise.all([
    import('../../data/mirror/kept-lists.js'),
    import('../../session/read/kept-list.js'),
  ]);
  const where = [
    ...((options.where as readonly string[] | undefined) ?? []),
    ...filtersAsConditions(family, operation, filters),
  ];
  const asOf = typeof options.asOf === 'string' ? options.asOf : undefined;
  const list = await keptList(context, family, { asOf });
  try {
    const asked = { ...options, ...(where.length > 0 && { where }) };
    const done = await listCommand(context, family, operation, [], [], asked, { list });
    const finish = async () => {
      const fault = await done.finish?.();
      if (fault || list.doubts.length === 0) return fault;
      return new CopsError('incomplete', `Incomplete: ${list.doubts.join('; ')}.`);
    };
    return { ...done, finish: () => closing(list, finish) };
  } catch (error) {
    list.close();
    throw error;
  }
}
