import { allFamilies } from '../../../catalogue/index.js';
import { type FamilyRelation, relationsOf } from '../../../catalogue/relations.js';
import type { Family } from '../../../catalogue/types.js';

/** A row of the list of relations. */
export type RelationRow = ReturnType<typeof rowOf>;

const dashed = (word: string): string => word.replaceAll('_', '-');

/** The relations of one family, or of all. */
export async function relationRows(family?: string): Promise<RelationRow[]> {
  const all = await allFamilies();
  const asked = family === undefined ? all : all.filter(({ name }) => name === family);
  return asked.flatMap((one) => relationsOf(one, all).map((relation) => rowOf(one, relation)));
}

const rowOf = ({ name }: Family, relation: FamilyRelation) => ({
  family: dashed(name),
  relation: dashed(relation.word),
  also: relation.also.map(dashed),
  to: dashed(relation.to),
  many: relation.many,
  known_from: relation.evidence,
  way: relation.by.kind,
  found_by: foundBy(relation),
  filter: relation.filter ?? null,
  note: relation.note ?? null,
});

/** How a relation is found, in words. */
function foundBy({ by, to }: FamilyRelation): string {
  switch (by.kind) {
    case 'field': {
      const paths = [by.path, ...(by.or ?? [])].join(', else ');
      return by.when ? `${paths} where ${by.when.path} is ${by.when.values.join(' or ')}` : paths;
    }
    case 'back':
      return `${dashed(to)} whose ${dashed(by.relation)} it is`;
    default:
      return by.says;
  }
}

/** Relations in Graphviz's format, dashed if they are assumed; the reverse direction is not drawn. */
export function relationsAsDot(rows: readonly RelationRow[]): string {
  const drawn = rows.filter(({ way }) => way !== 'back');
  const lines = drawn.map(({ family, relation, to, many, known_from }) => {
    const look = [`label="${relation}${many ? '*' : ''}"`, ...(known_from === 'assumed' ? ['style=dashed'] : [])];
    return `  "${family}" -> "${to}" [${look.join(', ')}];`;
  });
  return `digraph relations {\n  rankdir=LR;\n${lines.join('\n')}\n}\n`;
}
