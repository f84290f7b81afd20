import { DAY } from '../../base/time/units.js';
import type { Call } from '../rules/call.js';
import { invalid } from '../rules/refusals.js';

/**
 * Expired keys are deleted by one call in `SELDOM`, chosen by its id, and at most `FORGOTTEN_AT_ONCE` at a time: never
 * all keys of a busy day.
 */
const SELDOM = 16;
const FORGOTTEN_AT_ONCE = 64;

/**
 * Stores the key of a call, and refuses one that this credential has sent within the last 24 hours before anything is
 * done (service.md#idempotency). A key counts from its arrival, whatever the outcome of the call. Assistant creation
 * ignores keys of other lengths; elsewhere they are an error.
 */
export function takeKey(call: Call): void {
  const { idempotency_key: key } = call.body;
  if (key === undefined) return;
  const { operation } = call;
  const isAssistant = operation.method === 'POST' && operation.path === '/ai_assistants';
  if (typeof key !== 'string' || key.length < (isAssistant ? 11 : 10) || key.length > 255) {
    if (isAssistant && typeof key === 'string') return;
    throw invalid('idempotency_key must be a string of 10 to 255 characters.');
  }
  const { database } = call.store;
  const filed = database
    .prepare(
      `INSERT INTO keys_seen (account, key, at) VALUES (?, ?, ?)
       ON CONFLICT (account, key) DO UPDATE SET at = excluded.at WHERE at <= ? RETURNING 1`,
    )
    .get(call.account.id, key, call.now, call.now - DAY);
  if (!filed) throw invalid('The idempotency key was already used within the last 24 hours.', 'E0583');
  if (call.callId.charCodeAt(call.callId.length - 1) % SELDOM === 0) forgetKeys(call);
}

function forgetKeys({ store, now }: Call): void {
  store.database
    .prepare(
      `DELETE FROM keys_seen WHERE (account, key) IN (
         SELECT account, key FROM keys_seen WHERE at <= ? ORDER BY at LIMIT ${FORGOTTEN_AT_ONCE})`,
    )
    .run(now - DAY);
}
