import { CopsError } from '../../base/errors/errors.js';
import { type CommandLine, cops, placeholder, type Text } from '../../base/text/command-line.js';
import { DAY } from '../../base/time/units.js';
import type { ServiceRequest } from '../../base/transport.js';
import { loadFamily } from '../../catalogue/index.js';
import { LARGEST_PAGE, MOST_HITS } from '../../catalogue/terms.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { type Lossless, parseLossless } from '../../items/json/lossless.js';
import { type Page, shortOf } from '../../service/lists/growing-lists.js';
import { newReport, readList, wholePlan } from '../../service/lists/read-list.js';
import { cutWindows } from '../../service/lists/windows.js';
import { pager } from '../../service/request/pager.js';
import { planRequest, searchRequest } from '../../service/request/request-plan.js';
import { type ListAsker, ownerOf, wasEdited } from '../names/people.js';
import { commandOf, listLine, type NotRead, textAt } from './sheet.js';

/** The request limit of a command that looks into several families, unless it should look at everything. */
export const MOST_REQUESTS = 12;
/** Requests in flight. */
const AT_ONCE = 6;
/** Requests for a list that is searched although the service cannot filter it, besides one per window. */
const SHORT_LIST = 40;
const FORBIDDEN = 403;
/** Failures after which nothing more may be sent. */
export const FINAL: ReadonlySet<string> = new Set(['stopped', 'interrupted']);

/** The result of one read. */
export interface Found {
  readonly items: readonly string[];
  readonly total?: number | undefined;
  /** Unix seconds; undefined if all of it was read. */
  readonly since?: number | undefined;
  /** True if these are all there are. */
  readonly isWhole?: boolean | undefined;
  /** True if others may be hidden, so that no item does not mean none. */
  readonly isCut?: boolean | undefined;
  /** Set if the answer holds fewer items than it counts. */
  readonly doubt?: string | undefined;
}

/** Items for which no request was left. */
interface Unread {
  readonly family: string;
  readonly ids: readonly string[];
}

export interface LookOptions {
  readonly asker: ListAsker;
  /** Unix seconds. */
  readonly now: number;
  /** Unix seconds: reads whole lists since then, with any number of requests. */
  readonly since?: number | undefined;
  /** The most requests allowed if `since` is not given. */
  readonly most?: number | undefined;
}

/** Several reads about one thing: counted, in parallel, each failing on its own. */
export class Look {
  #skipped: (NotRead | Unread)[] = [];
  readonly now: number;
  readonly #since: number | undefined;
  readonly #asker: ListAsker;
  readonly #most: number;
  #left: number;
  #flying = 0;
  /** Connections lost since the last answer. */
  #lost = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #items = new Map<string, string>();
  /** Items as lists show them: all that is known if no request is left for the item. */
  readonly #listed = new Map<string, string>();

  constructor(options: LookOptions) {
    this.now = options.now;
    this.#since = options.since;
    this.#asker = options.asker;
    this.#most = options.most ?? MOST_REQUESTS;
    this.#left = options.since === undefined ? this.#most : Number.POSITIVE_INFINITY;
  }

  /** What was left out so far, without items that were read in the end. */
  get notRead(): readonly NotRead[] {
    const told = new Set<string>();
    return this.#skipped.flatMap((one): NotRead[] => {
      if (!('ids' in one)) return [one];
      const key = (id: string) => `${one.family}/${id}`;
      const ids = one.ids.filter((id) => !this.hasRead(one.family, id) && !told.has(key(id)));
      for (const id of ids) told.add(key(id));
      const family = commandOf(one.family);
      const command = cops`${family} get ${ids.slice(0, 5)}`;
      return ids.length === 0
        ? []
        : [{ what: `${ids.length} of ${family}`, why: 'no request was left', commands: [command] }];
    });
  }

  /** True if everything since a moment is read, with any number of requests. */
  get isWhole(): boolean {
    return this.#since !== undefined;
  }

  /** How many items may be read one by one: any number if everything is read. */
  mostSingle(most: number): number {
    return Math.min(this.#left, this.isWhole ? this.#left : most);
  }

  /** How many requests may still be sent. */
  get left(): number {
    return this.#left;
  }

  /** The reader, with its requests counted. */
  get asker(): ListAsker {
    const counted = async <T>(request: ServiceRequest, ask: () => Promise<T>): Promise<T> => {
      if (this.#asker.isKept?.(request)) return ask();
      this.#left -= 1;
      while (this.#flying >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#flying += 1;
      try {
        return await ask();
      } finally {
        this.#flying -= 1;
        this.#waiting.shift()?.();
      }
    };
    return {
      answer: (request) => counted(request, () => this.#asker.answer(request)),
      page: (request: ServiceRequest, idField: string, signal?: AbortSignal): Promise<Page> =>
        counted(request, () => this.#asker.page(request, idField, signal)),
    };
  }

  /**
   * Reads one place. What cannot be read is noted with its reason, never left out in silence.
   * @param isRead it was read before: no request is needed for it
   * @throws CopsError that no other read can outlive
   */
  async read(what: string, command: Text, run: () => Promise<Found>, isRead = false): Promise<Found> {
    if (this.#left <= 0 && !isRead) {
      this.skip(what, `this command sends at most ${this.#most} requests`, command);
      return { items: [], isCut: true };
    }
    let found: Found;
    try {
      found = await run();
      this.#lost = 0;
    } catch (error) {
      if (!(error instanceof CopsError) || FINAL.has(error.kind)) throw error;
      // One lost connection costs one answer; when all open ones are lost, the network is down.
      this.#lost = error.kind === 'network' ? this.#lost + 1 : 0;
      if (this.#lost >= AT_ONCE) throw error;
      const why = error.facts.httpStatus === FORBIDDEN ? 'this key lacks the permission' : error.message;
      this.fail(what, error, command, why);
      return { items: [], isCut: true };
    }
    if (found.doubt === undefined) return found;
    this.fail(what, new CopsError('incomplete', found.doubt), command);
    return { ...found, isWhole: false, isCut: true };
  }

  /** Records that something was not read. */
  skip(what: string, why: string, ...commands: readonly Text[]): void {
    this.#skipped.push({ what, why, commands: commands.filter((line) => line !== '') });
  }

  /** Records that something could not be read. */
  fail(what: string, fault: CopsError, command: Text, why = fault.message): void {
    this.#skipped.push({ what, why, commands: command === '' ? [] : [command], fault });
  }

  /** Records that items of a family were not read, because no request was left. */
  skipItems(family: string, ids: readonly string[]): void {
    this.#skipped.push({ family, ids });
  }

  /** One item by its id; a second time it costs no request. */
  async item(familyName: string, id: string): Promise<string> {
    const read = this.#known(familyName, id);
    if (read !== undefined) return read;
    const family = await loadFamily(familyName);
    const text = stripEnvelope(await this.asker.answer(planRequest(family, operationOf(family, 'get'), { ids: [id] })));
    this.#items.set(`${familyName}/${id}`, text);
    return text;
  }

  #keep(familyName: string, raw: string): void {
    const id = textAt(parseLossless(raw), 'id');
    if (id !== '') this.#listed.set(`${familyName}/${id}`, raw);
  }

  /** True if the item has already been read. */
  hasRead(familyName: string, id: string): boolean {
    return this.#known(familyName, id) !== undefined;
  }

  #known(familyName: string, id: string): string | undefined {
    const key = `${familyName}/${id}`;
    return this.#items.get(key) ?? (this.#left > 0 ? undefined : this.#listed.get(key));
  }

  /** The hits of a search, ten at most. */
  async search(familyName: string, term: string): Promise<Found> {
    const family = await loadFamily(familyName);
    const request = searchRequest(family, operationOf(family, 'search'), term);
    const page = await this.asker.page(request, family.idField);
    const items = page.items.map(({ raw }) => raw);
    const isWhole = items.length < MOST_HITS && (page.totalCount ?? 0) <= items.length;
    return { items, total: page.totalCount, isWhole, doubt: shortOf(page, MOST_HITS) };
  }

  /** Searches a family by the customer's e-mail address. Records what was not read if there is no address. */
  byEmail(what: string, family: string, email: string): Promise<Found> {
    const command = cops`${commandOf(family)} search ${email || placeholder('<email>')}`;
    if (email !== '') return this.read(what, command, () => this.search(family, email));
    this.skip(what, 'the customer has no e-mail address to search by', command);
    return Promise.resolve({ items: [], isCut: true });
  }

  /**
   * Like `byEmail`, for a person whose address may have changed or who has more items than a search shows. With
   * everything to be read it also searches the lists; otherwise the answer is marked incomplete.
   */
  async byPerson(what: string, family: string, person: Lossless): Promise<Found> {
    const [id, email] = [textAt(person, 'id'), textAt(person, 'email')];
    const hits = await this.byEmail(what, family, email);
    if (!wasEdited(person) && (this.#since === undefined || hits.isWhole === true)) return hits;
    if (this.#since === undefined) return { ...hits, isWhole: false, isCut: true };
    const line = cops`${commandOf(family)} list --all-time --customer ${id}`;
    const found = await this.read(what, line, () => this.list(family));
    const have = new Set(hits.items.map((raw) => textAt(parseLossless(raw), 'id')));
    const items = found.items.map((raw) => ({ raw, item: parseLossless(raw) }));
    const own = items.filter(({ item }) => ownerOf(item) === id);
    // A list shows whole items: they need no further request.
    for (const { raw, item } of own) this.#items.set(`${family}/${textAt(item, 'id')}`, raw);
    const others = own.flatMap(({ raw, item }) => (have.has(textAt(item, 'id')) ? [] : [raw]));
    const isWhole = found.isCut !== true && this.#since <= Number(textAt(person, 'created_date_unix') || 0);
    // A whole list makes a failed search irrelevant.
    if (isWhole) this.#skipped = this.#skipped.filter((one) => !('what' in one && one.what === what));
    return { items: [...hits.items, ...others], isWhole, isCut: !isWhole };
  }

  /** Says that a person's earlier address may hide something from the searches. */
  tellEarlier(person: Lossless, command: Text): void {
    const isAll = this.#since !== undefined && this.#since <= Number(textAt(person, 'created_date_unix') || 0);
    if (wasEdited(person) && !isAll)
      this.skip(
        'items created under an earlier e-mail address, if there was one',
        'searches of orders, subscriptions and trials use the current one',
        command,
      );
  }

  /** The line that lists a customer's items of a family, since the start of this look. */
  listLine(family: string, customer: string): CommandLine {
    return listLine(family, customer, this.#since);
  }

  /** What a list shows about a customer; what cannot be read is reported. */
  listed(what: string, family: string, customer: string): Promise<Found> {
    return this.read(what, this.listLine(family, customer), () => this.ofCustomer(family, customer));
  }

  /** A list: its newest page of its newest window, or everything since a moment on request. */
  async list(
    familyName: string,
    query: readonly (readonly [string, string])[] = [],
    action = 'list',
    ids: readonly string[] = [],
    most = Number.POSITIVE_INFINITY,
  ): Promise<Found> {
    const family = await loadFamily(familyName);
    const operation = operationOf(family, action);
    const dated = operation.list?.style === 'windowed';
    const spanDays = operation.list?.spanDays ?? 90;
    const whole = this.#since !== undefined;
    const since = dated ? (this.#since ?? this.now - spanDays * DAY) : undefined;
    const windows = since === undefined ? undefined : cutWindows({ from: since, to: this.now }, spanDays);
    const report = newReport();
    const plan = {
      ...wholePlan(operation.list, whole ? windows : windows?.slice(0, 1), 2),
      onlyPage: whole || operation.list?.style === 'single' ? undefined : 1,
    };
    const base = planRequest(family, operation, { ids, query });
    const items: string[] = [];
    let pages = 0;
    let doubt: string | undefined;
    for await (const page of readList(plan, pager(this.asker, base, family.idField), report)) {
      items.push(...page.items.map(({ raw }) => raw));
      // The ids of a list below an item belong to another family.
      if (action === 'list') for (const { raw } of page.items) this.#keep(familyName, raw);
      pages += 1;
      if (!whole) doubt = shortOf(page, LARGEST_PAGE);
      const isLong = (page.totalCount ?? 0) > most * LARGEST_PAGE || pages >= most + (windows?.length ?? 1);
      if (isLong) return { items, since, isWhole: false, isCut: true };
    }
    return { items, total: report.total, since, doubt: whole ? report.unproven.join(' ') || undefined : doubt };
  }

  /** A list that the service cannot filter: whole if it is short, otherwise incomplete. */
  short(familyName: string): Promise<Found> {
    return this.list(familyName, [], 'list', [], SHORT_LIST);
  }

  /** A customer's items in a list. A list that also shows others ignored the filter: says what is missing. */
  async ofCustomer(familyName: string, customer: string): Promise<Found> {
    const found = await this.list(familyName, [['customer_id', customer]]);
    const own = found.items.filter((raw) => ownerOf(parseLossless(raw)) === customer);
    if (own.length === found.items.length) return found;
    const command = commandOf(familyName);
    this.skip(
      command,
      'the service did not filter by customer, so only its newest page was searched',
      cops`${command} list --last 90d --where customer.id=${customer}`,
    );
    return { ...found, items: own, total: undefined, isCut: true };
  }
}

function operationOf(family: Family, action: string): Operation {
  const found = family.operations.find((operation) => operation.action === action && operation.method === 'GET');
  if (!found) throw new RangeError(`${family.name} has no ${action}`);
  return found;
}
