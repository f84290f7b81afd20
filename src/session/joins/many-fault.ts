import { usage } from '../../base/errors/errors.js';
import { type CommandLine, cops, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import { LEAF_TYPES } from '../../catalogue/leaf-types.js';
import { relationsOf } from '../../catalogue/relations.js';
import type { Family } from '../../catalogue/types.js';
import type { Vocabulary } from '../../items/select/names.js';
import { manyOn, type Road, relatedFields } from './roads.js';

/** Where a line names a field to compare, sort or group by. */
export interface NamePlace {
  readonly option: 'where' | 'sort' | 'group-by' | 'sum';
  /** The whole condition, of `--where`. */
  readonly text?: string | undefined;
  /** The fields that the line groups by. */
  readonly by?: readonly string[] | undefined;
}

/** The error of a name that leads to many rows where one value is needed, with lines that work instead. */
export async function manyFault(family: Family, typed: string, road: Road, place: NamePlace): Promise<Error> {
  const relation = manyOn(road);
  const word = relation?.word.replaceAll('_', '-') ?? '';
  const { head, rest } = splitAt(typed, road);
  const one = await oneToOne(family, typed, road);
  const instead: Text[] = [];
  if (one !== undefined) instead.push(`Each has one ${one}.`);
  if (place.option === 'where')
    instead.push(
      `To select those with a match: --with '${head} ${(place.text ?? `${typed}=...`).slice(head.length + 1)}'`,
    );
  else if (place.option === 'sort') instead.push(`To sort by their number: --sort -${head}.count.`);
  const summed = place.option === 'where' ? undefined : await summedPerItem(road, rest, place.by);
  if (summed) instead.push(say`Their sum${place.by ? '' : ' for each'}, the largest first: ${summed}`);
  else if (place.option !== 'where' && place.option !== 'sort' && relation && (await hasList(relation.to)))
    instead.push(say`From their own list: ${cops`${relation.to.replaceAll('_', '-')} list --${place.option} ${rest}`}`);
  const says = `--${place.option}: "${typed}" may have many values, because one item may have many ${word}.`;
  return usage(says, joinedTexts(instead, ' '));
}

/** The error for a sum over a field that an item has many values of; undefined if it has one. */
export async function sumFault(
  family: Family,
  vocabulary: Vocabulary,
  field: string,
  by: readonly string[] | undefined,
): Promise<Error | undefined> {
  const fault = (typed: string, road: Road) => manyFault(family, typed, road, { option: 'sum', by });
  return (await relatedFields(family, vocabulary, [field], undefined, fault)).many.get(field);
}

/** `customer.subscriptions` and `product.name`, of `customer.subscriptions.product.name`. */
function splitAt(typed: string, road: Road): { readonly head: string; readonly rest: string } {
  let steps = 1;
  for (let at = road.follow; at && !at.relation.many; at = at.then.follow) steps++;
  const words = typed.split('.');
  return { head: words.slice(0, steps).join('.'), rest: words.slice(steps).join('.') };
}

/** The line that lists the related rows instead, and adds up their field for each item. */
async function summedPerItem(
  { follow }: Road,
  field: string,
  by?: readonly string[],
): Promise<CommandLine | undefined> {
  const { relation, family: far, then } = follow ?? {};
  const type = then?.leaf.type;
  const list = far && findOperation(far, 'list')?.list;
  if (relation?.by.kind !== 'back' || !far || !list || then?.follow || !type || !LEAF_TYPES[type].sums)
    return undefined;
  const { relation: back } = relation.by;
  const names = by?.map((name) => `${back}.${name}`) ?? [back];
  const all = list.style === 'windowed' && far.nature === 'event' ? ['--all-time'] : [];
  return cops`${far.name.replaceAll('_', '-')} list ${all} --group-by ${names.join(',')} --sum ${field} --sort ${`-${field}`}`;
}

const hasList = async (name: string): Promise<boolean> =>
  findOperation(await loadFamily(name), 'list')?.list !== undefined;

/** A way to the same field over relations that each lead to one row: `renewal.product.name`. */
async function oneToOne(family: Family, typed: string, road: Road): Promise<string | undefined> {
  let end = road.follow;
  for (let at = end; at; at = at.then.follow) end = at;
  const field = typed.split('.').at(-1);
  if (!end || field === undefined) return undefined;
  for (const first of singleOf(family)) {
    if (first.to === end.family.name) return `${first.word}.${field}`;
    for (const second of singleOf(await loadFamily(first.to)))
      if (second.to === end.family.name && second.to !== family.name) return `${first.word}.${second.word}.${field}`;
  }
  return undefined;
}

const singleOf = (family: Family) => relationsOf(family).filter(({ many, by }) => !many && by.kind === 'field');
