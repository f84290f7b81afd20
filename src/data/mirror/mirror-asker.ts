import { existsSync } from 'node:fs';
import { profileIfAny } from '../../account/profiles/faults.js';
import type { Database } from '../../base/database/types.js';
import { CopsError, stopped } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { isoTime } from '../../base/time/units.js';
import type { ServiceRequest } from '../../base/transport.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import type { Page } from '../../service/lists/growing-lists.js';
import type { Context } from '../../session/context/context.js';
import type { ListAsker } from '../../session/names/people.js';
import { openReader } from '../../session/read/reading.js';
import { momentAsked, type PastMirror, showAsOf, unwatched } from './as-of.js';
import { openFresh } from './kept-lists.js';
import { rawName, sqlName } from './layout.js';
import { mirrorOwner, openToRead } from './mirror.js';
import { knownMirror } from './mirror-in-use.js';
import { textsOf, viewColumns } from './views.js';

/** Options of a command that looks into several lists, as typed. */
export interface LookedOptions {
  readonly asOf?: string;
  readonly sync?: boolean;
  readonly maxAge?: string;
}

/** Reads answers from a mirror, until it is closed. */
export interface KeptAsker extends ListAsker {
  /** Whether the mirror answers a request. */
  isKept(request: ServiceRequest): boolean;
  /** Requested lists that the mirror did not hold at that time. */
  readonly unknown: ReadonlySet<string>;
  /** Notes what came from the mirror, and closes it. */
  close(): Promise<void>;
}

/**
 * Answers single items, searches and lists of a customer from the profile's mirror: from lists read within `--max-age`,
 * as of a moment, or as last synced (`--no-sync`). Everything else goes to the service, if that is allowed.
 * @returns undefined where there is no mirror to answer from
 * @throws CopsError `incomplete` (10) if it did not watch then
 */
export async function openKeptAsker(
  context: Context,
  { asOf, sync, maxAge }: LookedOptions,
): Promise<KeptAsker | undefined> {
  if (context.options.dryRun) return undefined;
  if (asOf !== undefined) return askerAsOf(context, asOf);
  if (sync === false) {
    const database = await openKept(context);
    const names = textsOf(database, 'SELECT family FROM _families');
    return new MirrorAsker(context, database, new Set(names), undefined);
  }
  if ((await profileIfAny(context)) === undefined) return undefined;
  const fresh = await openFresh(context, maxAge);
  if (!fresh) return undefined;
  const { database, since } = fresh;
  const names = database
    .prepare("SELECT family FROM _families WHERE state = 'synced' AND read_at >= ?")
    .all(since)
    .map(([family]) => String(family));
  return new MirrorAsker(context, database, new Set(names), await openReader(context));
}

async function openKept(context: Context): Promise<Database> {
  const file = await knownMirror(context);
  if (!existsSync(file))
    throw stopped(
      'stopped: there is no mirror to answer from, and --no-sync forbids asking the service',
      say`Create one: ${cops`sync`}, or leave out --no-sync.`,
    );
  return (await openToRead(file, await mirrorOwner(context))).database;
}

async function askerAsOf(context: Context, asOf: string): Promise<KeptAsker> {
  const moment = await momentAsked(context, asOf);
  if (!existsSync(await knownMirror(context))) throw unwatched('there is no mirror yet');
  const database = await openKept(context);
  try {
    const { past, watched } = await showAsOf(context, database, moment);
    return new MirrorAsker(context, database, new Set(watched), undefined, past);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The list parameters that a mirror can answer. */
const KNOWN_QUERY: ReadonlySet<string> = new Set(['date_start', 'date_end', 'limit', 'page', 'customer_id']);

/** What a request reads. */
type Meant =
  | { readonly kind: 'item'; readonly family: string; readonly id: string }
  | { readonly kind: 'search'; readonly family: string; readonly term: string }
  | { readonly kind: 'list'; readonly family: string; readonly query: ReadonlyMap<string, string> };

class MirrorAsker implements KeptAsker {
  readonly unknown = new Set<string>();
  readonly #told = new Set<string>();

  constructor(
    readonly context: Context,
    readonly database: Database,
    /** Families that it answers for. */
    readonly families: ReadonlySet<string>,
    /** The service for all others; undefined if it must not be asked. */
    readonly service: ListAsker | undefined,
    readonly past?: PastMirror,
  ) {}

  isKept(request: ServiceRequest): boolean {
    const meant = meantBy(request);
    return this.service === undefined || (meant !== undefined && this.#holds(meant));
  }

  async answer(request: ServiceRequest): Promise<string> {
    const meant = meantBy(request);
    if (meant?.kind !== 'item' || !this.#holds(meant)) return this.#elsewhere(request).answer(request);
    this.#told.add(meant.family);
    const row = this.database.prepare(`SELECT _json FROM ${sqlName(rawName(meant.family))} WHERE id = ?`).get(meant.id);
    if (row) return String(row[0]);
    throw new CopsError('not_found', `The mirror has no ${meant.family.replaceAll('_', ' ')} ${meant.id}.`);
  }

  async page(request: ServiceRequest, idField: string, signal?: AbortSignal): Promise<Page> {
    const meant = meantBy(request);
    if (meant === undefined || meant.kind === 'item' || !this.#holds(meant))
      return this.#elsewhere(request).page(request, idField, signal);
    this.#told.add(meant.family);
    return meant.kind === 'search' ? this.#search(meant) : this.#list(meant);
  }

  async close(): Promise<void> {
    if (this.#told.size > 0 && this.past === undefined) {
      const ages = [...this.#told].map((family) =>
        Number(this.database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family)?.[0]),
      );
      const names = [...this.#told].map((name) => name.replaceAll('_', ' ')).sort();
      this.context.notes.note(
        `From the mirror, as of ${isoTime(Math.min(...ages))}: ${names.join(', ')}. Use --max-age 1s to ask the service.`,
      );
    }
    this.database.close();
    await this.past?.discard();
  }

  #holds(meant: Meant): boolean {
    if (!this.families.has(meant.family)) return false;
    if (meant.kind !== 'list') return true;
    const names = [...meant.query.keys()];
    return names.every((name) => KNOWN_QUERY.has(name) && (name !== 'customer_id' || this.#columns(meant).has(name)));
  }

  #columns({ family }: Meant): ReadonlySet<string> {
    return new Set(viewColumns(this.database, rawName(family)));
  }

  #elsewhere(request: ServiceRequest): ListAsker {
    if (this.service) return this.service;
    const family = request.path.split('/')[1] ?? '';
    this.unknown.add(family);
    throw new CopsError('incomplete', `the mirror cannot answer this about ${family.replaceAll('_', ' ')}`);
  }

  /** Items with a value that contains the term, newest first. */
  #search({ family, term }: Meant & { readonly kind: 'search' }): Page {
    const order = this.#columns({ kind: 'search', family, term }).has('created_date_unix')
      ? 'created_date_unix DESC'
      : 'id';
    const inside = JSON.stringify(term).slice(1, -1);
    const rows = this.database
      .prepare(
        `SELECT id, _json FROM ${sqlName(rawName(family))} WHERE instr(lower(_json), lower(?)) > 0 ORDER BY ${order}`,
      )
      .iterate(inside);
    const holds = holdsValue(inside);
    const items: [id: string, json: string][] = [];
    let count = 0;
    for (const [id, json] of rows) {
      if (!holds.test(String(json))) continue;
      count++;
      if (items.length < MOST_HITS) items.push([String(id), String(json)]);
    }
    return pageOf(items, count, MOST_HITS);
  }

  #list({ family, query }: Meant & { readonly kind: 'list' }): Page {
    const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
    const isDated = query.has('date_start') && this.#columns({ kind: 'list', family, query }).has('created_date_unix');
    const customer = query.get('customer_id');
    const where = [
      ...(isDated ? ['created_date_unix BETWEEN ? AND ?'] : []),
      ...(customer === undefined ? [] : ['customer_id = ?']),
    ];
    const values = [
      ...(isDated ? [number('date_start', 0), number('date_end', Number.MAX_SAFE_INTEGER)] : []),
      ...(customer === undefined ? [] : [customer]),
    ];
    const from = `FROM ${sqlName(rawName(family))}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''}`;
    const count = Number(this.database.prepare(`SELECT count(*) ${from}`).get(...values)?.[0]);
    const limit = number('limit', 25);
    const rows = this.database
      .prepare(`SELECT id, _json ${from} ORDER BY ${isDated ? 'created_date_unix DESC' : 'id'} LIMIT ? OFFSET ?`)
      .all(...values, limit, limit * (number('page', 1) - 1));
    return pageOf(
      rows.map(([id, json]) => [String(id), String(json)]),
      count,
      limit,
    );
  }
}

/** A JSON text with the term in a value: a name is followed by a colon. */
function holdsValue(term: string): RegExp {
  const text = '(?:[^"\\\\]|\\\\.)*';
  const exact = term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`"${text}${exact}${text}"(?!\\s*:)|:\\s*-?[\\d.]*${exact}[\\d.]*\\s*[,}\\]]`, 'i');
}

function pageOf(items: readonly (readonly [id: string, json: string])[], count: number, limit: number): Page {
  return {
    items: items.map(([id, raw]) => ({ id, raw, liveMode: undefined })),
    totalCount: count,
    totalPages: Math.max(1, Math.ceil(count / limit)),
    envelope: () => `{"results":[${items.map(([, raw]) => raw).join(',')}]}`,
  };
}

function meantBy({ method, path, query }: ServiceRequest): Meant | undefined {
  const [, family = '', word, ...more] = path.split('/');
  if (method !== 'GET' || more.length > 0) return undefined;
  if (word === 'search') {
    const [only, ...others] = query;
    return only?.[0] === 'search_term' && others.length === 0 ? { kind: 'search', family, term: only[1] } : undefined;
  }
  if (word !== undefined)
    return query.length === 0 ? { kind: 'item', family, id: decodeURIComponent(word) } : undefined;
  return { kind: 'list', family, query: new Map(query) };
}
