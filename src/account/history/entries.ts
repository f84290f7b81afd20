import { randomInt } from 'node:crypto';
import { CopsError, stopped, usage } from '../../base/errors/errors.js';
import type { Processes, ProcessId } from '../../base/files/lock.js';
import { type CommandLine, cops, placeholder, say } from '../../base/text/command-line.js';
import type { Line } from './segments.js';
import type { Entry, Pending } from './types.js';

const LONGEST_WRITE_MS = 3_600_000;

/** Joins the lines of one id; undefined if the intent is not among them. */
export function mergeEntry(lines: readonly Line[], processes: Processes, now: number): Entry | undefined {
  const intent = lines.find((line) => line.type === 'intent') as (Line & Record<string, unknown>) | undefined;
  if (!intent) return undefined;
  const { end, settled, outcome } = endOf(lines);
  const { type: _intent, started: _started, host: _host, ...facts } = intent;
  const entry: Record<string, unknown> = { ...facts };
  if (end) {
    const { type: _type, id, like, time, ...how } = end;
    Object.assign(entry, how, { finished: time });
  } else {
    const by = processOf(intent);
    // If the system gives no start mark, another process may have this number by now: an hour settles it.
    const fresh = by.started !== '' || Math.abs(now - Date.parse(intent.time)) < LONGEST_WRITE_MS;
    entry.outcome = fresh && processes.state(by) === 'running' ? 'running' : 'unknown';
  }
  if (settled) {
    const { as, time, note } = settled;
    Object.assign(entry, { settled: { as, time, note }, outcome });
  }
  return entry as unknown as Entry;
}

/** The lines of one id that last recorded an end, and the outcome and time that they give. */
export function endOf(lines: readonly Line[]) {
  type Told = Line & Readonly<Record<string, unknown>>;
  const last = (type: Line['type']) => lines.findLast((line) => line.type === type) as Told | undefined;
  const [end, settled] = [last('outcome'), last('settled')];
  const outcome = settled ? (settled.as === 'done' ? 'done' : 'not_sent') : end?.outcome;
  return { end, settled, outcome, time: settled?.time ?? end?.time };
}

/** The process that wrote a line. */
export function processOf({ pid, started, host }: Line & Partial<ProcessId>): ProcessId {
  return { pid: Number(pid), started: String(started ?? ''), host: String(host ?? '') };
}

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const TAIL = 5;

/** A new id for an entry made at that time: `261121-013921-k3f9x`, sortable by eye, short enough to type. */
export function entryId(time: string): string {
  const at = (from: number) => time.slice(from, from + 2);
  const stamp = `${at(2)}${at(5)}${at(8)}-${at(11)}${at(14)}${at(17)}`;
  let number = randomInt(ALPHABET.length ** TAIL);
  let tail = '';
  for (let index = 0; index < TAIL; index++) {
    tail += ALPHABET[number % ALPHABET.length];
    number = Math.floor(number / ALPHABET.length);
  }
  return `${stamp}-${tail}`;
}

/** The command that lists the last day's calls with an idempotency key: the service logs them, whoever sent them. */
export function callsWithKey(key: string): CommandLine {
  const value = /^[\w.:-]+$/.test(key) ? key : JSON.stringify(key);
  return cops`api-calls list --last 1d --where ${`raw_request~${value}`}`;
}

/** The entry with an id or a prefix of it. @throws CopsError `not_found`; `usage` if several have the prefix */
export async function onlyEntry(
  history: string,
  id: string,
  entries: (wanted: string) => AsyncIterable<Entry>,
): Promise<Entry> {
  const wanted = id.trim();
  const matches: Entry[] = [];
  for await (const entry of wanted === '' ? [] : entries(wanted)) {
    if (entry.id === wanted) return entry;
    if (entry.id.startsWith(wanted)) matches.push(entry);
  }
  const [only, second] = matches;
  if (only && !second) return only;
  if (second) throw usage(`${history} has ${matches.length} writes whose ids begin with ${id}: give more of the id`);
  throw noEntry(history, wanted);
}

/** The error for a word that is neither an id nor a key here. Another machine may still have used the key. */
export function noEntry(history: string, word: string): CopsError {
  const mayBeKey = word.length >= 10 && word.length <= 255 && !/^\d{6}-\d{6}-\w+$/.test(word);
  const calls =
    mayBeKey && say` To see whether anyone sent the service that key in the last 24 hours: ${callsWithKey(word)}`;
  return new CopsError(
    'not_found',
    `${history} has no write with the id or idempotency key ${word}; it may still have been done elsewhere`,
    { hint: say`To see what it has: ${cops`history list`}.${calls}` },
  );
}

/** The error for settling a write whose outcome is known. */
export function alreadyKnown(id: string, outcome: string): CopsError {
  return usage(`the outcome of ${id} is already known: ${outcome}`, 'Only an unknown outcome can be settled.');
}

/** What is known about the write that blocks this one. */
export interface OtherWrite extends Pick<Entry, 'id' | 'time' | 'pid' | 'outcome' | 'user' | 'machine'> {
  readonly finished?: string | null | undefined;
  readonly settles?: string | null | undefined;
}

/** Who did it, if it may have been another machine. */
const byWhom = ({ user, machine }: OtherWrite): string => (user === undefined ? '' : ` by ${user} on ${machine}`);

/** An entry that changes nothing in the service: no limit counts it, and no mirror lacks it. */
export const EVENTS_RESEND = 'events resend';

/** The error of the repeat guard (exit code 12). */
export function repeatRefused(entry: OtherWrite, same = 'the same write'): CopsError {
  if (entry.outcome === 'done') return doneMeanwhile(entry);
  const running = entry.outcome === 'running';
  const by = byWhom(entry);
  const what = running
    ? `${same} is still running (begun${by} ${by ? 'at ' : ''}${entry.time}, process ${entry.pid})`
    : `${same} was begun${by} at ${entry.time} and its outcome is unknown`;
  const settles = entry.settles ? ` ${entry.settles}` : '';
  return stopped(
    `${what}: it may already have been done`,
    say`See it with: ${cops`history show ${entry.id}`}.${settles} Record the true outcome with: ${cops`history settle ${entry.id} --as ${placeholder('done|not-done')}`}. To send it again anyway, add --again.`,
    { history: entry.id },
  );
}

function doneMeanwhile(entry: OtherWrite): CopsError {
  return stopped(
    `the same write was done${byWhom(entry)} at ${entry.finished}, after this command began: it is not sent a second time`,
    say`See it with: ${cops`history show ${entry.id}`}. To send it again anyway, add --again.`,
    { history: entry.id },
  );
}

/** @throws CopsError stopped (12), with the intent taken back, if an equal write exists */
export async function refuseRepeat(pending: Pending, other: Entry | undefined, same?: string): Promise<Pending> {
  if (!other) return pending;
  await pending.finish({ outcome: 'not_sent' });
  throw repeatRefused(other, same);
}
