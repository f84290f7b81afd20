import { checkColumnNames } from '../../../account/profiles/setting-checks.js';
import { usage } from '../../../base/errors/errors.js';
import { didYouMean } from '../../../base/errors/nearest.js';
import { findOperation, loadFamily } from '../../../catalogue/index.js';
import { relationsOf } from '../../../catalogue/relations.js';
import type { Operation } from '../../../catalogue/types.js';
import { columnMeant, fieldsNear, mayHave, vocabularyOf } from '../../../items/select/names.js';
import { relationCalled } from '../../../session/joins/roads.js';

/** Columns for the list of a family. @throws CopsError `usage` for a name that no item of it can have */
export async function checkColumns(name: string, text: string, source: string): Promise<string> {
  const names = checkColumnNames(text, source);
  const family = await loadFamily(name);
  const vocabulary = vocabularyOf(family, findOperation(family, 'list') as Operation);
  const relations = relationsOf(family);
  const unknown = names.split(',').filter((column) => {
    const [first = ''] = column.split('.');
    const isFar = column.includes('.') && relationCalled(relations, first) !== undefined;
    return !isFar && !mayHave(vocabulary, columnMeant(vocabulary, column) ?? column);
  });
  if (unknown.length === 0) return names;
  const known = [...new Set([...vocabulary.columns.map(({ path }) => path), ...Object.keys(vocabulary.fields)])];
  const near = unknown.length === 1 ? didYouMean(unknown[0] ?? '', known) : '';
  throw usage(
    `${source}: no field of this list is called ${unknown.map((one) => JSON.stringify(one)).join(' or ')}.${near}`,
    fieldsNear(unknown[0] ?? '', known),
  );
}
