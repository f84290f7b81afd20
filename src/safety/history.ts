import { createHash, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { CopsError, stopped } from '../errors/errors.js';
import { osProcesses, type Processes } from '../files/processes.js';
import type { Mode } from '../profiles/types.js';
import { Appender, openAppendFile } from './append.js';
import { type Entry, type HistoryOutcome, mergeEntry } from './entries.js';
import {
  currentSegment,
  isClosed,
  type Line,
  listSegments,
  openLines,
  readSegment,
  SEGMENT_BYTES,
} from './segments.js';
import { isOf, RepeatWatch, type Whose } from './watch.js';

export type { Entry, HistoryOutcome } from './entries.js';

/** A write that is about to leave. Nothing in it is secret. */
export interface Intent {
  readonly profile: string;
  readonly baseUrl: string;
  readonly mode: Mode;
  /** Family and action as on the command line: `subscriptions cancel`. */
  readonly operation: string;
  readonly ids: readonly string[];
  /** The idempotency key, when one is sent. */
  readonly key?: string;
  /** Fingerprint of the API key. */
  readonly fingerprint: string;
  /** A hash of the body without its key and with its secrets masked (`request/secrets`). */
  readonly bodyHash: string;
  /** `likeTag` of this intent, when it is known already. */
  readonly tag?: string;
  /** The journal that has this write as a row, when a bulk run makes it. */
  readonly journal?: string;
}

/** How a write ended. */
export interface Finish {
  readonly outcome: HistoryOutcome;
  readonly httpStatus?: number;
  readonly code?: number;
  readonly errorCode?: string;
  readonly apiCallId?: string | null;
  /** What settles an unknown outcome, as the operator was told. */
  readonly settles?: string;
}

export interface Pending {
  /** Names the entry for `cops history show`. */
  readonly id: string;
  /** Records how it ended; the first call counts. */
  finish(finish: Finish): Promise<void>;
}

/** What makes two writes the same one for the repeat guard. */
export type Likeness = Pick<Intent, 'profile' | 'baseUrl' | 'operation' | 'ids' | 'bodyHash'> &
  Partial<Pick<Intent, 'fingerprint'>>;

export interface History {
  /**
   * Records the intent, on the disk before this resolves (with `durable: false` soon after, for a caller that has
   * its own durable record). Then refuses, with the intent taken back, when a like write is
   * open: also one that began elsewhere at the same moment. `again` lets it pass.
   * @throws CopsError stopped (12) from the repeat guard; local (11) when the disk does not take the line.
   */
  begin(intent: Intent, options?: BeginOptions): Promise<Pending>;
  /** The guard for many writes of one run, which reads the history once and then only what is new. */
  watch(whose: Whose, ownJournal?: string): RepeatWatch;
  /** Goes on with an entry that an earlier process of the same bulk run began. */
  reopen(id: string, tag: string): Promise<Pending>;
  /** The newest write like this whose outcome is not known, or which is running now. */
  unknownLike(like: Likeness): Promise<Entry | undefined>;
  /** The tags (`likeTag`) of all open writes: the guard of many rows at once. */
  openTags(whose: Whose): Promise<ReadonlyMap<string, Entry>>;
  /** Entries, newest first. */
  list(filter?: { unknownOnly?: boolean }): AsyncIterable<Entry>;
  /** One entry by its id or the beginning of it. */
  show(id: string): Promise<Entry>;
  /** Records what the operator found out. */
  settle(id: string, as: 'done' | 'not-done', note?: string): Promise<Entry>;
  /** Lines that could not be read so far (torn by a crash); they are skipped. */
  readonly damagedLines: number;
  close(): Promise<void>;
}

export interface BeginOptions {
  readonly again?: boolean;
  readonly durable?: boolean;
  /** False: the caller answers for repeated writes. A watch: the same guard, for many writes. */
  readonly guard?: false | RepeatWatch;
}

export interface HistoryOptions {
  readonly now?: () => number;
  readonly processes?: Processes;
}

/** The error of the repeat guard (exit code 12). */
export function repeatRefused(entry: Entry): CopsError {
  const running = entry.outcome === 'running';
  const what = running
    ? `the same write is running now (begun ${entry.time}, process ${entry.pid})`
    : `the same write was begun at ${entry.time} and its outcome is unknown`;
  const settles = entry.settles ? ` ${entry.settles}` : '';
  return stopped(
    `${what}: it may have been done already`,
    `See it with: cops history show ${entry.id}.${settles} Record what is true with: cops history settle ${entry.id} ` +
      '--as done|not-done. To send it once more all the same, add --again.',
    { history: entry.id },
  );
}

/** The tag that equal writes share, whatever their profile is called. */
export function likeTag(like: Likeness): string {
  const parts = [like.baseUrl, like.operation, ...like.ids, like.bodyHash];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

/** Opens the history of a configuration folder; nothing is read or made before the first use. */
export function openHistory(configDir: string, options: HistoryOptions = {}): History {
  return new FileHistory(join(configDir, 'history'), options);
}

class FileHistory implements History {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #processes: () => Processes;
  #appender: { readonly name: string; readonly month: string; readonly to: Appender } | undefined;
  #opening: Promise<Appender> | undefined;
  readonly #used = new Set<Appender>();
  damagedLines = 0;

  constructor(folder: string, options: HistoryOptions) {
    this.#folder = folder;
    this.#now = options.now ?? Date.now;
    let processes = options.processes;
    this.#processes = () => {
      processes ??= osProcesses();
      return processes;
    };
  }

  async begin(intent: Intent, options: BeginOptions = {}): Promise<Pending> {
    const now = this.#now();
    const id = entryId(now);
    const like = intent.tag ?? likeTag(intent);
    const to = await this.#open(now);
    const { self } = this.#processes();
    const line = {
      type: 'intent',
      id,
      like,
      time: isoTime(now),
      profile: intent.profile,
      base_url: intent.baseUrl,
      mode: intent.mode,
      operation: intent.operation,
      ids: intent.ids,
      key: intent.key,
      credential: intent.fingerprint,
      body_hash: intent.bodyHash,
      journal: intent.journal,
      ...self,
    };
    const written = to.append(JSON.stringify(line), options.durable !== false);
    // Without durability a failure shows at the end of the write: the appender takes nothing more after one.
    if (options.durable === false && options.guard === false) written.catch(() => undefined);
    else await written;
    const { finish } = this.#pending(to, id, like, options.durable !== false);
    const { guard } = options;
    if (options.again !== true && guard !== false) {
      // Looked at only now that our own intent is in the file: of two that begin together both see the other.
      const other = await (guard?.find(like, id) ?? this.#openLike(like, id, intent));
      if (other) {
        await finish({ outcome: 'not_sent' });
        throw repeatRefused(other);
      }
    }
    return { id, finish };
  }

  async reopen(id: string, tag: string): Promise<Pending> {
    return this.#pending(await this.#open(this.#now()), id, tag, false);
  }

  #pending(to: Appender, id: string, like: string, durable: boolean): Pending {
    let finished = false;
    return {
      id,
      finish: async (how) => {
        if (finished) return;
        finished = true;
        const line = {
          type: 'outcome',
          id,
          like,
          time: isoTime(this.#now()),
          outcome: how.outcome,
          http_status: how.httpStatus,
          code: how.code,
          error_code: how.errorCode,
          api_call_id: how.apiCallId,
          settles: how.settles,
        };
        await to.append(JSON.stringify(line), durable);
      },
    };
  }

  unknownLike(like: Likeness): Promise<Entry | undefined> {
    return this.#openLike(likeTag(like), undefined, like);
  }

  async #openLike(tag: string, except: string | undefined, whose: Whose): Promise<Entry | undefined> {
    const open = await this.#openEntries(tag, except);
    return open.findLast((entry) => isOf(entry, whose));
  }

  watch(whose: Whose, ownJournal?: string): RepeatWatch {
    return new RepeatWatch(this.#folder, whose, ownJournal, this.#processes, this.#now);
  }

  async openTags(whose: Whose): Promise<ReadonlyMap<string, Entry>> {
    const tags = new Map<string, Entry>();
    for (const entry of await this.#openEntries(undefined, undefined)) {
      if (isOf(entry, whose)) tags.set(entry.like, entry);
    }
    return tags;
  }

  /** Open entries, oldest first; only those with this tag when one is given. */
  async #openEntries(tag: string | undefined, except: string | undefined): Promise<Entry[]> {
    const names = await listSegments(this.#folder);
    const byId = new Map<string, Line[]>();
    for (const name of names) {
      const lines = await openLines(this.#folder, name, name === names.at(-1), tag);
      for (const line of lines) {
        if ((tag !== undefined && line.like !== tag) || line.id === except) continue;
        const known = byId.get(line.id);
        if (known) known.push(line);
        else byId.set(line.id, [line]);
      }
    }
    const entries: Entry[] = [];
    for (const lines of byId.values()) {
      const entry = isClosed(lines) ? undefined : mergeEntry(lines, this.#processes(), this.#now());
      if (entry) entries.push(entry);
    }
    return entries;
  }

  async *list(filter: { unknownOnly?: boolean } = {}): AsyncIterable<Entry> {
    const later = new Map<string, Line[]>();
    for (const name of (await listSegments(this.#folder)).toReversed()) {
      const { lines, damaged } = await readSegment(join(this.#folder, name));
      this.damagedLines += damaged;
      const order: string[] = [];
      const byId = new Map<string, Line[]>();
      for (const line of lines) {
        if (line.type === 'intent') order.push(line.id);
        const known = byId.get(line.id);
        if (known) known.push(line);
        else byId.set(line.id, [line]);
      }
      for (const id of order.toReversed()) {
        const entry = mergeEntry([...(byId.get(id) ?? []), ...(later.get(id) ?? [])], this.#processes(), this.#now());
        if (entry && (!filter.unknownOnly || entry.outcome === 'unknown')) yield entry;
        byId.delete(id);
        later.delete(id);
      }
      // What is left was said of intents in older segments.
      for (const [id, some] of byId) later.set(id, [...some, ...(later.get(id) ?? [])]);
    }
  }

  async show(id: string): Promise<Entry> {
    const matches: Entry[] = [];
    const wanted = id.trim();
    if (wanted !== '') {
      for await (const entry of this.list()) {
        if (entry.id === wanted) return entry;
        if (entry.id.startsWith(wanted)) matches.push(entry);
      }
    }
    const [only, second] = matches;
    if (only && !second) return only;
    if (second) throw new CopsError('usage', `${matches.length} history entries begin with ${id}: give more of the id`);
    throw new CopsError('not_found', `there is no history entry ${id}`, { hint: 'See them with: cops history list' });
  }

  async settle(id: string, as: 'done' | 'not-done', note?: string): Promise<Entry> {
    const entry = await this.show(id);
    if (entry.outcome === 'running') {
      throw stopped(`the write ${entry.id} is running now (process ${entry.pid}): wait for its outcome`);
    }
    if (entry.outcome !== 'unknown') {
      throw new CopsError('usage', `the outcome of ${entry.id} is known: ${entry.outcome}`, {
        hint: 'Only an unknown outcome can be settled.',
      });
    }
    const now = this.#now();
    const to = await this.#open(now);
    const line = { type: 'settled', id: entry.id, like: entry.like, time: isoTime(now), as, note };
    await to.append(JSON.stringify(line), true);
    return {
      ...entry,
      settled: { as, time: line.time, ...(note === undefined ? {} : { note }) },
      outcome: settledAs(as),
    };
  }

  async close(): Promise<void> {
    await this.#opening;
    for (const to of this.#used) await to.close();
    this.#used.clear();
    this.#appender = undefined;
  }

  /** The appender of the current segment; a full one, or one of another month, makes room for the next. */
  async #open(now: number): Promise<Appender> {
    const month = isoTime(now).slice(0, 7);
    const at = this.#appender;
    if (at && at.month === month && at.to.written < SEGMENT_BYTES) return at.to;
    this.#opening ??= this.#openNext(now, month).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openNext(now: number, month: string): Promise<Appender> {
    try {
      const name = await currentSegment(this.#folder, now);
      const path = join(this.#folder, name);
      // Entries begun in an earlier segment still end there, so its appender stays open until `close`.
      const to = new Appender(await openAppendFile(path), path, true);
      this.#used.add(to);
      this.#appender = { name, month, to };
      return to;
    } catch (cause) {
      if (cause instanceof CopsError) throw cause;
      throw new CopsError('local', `cannot record the write in ${this.#folder}: ${(cause as Error).message}`, {
        hint: 'Nothing was sent: a write leaves only after its record is on the disk.',
        cause,
      });
    }
  }
}

function settledAs(as: 'done' | 'not-done'): Entry['outcome'] {
  return as === 'done' ? 'done' : 'not_sent';
}

function isoTime(now: number): string {
  return new Date(now).toISOString();
}

/** `261121-013921-k3f9x`: sortable by eye, short enough to type. */
function entryId(now: number): string {
  const time = isoTime(now);
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  let tail = '';
  for (let index = 0; index < 5; index++) tail += alphabet[randomInt(alphabet.length)];
  return `${time.slice(2, 10).replaceAll('-', '')}-${time.slice(11, 19).replaceAll(':', '')}-${tail}`;
}
