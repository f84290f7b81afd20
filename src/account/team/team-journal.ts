import { type CopsError, local, stopped, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { lengthSaid } from '../../base/time/spans.js';
import { IsoClock } from '../../base/time/units.js';
import type { IntentLine, JournalHeader, JournalLine, RunLimits } from '../journal/journal-lines.js';
import { JournalState } from '../journal/state.js';
import type { Journal, JournalPlace, JournalScan, Runs } from '../journal/types.js';
import type { Team } from './team.js';
import { isLost, ledgerAway } from './team-errors.js';
import { WRITER_VERSION } from './team-schema.js';

/** Lines to read at once. */
const PAGE = 5_000;
/** Most rows that a stopped process leaves open although they were never sent. */
const ROWS_AHEAD = 64;

/** The journal of a run in the ledger, by name. */
export function teamJournal(team: Team, name: string): JournalPlace {
  return {
    name,
    isShared: true,
    create: (header) => createRun(team, name, header),
    open: (id, credential, limits = {}) => takeRun(team, name, { id, credential, limits }),
    scan: (see) => scanRun(team, name, see),
    async *lines(offsets) {
      const wanted = [...offsets];
      const sql = `SELECT n, line FROM $.line WHERE run = (SELECT id FROM $.run WHERE name = $1) AND n = ANY ($2)`;
      const { rows } = await team.query(sql, [name, wanted]);
      const found = new Map(rows.map(([n, line]) => [n, JSON.parse(String(line)) as JournalLine]));
      for (const offset of wanted) yield found.get(offset);
    },
  };
}

async function createRun(team: Team, name: string, header: JournalHeader): Promise<Journal> {
  await team.enter();
  const since = await team.timeOf(header.created);
  const values = [WRITER_VERSION, team.id, header.id, name, team.place.timeoutMs, JSON.stringify(header), since];
  const { rows } = await asked(team.query('SELECT $.begin_run($1, $2, $3, $4, $5, $6, $7)', values));
  if (rows[0]?.[0] !== true) throw usage(`the ledger already has a run ${name}`, 'Give it another name.');
  team.holds(header.id, 1);
  return new TeamJournal(team, new JournalState(header), 0);
}

interface Wanted {
  readonly id: string;
  readonly credential: string;
  readonly limits: RunLimits;
}

/** The result of trying to take a run. */
interface Taken {
  readonly held?: { readonly user: string; readonly machine: string; readonly ms: number };
  readonly epoch?: number;
  readonly over?: number;
}

async function takeRun(team: Team, name: string, { id, credential, limits }: Wanted): Promise<Journal> {
  await team.enter();
  const before = await scanRun(team, name);
  if (before.state.header.id !== id) throw local(`${name} became the journal of another run`);
  const time = new IsoClock().of(Math.max(team.now(), before.state.latest));
  const line = { type: 'run', time, credential, ...limits } as const;
  const values = [WRITER_VERSION, team.id, id, team.place.timeoutMs, JSON.stringify(line)];
  const { rows } = await asked(team.query('SELECT $.take_run($1, $2, $3, $4, $5)', values));
  const { held, epoch = 0, over = 0 } = JSON.parse(String(rows[0]?.[0])) as Taken;
  if (held) throw heldElsewhere(name, held);
  team.holds(id, epoch);
  // This scan includes what was appended between the two looks.
  const { state } = await scanRun(team, name);
  return new TeamJournal(team, state, over);
}

function heldElsewhere(name: string, { user, machine, ms }: NonNullable<Taken['held']>): CopsError {
  const seconds = Math.ceil(ms / 1000);
  return local(
    `the run ${name} is held by ${user} on ${machine}`,
    `Nothing was sent. If that process is gone, the run is free in ${lengthSaid(seconds)}.`,
  );
}

/** A statement before a request: without an answer, nothing is sent. */
function asked<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw isLost(error) ? ledgerAway(error) : error;
  });
}

async function scanRun(team: Team, name: string, see?: (line: JournalLine) => void): Promise<JournalScan> {
  const sql = `SELECT n, line FROM $.line WHERE run = (SELECT id FROM $.run WHERE name = $1) AND n > $2
    ORDER BY n LIMIT ${PAGE}`;
  let state: JournalState | undefined;
  for (let after = 0; ; ) {
    const { rows } = await team.query(sql, [name, after]);
    for (const [n, text] of rows) {
      const line = JSON.parse(String(text)) as JournalLine;
      if (state) state.apply(line, Number(n));
      else state = new JournalState(line as JournalHeader);
      see?.(line);
      after = Number(n);
    }
    if (rows.length < PAGE) break;
  }
  if (!state) throw local(`the ledger has no run ${name}`, say`Its runs: ${cops`bulk list`}`);
  return { state, torn: false };
}

/** A run that this process holds, in one epoch. */
class TeamJournal implements Journal {
  readonly healed = false;
  readonly ahead = ROWS_AHEAD;
  readonly #iso = new IsoClock();
  readonly #id: string;
  #isClosed = false;
  /** Lines in progress: they must arrive before the run is released. */
  readonly #under = new Set<Promise<unknown>>();
  readonly #overAt: number;

  /** @param over how long rows of older epochs are left alone, milliseconds */
  constructor(
    private readonly team: Team,
    readonly state: JournalState,
    over: number,
  ) {
    this.#id = state.header.id;
    this.#overAt = performance.now() + over;
  }

  now(): number {
    return this.team.now();
  }

  othersMs(): number {
    return Math.max(0, this.#overAt - performance.now());
  }

  stamp(): string {
    return this.#iso.of(Math.max(this.team.now(), this.state.latest));
  }

  /** Anybody may report how a row ended, even without holding the run; only the holder may report a new intent. */
  append(line: Exclude<JournalLine, JournalHeader>): Promise<void> {
    return this.#add(line, line.type === 'result' || line.type === 'resolved');
  }

  intend(line: IntentLine): { readonly written: Promise<void>; readonly synced: Promise<void> } {
    // It goes out with the history's intent, which follows next: in one transaction.
    return { written: Promise.resolve(), synced: this.#add(line, false) };
  }

  async #add(line: JournalLine, fromAny: boolean): Promise<void> {
    if (this.#isClosed) throw local(`the run ${this.#id} was released`);
    const held = this.team.epochOf(this.#id);
    const sending = { by: this.team.id, sent_in: held };
    const result = line.type === 'result' ? { outcome: line.outcome, key: line.key, ...sending } : {};
    const epoch = fromAny ? undefined : held;
    const deed = { do: 'line', run: this.#id, epoch, ...result, line: JSON.stringify(line) } as const;
    const adding = fromAny ? this.team.bring({ ...deed, once: this.team.once() }) : asked(this.team.act(deed));
    this.#under.add(adding);
    await adding.then(() => undefined).finally(() => this.#under.delete(adding));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await Promise.allSettled(this.#under);
    this.#isClosed = true;
    const inFlight = this.state.count('open') > 0;
    const sql = 'SELECT $.drop_run($1, $2, $3)';
    await this.team.query(sql, [this.team.id, this.#id, inFlight]).catch(() => undefined);
  }
}

/** The runs of a ledger. */
export function teamRuns(team: Team): Runs {
  return {
    isShared: true,
    async newName(command) {
      const time = new Date(team.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
      return `${time}-${command.replaceAll(' ', '-')}-${team.once().slice(0, 4)}`;
    },
    async begun(equal) {
      const sql = `SELECT name FROM $.run WHERE equal = $1 AND at > $.clock() - interval '30 days'
        ORDER BY at DESC LIMIT 1`;
      const { rows } = await team.query(sql, [equal]);
      return rows[0] && String(rows[0][0]);
    },
    async unfinished(marks) {
      const sql = `SELECT DISTINCT r.name FROM $.run r JOIN $.intent i ON i.run = r.id
        WHERE r.at > $.clock() - interval '30 days' AND left(i.tag, 16) = ANY ($1)`;
      const { rows } = await asked(team.query(sql, [[...marks]]));
      return rows.map(([name]) => String(name));
    },
    async note(equal, journal, again = false) {
      const { rows } = await asked(team.query('SELECT $.claim_input($1, $2, $3)', [equal, journal, again]));
      const other = rows[0]?.[0];
      if (typeof other === 'string') throw inputGiven(other);
    },
    // The same input is refused for 30 days, even once it is done.
    async forget() {},
    async journals() {
      const { rows } = await team.query('SELECT name FROM $.run ORDER BY at DESC, name');
      return rows.map(([name]) => String(name));
    },
  };
}

/** Somebody began the same operation with the same input within 30 days (exit code 12). */
function inputGiven(run: string): CopsError {
  return stopped(
    `the same rows went to the same action within the last 30 days, in the run ${run}`,
    say`Nothing was sent. To see its outcome: ${cops`bulk status ${run}`}. To send all rows anyway, add --again.`,
    { run },
  );
}
