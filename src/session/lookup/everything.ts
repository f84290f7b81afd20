import { cops, type Text } from '../../base/text/command-line.js';
import { allFamilies } from '../../catalogue/index.js';
import { type FamilyRelation, relationsOf } from '../../catalogue/relations.js';
import type { Family } from '../../catalogue/types.js';
import { parseLossless } from '../../items/json/lossless.js';
import { followRelation } from '../../items/select/follow.js';
import type { Found, Look } from './ask.js';
import { PARTS, readNamed } from './one.js';
import { commandOf, newestFirst, type Section, textAt } from './sheet.js';

/** A family whose items belong to a customer, directly or through other items, and the relations that show it. */
interface Belonging {
  readonly family: Family;
  readonly relations: readonly FamilyRelation[];
}

const CUSTOMERS = 'customers';

const holds = (family: Family, targets: ReadonlySet<string>): readonly FamilyRelation[] =>
  relationsOf(family).filter(({ by, to }) => by.kind === 'field' && targets.has(to));

/** Families of events, one or two steps from a customer: those that name the customer, and those that name these. */
async function belongings(): Promise<readonly Belonging[]> {
  // Set-up belongs to the account, whomever it names.
  const all = (await allFamilies()).filter(({ name, nature }) => nature !== 'set-up' && name !== CUSTOMERS);
  const own = all.filter((family) => holds(family, new Set([CUSTOMERS])).length > 0);
  const near = new Set(own.map(({ name }) => name));
  const far = all.filter((family) => !near.has(family.name) && holds(family, near).length > 0);
  return [
    ...own.map((family) => ({ family, relations: holds(family, new Set([CUSTOMERS, ...near])) })),
    ...far.map((family) => ({ family, relations: holds(family, near) })),
  ];
}

/** The families of a customer's items besides the known ones, as words for a line. */
export async function furtherFamilies(known: ReadonlySet<string>): Promise<string[]> {
  const rest = (await belongings()).filter(({ family }) => !known.has(family.name));
  return rest.map(({ family }) => commandOf(family.name));
}

/**
 * Everything else that belongs to a customer, one section per family. The families are those that the catalogue's
 * relations lead from: a new one is among them. What cannot be read is told.
 * @param known what was read of other families
 */
export async function everythingElse(
  look: Look,
  customer: string,
  known: ReadonlyMap<string, Found>,
): Promise<readonly Section[]> {
  const read = new Map(known);
  const sections: Section[] = [];
  const all = await belongings();
  for (const one of all.filter(({ family }) => !known.has(family.name))) {
    const { name, columns } = one.family;
    const line = lineOf(one, customer);
    const found = await itemsOf(look, customer, one, { read, all, line });
    read.set(name, found);
    const items = newestFirst(found.items);
    const shown = columns.filter(({ path }) => path !== 'live_mode');
    sections.push({
      ...{ word: name, columns: shown, items, since: found.since, isCut: found.isCut },
      ...{ total: items.length, command: line },
    });
  }
  return sections;
}

const hasAction = ({ operations }: Family, wanted: string): boolean =>
  operations.some(({ action }) => action === wanted);

/** The line that lists them, limited to the customer's own if the list or its items show the customer. */
function lineOf({ family, relations }: Belonging, customer: string): Text {
  if (!hasAction(family, 'list')) return '';
  const by = relations.find(({ to }) => to === CUSTOMERS)?.by;
  const path = by?.kind === 'field' ? by.path : undefined;
  const isOwn = path !== undefined && /^customer(?:\.id)?$/.test(path);
  const of = isOwn ? ['--customer', customer] : path ? ['--where', `${path}=${customer}`] : [];
  return cops`${commandOf(family.name)} list --all-time ${of}`;
}

interface Ground {
  readonly read: ReadonlyMap<string, Found>;
  readonly all: readonly Belonging[];
  readonly line: Text;
}

async function itemsOf(look: Look, customer: string, one: Belonging, ground: Ground): Promise<Found> {
  const { family, relations } = one;
  const list = family.operations.find(({ action }) => action === 'list');
  const filters = Object.values(list?.query ?? {}).some(({ refers }) => refers?.includes(CUSTOMERS));
  const command = commandOf(family.name);
  if (filters) return look.listed(command, family.name, customer);
  if (!list) {
    look.skip(command, 'the service has no list of them');
    return { items: [], isCut: true };
  }
  const found = await look.read(command, ground.line, () => look.short(family.name));
  if (found.isWhole === false) return namedOf(look, one, ground);
  const ids = new Map([...ground.read].map(([name, { items }]) => [name, new Set(items.map(idOf))]));
  ids.set(CUSTOMERS, new Set([customer]));
  const items = found.items.filter((raw) => {
    const item = parseLossless(raw);
    return relations.some((relation) => {
      const link = followRelation(item, relation);
      return link.state === 'known' && link.ids.some((id) => ids.get(relation.to)?.has(id));
    });
  });
  return { ...found, items };
}

const idOf = (raw: string): string => textAt(parseLossless(raw), 'id');

/** Items that charge somebody. Each names its parts. */
const CHARGES = ['sales', 'subscription_renewals', 'trials'];

/**
 * For a list too long to search: the items that those already read refer to. For parts of charges, that is all of them.
 */
async function namedOf(look: Look, { family }: Belonging, { read, all, line }: Ground): Promise<Found> {
  const links = (name: string) => {
    const naming = all.find((one) => one.family.name === name)?.relations.filter(({ to }) => to === family.name) ?? [];
    const items = (read.get(name)?.items ?? []).map(parseLossless);
    return items.flatMap((item) => naming.map((relation) => followRelation(item, relation)));
  };
  const ids = all.flatMap((one) => links(one.family.name).flatMap((link) => (link.state === 'known' ? link.ids : [])));
  const wanted = [...new Set(ids)].map((id) => ({ family: family.name, id }));
  const items = (await readNamed(look, wanted)).map(({ raw }) => raw);
  const isAll = (name: string): boolean => {
    const found = read.get(name);
    const isRead = found !== undefined && found.isCut !== true && found.isWhole !== false;
    return isRead && links(name).every(({ state }) => state !== 'unknown');
  };
  if (PARTS.has(family.name) && items.length === wanted.length && CHARGES.every(isAll)) return { items };
  const why = 'the list is long and cannot be filtered by customer, so only the items named above were read';
  look.skip(`further ${commandOf(family.name)}`, why, line);
  return { items, isCut: true };
}
