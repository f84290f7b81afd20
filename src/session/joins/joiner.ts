import { type CopsError, usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { neverShown } from '../../catalogue/field-words.js';
import { loadFamily } from '../../catalogue/index.js';
import { type ByBack, type FamilyRelation, relationsOf } from '../../catalogue/relations.js';
import type { Family } from '../../catalogue/types.js';
import type { Lossless } from '../../items/json/lossless.js';
import { followRelation } from '../../items/select/follow.js';
import { fieldsNear, mayHave } from '../../items/select/names.js';
import { carriesAt, Either, putAt, UNKNOWN, valuesAt } from '../../items/select/values.js';
import type { Context } from '../context/context.js';
import type { FarRows } from './far-rows.js';
import { type Belonging, chosenByRule, inListOrder, openToRule } from './relation-choice.js';
import { allRelations, endsKnown, partsApart, type Road, relationCalled, vocabularyOfRows } from './roads.js';

/** What a row refers to: a row, nothing, or unknown. */
export type Referred = Lossless | undefined;

/** The rows that belong to one, and how many more may. */
export interface Many extends Belonging {
  /** Rows whose owner is unknown. */
  readonly adrift: readonly Lossless[];
}

/** What a rule finds, row by row, and the possible rows if the rule leaves open which is meant. */
interface Ruled {
  readonly reached: Referred[];
  readonly open: readonly (readonly Lossless[])[];
}

/** A relation of a family's rows. */
export interface Step {
  readonly family: Family;
  readonly relation: FamilyRelation;
}

/** Follows relations from rows to rows. */
export class Joiner {
  /** Relations that the catalogue assumes, and whether a row has shown them. */
  readonly #assumed = new Map<FamilyRelation, { readonly family: string; seen: boolean; missed: boolean }>();
  readonly #told = new Set<string>();

  constructor(
    readonly context: Context,
    readonly far: FarRows,
  ) {}

  /** Leaves a note, once. */
  say(note: string): void {
    if (this.#told.has(note)) return;
    this.#told.add(note);
    this.context.notes.note(note);
  }

  /** Notes once that values repeat across items. */
  quote(remark: string): void {
    if (this.#told.has(remark)) return;
    this.#told.add(remark);
    const { notes } = this.context;
    notes.quote ? notes.quote(remark) : notes.warn(remark);
  }

  /** The values that rows themselves contain at the end of a way; undefined if a related row must be read. */
  carried(row: Lossless, { own, follow }: Road): readonly Lossless[] | undefined {
    const path = own.find((one) => carriesAt(row, one));
    if (path !== undefined) return valuesAt(row, path);
    return follow ? undefined : [UNKNOWN];
  }

  /** Puts the value at the end of a way into rows, under its path. */
  async put(rows: readonly Lossless[], road: Road): Promise<void> {
    if (rows.some((row) => this.carried(row, road) === undefined)) await this.#refuseUnlikely(road);
    const values = await this.values(rows, road);
    for (const [at, row] of rows.entries()) putAt(row, road.path, values[at] ?? [UNKNOWN]);
  }

  /** The value at the end of a way, row by row. */
  async values(rows: readonly Lossless[], road: Road): Promise<(readonly Lossless[])[]> {
    if (rows.length === 0) this.#doubtUnnamed(road);
    const found = rows.map((row) => this.carried(row, road));
    const { follow } = road;
    const open = [...found.keys()].filter((at) => found[at] === undefined);
    if (follow?.relation.many && open.length > 0) {
      const from = open.map((at) => rows[at] ?? null);
      const values = await this.valuesOfMany(await this.belonging(from, follow.from, follow.relation), road);
      for (const [at, index] of open.entries()) found[index] = values[at];
    } else if (follow && open.length > 0) {
      const from = open.map((at) => rows[at] ?? null);
      const { reached, open: candidates } = await this.#reachedOrOpen(from, follow);
      const distinct = thereIn([...reached, ...candidates.flat()]);
      this.#refuseNowhere(distinct, road);
      const values = await this.values(distinct, follow.then);
      const byRow = new Map(distinct.map((row, at) => [row, values[at] ?? [UNKNOWN]]));
      for (const [at, index] of open.entries()) {
        const row = reached[at];
        const each = (candidates[at] ?? []).map((one) => byRow.get(one) ?? [UNKNOWN]);
        const unknown = each.length > 0 ? [UNKNOWN, new Either(each)] : [UNKNOWN];
        found[index] = row === undefined ? [] : row === UNKNOWN ? unknown : byRow.get(row);
      }
    }
    return found.map((values) => values ?? [UNKNOWN]);
  }

  /** The values at the end of a way, from all rows of each item, newest first; unknown if there may be more rows. */
  async valuesOfMany(many: readonly Many[], road: Road): Promise<(readonly Lossless[])[]> {
    const distinct = [...new Set(many.flatMap((one) => one.rows))];
    this.#refuseNowhere(distinct, road);
    const values = road.follow ? await this.values(distinct, road.follow.then) : [];
    const byRow = new Map(distinct.map((row, at) => [row, values[at] ?? [UNKNOWN]]));
    return many.map(({ rows: own, isSure, adrift }) =>
      isSure && adrift.length === 0 ? inListOrder(own).flatMap((row) => byRow.get(row) ?? [UNKNOWN]) : [UNKNOWN],
    );
  }

  /** The row that each row refers to. */
  async reached(rows: readonly Lossless[], family: Family, relation: FamilyRelation): Promise<Referred[]> {
    const { by } = relation;
    if (by.kind === 'rule') return (await this.#ruled(rows, family, relation)).reached;
    if (by.kind === 'back') {
      const many = await this.belonging(rows, family, relation);
      return many.map(({ rows: found, isSure, adrift }) =>
        !isSure || adrift.length > 0 || found.length > 1 ? UNKNOWN : found[0],
      );
    }
    const ids = rows.map((row) => this.#idsOf(row, family, relation));
    const to = await loadFamily(relation.to);
    const known = await this.far.byIds(
      to,
      ids.flatMap((one) => one ?? []),
    );
    return ids.map((one) => {
      if (one === undefined || one.length > 1) return UNKNOWN;
      const [id] = one;
      return id === undefined ? undefined : (known.get(id) ?? UNKNOWN);
    });
  }

  /** The row that each row refers to; if a rule leaves it open, the possible rows. */
  async #reachedOrOpen(rows: readonly Lossless[], { from, relation }: NonNullable<Road['follow']>): Promise<Ruled> {
    if (relation.by.kind === 'rule') return this.#ruled(rows, from, relation);
    return { reached: await this.reached(rows, from, relation), open: [] };
  }

  /** The rows that belong to each row; for mere counts, rows that show their ids are enough. */
  async belonging(
    rows: readonly Lossless[],
    family: Family,
    relation: FamilyRelation,
    { from, isBare = false }: { readonly from?: number | undefined; readonly isBare?: boolean } = {},
  ): Promise<Many[]> {
    const { by, word, leaves } = relation;
    if (leaves !== undefined)
      this.say(`${word.replaceAll('_', '-')} of ${family.name.replaceAll('_', '-')}: ${leaves}`);
    if (by.kind === 'back') return this.#referring(rows, family, relation, by, from);
    if (by.kind === 'rule' || !relation.many) {
      const one = await this.reached(rows, family, relation);
      return one.map((row) => ({
        rows: row === undefined || row === UNKNOWN ? [] : [row],
        isSure: row !== UNKNOWN,
        adrift: [],
      }));
    }
    const ids = rows.map((row) => this.#idsOf(row, family, relation));
    if (isBare) {
      this.#refuseUnseen();
      return ids.map((one) => ({
        rows: [...new Set(one)].map((id) => new Map([['id', id]])),
        isSure: one !== undefined,
        adrift: [],
      }));
    }
    const known = await this.far.byIds(
      await loadFamily(relation.to),
      ids.flatMap((one) => one ?? []),
    );
    return ids.map((one) => {
      const found = (one ?? []).map((id) => known.get(id));
      const there = found.filter((row) => row !== undefined);
      return { rows: there, isSure: one !== undefined && there.length === found.length, adrift: [] };
    });
  }

  /** The rows that belong to what each row refers to, step by step. */
  async belongingBeyond(
    rows: readonly Lossless[],
    [step, ...others]: readonly Step[],
    { family, relation }: Step,
    options: { readonly from?: number | undefined; readonly isBare?: boolean },
  ): Promise<Many[]> {
    if (!step) return this.belonging(rows, family, relation, options);
    const next = others[0]?.relation ?? relation;
    // Reverse references need only the id; a row's own references require reading it.
    const one =
      next.by.kind === 'back'
        ? await this.#stepOn(rows, step.family, step.relation, await loadFamily(step.relation.to))
        : await this.reached(rows, step.family, step.relation);
    const distinct = thereIn(one);
    return spread(one, distinct, await this.belongingBeyond(distinct, others, { family, relation }, options));
  }

  async #referring(
    rows: readonly Lossless[],
    family: Family,
    relation: FamilyRelation,
    { relation: word }: ByBack,
    from: number | undefined,
  ): Promise<Many[]> {
    const { to, filter } = relation;
    const other = await loadFamily(to);
    const apart = await partsApart(family, relation, other);
    if (apart !== undefined) this.say(apart);
    const back = relationsOf(other).find((one) => one.word === word);
    if (back?.by.kind !== 'field') throw new RangeError(`${to} has no relation ${word}`);
    const own = rows.map((row) => idOf(row, family));
    const ids = [...new Set(own.flatMap((id) => id ?? []))];
    const { all } = await this.far.referring({
      family: other,
      ids,
      filter,
      from,
      path: back.many || back.by.when ? undefined : back.by.path,
    });
    const byId = new Map<string, Lossless[]>();
    const adrift: Lossless[] = [];
    for (const row of new Set(all)) {
      const named = this.#idsOf(row, other, back);
      if (named === undefined) adrift.push(row);
      for (const id of new Set(named)) byId.set(id, [...(byId.get(id) ?? []), row]);
    }
    this.#refuseUnseen();
    return own.map((id) => ({ rows: id === undefined ? [] : (byId.get(id) ?? []), isSure: id !== undefined, adrift }));
  }

  /** The row that a rule of cops finds; says so once. */
  async #ruled(rows: readonly Lossless[], family: Family, relation: FamilyRelation): Promise<Ruled> {
    const { by, word } = relation;
    if (by.kind !== 'rule') return { reached: [], open: [] };
    this.say(`${word.replaceAll('_', ' ')}, by rule: ${by.says}`);
    const among = await this.#among(rows, family, by.via.split('.'));
    const { family: found } = among;
    const many = among.found.map((one) => ({ ...one, isSure: one.isSure && one.adrift.length === 0 }));
    const chosen = many.map((one) => chosenByRule(by.name, one));
    if (by.choice === undefined) return { reached: chosen, open: many.map((one) => openToRule(by.name, one)) };
    const then = relationCalled(relationsOf(found), by.choice);
    if (!then) throw new RangeError(`${found.name} has no relation ${by.choice}`);
    const there = thereIn(chosen);
    const last = await this.reached(there, found, then);
    const byRow = new Map(there.map((row, at) => [row, last[at]]));
    const reached = chosen.map((row) => (row === undefined || row === UNKNOWN ? row : byRow.get(row)));
    return { reached, open: [] };
  }

  /** What a rule chooses among, at the end of its text. */
  async #among(
    rows: readonly Lossless[],
    family: Family,
    words: readonly string[],
  ): Promise<{ readonly family: Family; readonly found: readonly Many[] }> {
    const [word = '', ...others] = words;
    const relation = relationCalled(await allRelations(family), word);
    if (!relation) throw new RangeError(`${family.name} has no relation ${word}`);
    const to = await loadFamily(relation.to);
    if (others.length === 0) return { family: to, found: await this.belonging(rows, family, relation) };
    const one = await this.#stepOn(rows, family, relation, to);
    const distinct = thereIn(one);
    const { family: last, found } = await this.#among(distinct, to, others);
    return { family: last, found: spread(one, distinct, found) };
  }

  /** On the way to rows that refer back, a row's id is enough: it is not read. */
  async #stepOn(rows: readonly Lossless[], family: Family, relation: FamilyRelation, to: Family): Promise<Referred[]> {
    const { by } = relation;
    if (by.kind !== 'field') return this.reached(rows, family, relation);
    const stubs = new Map<string, Lossless>();
    return rows.map((row) => {
      const ids = this.#idsOf(row, family, relation);
      if (ids === undefined || ids.length > 1) return UNKNOWN;
      const [id] = ids;
      if (id === undefined) return undefined;
      const stub = stubs.get(id) ?? new Map([[to.idField, id]]);
      stubs.set(id, stub);
      return stub;
    });
  }

  /** The ids that a row holds; undefined if unknown. */
  #idsOf(row: Lossless, family: Family, relation: FamilyRelation): string[] | undefined {
    const note = relation.evidence === 'assumed' ? this.#noted(relation, family) : undefined;
    const linked = followRelation(row, relation);
    if (note && linked.state === 'unknown') note.missed = true;
    // An id of another family does not show whether ids of this one are shown.
    if (note && (linked.state === 'known' || (linked.state === 'none' && !isOfKind(relation)))) note.seen = true;
    return linked.state === 'unknown' ? undefined : linked.state === 'none' ? [] : [...linked.ids];
  }

  #noted(relation: FamilyRelation, { name }: Family) {
    const key = [...this.#assumed.keys()].find(
      (one) => one.word === relation.word && this.#assumed.get(one)?.family === name,
    );
    const known = (key && this.#assumed.get(key)) ?? { family: name, seen: false, missed: false };
    if (!key) this.#assumed.set(relation, known);
    return known;
  }

  /**
   * An assumed relation that no item of this account shows is none to answer by.
   * @throws CopsError usage
   */
  #refuseUnseen(): void {
    for (const [{ word }, { family, seen, missed }] of this.#assumed) {
      if (seen || !missed) continue;
      throw usage(
        `No item of ${family.replaceAll('_', '-')} shows its ${word.replaceAll('_', ' ')}, so nothing can be selected by it.`,
        'The documentation does not promise it, and no item of this account has it.',
      );
    }
  }

  /** Without any row to show a field, one that the catalogue does not name is only doubtful, not an error. */
  #doubtUnnamed(road: Road): void {
    const { follow, path } = road;
    if (!follow || endsKnown(road)) return;
    if (follow.then.follow) this.#doubtUnnamed(follow.then);
    else if (!mayHave(vocabularyOfRows(follow.family), follow.then.path)) this.doubt(path);
  }

  /**
   * A name that the catalogue does not expect where a way ends is looked for on the first rows there, before all that
   * the way asks for is read.
   *
   * @throws CopsError usage if none of them has it
   */
  async #refuseUnlikely({ follow, path }: Road): Promise<void> {
    if (!follow) return;
    if (follow.then.follow) return this.#refuseUnlikely({ ...follow.then, path });
    const { family, then } = follow;
    if (await this.isUnlikely(family, then.path)) throw nowhere(family, then.path, path);
  }

  /** True for a path that neither the catalogue nor a family's first rows show. */
  async isUnlikely(family: Family, path: string): Promise<boolean> {
    if (mayHave(vocabularyOfRows(family), path)) return false;
    const rows = await this.far.glance(family);
    return rows.length > 0 && !rows.some((row) => carriesAt(row, path));
  }

  /** Says that no row can show a field. */
  doubt(path: string): void {
    this.say(`There is no item to show "${path}".`);
  }

  /** @throws CopsError usage if no related row has a field with this name */
  #refuseNowhere(rows: readonly Lossless[], road: Road): void {
    this.#refuseUnseen();
    const { follow } = road;
    if (!follow || follow.then.follow || rows.length === 0 || endsKnown(road)) return;
    if (rows.some((row) => this.carried(row, follow.then)?.[0] !== UNKNOWN)) return;
    throw nowhere(follow.family, follow.then.path, road.path);
  }
}

/** The distinct rows among those referred to. */
const thereIn = (referred: readonly Referred[]): Lossless[] => [
  ...new Set(referred.filter((row): row is Lossless => row !== undefined && row !== UNKNOWN)),
];

/** What belongs to each of the rows referred to. */
function spread(referred: readonly Referred[], distinct: readonly Lossless[], many: readonly Many[]): Many[] {
  const byRow = new Map<Referred, Many | undefined>(distinct.map((row, at) => [row, many[at]]));
  return referred.map((row) => byRow.get(row) ?? { rows: [], isSure: row === undefined, adrift: [] });
}

const isOfKind = ({ by }: FamilyRelation): boolean => by.kind === 'field' && by.when !== undefined;

function nowhere({ name, item = {} }: Family, path: string, typed: string): CopsError {
  const near = didYouMean(path, Object.keys(item));
  return usage(
    `No item of ${name.replaceAll('_', '-')} has a field "${path}" (${typed}).${near}`,
    neverShown(path, Object.keys(item)) ?? fieldsNear(path, Object.keys(item)),
  );
}

function idOf(row: Lossless, { idField }: Family): string | undefined {
  const id = row instanceof Map ? row.get(idField) : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
