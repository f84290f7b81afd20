import { usage, wrongOption } from '../../base/errors/errors.js';
import { say } from '../../base/text/command-line.js';
import { pathSteps } from '../../catalogue/leaf-types.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import { leavesOf, type Schema } from '../../items/schema/types.js';
import { fieldPath, fieldsNear, isKnown, knownNames, mayHave, vocabularyOf } from '../../items/select/names.js';
import { relatedFields } from '../../session/joins/roads.js';
import type { ChosenList } from './choose-list.js';

/*
 * Columns that a line chooses for an export. The words are those of lists; the values are what each item carries
 * itself, because an export copies a list and reads no other.
 */

/** The paths that typed names mean, each once. */
export function columnsMeant({ family, operation }: FamilyOperation, typed: readonly string[]): readonly string[] {
  const vocabulary = vocabularyOf(family, operation);
  return [...new Set(typed.map((name) => (isKnown(vocabulary, name) ? name : fieldPath(vocabulary, name, 'heading'))))];
}

/** What the first items of an export showed. */
export interface SampledItems {
  readonly schema: Schema;
  readonly count: number;
}

/**
 * Checks columns against the first items, before a row is written; returns those that none of them has.
 * @throws CopsError `usage` for a column that would stay empty, with the line or the name that is meant
 */
export type ColumnCheck = (sample: SampledItems) => readonly string[];

export async function columnCheck(
  { family, operation, asList, asRows }: ChosenList,
  columns: readonly string[],
): Promise<ColumnCheck> {
  const vocabulary = vocabularyOf(family, operation);
  const { related, roads, many } = await relatedFields(family, vocabulary, columns, undefined, () => undefined);
  const rows = asRows && say`With product, customer and reason: ${asRows}`;
  return ({ schema, count }) => {
    const missing = columns.filter((path) => !isIn(schema, pathSteps(path)));
    for (const path of missing) {
      const own = roads.get(related.get(path)?.path ?? '')?.own.find((one) => isIn(schema, pathSteps(one)));
      if (own !== undefined) throw wrongOption('--columns', `no item has "${path}". Did you mean ${own}?`);
      const isFar = related.has(path) || many.has(path);
      if (isFar && count > 0) {
        const steps = pathSteps(path);
        const beside = leavesOf(schema).filter((leaf) => leaf.path.startsWith(`${steps[0]}.`));
        const own = beside.flatMap((leaf) => (leaf.path.endsWith(`_${steps.at(-1)}`) ? [leaf.path] : []));
        const says =
          own.length > 0 ? `no item has "${path}", only ${own.join(', ')}` : `"${path}" is a field of another list`;
        // The hinted line must run: a list has only its items' own fields and those of single related rows.
        const fit = columns.filter((one) => related.has(one) || isIn(schema, pathSteps(one)));
        const left = columns.filter((one) => !fit.includes(one));
        const without = left.length > 0 ? say`Without ${left.join(', ')}: ${asList(fit)}` : asList();
        throw usage(`--columns: ${says}; an export reads only one list.`, rows ? say`${rows}. ${without}` : without);
      }
      if (isFar || isKnown(vocabulary, path) || (count === 0 && mayHave(vocabulary, path))) continue;
      // Fields that an account defines itself may appear later.
      if (path.startsWith('metadata.') && isKnown(vocabulary, 'metadata')) continue;
      const known = [...new Set([...knownNames(vocabulary), ...leavesOf(schema).map((leaf) => leaf.path)])];
      const near = fieldsNear(path, known);
      throw wrongOption('--columns', `no item has "${path}".`, rows ? say`${near ? `${near} ` : ''}${rows}` : near);
    }
    return count === 0 ? [] : missing;
  };
}

/** Whether a schema has a path; it has none below a list or a value of unknown shape. */
function isIn(schema: Schema, [step, ...rest]: readonly string[]): boolean {
  const field = schema.find(({ name }) => name === step);
  if (field === undefined || rest.length === 0) return field !== undefined;
  return field.type === 'object' && isIn(field.fields ?? [], rest);
}
