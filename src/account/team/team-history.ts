import { type CopsError, stopped } from '../../base/errors/errors.js';
import { cops } from '../../base/text/command-line.js';
import { recordText } from '../../items/secrets/redact.js';
import { alreadyKnown, entryId, onlyEntry, repeatRefused } from '../history/entries.js';
import type {
  Begun,
  DoneWrite,
  Entry,
  Finish,
  GatedHistory,
  Intent,
  KnownIntent,
  ListFilter,
  Origin,
  Pending,
  RowIntent,
  Trail,
  TrailOptions,
  Whose,
} from '../history/types.js';
import type { Gate, IntentFacts } from '../history/write-gate.js';
import type { Team } from './team.js';
import { entriesOf } from './team-entries.js';
import { isLost, ledgerAway } from './team-errors.js';
import { WRITER_VERSION } from './team-schema.js';
import type { Answer, LedgerDeed, ToldWrite } from './types.js';

/** A write in the form that the ledger takes. */
type WriteFacts = Readonly<Record<string, unknown>> & { readonly id: string; readonly tag: string };

/** The shared history of a team. */
export class TeamHistory implements GatedHistory {
  readonly damagedLines = 0;

  constructor(
    private readonly team: Team,
    private readonly gate?: Gate,
  ) {}

  /** Why nothing begun here may be sent now. */
  mayLeave(): CopsError | undefined {
    return this.team.mayLeave();
  }

  abandon(entries: ReadonlyMap<string, string>): void {
    const how = { do: 'end', outcome: 'not_sent', facts: {}, by: this.team.id } as const;
    this.team.keepUnsent([...entries].map(([id, tag]) => ({ ...how, id, tag, once: this.team.once() })));
  }

  async begin(intent: Intent, options: { again?: boolean; since?: string } = {}): Promise<Pending> {
    await this.team.enter();
    const id = this.#newId();
    const answer = await this.#admitted(
      {
        ...factsOf(intent, intent),
        id,
        tag: intent.tag,
        since: await this.team.timeOf(options.since),
        again: options.again,
      },
      intent,
    );
    if (answer.other) throw refusedBy(answer.other);
    return this.#pending(id, intent.tag);
  }

  trail(origin: Origin, { journal: run, again, since }: TrailOptions): Trail {
    const plan = (row: RowIntent) => {
      const id = this.#newId();
      const facts = { ...factsOf(origin, row), id, tag: row.tag, run, again };
      const begin = async (): Promise<Begun> => {
        await this.team.enter();
        const answer = await this.#admitted(
          { ...facts, epoch: this.team.epochOf(run), since: await this.team.timeOf(since) },
          row,
        ).catch(async (error: unknown) => {
          // The journal has the row as begun: without a record here the two would disagree.
          await this.#withdraw(facts);
          throw error;
        });
        const pending = this.#pending(id, row.tag);
        if (!answer.other) return { pending };
        const done = doneOf(answer.other);
        if (!done) throw refusedBy(answer.other);
        return { pending: { id, finish: async () => undefined }, doneElsewhere: done };
      };
      return { id, begin };
    };
    return {
      plan,
      recall: async (id, tag) => this.#pending(id, tag),
      reopen: async (id, { tag, ids, body }) => {
        await this.gate?.readmit({ ids, body });
        const deed = { do: 'reopen', id, tag, run, again, epoch: this.team.epochOf(run) } as const;
        const answer = await this.team.act(deed).catch((error: unknown) => {
          throw isLost(error) ? ledgerAway(error) : error;
        });
        return {
          pending: this.#pending(id, tag),
          doneElsewhere: answer.done && doneOf(answer.done),
          settled: answer.ended && settledBy(answer.ended),
        };
      },
    };
  }

  #newId(): string {
    return entryId(new Date(this.team.now()).toISOString());
  }

  /** Records the intent if the gate allows it. Withdraws what may have been recorded without an answer. */
  async #admitted(facts: WriteFacts, row: RowIntent): Promise<Answer> {
    const record = (more: IntentFacts) => this.team.act({ do: 'begin', ...facts, ...more });
    try {
      return await (this.gate ? this.gate.admit({ ids: row.ids, body: row.body }, record) : record({}));
    } catch (error) {
      if (!isLost(error)) throw error;
      await this.#withdraw(facts);
      throw ledgerAway(error);
    }
  }

  async #withdraw(facts: WriteFacts): Promise<void> {
    const { epoch: _epoch, ...own } = facts;
    const deed: LedgerDeed = { do: 'withdraw', ...own, once: this.team.once(), by: this.team.id, outcome: 'not_sent' };
    // Nothing was sent: what cannot be reported now stays open until it is delivered.
    await this.team.bring(deed).catch((error: Error) => this.team.place.warn(`${facts.id}: ${error.message}`));
  }

  #pending(id: string, tag: string): Pending {
    let finished = false;
    return {
      id,
      finish: async (how) => {
        if (finished) return;
        finished = true;
        const { outcome } = how;
        const [once, by] = [this.team.once(), this.team.id];
        await this.team.bring({ do: 'end', id, tag, outcome, facts: toldFacts(how), once, by });
      },
    };
  }

  async openTags(_whose: Whose): Promise<ReadonlyMap<string, Entry>> {
    // The caller is about to write.
    await this.team.enter();
    const tags = new Map<string, Entry>();
    for await (const entry of entriesOf(this.team, { isOpen: true }))
      if (entry.journal !== undefined || !tags.has(entry.like)) tags.set(entry.like, entry);
    return tags;
  }

  async *intentsOf(journal: string): AsyncIterable<KnownIntent> {
    const sql = `SELECT id, tag, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), key
      FROM $.intent WHERE run = $1 ORDER BY n`;
    for (const [id, like, time, key] of (await this.team.query(sql, [journal])).rows) {
      const known = { id: String(id), like: String(like), time: String(time) };
      yield key === null ? known : { ...known, key: String(key) };
    }
  }

  async endedOf(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    if (ids.size === 0) return new Map();
    // Of several outcomes, one other than "not sent" counts.
    const sql = `SELECT i.id, max(nullif(o.outcome, 'not_sent')) FROM $.outcome o JOIN $.intent i ON i.id = o.intent
      WHERE o.said_by = 'service' AND (o.outcome = 'unknown' OR i.state <> 'open') AND i.id = ANY ($1) GROUP BY i.id`;
    const { rows } = await this.team.query(sql, [[...ids]]);
    return new Map(rows.map(([id, outcome]) => [String(id), outcome === null ? 'not_sent' : String(outcome)]));
  }

  list(filter: ListFilter = {}): AsyncIterable<Entry> {
    return entriesOf(this.team, { isUnknown: filter.unknownOnly === true, user: filter.user });
  }

  ofKey(key: string): AsyncIterable<Entry> {
    return entriesOf(this.team, { key });
  }

  show(id: string): Promise<Entry> {
    return onlyEntry("The team's ledger", id, (wanted) => entriesOf(this.team, { id: wanted }));
  }

  async settle(id: string, as: 'done' | 'not-done', note?: string): Promise<Entry> {
    const entry = await this.show(id);
    await this.team.enter();
    const op = {
      id: entry.id,
      once: this.team.once(),
      outcome: as === 'done' ? 'done' : 'not_sent',
      facts: note === undefined ? {} : { note },
    };
    const { rows } = await this.team.query('SELECT $.settle($1, $2)', [WRITER_VERSION, recordText(op)]);
    const [known] = rows[0] ?? [];
    if (known === null || known === undefined) return this.show(entry.id);
    const told = JSON.parse(String(known)) as ToldWrite;
    if (told.running) throw stopped(`the write ${told.id} is still running (${byWhom(told)}): wait for its outcome`);
    throw alreadyKnown(told.id, entry.outcome);
  }

  /** The connection belongs to the command, and closes with it. */
  async close(): Promise<void> {}
}

/** What the ledger stores about a write: no names given instead of ids, because a person may have typed anything. */
function factsOf(origin: Origin, row: RowIntent): Readonly<Record<string, unknown>> {
  const { profile, operation, fingerprint } = origin;
  const { ids, key } = row;
  return { profile, operation, credential: fingerprint, ids, key };
}

function toldFacts(how: Finish): Readonly<Record<string, unknown>> {
  const { httpStatus, code, errorCode, apiCallId, made, settles } = how;
  return { http_status: httpStatus, code, error_code: errorCode, api_call_id: apiCallId, made, settles };
}

function doneOf({ state, id, finished }: ToldWrite): DoneWrite | undefined {
  return state === 'done' ? { id, time: finished ?? '' } : undefined;
}

const byWhom = ({ user, machine }: ToldWrite): string => `by ${user} on ${machine}`;

function refusedBy(other: ToldWrite): CopsError {
  const { state, running, finished, settles, at, id, pid, user, machine } = other;
  const outcome = state === 'done' ? 'done' : running ? 'running' : 'unknown';
  return repeatRefused({ id, time: at, pid, outcome, finished, settles, user, machine });
}

function settledBy({ id, state, finished }: ToldWrite): NonNullable<Begun['settled']> {
  const says = `it was settled at ${finished ?? ''} (${cops`history show ${id}`})`;
  return { as: state === 'done' ? 'done' : 'not_done', says };
}
