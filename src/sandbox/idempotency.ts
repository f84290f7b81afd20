import { DAY } from '../time/units.js';
import type { Call } from './call.js';
import { invalid } from './refusal.js';

/** So many keys that protect no longer go with each new one: never all of a busy day at once. */
const FORGOTTEN_AT_ONCE = 4;

/**
 * Refuses a key that this credential sent within the last 24 hours, before anything is done (spec 7.4). Assistant
 * creation gives keys of other lengths no protection; elsewhere they are an error.
 */
export function checkKey(call: Call): void {
  const { idempotency_key: key } = call.body;
  if (key === undefined) return;
  if (protecting(call) === undefined) {
    if (isAssistant(call) && typeof key === 'string') return;
    throw invalid('idempotency_key must be a string of 10 to 255 characters.');
  }
  const read = call.store.database.prepare('SELECT 1 FROM keys_seen WHERE account = ? AND key = ? AND at > ?');
  if (read.get(call.account.id, key as string, call.now - DAY))
    throw invalid('The idempotency key was already used within the last 24 hours.', 'E0583');
}

/** Files the key of a call, whatever comes of it, and forgets some of those that protect no longer. */
export function keepKey(call: Call): void {
  const key = protecting(call);
  if (key === undefined) return;
  const { database } = call.store;
  database
    .prepare(
      `INSERT INTO keys_seen (account, key, at) VALUES (?, ?, ?)
       ON CONFLICT (account, key) DO UPDATE SET at = excluded.at`,
    )
    .run(call.account.id, key, call.now);
  database
    .prepare(
      `DELETE FROM keys_seen WHERE (account, key) IN (
         SELECT account, key FROM keys_seen WHERE at <= ? ORDER BY at LIMIT ${FORGOTTEN_AT_ONCE})`,
    )
    .run(call.now - DAY);
}

function isAssistant({ operation }: Call): boolean {
  return operation.method === 'POST' && operation.path === '/ai_assistants';
}

/** The key of a call, when it is of a length that protects. */
function protecting(call: Call): string | undefined {
  const { idempotency_key: key } = call.body;
  const shortest = isAssistant(call) ? 11 : 10;
  return typeof key === 'string' && key.length >= shortest && key.length <= 255 ? key : undefined;
}
