import { loadFamily } from '../../catalogue/index.js';
import { leafTypeOf } from '../../catalogue/leaf-types.js';
import { relationNamed, relationsOf } from '../../catalogue/relations.js';
import type { Family, Field, Operation } from '../../catalogue/types.js';
import { fieldAt, typeAt, type Vocabulary, vocabularyOf } from '../../items/select/names.js';
import { allRelations, vocabularyOfRows } from '../../session/joins/roads.js';
import { beginning, behind, type CompletionAnswer, type CompletionCandidate, choices, NOTHING } from './answer.js';
import { fieldValues, type Sources } from './typed-values.js';

/** A path, its operator, and the value after it. */
const TYPED = /^([^=!<>~]*?)(!=|>=|<=|==|=|>|<|~)(.*)$/s;

/** What follows the last step of a path: `=` before a value, nothing where names are enough. */
type End = '=' | '';

/** What can follow `--where`: the next step of a path, or a value after its operator. */
export async function conditionCandidates(
  family: Family,
  operation: Operation,
  typed: string,
  sources: Sources,
): Promise<CompletionAnswer> {
  const vocabulary = vocabularyOf(family, operation);
  const [, path, sign = '', value = ''] = TYPED.exec(typed) ?? [];
  if (path === undefined) return pathCandidates(family, operation, typed, '=');
  const settled = `${path}${sign}`;
  const end = await leafAt(family, vocabulary, path);
  return end === undefined ? NOTHING : behind(settled, valuesOf(end, path, value, sources));
}

/** What can follow in a comma-separated list of paths: the next step of the last one. */
export async function pathListCandidates(
  family: Family,
  operation: Operation,
  typed: string,
): Promise<CompletionAnswer> {
  const comma = typed.lastIndexOf(',') + 1;
  const sign = /^[-+]/.exec(typed.slice(comma))?.[0] ?? '';
  const settled = typed.slice(0, comma + sign.length);
  const given = new Set(typed.slice(0, comma).split(','));
  const { candidates } = await pathCandidates(family, operation, typed.slice(settled.length), '');
  return behind(settled, { candidates: candidates.filter(({ value }) => !given.has(value)) });
}

/** What can follow `--with` and `--without`: the word of a relation, then a condition on its rows. */
export async function sideCandidates(
  family: Family,
  operation: Operation,
  typed: string,
  sources: Sources,
): Promise<CompletionAnswer> {
  if (operation.columns) return NOTHING;
  const relations = await allRelations(family);
  const blank = /^\s*\S+\s/.exec(typed)?.[0];
  if (blank === undefined) {
    const known = relations.map(({ word, to }) => ({
      value: word.replaceAll('_', '-'),
      about: to.replaceAll('_', '-'),
    }));
    return beginning(known, typed);
  }
  const relation = relationNamed(relations, blank.trim());
  if (!relation) return NOTHING;
  const far = await loadFamily(relation.to);
  const list = far.operations.find(({ action }) => action === 'list' || action === 'get');
  if (!list) return NOTHING;
  const settled = typed.slice(0, Math.max(blank.length, typed.search(/,\s*[^,]*$/) + 1));
  const rest = typed.slice(settled.length);
  const lead = /^\s*/.exec(rest)?.[0] ?? '';
  return behind(`${settled}${lead}`, await conditionCandidates(far, list, rest.slice(lead.length), sources));
}

async function pathCandidates(
  family: Family,
  operation: Operation,
  typed: string,
  end: End,
): Promise<CompletionAnswer> {
  const dot = typed.lastIndexOf('.') + 1;
  const settled = typed.slice(0, dot);
  const own = operation.columns === undefined;
  const found =
    dot === 0 ? firstSteps(family, vocabularyOf(family, operation), own, end) : await stepsBehind(family, settled, end);
  return behind(settled, beginning(found, typed.slice(dot)));
}

/** The fields of an item, and the relations that lead from it. */
function firstSteps(family: Family, vocabulary: Vocabulary, own: boolean, end: End): CompletionCandidate[] {
  const steps = new Map<string, CompletionCandidate>();
  const add = (name: string, about: string, goesOn: boolean): void => {
    // Where names are enough, an object is one.
    const values = [...(goesOn ? [`${name}.`] : []), ...(goesOn && end !== '' ? [] : [`${name}${end}`])];
    for (const value of values) if (!steps.has(value)) steps.set(value, { value, about });
  };
  const relations = own ? relationsOf(family).filter(({ many }) => !many) : [];
  const isWay = (name: string): boolean => relations.some(({ word }) => word === name);
  for (const { path, title = '' } of vocabulary.columns) add(path, title, false);
  for (const [name, field] of Object.entries(vocabulary.fields))
    add(name, field.note ?? '', isWay(name) || isHolder(field));
  for (const { word, to } of relations) add(word, to.replaceAll('_', ' '), true);
  return [...steps.values()];
}

const isHolder = (field: Field): boolean => field.type === 'object' || field.items?.type === 'object';

/** What follows a path that ends with a dot. */
async function stepsBehind(family: Family, settled: string, end: End): Promise<CompletionCandidate[]> {
  const names = settled.replace(/\.$/, '').split('.');
  const at = await placeOf(family, names);
  const steps = new Map<string, CompletionCandidate>();
  for (const [name, field] of Object.entries(at.fields)) {
    const value = isHolder(field) ? `${name}.` : `${name}${end}`;
    steps.set(value, { value, about: field.note ?? '' });
  }
  if (at.family)
    for (const one of firstSteps(at.family, vocabularyOfRows(at.family), true, end)) steps.set(one.value, one);
  return [...steps.values()];
}

/** The targets of a path's steps: fields of an item, another family, or both. */
async function placeOf(
  family: Family,
  names: readonly string[],
): Promise<{ readonly fields: Readonly<Record<string, Field>>; readonly family: Family | undefined }> {
  let holder: Family | undefined = family;
  let fields: Readonly<Record<string, Field>> = vocabularyOfRows(family).fields;
  for (const name of names) {
    const relation: ReturnType<typeof relationNamed> =
      holder && relationNamed(relationsOf(holder), name.replace(/@now$/, ''));
    const field: Field | undefined = fields[name];
    fields = field?.fields ?? field?.items?.fields ?? {};
    holder = relation && !relation.many ? await loadFamily(relation.to) : undefined;
  }
  return { fields, family: holder };
}

/** The field at the end of a path, of the item or a related one. */
async function leafAt(family: Family, vocabulary: Vocabulary, path: string): Promise<Field | undefined> {
  const own = fieldAt(vocabulary, path) ?? fieldOfType(typeAt(vocabulary, path));
  const names = path.split('.');
  if (own || names.length < 2) return own;
  const last = names.at(-1) ?? '';
  const { fields, family: far } = await placeOf(family, names.slice(0, -1));
  return fields[last] ?? (far && fieldAt(vocabularyOfRows(far), last));
}

const fieldOfType = (type: ReturnType<typeof leafTypeOf>): Field | undefined =>
  type === 'flag' ? { type: 'boolean' } : type === 'instant' ? { type: 'integer', format: 'unix' } : undefined;

const MOMENTS = ['today', 'yesterday', '-7d', '-30d', '+7d', '+30d'];

function valuesOf(field: Field, path: string, typed: string, sources: Sources): CompletionAnswer {
  const type = leafTypeOf(field);
  if (type === 'instant' || type === 'day' || type === 'month') return beginning(choices(MOMENTS), typed);
  const refers = field.refers?.[0];
  const name = refers ?? path.split('.').at(-1) ?? path;
  const leaf = field.items ?? field;
  const asId =
    leaf.format === 'id' || (refers !== undefined && leaf.type === 'string')
      ? { ...leaf, format: 'id' as const }
      : leaf;
  return fieldValues(asId, name, typed, sources);
}
