import { DAY } from '../time/units.js';
import type { Call } from './call.js';
import { invalid } from './refusal.js';

/**
 * Refuses a key that this credential sent within the last 24 hours, before anything is done, and files a new
 * one (spec 7.4). Assistant creation gives keys of other lengths no protection; elsewhere they are an error.
 */
export function checkKey(call: Call): void {
  const key = call.body.idempotency_key;
  if (key === undefined) return;
  const isAssistant = call.operation.method === 'POST' && call.operation.path === '/ai_assistants';
  const shortest = isAssistant ? 11 : 10;
  if (typeof key !== 'string' || key.length < shortest || key.length > 255) {
    if (isAssistant && typeof key === 'string') return;
    throw invalid('idempotency_key must be a string of 10 to 255 characters.');
  }
  const { database } = call.store;
  database.prepare('DELETE FROM keys_seen WHERE at <= ?').run(call.now - DAY);
  if (database.prepare('SELECT 1 FROM keys_seen WHERE account = ? AND key = ?').get(call.account.id, key)) {
    throw invalid('The idempotency key was already used within the last 24 hours.', 'E0583');
  }
  database.prepare('INSERT INTO keys_seen (account, key, at) VALUES (?, ?, ?)').run(call.account.id, key, call.now);
}
