import { CopsError, usage, wrongOption } from '../../base/errors/errors.js';
import { inParallel } from '../../base/in-parallel.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Family, FamilyOperation, Operation, Relation } from '../../catalogue/types.js';
import { compact, stripEnvelope, withoutMembers } from '../../items/json/item-json.js';
import { get, idsAt, type Lossless, parseLossless } from '../../items/json/lossless.js';
import { OUTPUT_FORMATS } from '../../screen/output-formats.js';
import type { RelatedSection } from '../../screen/types.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { Reader } from './reading.js';

/** Most items to read for one relation: an old subscription names hundreds of renewals. */
const MOST = 20;
/** Reads in flight. */
const AT_ONCE = 4;
/** Failures after which another read is pointless or forbidden. */
const FINAL: ReadonlySet<string> = new Set(['stopped', 'interrupted', 'network']);

/** A requested relation, ready to be read. */
export interface Followed {
  /** Its word, with underscores: the name under `related` in JSON. */
  readonly word: string;
  readonly relation: Relation;
  readonly family: Family;
  readonly get: Operation;
}

/**
 * The relations that `--with` names, by their words or by the family that they lead to.
 * @throws CopsError `usage` for an unknown word, listing the known ones
 */
export async function followedBy(
  context: Context,
  of: FamilyOperation,
  id: string,
  given: unknown,
): Promise<Followed[]> {
  const { operation } = of;
  const known = Object.entries(operation.related ?? {});
  const words = (Array.isArray(given) ? given : [given])
    .flatMap((text) => String(text).split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const all = known.map(([word]) => word.replaceAll('_', '-')).join(', ');
  if (words.length === 0) throw usage('--with needs a relation.', `Relations: ${all}.`);
  if (context.options.raw) throw usage('--raw prints answers untouched: leave out --with.');
  const chosen = new Map<string, Relation>();
  for (const typed of words) {
    const wanted = typed.toLowerCase().replaceAll('-', '_');
    const found = known.find(([word]) => word === wanted) ?? known.find(([, relation]) => relation.family === wanted);
    if (!found)
      throw wrongOption(
        '--with',
        `there is no relation "${typed}".`,
        (await listedLine(of.family, wanted, id)) ?? `Relations: ${all}.`,
      );
    chosen.set(...found);
  }
  return Promise.all(
    [...chosen].map(async ([word, relation]) => {
      const family = await loadFamily(relation.family);
      const read = family.operations.find(({ action, method }) => action === 'get' && method === 'GET');
      if (!read) throw new RangeError(`${relation.family} has no get`);
      return { word, relation, family, get: read };
    }),
  );
}

/** A hint for related rows that the item does not name: the list that finds them. */
async function listedLine(family: Family, word: string, id: string): Promise<Text | undefined> {
  const { allRelations, relationCalled } = await import('../joins/roads.js');
  const found = relationCalled(await allRelations(family), word);
  const far = found && (await loadFamily(found.to));
  if (!far || !findOperation(family, 'list')?.list) return undefined;
  const columns = far.columns.slice(0, 5).map(({ path }) => `${found.word}.${path}`);
  const all = family.nature === 'event' ? ['--all-time'] : [];
  const line = cops`${family.name.replaceAll('_', '-')} list ${all} --where ${`${family.idField}=${id}`} --columns ${columns.join(',')}`;
  return say`The item does not name them, but a list finds them: ${line}`;
}

/** @throws CopsError `usage` for a format that cannot show several items with their related ones */
export async function canShowSeveral(context: Context): Promise<void> {
  const { format, columns } = await context.settings();
  if (OUTPUT_FORMATS[format].wholeItems || (format !== 'ids' && columns)) return;
  throw usage(
    `With several ids, -o ${format} cannot show what --with reads.`,
    'Give one id, name columns (--columns id,related.customer.email), or use -o json.',
  );
}

/** How the record view shows followed relations. */
export const sectionsOf = (followed: readonly Followed[], unread: ReadonlyMap<string, number>): RelatedSection[] =>
  followed.map(({ word, relation, family }) => ({
    word,
    one: relation.one === true,
    columns: family.columns,
    unread: unread.get(word) ?? 0,
  }));

/**
 * Reads what an item names, at most 20 a relation, which is said. A single read that fails is said and left out. @param
 * item the item's text without its envelope @throws CopsError when the mode contradicts itself, on an interruption, and
 * when the network is gone. `text`: the item's own text with an added last member `related`: changes no digit of
 * either. `unread`: how many could not be read, by relation.
 */
export async function withRelated(context: Context, reader: Reader, followed: readonly Followed[], item: string) {
  const tree = parseLossless(item);
  const failures: CopsError[] = [];
  const unread = new Map<string, number>();
  const texts = new Map<string, string>();
  const wanted = followed.map((one) => ({ one, ids: idsToRead(context, one, tree) }));
  const reads = new Map(
    wanted.flatMap(({ one, ids }) => ids.map((id) => [`${one.family.name}/${id}`, { one, id }] as const)),
  );
  await inParallel([...reads], AT_ONCE, async ([key, { one, id }]) => {
    try {
      texts.set(key, stripEnvelope(await reader.answer(planRequest(one.family, one.get, { ids: [id] }))));
    } catch (error) {
      if (!(error instanceof CopsError) || FINAL.has(error.kind)) throw error;
      failures.push(error);
      unread.set(one.word, (unread.get(one.word) ?? 0) + 1);
      context.notes.warn(`--with ${one.word.replaceAll('_', '-')}: ${id}: ${error.message}`);
    }
  });
  const members = wanted.map(({ one, ids }) => {
    const found = ids.flatMap((id) => texts.get(`${one.family.name}/${id}`) ?? []).map(compact);
    return `${JSON.stringify(one.word)}:${one.relation.one ? (found[0] ?? 'null') : `[${found.join(',')}]`}`;
  });
  const own = withoutMembers(item, ['related']);
  const lead = own === '{}' ? '{' : `${own.slice(0, -1)},`;
  return { text: `${lead}"related":{${members.join(',')}}}`, failures, unread };
}

/** The error of an item whose related items could not all be read (exit code 10). */
export function relatedMissing(failures: readonly CopsError[]): CopsError | undefined {
  if (failures.length === 0) return undefined;
  return new CopsError('incomplete', `${failures.length} of the related items could not be read.`, {
    more: { failed: failures.length },
  });
}

function idsToRead(context: Context, { word, relation, family }: Followed, item: Lossless): string[] {
  const all = [...new Set(relation.from.flatMap((path) => idsAt(item, path)))];
  const most = relation.one ? 1 : MOST;
  const fromEnd = relation.newest !== undefined && all.length > most && get(item, relation.newest) === all.at(-1);
  if (all.length > most) {
    context.notes.warn(
      say`--with ${word.replaceAll('_', '-')}: the ${fromEnd ? 'last' : 'first'} ${most} of ${all.length}. For the rest: ${cops`${family.name.replaceAll('_', '-')} get ID`}..., with the ids under ${relation.from[0]}.`,
      { total: all.length },
    );
  }
  return fromEnd ? all.slice(-most) : all.slice(0, most);
}
