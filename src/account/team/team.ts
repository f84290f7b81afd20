import { AsyncLocalStorage } from 'node:async_hooks';
import type { Postgres, PostgresRows, PostgresSession, PostgresValue } from '../../base/database/postgres.js';
import { sqlStateOf } from '../../base/database/postgres-faults.js';
import { CopsError, local, stopped } from '../../base/errors/errors.js';
import { randomUUID } from '../../base/random.js';
import { cops, say } from '../../base/text/command-line.js';
import { recordText } from '../../items/secrets/redact.js';
import { SeenLedgers, type SeenMark } from './seen.js';
import {
  isLost,
  leaseLost,
  ledgerAway,
  ledgerBehind,
  ledgerFault,
  ledgerOld,
  notMember,
  otherLedger,
} from './team-errors.js';
import { inLedger, LEDGER_VERSION, REFUSED_VERSION, WRITER_VERSION } from './team-schema.js';
import type { Answer, LedgerDeed, LedgerFacts, LedgerItem, LedgerPlace } from './types.js';

/** The longest wait for an answer from the database, milliseconds. */
const PATIENCE_MS = 15_000;
/** How long a transaction may be idle before the database ends it, milliseconds. */
const IDLE_MS = 10_000;
/** How long to try to deliver an end, and the pause between two tries, milliseconds. */
const BRING_MS = 6_000;
const BRING_PAUSE_MS = 250;
/** The longest time between two renewals of the lease, milliseconds. */
const BEAT_MS = 5_000;
/** Most actions of one statement. */
const MOST_DEEDS = 200;
/** A transaction that lost to another one runs again: which of the two is first is chance. */
const LOST_TO_ANOTHER = new Set(['40001', '40P01']);
const TRIES = 5;
/** How often a long run writes the mark of what it has seen, milliseconds. */
const MARK_MS = 1_000;
/** Somebody who may not call the functions that write. */
const NO_RIGHT = '42501';
/** Begins a lease, and reads the last write and whether the one last seen exists. */
const ENTER = `SELECT $.enter($1, $2, $3, $4), last.n, last.id,
    EXISTS (SELECT 1 FROM $.intent WHERE n = $5::bigint AND id = $6)
  FROM (SELECT) one LEFT JOIN (SELECT n, id FROM $.intent ORDER BY n DESC LIMIT 1) last ON true`;

/** When the ledger last confirmed the lease, by both clocks, milliseconds. */
type Confirmed = ReturnType<typeof moment>;

/**
 * A team's ledger as one process uses it: a connection that is reopened when lost, and a lease. Requests of one turn of
 * the event loop share one statement.
 */
export class Team {
  /** This process, as the ledger knows it. */
  readonly id = randomUUID();
  readonly seen: SeenLedgers;
  readonly #within = new AsyncLocalStorage<PostgresSession>();
  #connection: Promise<Postgres> | undefined;
  #cut: AbortController | undefined;
  #facts: LedgerFacts | undefined;
  #entered: Promise<LedgerFacts> | undefined;
  #mark: SeenMark | undefined;
  #uncommitted: SeenMark | undefined;
  #markWritten = 0;
  #confirmed: Confirmed | undefined;
  #isFenced = false;
  #beating: NodeJS.Timeout | undefined;
  #waiting: { readonly deed: LedgerDeed; resolve(answer: Answer): void; reject(error: unknown): void }[] = [];
  #pumping: Promise<void> | undefined;
  /** How far the database's clock is ahead of ours, milliseconds. */
  #ahead = 0;
  /** What the database's clock said, and what ours said when the answer arrived. */
  #told = { database: 0, wall: 0 };
  #serial = 0;
  #keepsUnsent = false;
  readonly #began: Confirmed;
  #rules: { readonly at: number; readonly text: string | undefined } | undefined;
  readonly #trusted = new Set<string>();
  readonly #epochs = new Map<string, number>();

  constructor(readonly place: LedgerPlace) {
    this.seen = new SeenLedgers(place.folder);
    this.#began = moment(place.now());
  }

  /** The ledger's own description. @throws CopsError of the connection; local (11) if there is no ledger */
  async facts(): Promise<LedgerFacts> {
    if (!this.#facts) await this.#connected();
    return this.#facts as LedgerFacts;
  }

  /** The time by the database's clock, milliseconds; by ours before the first answer. */
  now(): number {
    return this.#wall() + this.#ahead;
  }

  /** Our clock. If it was set back, a command must not seem younger than what others did in the meantime. */
  #wall(): number {
    const { steady, wall } = moment(this.place.now());
    return Math.max(wall, this.#began.wall + steady - this.#began.steady);
  }

  /** Asks the database for the time by its clock, in milliseconds. */
  async clock(): Promise<number> {
    const { rows } = await this.query('SELECT extract(epoch FROM $.clock()) * 1000');
    return this.#tell(rows[0]?.[0]);
  }

  #tell(database: unknown): number {
    this.#told = { database: Number(database), wall: this.#wall() };
    return this.#told.database;
  }

  /** The latest time that a moment of our clock can be by the database's: a query may reach it long after. */
  async timeOf(since: string | undefined): Promise<number | undefined> {
    if (since === undefined) return undefined;
    const at = Date.parse(since);
    if (at > this.#told.wall) await this.clock();
    const { database, wall } = this.#told;
    return Math.min(database, database - wall + at);
  }

  /** Runs one statement that does not belong to writes. `$.` stands for the schema. */
  async query(sql: string, values: readonly PostgresValue[] = []): Promise<PostgresRows> {
    const text = inLedger(sql, this.place.schema);
    const session = this.#within.getStore();
    if (session) return session.query(text, values);
    return this.#patiently(await this.#connected(), (connection) => connection.query(text, values));
  }

  /**
   * Says that this process is about to write, and holds a lease from then on.
   * @throws CopsError stopped (12) if the ledger is unavailable, has changed, or needs a later version
   */
  enter(): Promise<LedgerFacts> {
    this.#entered ??= this.#enter().catch((error: unknown) => {
      this.#entered = undefined;
      if (error instanceof CopsError && error.kind === 'stopped') throw error;
      throw sqlStateOf(error) === NO_RIGHT ? notMember(this.#facts?.user ?? '', this.place.address) : ledgerAway(error);
    });
    return this.#entered;
  }

  async #enter(): Promise<LedgerFacts> {
    const facts = await this.facts();
    const { address, self } = this.place;
    if (facts.version < LEDGER_VERSION) throw ledgerOld(address, facts.version, LEDGER_VERSION);
    const before = await this.seen.ledgerAt(address);
    if (before !== undefined && before !== facts.id) throw otherLedger(address);
    if (before === undefined) await this.seen.noteLedger(address, facts.id).catch(() => undefined);
    this.#mark = await this.seen.mark(facts.id);
    const asked = moment(this.place.now());
    const { n = null, id = null } = this.#mark ?? {};
    const { rows } = await this.query(ENTER, [WRITER_VERSION, this.id, self.host, self.pid, n, id]).catch(tooOld);
    const [, lastN, lastId, isThere] = rows[0] ?? [];
    // The writes of others were seen too. A missing mark is kept: it shows that the ledger is behind.
    if (lastN != null && (n === null || isThere === true)) this.#saw({ n: Number(lastN), id: String(lastId) });
    this.#confirmed = asked;
    this.#beating = setInterval(() => void this.#beat(), Math.min(BEAT_MS, facts.leaseMs / 6));
    this.#beating.unref();
    return facts;
  }

  /** The team's rules as text, at most a few seconds old; undefined if there are none. */
  async rules(): Promise<string | undefined> {
    if (!this.#rules || performance.now() - this.#rules.at > BEAT_MS) {
      const { rows } = await this.query('SELECT rules FROM $.policy ORDER BY n DESC LIMIT 1').catch(
        (error: unknown) => {
          throw ledgerAway(error);
        },
      );
      this.#rules = { at: performance.now(), text: rows[0] && String(rows[0][0]) };
    }
    return this.#rules.text;
  }

  /** Whether a key has proven that it reads the ledger's items. */
  async trusts(fingerprint: string): Promise<boolean> {
    if (!this.#trusted.has(fingerprint)) {
      const { count } = await this.query('SELECT 1 FROM $.credential WHERE fingerprint = $1', [fingerprint]);
      if (count > 0) this.#trusted.add(fingerprint);
    }
    return this.#trusted.has(fingerprint);
  }

  /** Records that a key has read the ledger's items. */
  async trust(fingerprint: string): Promise<void> {
    await this.query('SELECT $.trust($1)', [fingerprint]);
    this.#trusted.add(fingerprint);
  }

  /** Why no request may leave now: this process has had no contact for two thirds of its lease, by either clock. */
  mayLeave(): CopsError | undefined {
    if (this.#isFenced || !this.#confirmed || !this.#facts) return leaseLost();
    const { steady, wall } = moment(this.place.now());
    const most = (this.#facts.leaseMs * 2) / 3;
    const isFresh = steady - this.#confirmed.steady < most && Math.abs(wall - this.#confirmed.wall) < most;
    return isFresh ? undefined : leaseLost();
  }

  async #beat(): Promise<void> {
    const asked = moment(this.place.now());
    try {
      const { rows } = await this.query('SELECT $.beat($1)', [this.id]);
      if (rows[0]?.[0] === true) this.#confirmed = asked;
      else this.#isFenced = true;
    } catch {
      // An unconfirmed lease expires by itself.
    }
  }

  /** The epoch in which this process holds a run; undefined if it does not hold it. */
  epochOf(run: string): number | undefined {
    return this.#epochs.get(run);
  }

  /** Records that this process holds a run in an epoch. */
  holds(run: string, epoch: number): void {
    this.#epochs.set(run, epoch);
  }

  /** A name for an end, so that it counts only once however often it is delivered. */
  once(): string {
    return `${this.id}-${++this.#serial}`;
  }

  /**
   * Asks one thing of the ledger, together with what else is asked at this moment.
   * @throws CopsError network where nothing tells whether it happened
   */
  async act(deed: LedgerDeed): Promise<Answer> {
    await this.enter();
    const session = this.#within.getStore();
    const answer = session
      ? ((await this.#send([deed], session))[0] as Answer)
      : await new Promise<Answer>((resolve, reject) => {
          this.#waiting.push({ deed, resolve, reject });
          this.#pumping ??= this.#pump();
        });
    if (answer.behind) throw ledgerBehind(this.place.address);
    if (answer.fenced) throw leaseLost();
    return answer;
  }

  async #pump(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, MOST_DEEDS);
      try {
        const answers = await this.#sent(some.map(({ deed }) => deed));
        for (const [at, one] of some.entries()) one.resolve(answers[at] ?? {});
      } catch (error) {
        for (const one of some) one.reject(error);
      }
    }
    this.#pumping = undefined;
  }

  async #sent(deeds: readonly LedgerDeed[]): Promise<readonly Answer[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#patiently(await this.#connected(), (connection) => this.#send(deeds, connection));
      } catch (error) {
        if (tries >= TRIES || !LOST_TO_ANOTHER.has(sqlStateOf(error) ?? '')) throw error;
      }
    }
  }

  async #send(deeds: readonly LedgerDeed[], session: PostgresSession): Promise<readonly Answer[]> {
    const asked = moment(this.place.now());
    const mark = this.#mark ? JSON.stringify(this.#mark) : null;
    const values = [WRITER_VERSION, this.id, mark, recordText(deeds)];
    const sql = inLedger('SELECT $.act($1, $2, $3, $4)', this.place.schema);
    const { rows } = await session.query(sql, values).catch(tooOld);
    const { alive, answers } = JSON.parse(String(rows[0]?.[0])) as {
      alive: boolean;
      answers: Readonly<Record<string, Answer>>;
    };
    if (alive) this.#confirmed = asked;
    else this.#isFenced = true;
    return deeds.map((deed, at) => {
      const answer = answers[String(at + 1)] ?? {};
      if (answer.n !== undefined) this.#saw({ n: answer.n, id: String(deed.id) });
      return answer;
    });
  }

  #saw(mark: SeenMark): void {
    // Nothing was seen in a transaction that is not committed yet.
    if (this.#within.getStore()) {
      this.#uncommitted = mark;
      return;
    }
    if (this.#mark && this.#mark.n >= mark.n) return;
    this.#mark = mark;
    const now = performance.now();
    if (now - this.#markWritten < MARK_MS) return;
    this.#markWritten = now;
    void this.#keepMark();
  }

  async #keepMark(): Promise<void> {
    if (this.#mark && this.#facts) await this.seen.keepMark(this.#facts.id, this.#mark).catch(() => undefined);
  }

  /**
   * Runs `work` in one transaction while no other process runs one under the same name; what it asks for is in it.
   * @throws CopsError network where nothing tells whether it was committed
   */
  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.enter();
    for (let tries = 1; ; tries++) {
      this.#uncommitted = undefined;
      try {
        const done = await this.#patiently(await this.#connected(), (connection) =>
          connection.transaction((session) => this.#locked(session, name, work), { durable: true }),
        );
        if (this.#uncommitted) this.#saw(this.#uncommitted);
        return done;
      } catch (error) {
        if (tries >= TRIES || !LOST_TO_ANOTHER.has(sqlStateOf(error) ?? '')) throw error;
      }
    }
  }

  async #locked<T>(session: PostgresSession, name: string, work: () => Promise<T>): Promise<T> {
    // A process that stops in the middle must not block all others.
    const sql = `SELECT set_config('idle_in_transaction_session_timeout', $1, true),
      pg_advisory_xact_lock(hashtextextended($2, 0))`;
    await session.query(sql, [`${IDLE_MS}`, `${this.place.schema}.${name}`]);
    return this.#within.run(session, work);
  }

  /**
   * Brings the end of a write to the ledger, over a new connection where the old one is lost. What cannot be brought now is
   * kept by this machine.
   * @throws CopsError local (11) where the ledger does not have it and a later command brings it; where it cannot even be
   *   kept, with the line that records it by hand
   */
  async bring(end: LedgerDeed): Promise<void> {
    const until = performance.now() + BRING_MS;
    for (;;) {
      try {
        const { missing } = await this.act(end);
        if (missing) throw local('the ledger does not know the write');
        return;
      } catch (error) {
        const isAway = isLost(error) || (error instanceof CopsError && error.facts.more?.ledger === 'away');
        if (isAway && performance.now() < until) {
          await new Promise((done) => setTimeout(done, BRING_PAUSE_MS));
          continue;
        }
        throw await this.#kept(end, error as Error);
      }
    }
  }

  async #kept(end: LedgerDeed, error: Error): Promise<CopsError> {
    const why = error.message;
    try {
      await this.seen.keepEnd((this.#facts as LedgerFacts).id, end);
      return new CopsError(
        'incomplete',
        `the ledger does not have it yet (${why}); it counts as unknown there and is guarded. This machine stores it and delivers it with the next command`,
      );
    } catch {
      const as = end.outcome === 'done' ? 'done' : 'not-done';
      const line = say`the ledger does not have it (${why}), and this machine cannot store it: ${cops`history settle ${String(end.id)} --as ${as}`}`;
      return new CopsError('incomplete', String(line));
    }
  }

  /** Stores synchronously that writes were never sent. Delivered as this process ends, or by a later command. */
  keepUnsent(ends: readonly LedgerDeed[]): void {
    this.#keepsUnsent ||= ends.length > 0 && this.seen.keepAtOnce((this.#facts as LedgerFacts).id, ends);
  }

  /** Delivers the ends that this machine stored. Undelivered ones stay stored. */
  async #bringKept(connection: Postgres, ledger: string): Promise<void> {
    const sql = inLedger('SELECT $.act($1, $2, $3, $4)', this.place.schema);
    for (const { ends, forget } of await this.seen.keptEnds(ledger)) {
      const values = [WRITER_VERSION, this.id, null, JSON.stringify(ends)];
      try {
        await this.#patiently(connection, () => connection.query(sql, values));
      } catch {
        return;
      }
      await forget();
    }
  }

  /** Ends the lease and the connection. Never throws. */
  async close(): Promise<void> {
    clearInterval(this.#beating);
    await this.#pumping?.catch(() => undefined);
    await this.#keepMark();
    const connection = await this.#connection?.catch(() => undefined);
    if (!connection) return;
    if (this.#keepsUnsent) await this.#bringKept(connection, (this.#facts as LedgerFacts).id);
    if (this.#entered) {
      const leave = inLedger('SELECT $.leave($1)', this.place.schema);
      await this.#patiently(connection, () => connection.query(leave, [this.id])).catch(() => undefined);
    }
    await connection.close();
    this.#connection = undefined;
  }

  /** The current connection, or a new one. */
  #connected(): Promise<Postgres> {
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = undefined;
      throw ledgerFault(error, this.place.user);
    });
    return this.#connection;
  }

  async #connect(): Promise<Postgres> {
    const cut = new AbortController();
    this.#cut = cut;
    const connection = await this.place.connect(cut.signal);
    if (!this.#facts) {
      try {
        await this.#learn(connection);
      } catch (error) {
        await connection.close();
        throw error;
      }
    }
    await this.#bringKept(connection, (this.#facts as LedgerFacts).id);
    return connection;
  }

  async #learn(connection: Postgres): Promise<void> {
    const sent = this.#wall();
    const sql = `SELECT id::text, base_url, mode, items::text, lease_ms, version, least_writer, session_user::text,
      extract(epoch FROM $.clock()) * 1000 FROM $.ledger`;
    const { rows } = await connection.query(inLedger(sql, this.place.schema)).catch((error: unknown) => {
      const state = sqlStateOf(error);
      if (state !== '3F000' && state !== '42P01' && state !== '42883') throw error;
      throw local(
        `${this.place.address} has no ledger (schema ${this.place.schema}).`,
        say`Make one there: ${cops`team init ${this.place.address}`}`,
        error,
      );
    });
    const [id, baseUrl, mode, items, leaseMs, version, leastWriter, user, clock] = rows[0] ?? [];
    const facts: LedgerFacts = {
      id: String(id),
      baseUrl: String(baseUrl),
      mode: String(mode),
      items: JSON.parse(String(items)) as LedgerItem[],
      leaseMs: Number(leaseMs),
      version: Number(version),
      leastWriter: Number(leastWriter),
      user: String(user),
    };
    this.place.check?.(facts);
    this.#facts = facts;
    this.#ahead = this.#tell(clock) - (sent + this.#told.wall) / 2;
  }

  /** Waits only for a sensible time: a connection cut silently would block the command forever. */
  async #patiently<T>(connection: Postgres, work: (connection: Postgres) => Promise<T>): Promise<T> {
    const cut = this.#cut;
    const timer = setTimeout(
      () => cut?.abort(new CopsError('network', `${this.place.address} gave no answer`)),
      PATIENCE_MS,
    );
    try {
      return await work(connection);
    } catch (error) {
      if (isLost(error)) this.#drop(connection);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #drop(connection: Postgres): void {
    void this.#connection?.then((current) => {
      if (current === connection) this.#connection = undefined;
    });
    this.#connection = undefined;
    this.#cut?.abort(new CopsError('network', `the connection to ${this.place.address} was lost`));
    void connection.close();
  }
}

/** Both clocks at once. */
function moment(wall: number) {
  return { steady: performance.now(), wall };
}

/** @throws CopsError stopped (12) for a ledger that requires a later version; any other error unchanged */
function tooOld(error: unknown): never {
  if (sqlStateOf(error) !== REFUSED_VERSION) throw error;
  throw stopped(
    `this program writes version ${WRITER_VERSION} of a ledger: ${(error as Error).message}`,
    'Nothing was sent. Install the newest version of cops.',
  );
}
