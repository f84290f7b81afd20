import { CopsError, unless } from '../../base/errors/errors.js';
import { inParallel } from '../../base/in-parallel.js';
import { pathParameters } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { type Lossless, parseLossless } from '../../items/json/lossless.js';
import { vocabularyOf } from '../../items/select/names.js';
import { withStates } from '../../items/select/states.js';
import { group } from '../../items/text/width.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { type Beginning, firstDayOf } from '../read/first-day.js';
import type { Reader } from '../read/reading.js';
import { FamilyList } from './family-list.js';
import type { KeptRows } from './kept-rows.js';

/** Requests that a line may send for related rows without saying so. */
const UNSAID = 12;
/** Single reads in flight. */
const AT_ONCE = 4;
/** Requests a list's first pages to learn the cost of the rest if there are this many more ids than windows. */
const WORTH_A_LOOK = 3;

/** Rows of a family, read to be compared with others. */
export interface RowsRead {
  readonly all: readonly Lossless[];
}

/** Lists that are read whole for several questions, one after another. */
export interface SharedLists {
  readonly whole: Map<string, { readonly rows: Promise<RowsRead>; readonly at: number }>;
}

/** How long a wholly read list can answer further questions, milliseconds. */
const FRESH_MS = 60_000;

/** Which rows of a family that refer to others are wanted. */
export interface Referring {
  readonly family: Family;
  /** Ids of the items that they refer to. */
  readonly ids: readonly string[];
  /** The parameter of their list that selects the rows of one id. */
  readonly filter: string | undefined;
  /** Where a row holds the only id that it refers to; undefined if it may hold several. */
  readonly path: string | undefined;
  /** The earliest creation of a row that matters, unix seconds. */
  readonly from: number | undefined;
}

/** Rows of other families, read once and with the fewest requests: completely, or the line ends with the error. */
export class FarRows {
  readonly #byId = new Map<string, Map<string, Lossless | undefined>>();
  readonly #lists = new Map<string, FamilyList>();
  readonly #filtered = new Map<string, readonly Lossless[]>();
  #sent = 0;
  /** Requests announced for a family, and those completed. */
  #reading = { of: 0, done: 0 };
  #beginning: Promise<Beginning> | undefined;

  constructor(
    readonly context: Context,
    readonly reader: Reader,
    readonly shared: SharedLists = { whole: new Map() },
    readonly kept?: KeptRows,
  ) {}

  /** The account's first day, looked up once. */
  readonly #first = (): Promise<Beginning> => {
    this.#beginning ??= firstDayOf(this.context, undefined);
    return this.#beginning;
  };

  /** The rows of ids; undefined for an id that the service does not know. */
  async byIds(family: Family, ids: Iterable<string>): Promise<ReadonlyMap<string, Lossless | undefined>> {
    const known = this.#known(family);
    const missing = (): string[] => [...new Set(ids)].filter((id) => !known.has(id));
    const get = family.operations.find(({ action, method }) => action === 'get' && method === 'GET');
    const kept = missing().length > 0 ? await this.kept?.ofIds(family, missing()) : undefined;
    if (kept) this.#keep(family, [...kept.values()]);
    if (kept && this.kept?.isAll) for (const id of missing()) known.set(id, undefined);
    const wanted = missing().length;
    if (wanted === 0) return known;
    const list = await this.#list(family, undefined);
    if (list && (!canGet(get) || wanted > WORTH_A_LOOK * list.windows)) {
      this.#keep(family, await this.#look(list, family));
      const isListed = !canGet(get) || (list.left ?? Number.POSITIVE_INFINITY) < missing().length;
      if (isListed) this.#keep(family, (await this.#rest(list, family)).rows);
    }
    if (!canGet(get)) for (const id of missing()) known.set(id, undefined);
    else await this.#getAll(family, get, missing(), known);
    return known;
  }

  /** Rows that refer to ids. May return all rows of the family, but never fewer than those that refer. */
  async referring(wanted: Referring): Promise<RowsRead> {
    const { family, ids, filter, from } = wanted;
    if (ids.length === 0) return { all: [] };
    const key = `${family.name} ${from ?? ''}`;
    const now = this.context.world.now();
    const known = this.shared.whole.get(key);
    if (known && now - known.at < FRESH_MS) return known.rows;
    const kept = await this.kept?.referring(family, { path: wanted.path, ids, from });
    if (kept) return { all: this.#keep(family, kept) };
    const list = await this.#list(family, from);
    if (!list) throw new CopsError('usage', `The service has no list of ${family.name}, so they cannot all be read.`);
    const open = ids.filter((id) => !this.#filtered.has(`${key} ${id}`));
    const canFilter = filter !== undefined && list.takes(filter);
    if (canFilter && open.length > 1) await this.#look(list, family);
    const isFew = open.length * list.windows <= (list.left ?? list.windows);
    if (!canFilter || !isFew) {
      const rows = this.#readWhole(family, list);
      this.shared.whole.set(key, { rows, at: now });
      return rows;
    }
    this.#announce(open.length * list.windows, family);
    for (const id of open) {
      const one = list.filtered(filter, id);
      const { rows } = await one.rest();
      this.#sent += one.asked();
      this.#filtered.set(`${key} ${id}`, this.#keep(family, rows));
      this.#progress(family);
    }
    this.context.notes.progressDone();
    return { all: ids.flatMap((id) => this.#filtered.get(`${key} ${id}`) ?? []) };
  }

  /** The first rows of a family's list, at no extra cost for a later full reading; none if it has no list. */
  async glance(family: Family): Promise<readonly Lossless[]> {
    const list = this.kept?.isAll ? undefined : await this.#list(family, undefined);
    return list ? this.#keep(family, await this.#look(list, family)) : [];
  }

  async #readWhole(family: Family, list: FamilyList): Promise<RowsRead> {
    this.#keep(family, await this.#look(list, family));
    const { rows, unproven } = await this.#rest(list, family);
    if (unproven.length > 0)
      throw new CopsError(
        'incomplete',
        `The list of ${family.name} could not be proven complete. ${unproven.join(' ')}`,
        {
          hint: 'Run it again: only the whole list shows what belongs to an item.',
        },
      );
    return { all: this.#keep(family, rows) };
  }

  /** First pages show what the rest takes; they are announced only if there are many. */
  async #look(list: FamilyList, family: Family): Promise<readonly string[]> {
    if (list.windows > UNSAID) this.#announce(list.windows, family, 'first');
    const rows = await list.look();
    this.#sent += list.asked();
    return rows;
  }

  async #rest(list: FamilyList, family: Family) {
    this.#announce(list.left ?? 0, family);
    const found = await list.rest(() => this.#progress(family));
    this.#sent += list.asked();
    this.context.notes.progressDone();
    return found;
  }

  async #getAll(
    family: Family,
    get: Operation,
    ids: readonly string[],
    known: Map<string, Lossless | undefined>,
  ): Promise<void> {
    this.#announce(ids.length, family);
    await inParallel(ids, AT_ONCE, async (id) => {
      known.set(id, await this.#get(family, get, id));
      this.#sent++;
      this.#progress(family);
    }).finally(() => this.context.notes.progressDone());
  }

  async #get(family: Family, get: Operation, id: string): Promise<Lossless | undefined> {
    const answer = await this.reader.answer(planRequest(family, get, { ids: [id] })).catch(unless('not_found'));
    return answer === undefined ? undefined : parsed(family, stripEnvelope(answer));
  }

  #known(family: Family): Map<string, Lossless | undefined> {
    const known = this.#byId.get(family.name) ?? new Map<string, Lossless | undefined>();
    this.#byId.set(family.name, known);
    return known;
  }

  /** Rows as values; a row that was read before stays the same value. */
  #keep(family: Family, raws: readonly string[]): Lossless[] {
    const known = this.#known(family);
    return raws.map((raw) => {
      const row = parsed(family, raw);
      const id = row instanceof Map ? row.get(family.idField) : undefined;
      if (typeof id !== 'string') return row;
      const kept = known.get(id) ?? row;
      known.set(id, kept);
      return kept;
    });
  }

  async #list(family: Family, from: number | undefined): Promise<FamilyList | undefined> {
    const key = `${family.name} ${from ?? ''}`;
    const list =
      this.#lists.get(key) ?? (await FamilyList.open(this.context, this.reader, family, { from, first: this.#first }));
    if (list) this.#lists.set(key, list);
    return list;
  }

  /** Announces a family's coming requests if they take the line above a few; progress counts them. */
  #announce(requests: number, family: Family, which?: 'first'): void {
    this.#reading = { of: requests, done: 0 };
    if (requests === 0 || this.#sent + requests <= UNSAID) return;
    const before = this.#sent === 0 ? '' : `, ${group(this.#sent + requests)} with those before`;
    const said = `${group(requests)} ${requests === 1 ? 'request' : 'requests'}${before}`;
    this.context.notes.note(
      `Reading ${family.name.replaceAll('_', ' ')} to answer this: ${said}${which ? ' to see how many more' : ''}.`,
    );
  }

  #progress(family: Family): void {
    const { of } = this.#reading;
    const done = ++this.#reading.done;
    if (this.#sent + of > UNSAID)
      this.context.notes.progress(
        `${family.name.replaceAll('_', ' ')}: ${done} of ${of} requests`,
        of > 0 ? done / of : undefined,
      );
  }
}

const canGet = (get: Operation | undefined): get is Operation => get !== undefined && pathParameters(get).length === 1;

function parsed(family: Family, raw: string): Lossless {
  const get = family.operations.find(({ action }) => action === 'list' || action === 'get');
  const columns = get ? vocabularyOf(family, get).columns : family.columns;
  return withStates(parseLossless(raw), raw, columns);
}
