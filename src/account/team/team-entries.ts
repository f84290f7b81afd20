import type { PostgresCell } from '../../base/database/postgres.js';
import type { Entry, HistoryOutcome } from '../history/types.js';
import type { Team } from './team.js';

/** Which entries are wanted. */
export interface Wanted {
  /** Without a known end: running or unknown. */
  readonly isOpen?: boolean;
  readonly isUnknown?: boolean;
  readonly user?: string | undefined;
  /** How the id starts. */
  readonly id?: string;
  /** The idempotency key. */
  readonly key?: string;
}

/** Entries to read at once. */
const PAGE = 500;

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const SQL = `
SELECT i.n, i.id, i.tag, to_char(i.at AT TIME ZONE 'UTC', ${TIME}), i.user_name, i.machine, i.pid, i.profile,
  l.base_url, l.mode, i.credential, i.operation, i.ids::text, i.key, i.run, i.who, i.also::text, i.reason,
  i.amount::text, i.currency, i.state, coalesce(q.lease_until > $.clock(), false),
  (SELECT jsonb_agg(jsonb_build_object('time', to_char(o.at AT TIME ZONE 'UTC', ${TIME}), 'said_by', o.said_by,
    'outcome', o.outcome, 'facts', o.facts) ORDER BY o.n)::text FROM $.outcome o WHERE o.intent = i.id)
FROM $.intent i CROSS JOIN $.ledger l LEFT JOIN $.process q ON q.id = i.process
WHERE i.n < $1 AND ($2::text IS NULL OR i.user_name = $2) AND ($3::text IS NULL OR starts_with(i.id, $3))
  AND ($4::text IS NULL OR i.key = $4)`;

const OPEN = ` AND i.state = 'open'`;
const UNKNOWN = ` AND (NOT coalesce(q.lease_until > $.clock(), false)
  OR EXISTS (SELECT 1 FROM $.outcome o WHERE o.intent = i.id))`;

/** How a write ended, as reported. */
interface Said {
  readonly time: string;
  readonly said_by: 'service' | 'person';
  readonly outcome: HistoryOutcome;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The writes of a ledger, newest first. */
export async function* entriesOf(team: Team, wanted: Wanted): AsyncIterable<Entry> {
  const { isOpen = false, isUnknown = false, user, id, key } = wanted;
  const sql = `${SQL}${isOpen || isUnknown ? OPEN : ''}${isUnknown ? UNKNOWN : ''} ORDER BY i.n DESC LIMIT ${PAGE}`;
  let before: PostgresCell = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const { rows } = await team.query(sql, [before as number, user ?? null, id ?? null, key ?? null]);
    for (const row of rows) yield entryOf(row);
    if (rows.length < PAGE) return;
    before = rows.at(-1)?.[0] as PostgresCell;
  }
}

function entryOf(row: readonly PostgresCell[]): Entry {
  const text = (at: number): string | undefined => (row[at] === null ? undefined : String(row[at]));
  const said = JSON.parse(text(22) ?? '[]') as Said[];
  const isOpen = text(20) === 'open';
  // For an open write, ignores an attempt without effect that another process took over.
  const answered = said.filter((one) => one.said_by === 'service' && (!isOpen || one.outcome === 'unknown'));
  // A later answer without information takes nothing back, and completed writes stay completed.
  const last =
    answered.find(({ outcome }) => outcome === 'done') ??
    answered.findLast(({ outcome }) => outcome !== 'unknown') ??
    answered.at(-1);
  const person = said.findLast((one) => one.said_by === 'person');
  const also = text(16);
  const entry: Record<string, unknown> = {
    id: text(1),
    like: text(2),
    time: text(3),
    user: text(4),
    machine: text(5),
    profile: text(7),
    base_url: text(8),
    mode: text(9),
    operation: text(11),
    ids: JSON.parse(text(12) ?? '[]'),
    key: text(13),
    credential: text(10),
    journal: text(14),
    who: text(15),
    also: also === undefined ? undefined : JSON.parse(also),
    reason: text(17),
    amount: text(18),
    currency: text(19),
    pid: row[6],
    outcome: row[21] === true ? 'running' : 'unknown',
  };
  if (last) Object.assign(entry, { outcome: last.outcome, finished: last.time, ...last.facts });
  if (person) {
    const note = person.facts.note;
    entry.settled = { as: person.outcome === 'done' ? 'done' : 'not-done', time: person.time, note };
    // The service's answer overrides what a person found out; both are shown.
    if (!last || last.outcome === 'unknown') entry.outcome = person.outcome;
  }
  return entry as unknown as Entry;
}
