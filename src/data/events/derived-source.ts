import { existsSync } from 'node:fs';
import type { Cell, Database } from '../../base/database/types.js';
import { CopsError, closing, unless, usage } from '../../base/errors/errors.js';
import { isPostgresAddress } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import { EVENTS, eventType } from '../../catalogue/event-types.js';
import { FAMILY_INDEX, findOperation, loadFamily } from '../../catalogue/index.js';
import { parseJson } from '../../items/json/parse-json.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../../session/context/context.js';
import { openReader } from '../../session/read/reading.js';
import { fieldChanges, followerOf } from '../changes/seen-changes.js';
import { listsToSync } from '../mirror/choose-sync-lists.js';
import { mirrorFor } from '../mirror/keep-mirror.js';
import { rawName, sqlName } from '../mirror/layout.js';
import { mirrorOwner, openToRead, openToSync } from '../mirror/mirror.js';
import { ownMirror } from '../mirror/own-mirror.js';
import type { AccountEvent, EventSource } from './account-event.js';

/** Time between two looks at the service, milliseconds. */
const LOOK_MS = 60_000;
const AT_ONCE = 200;
const ROW = 'row, event, family, id, at, what, change, is_sure';

/** The families that have account events, by the first word of the event's type. */
const FAMILY_OF: ReadonlyMap<string, string> = new Map(
  [...new Set(EVENTS.map(eventType))].flatMap((type) => {
    const family = FAMILY_INDEX.find(({ name }) => [type, `${type}s`, type.replace(/y$/, 'ies')].includes(name));
    return family?.actions.some(({ action }) => action === 'list') ? [[type, family.name] as const] : [];
  }),
);

/** What a listener to a real service reads. */
export interface DerivedOptions {
  /** Whether to keep looking; otherwise only what has been seen is returned. */
  readonly isListening: boolean;
  readonly notations: readonly string[];
}

/**
 * Events of a service that sends none: derived from the differences between the looks of the profile's own mirror.
 * @throws CopsError `usage` where the profile keeps no mirror, or never had a listener
 */
export async function openDerivedSource(context: Context, options: DerivedOptions): Promise<EventSource> {
  const { mirror, mode } = await context.profile();
  const file = await ownMirror(context);
  if (mirror.value === 'never')
    throw usage('This profile keeps no mirror (mirror: never), and events come from comparing two looks of a mirror.');
  if (isPostgresAddress(mirror.value))
    throw usage("This profile uses its team's mirror, but events are derived from this machine's own mirror.");
  if (!options.isListening && !existsSync(file))
    throw usage('Nothing has been seen of this account yet.', say`Begin to look: ${cops`events listen`}`);
  const looking = new Looking(context, file, familiesOf(options.notations));
  if (options.isListening) await looking.begin();
  const source = new DerivedEvents(mode.value, options.isListening ? looking : undefined, async () => {
    return (await openToRead(file, await mirrorOwner(context))).database;
  });
  await source.open();
  return source;
}

function familiesOf(notations: readonly string[]): string[] {
  const words = notations.map(eventType);
  const named = words.flatMap(
    (word) => FAMILY_OF.get(word) ?? FAMILY_INDEX.find(({ name }) => name === word)?.name ?? [],
  );
  return [...new Set(notations.length > 0 ? named : FAMILY_OF.values())];
}

/** Keeps the mirror up to date, and checks items that it no longer lists. */
class Looking {
  #isFirst = true;

  constructor(
    readonly context: Context,
    readonly file: string,
    readonly families: readonly string[],
  ) {}

  /** The first look may take many requests, so it needs confirmation as any question to a mirror does. */
  async begin(): Promise<void> {
    const kept = await mirrorFor(this.context, this.families, { maxAge: '1m' });
    if (kept.file !== this.file)
      throw usage(
        `This profile is synced into ${kept.file}; events are derived from its own mirror.`,
        say`Make it: ${cops`sync`}`,
      );
  }

  /** Looks for news. A temporary failure is retried at the next look. */
  async look(): Promise<void> {
    if (this.#isFirst) {
      this.#isFirst = false;
      await this.#confirm();
      return;
    }
    const now = await this.context.clock();
    const quiet = { ...this.context.notes, note() {}, atOnce: undefined, detail() {}, progress() {} };
    const context: Context = { ...this.context, now: async () => now, notes: quiet };
    try {
      const { syncInto } = await import('../mirror/sync-lists.js');
      const { lists } = await listsToSync(context, this.families);
      const { fatal } = await syncInto(context, this.file, lists);
      if (fatal !== undefined) throw fatal;
      await this.#confirm();
    } catch (error) {
      const passes = ['network', 'local', 'rate_limited', 'service_failed'];
      if (!(error instanceof CopsError) || !passes.includes(error.kind)) throw error;
      this.context.notes.warn(`${error.message} Trying again: nothing is lost.`);
    }
  }

  /** An item that is no longer listed is gone only if the service says so about the item itself. */
  async #confirm(): Promise<void> {
    await closing(
      await openToSync(this.file, await mirrorOwner(this.context), this.context.world.version),
      async (database) => {
        const unsure = database
          .prepare("SELECT row, family, id FROM _events WHERE what = 'gone' AND is_sure IS NULL")
          .all();
        for (const [row, family, id] of unsure) {
          const isSure = await this.#isGone(String(family), String(id));
          database.prepare('UPDATE _events SET is_sure = ? WHERE row = ?').run(isSure ? 1 : 0, row ?? null);
        }
      },
    );
  }

  async #isGone(name: string, id: string): Promise<boolean> {
    const family = await loadFamily(name);
    const operation = findOperation(family, 'get');
    if (!operation) return false;
    const reader = await openReader(this.context);
    const answer = await reader.answer(planRequest(family, operation, { ids: [id] })).catch(unless('not_found'));
    return answer === undefined;
  }
}

/** The events that rows of `_events` prove. */
class DerivedEvents implements EventSource {
  readonly lookMs = LOOK_MS;
  #database: Database | undefined;
  /** Rows after `from` and up to `to` proved nothing. */
  #empty = { from: -1, to: -1 };

  constructor(
    readonly mode: 'test' | 'live',
    readonly looking: Looking | undefined,
    readonly opened: () => Promise<Database>,
  ) {}

  async open(): Promise<void> {
    this.#database = await this.opened();
  }

  async refresh(): Promise<void> {
    if (!this.looking) return;
    await this.close();
    await this.looking.look();
    await this.open();
  }

  async close(): Promise<void> {
    this.#database?.close();
    this.#database = undefined;
  }

  begin(): number {
    return 0;
  }

  #rows(sql: string, ...values: Cell[]): Cell[][] {
    return this.#database?.prepare(sql).all(...values) ?? [];
  }

  identity(): string | undefined {
    const [fact] = this.#hasTable() ? this.#rows("SELECT value FROM _mirror WHERE name = 'events'") : [];
    return fact && String(fact[0]);
  }

  #hasTable(): boolean {
    return this.#rows("SELECT 1 FROM sqlite_master WHERE name = '_events'").length > 0;
  }

  last(): number {
    return Number(this.#rows('SELECT max(row) FROM _events')[0]?.[0] ?? 0);
  }

  before(unix: number): number {
    const first = this.#rows('SELECT min(row) FROM _events WHERE at >= ?', unix)[0]?.[0];
    return first === null || first === undefined ? this.last() : Number(first) - 1;
  }

  after(row: number): AccountEvent[] {
    let behind = row === this.#empty.from ? this.#empty.to : row;
    for (;;) {
      const rows = this.#rows(`SELECT ${ROW} FROM _events WHERE row > ? ORDER BY row LIMIT ${AT_ONCE}`, behind);
      // Reports nothing after an unsettled row, to keep the order.
      const open = rows.findIndex(isUnsettled);
      const settled = open < 0 ? rows : rows.slice(0, open);
      const events = settled.flatMap((cells) => this.#event(cells) ?? []);
      behind = Number(settled.at(-1)?.[0] ?? behind);
      if (events.length > 0) return events;
      this.#empty = { from: row, to: behind };
      if (settled.length < AT_ONCE) return [];
    }
  }

  *within({ start, end }: { readonly start: number; readonly end: number }): Generator<AccountEvent> {
    if (!this.#hasTable()) return;
    for (const cells of this.#rows(`SELECT ${ROW} FROM _events WHERE at >= ? AND at <= ? ORDER BY row`, start, end)) {
      const event = isUnsettled(cells) ? undefined : this.#event(cells);
      if (event) yield event;
    }
  }

  find(id: string): AccountEvent | undefined {
    const [cells] = this.#hasTable() ? this.#rows(`SELECT ${ROW} FROM _events WHERE event = ?`, id) : [];
    return cells && !isUnsettled(cells) ? this.#event(cells) : undefined;
  }

  #event([row, event, family, id, at, what, change, isSure]: Cell[]): AccountEvent | undefined {
    const name = String(family);
    const after = what === 'gone' ? undefined : this.#stateAfter(name, String(id), change ?? null);
    const before = change === null ? undefined : this.#stateOf(Number(change));
    const type = what === 'gone' && isSure !== 1 ? undefined : typeOf(name, String(what), before, after);
    if (type === undefined) return undefined;
    return {
      row: Number(row),
      id: String(event),
      type,
      at: Number(at),
      family: name,
      itemId: String(id),
      mode: this.mode,
      derived: true,
      before,
      after,
    };
  }

  #stateOf(change: number): string | undefined {
    const [found] = this.#rows('SELECT json FROM _history WHERE rowid = ?', change);
    return found && String(found[0]);
  }

  /** The state that replaced the one before, or the first one. */
  #stateAfter(family: string, id: string, change: Cell): string | undefined {
    if (!this.#database) return undefined;
    if (change !== null) return followerOf(this.#database, family, id, Number(change));
    const sql = `SELECT json FROM _history WHERE family = ? AND id = ? UNION ALL SELECT _json FROM ${sqlName(rawName(family))} WHERE id = ? LIMIT 1`;
    const [found] = this.#rows(sql, family, id, id);
    return found && String(found[0]);
  }
}

const isUnsettled = ([, , , , , what, , isSure]: Cell[]): boolean => what === 'gone' && isSure === null;

/** Fields that count something or record the time of a change: no changes in themselves. */
const NO_CHANGE = /(?:^|\.)(?:updated_date\w*|\w+_count|counter\w*|\w+_counter)$/;

/**
 * What two states prove: an event of the service if its type follows from them, otherwise that the item changed;
 * undefined if nothing relevant did. A field missing from the earlier state is no change.
 */
function typeOf(
  family: string,
  what: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  const word = [...FAMILY_OF].find(([, name]) => name === family)?.[0] ?? family;
  const proven = (...names: string[]) => names.find((name) => EVENTS.includes(name));
  if (what === 'created') return proven(`${word}.created`) ?? `${family}.created`;
  if (what === 'gone') return proven(`${word}.deleted`) ?? `${family}.gone`;
  if (before === undefined || after === undefined) return undefined;
  const changes = fieldChanges(parseJson(before).value, parseJson(after).value).filter(
    ({ path, from }) => from !== undefined && !NO_CHANGE.test(path),
  );
  if (changes.length === 0) return undefined;
  const status = changes.find(({ path }) => path === 'status')?.to;
  const to = String(status).toLowerCase();
  const named = status === undefined ? undefined : proven(`${word}.updated.status.${to}`, `${word}.updated.${to}`);
  return named ?? `${family}.changed`;
}
