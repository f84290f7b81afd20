import { accountRecords } from '../../account/account-records.js';
import type { Entry } from '../../account/history/types.js';
import { CopsError, closing, type ErrorKind, stopped } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { DAY } from '../../base/time/units.js';
import { kindOfStatus } from '../../service/http/service-refusal.js';
import type { Context, Done } from '../context/context.js';
import { one } from '../context/run.js';
import { keyFor, originOf, type PreparedWrite, taggerOf } from './prepared-write.js';

/** Results that use up no key: the service took nothing. */
const UNUSED: ReadonlySet<string> = new Set(['not_sent', 'rate_limited']);

/**
 * The outcome of an earlier write with the user's own idempotency key, if the history has it: nothing is sent, and the
 * line ends as that one did (service.md#idempotency). Undefined for a key that is new, for one that cops made, and for
 * a write whose end is not known, which the guard against repeats stops.
 * @throws CopsError stopped (12) for a key that stands for another body or credential, or is older than a day
 */
export async function endOfOwnKey(context: Context, prepared: PreparedWrite): Promise<Done | undefined> {
  const { key, own } = await keyFor(context, prepared);
  if (key === null || !own) return undefined;
  return closing(await accountRecords(context).history(), async (history) => {
    for await (const entry of history.ofKey(key))
      if (!UNUSED.has(entry.outcome)) return await endedAs(context, entry, prepared);
    return undefined;
  });
}

async function endedAs(context: Context, entry: Entry, prepared: PreparedWrite): Promise<Done | undefined> {
  const profile = await context.profile();
  const tag = taggerOf(profile, prepared.operation)(prepared.ids, prepared.asked ?? prepared.body);
  const age = context.world.now() - Date.parse(entry.time);
  const { fingerprint } = originOf(profile, prepared.family, prepared.operation);
  const isSame = entry.credential === fingerprint && entry.like === tag && age < DAY * 1000;
  // The service accepts a key once in 24 hours: not even --again sends the same write twice with it.
  if (prepared.again && !isSame) return undefined;
  if (entry.credential !== fingerprint) throw anotherUse(entry, 'with another API key');
  if (entry.like !== tag) throw anotherUse(entry, 'for another write');
  if (entry.outcome === 'unknown' || entry.outcome === 'running') return undefined;
  if (age >= DAY * 1000) throw anotherUse(entry, 'more than 24 hours ago, which is as long as it protects');
  const { id, outcome, api_call_id = null, code, made } = entry;
  context.notes.note(
    say`Nothing was sent: this was already done with the same key. See it with: ${cops`history show ${id}`}`,
  );
  return {
    result: one({ api_call_id, ...(code === undefined ? {} : { code }), ...made, repeated: true, outcome }),
    finish: () => (outcome === 'done' ? undefined : endAgain(entry)),
  };
}

function anotherUse({ id, time, outcome }: Entry, how: string): CopsError {
  return stopped(
    `this idempotency key was used at ${time} ${how} (${outcome}): nothing was sent`,
    say`See it with: ${cops`history show ${id}`}. To send this write, use another key: the service accepts each only once in 24 hours. --again sends it with this key anyway.`,
    { history: id },
  );
}

/** The error that the write ended with, as far as the history has it. */
function endAgain({ id, time, outcome, http_status, code, error_code, api_call_id }: Entry): CopsError {
  const byStatus: ErrorKind = http_status === undefined ? 'refused' : kindOfStatus(http_status, code);
  return new CopsError(byStatus, `The same write with this key already ended at ${time}: ${outcome}.`, {
    ...(http_status !== undefined && { httpStatus: http_status }),
    ...(code !== undefined && { code }),
    ...(error_code !== undefined && { errorCode: error_code }),
    ...(api_call_id !== undefined && { apiCallId: api_call_id }),
    hint: say`See it with: ${cops`history show ${id}`}. A failed call uses up its key: use another one to try again.`,
    more: { repeated: true, outcome },
  });
}
