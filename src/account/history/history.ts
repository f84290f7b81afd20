import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CopsError, stopped } from '../../base/errors/errors.js';
import { osProcesses, type Processes } from '../../base/files/lock.js';
import { IsoClock } from '../../base/time/units.js';
import { recordText } from '../../items/secrets/redact.js';
import { Appender, openAppendFile } from './append.js';
import { alreadyKnown, entryId, mergeEntry, onlyEntry, refuseRepeat } from './entries.js';
import {
  currentSegment,
  HistoryMark,
  isClosed,
  type Line,
  linesById,
  listSegments,
  mayTellOf,
  openLines,
  readSegment,
  SEGMENT_BYTES,
} from './segments.js';
import type {
  Begun,
  Entry,
  GatedHistory,
  Intent,
  KnownIntent,
  Origin,
  Pending,
  RowIntent,
  Trail,
  TrailOptions,
  Whose,
} from './types.js';
import { isBy, isOf, RepeatWatch } from './watch.js';
import type { Gate, IntentFacts } from './write-gate.js';

export interface HistoryOptions {
  readonly now?: () => number;
  readonly processes?: Processes;
  /** Consulted before a write is recorded; a history that is only read needs none. */
  readonly gate?: Gate;
  /** The folder of the history's mark; without it, lost lines go unnoticed. */
  readonly dataDir?: string;
}

/** Opens the history of a configuration folder; nothing is read or created before the first use. */
export function openHistory(configDir: string, options: HistoryOptions = {}): GatedHistory {
  return new FileHistory(join(configDir, 'history'), options);
}

/** The history as files in a folder, to which all processes on this machine append. */
class FileHistory implements GatedHistory {
  readonly #now: () => number;
  readonly #gate: Gate | undefined;
  readonly #mark: HistoryMark | undefined;
  #isWhole: Promise<void> | undefined;
  #marked: Promise<void> | undefined;
  /** True once the history was found whole and has its first mark. */
  #isMarked = false;
  /** Intents begun since the mark was taken. */
  #unmarked = 0;
  #known: Processes | undefined;
  readonly #iso = new IsoClock();
  #current: { readonly month: string; readonly to: Appender } | undefined;
  #opening: Promise<Appender> | undefined;
  /** By segment. Entries begun in an earlier one still end there, so all stay open until `close`. */
  readonly #appenders = new Map<string, Appender>();
  damagedLines = 0;

  constructor(
    private readonly folder: string,
    options: HistoryOptions,
  ) {
    this.#now = options.now ?? Date.now;
    this.#gate = options.gate;
    this.#mark = options.dataDir === undefined ? undefined : new HistoryMark(folder, options.dataDir);
    this.#known = options.processes;
  }

  readonly #processes = (): Processes => {
    this.#known ??= osProcesses();
    return this.#known;
  };

  async begin(intent: Intent, options: { again?: boolean; since?: string } = {}): Promise<Pending> {
    const constant = this.#constant(intent);
    const pending = await this.#admitted(intent, (facts) => this.#begin(intent, constant, true, { facts }));
    if (options.again === true) return pending;
    // Checked only now that our own intent is in the file: if two begin together, each sees the other.
    const others = await this.#openEntries(intent.tag, pending.id, options.since);
    return refuseRepeat(
      pending,
      others.findLast((entry) => isOf(entry, intent)),
    );
  }

  trail(origin: Origin, options: TrailOptions): Trail {
    const constant = this.#constant(origin, options.journal);
    const watch = options.again === true ? undefined : this.#watch(origin, options);
    const plan = (row: RowIntent) => {
      const time = this.#iso.of(this.#now());
      const id = entryId(time);
      const begin = async (): Promise<Begun> => {
        const pending = await this.#admitted(row, (facts) => this.#begin(row, constant, false, { id, facts })).catch(
          async (error: unknown) => {
            // The journal shows the row as begun: without a record here the two would disagree.
            await (await this.#begin(row, constant, false, { id, facts: {} })).finish({ outcome: 'not_sent' });
            throw error;
          },
        );
        const { open, done } = (await watch?.find(row.tag, id)) ?? {};
        if (!done) return { pending: await refuseRepeat(pending, open) };
        await pending.finish({ outcome: 'not_sent' });
        return { pending, doneElsewhere: done };
      };
      return { id, begin };
    };
    return {
      plan,
      recall: async (id, tag) => this.#pending(await this.#open(this.#now()), id, tag, false),
      reopen: async (id, { tag, ids, body }) => {
        await this.#gate?.readmit({ ids, body });
        const pending = this.#pending(await this.#open(this.#now()), id, tag, false);
        const { done } = (await watch?.find(tag, id)) ?? {};
        return { pending, doneElsewhere: done };
      },
    };
  }

  /** The end of an intent's line, which is the same for all writes from one origin. */
  #constant(origin: Origin, journal?: string): string {
    const { profile, baseUrl, mode, operation, fingerprint } = origin;
    const facts = { profile, base_url: baseUrl, mode, operation, credential: fingerprint, journal };
    return JSON.stringify({ ...facts, ...this.#processes().self }).slice(1);
  }

  #admitted(row: RowIntent, record: (facts: IntentFacts) => Promise<Pending>): Promise<Pending> {
    return this.#gate ? this.#gate.admit({ ids: row.ids, body: row.body }, record) : record({});
  }

  async #begin(
    { tag, ids, key, named }: RowIntent,
    constant: string,
    durable: boolean,
    known: { readonly id?: string; readonly facts: IntentFacts },
  ): Promise<Pending> {
    const now = this.#now();
    const time = this.#iso.of(now);
    const id = known.id ?? entryId(time);
    if (!this.#isMarked) await this.#checked();
    const to = await this.#open(now);
    const line = recordText({ type: 'intent', id, like: tag, time, ids, key, named, ...known.facts });
    await to.append(`${line.slice(0, -1)},${constant}`, durable);
    this.#unmarked++;
    this.#marked ??= this.#takeMark();
    if (!this.#isMarked) await this.#marked;
    return this.#pending(to, id, tag, durable);
  }

  #checked(): Promise<void> {
    this.#isWhole ??= this.#mark?.check() ?? Promise.resolve();
    return this.#isWhole;
  }

  /** A process marks its first intent before sending it, and the others when it ends. */
  async #takeMark(): Promise<void> {
    this.#unmarked = 0;
    for (const to of this.#appenders.values()) await to.sync();
    // If the mark cannot be written, writes continue: it is only a second record.
    await this.#mark?.take().catch(() => undefined);
    this.#isMarked = true;
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
          time: this.#iso.of(this.#now()),
          outcome: how.outcome,
          http_status: how.httpStatus,
          code: how.code,
          error_code: how.errorCode,
          api_call_id: how.apiCallId,
          made: how.made,
          settles: how.settles,
        };
        await to.append(recordText(line), durable);
      },
    };
  }

  #watch(whose: Whose, { journal, since }: TrailOptions): RepeatWatch {
    return new RepeatWatch({
      folder: this.folder,
      whose,
      ownJournal: journal,
      since,
      own: this.#appenders,
      processes: this.#processes,
      now: this.#now,
    });
  }

  async openTags(whose: Whose): Promise<ReadonlyMap<string, Entry>> {
    await this.#checked();
    const tags = new Map<string, Entry>();
    for (const entry of await this.#openEntries()) {
      // A bulk row stays listed, even if a later write of the same item is open too.
      if (isOf(entry, whose) && !tags.get(entry.like)?.journal) tags.set(entry.like, entry);
    }
    return tags;
  }

  /** Open entries, oldest first, with this tag if given; with `since`, also what others have done from then on. */
  async #openEntries(tag?: string, except?: string, since?: string): Promise<Entry[]> {
    const names = await listSegments(this.folder);
    const byId = new Map<string, Line[]>();
    for (const name of names) {
      const isWhole = name === names.at(-1) || (since !== undefined && (await this.#mayTellOf(since, name, names)));
      const lines = await openLines(this.folder, name, isWhole, tag);
      const meant = lines.filter(({ like, id }) => (tag === undefined || like === tag) && id !== except);
      linesById(meant, byId);
    }
    const entries: Entry[] = [];
    for (const lines of byId.values()) {
      if (isClosed(lines) && since === undefined) continue;
      const entry = mergeEntry(lines, this.#processes(), this.#now());
      if (!entry) continue;
      const isNew = entry.outcome === 'done' && (entry.finished ?? '') >= (since ?? '');
      if (!isClosed(lines) || (isNew && !this.#isOwn(lines))) entries.push(entry);
    }
    return entries;
  }

  /** A write done in the last second of a month is in a segment that is no longer written to. */
  async #mayTellOf(since: string, name: string, names: readonly string[]): Promise<boolean> {
    const { mtimeMs } = await stat(join(this.folder, name));
    return mayTellOf(since, name, names, mtimeMs);
  }

  /** This process's own writes came one after another, as requested. */
  #isOwn(lines: readonly Line[]): boolean {
    const intent = lines.find(({ type }) => type === 'intent');
    return intent !== undefined && isBy(intent, this.#processes().self);
  }

  async *intentsOf(journal: string): AsyncIterable<KnownIntent> {
    const needle = `"journal":${JSON.stringify(journal)}`;
    for (const name of await listSegments(this.folder)) {
      const { lines } = await readSegment(join(this.folder, name), needle);
      for (const line of lines as (Line & { journal?: unknown; key?: string })[])
        if (line.type === 'intent' && line.journal === journal) yield line;
    }
  }

  async *ofKey(key: string): AsyncIterable<Entry> {
    const names = await listSegments(this.folder);
    for (const [at, name] of [...names.entries()].toReversed()) {
      const { lines } = await readSegment(join(this.folder, name), `"key":${JSON.stringify(key)}`);
      const begun = lines.filter((line) => line.type === 'intent' && (line as Line & { key?: unknown }).key === key);
      for (const { id } of begun.toReversed()) {
        const entry = await this.#entryFrom(id, names.slice(at));
        if (entry) yield entry;
      }
    }
  }

  /** An entry, from every line about it in these segments. */
  async #entryFrom(id: string, names: readonly string[]): Promise<Entry | undefined> {
    const all = names.map((name) => readSegment(join(this.folder, name), JSON.stringify(id)));
    const lines = (await Promise.all(all)).flatMap((one) => one.lines.filter((line) => line.id === id));
    return mergeEntry(lines, this.#processes(), this.#now());
  }

  async endedOf(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const ended = new Map<string, string>();
    for (const name of ids.size > 0 ? await listSegments(this.folder) : []) {
      const { lines } = await readSegment(join(this.folder, name), '"type":"outcome"');
      for (const line of lines) {
        const { id, outcome = 'unknown' } = line as Line & { outcome?: string };
        // Of several outcomes, one other than "not sent" counts.
        if (ids.has(id) && (outcome !== 'not_sent' || !ended.has(id))) ended.set(id, outcome);
      }
    }
    return ended;
  }

  async *list(filter: { unknownOnly?: boolean } = {}): AsyncIterable<Entry> {
    const later = new Map<string, Line[]>();
    for (const name of (await listSegments(this.folder)).toReversed()) {
      const { lines, damaged } = await readSegment(join(this.folder, name));
      this.damagedLines += damaged;
      const byId = linesById(lines);
      for (const { id } of lines.filter(({ type }) => type === 'intent').toReversed()) {
        const entry = mergeEntry([...(byId.get(id) ?? []), ...(later.get(id) ?? [])], this.#processes(), this.#now());
        if (entry && (!filter.unknownOnly || entry.outcome === 'unknown')) yield entry;
        byId.delete(id);
        later.delete(id);
      }
      // The remaining lines are about intents in older segments.
      for (const [id, some] of byId) later.set(id, [...some, ...(later.get(id) ?? [])]);
    }
  }

  show(id: string): Promise<Entry> {
    return onlyEntry('The history of this machine', id, () => this.list());
  }

  async settle(id: string, as: 'done' | 'not-done', note?: string): Promise<Entry> {
    const entry = await this.show(id);
    if (entry.outcome === 'running')
      throw stopped(`the write ${entry.id} is still running (process ${entry.pid}): wait for its outcome`);
    if (entry.outcome !== 'unknown') throw alreadyKnown(entry.id, entry.outcome);
    const now = this.#now();
    const to = await this.#open(now);
    const line = { type: 'settled', id: entry.id, like: entry.like, time: this.#iso.of(now), as, note };
    await to.append(recordText(line), true);
    return { ...entry, settled: { as, time: line.time, note }, outcome: as === 'done' ? 'done' : 'not_sent' };
  }

  async close(): Promise<void> {
    await this.#opening;
    if (this.#unmarked > 0) await this.#takeMark();
    for (const to of this.#appenders.values()) await to.close();
    this.#appenders.clear();
    this.#current = undefined;
  }

  /** The appender for the current segment; if that is full or from another month, a new one replaces it. */
  #open(now: number): Promise<Appender> | Appender {
    const month = this.#iso.of(now).slice(0, 7);
    const at = this.#current;
    if (at && at.month === month && at.to.written < SEGMENT_BYTES) return at.to;
    this.#opening ??= this.#openNext(now, month).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openNext(now: number, month: string): Promise<Appender> {
    try {
      const name = await currentSegment(this.folder, now);
      const path = join(this.folder, name);
      const to = this.#appenders.get(name) ?? new Appender(await openAppendFile(path), path, true);
      this.#appenders.set(name, to);
      this.#current = { month, to };
      return to;
    } catch (cause) {
      if (cause instanceof CopsError) throw cause;
      throw new CopsError('local', `cannot record the write in ${this.folder}: ${(cause as Error).message}`, {
        hint: 'Nothing was sent: a write is sent only once its record is on disk.',
        cause,
      });
    }
  }
}
