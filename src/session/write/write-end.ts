import { callsWithKey } from '../../account/history/entries.js';
import type { Finish, History, HistoryOutcome, Pending } from '../../account/history/types.js';
import type { Profile } from '../../account/profiles/types.js';
import { CopsError } from '../../base/errors/errors.js';
import { cops, mapText, say, type Text } from '../../base/text/command-line.js';
import type { LastWords } from '../../base/world.js';
import { pathParameters } from '../../catalogue/index.js';
import type { Operation } from '../../catalogue/types.js';
import { lastKept } from '../../items/json/tree.js';
import { secretValues } from '../../items/secrets/mask-body.js';
import { Redactor } from '../../items/secrets/redact.js';
import { isSecretName } from '../../items/secrets/secret-fields.js';
import { sanitise } from '../../items/text/inert.js';
import type { WriteOutcome } from '../../service/http/retry.js';
import { readNear } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { PreparedWrite } from './prepared-write.js';

/** Hides a write's secrets, the key and those of its body, wherever the service repeats them. */
export type Hiding = ReturnType<typeof hiding>;

/**
 * The only redaction of writes: a service that quotes the request must not bring a card number, its code or the key
 * into an answer, an error, a journal or a log.
 */
export function hidingOf(profile: Pick<Profile, 'key'>, operation: Operation, body: unknown): Hiding {
  return hidingOfMany(profile, operation)(body);
}

/** The same for many bodies of one operation: most have no secret of their own and share the search for the key. */
export function hidingOfMany(
  profile: Pick<Profile, 'key'>,
  operation: Operation,
): (body: unknown, more?: Iterable<string>) => Hiding {
  const key = profile.key.value;
  const ofKey = hiding(new Redactor([key]));
  const secretsOf = lastKept((body: unknown) => secretValues(operation, body));
  return (body, more = []) => {
    const own = [...secretsOf(body), ...more];
    return own.length === 0 ? ofKey : hiding(new Redactor([key, ...own]));
  };
}

function hiding(redactor: Redactor) {
  const text = (given: string) => redactor.text(given);
  const answer = (given: string) => redactor.json(given);
  const error = (given: unknown) => errorWithout(given, text, answer);
  return {
    text,
    /** The same for an error, also of a POST that only reads; leaves anything but a `CopsError` unchanged. */
    error,
    /** Clean JSON text, otherwise unchanged. */
    answer,
    /** The outcome with clean texts, and a clean answer if it was done. */
    outcome(outcome: WriteOutcome) {
      if (outcome.claim !== 'done') return { ...outcome, error: error(outcome.error) as CopsError };
      const came = outcome.reply.body.toString('utf8');
      const clean = answer(came);
      if (clean === came) return outcome;
      const reply = { ...outcome.reply, body: Buffer.from(clean) };
      return { ...outcome, reply, envelope: JSON.parse(clean) as typeof outcome.envelope };
    },
  };
}

function errorWithout(given: unknown, text: Hiding['text'], answer: Hiding['answer']): unknown {
  if (!(given instanceof CopsError)) return given;
  const { serviceMessage, errorCode, apiCallId, rawAnswer, hint, faults, more } = given.facts;
  const clean = (value: string | undefined) => (value === undefined ? undefined : text(value));
  return new CopsError(given.kind, text(given.message), {
    ...given.facts,
    serviceMessage: clean(serviceMessage),
    errorCode: clean(errorCode),
    apiCallId: apiCallId && clean(apiCallId),
    rawAnswer: rawAnswer === undefined ? undefined : answer(rawAnswer),
    hint: hint && mapText(hint, text),
    faults: faults?.map(({ path, message }) => ({ path, message: text(message) })),
    more: more && (JSON.parse(answer(JSON.stringify(more))) as typeof more),
  });
}

/** The end of a write in the history: for a completed one only once its answer is out. */
export class RecordedEnd {
  #waits = false;

  constructor(
    private readonly context: Context,
    private readonly history: History,
  ) {}

  async end(pending: Pending, outcome: WriteOutcome, settles: Text): Promise<void> {
    const record = () =>
      pending.finish(finishOf(outcome, settles)).catch((error: Error) => {
        // The outcome of the write is what counts; unrecorded it counts as unknown, which guards more.
        this.context.notes.warn(`The outcome could not be recorded: ${error.message}`);
      });
    if (outcome.claim !== 'done') return record();
    this.#waits = true;
    await this.context.whenTold(() => record().then(() => this.#close()));
  }

  async close(): Promise<void> {
    if (!this.#waits) await this.#close();
  }

  #close(): Promise<void> {
    return this.history.close().catch(() => undefined);
  }
}

/** What to say about a write whose command must end before it can say it itself: before its end, and after. */
export function lastWords(command: string, entry: string, outcome?: WriteOutcome): LastWords {
  const lead = `cops: ${command}:`;
  const see = `See it with: ${cops`history show ${entry}`}`;
  if (!outcome) return { text: `${lead} ended before its answer came: outcome unknown. ${see}`, exitCode: 9 };
  if (outcome.claim !== 'done')
    return { text: sanitise(`${lead} ${outcome.error.message}`), exitCode: outcome.error.exitCode };
  const call = outcome.envelope.api_call_id;
  return { text: sanitise(`${lead} done${call ? ` (api_call_id ${call})` : ''}`), exitCode: 0 };
}

/** The name of a write's outcome in history and journals. */
function outcomeName(outcome: WriteOutcome): HistoryOutcome {
  if (outcome.claim === 'done') return 'done';
  if (outcome.claim === 'unknown') return 'unknown';
  if (outcome.claim === 'not_sent') return 'not_sent';
  const { kind } = outcome.error;
  return kind === 'payment_failed' || kind === 'fraud_detected' || kind === 'rate_limited' ? kind : 'refused';
}

function finishOf(outcome: WriteOutcome, settles: Text): Finish {
  const name = outcomeName(outcome);
  if (outcome.claim === 'done') {
    const { envelope, reply } = outcome;
    const apiCallId = envelope.api_call_id ?? null;
    return { outcome: name, httpStatus: reply.status, code: 1, apiCallId, made: toldBy(envelope) };
  }
  const { facts } = outcome.error;
  return {
    outcome: name,
    httpStatus: facts.httpStatus,
    code: facts.code,
    errorCode: facts.errorCode,
    apiCallId: facts.apiCallId,
    settles: name === 'unknown' ? String(settles) : undefined,
  };
}

/** What an answer says besides the call's id: ids, its time and its result. Whatever else is in it may be secret. */
function toldBy(envelope: object): Finish['made'] {
  const found = Object.entries(envelope).filter(([name, value]) => {
    if (name === 'api_call_unix') return Number.isSafeInteger(value);
    if (name === 'result') return /^[\w -]{1,40}$/.test(String(value));
    return /_id$/.test(name) && name !== 'api_call_id' && /^[A-Za-z0-9]{20}$/.test(String(value));
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** The parts of a write that show where to find its outcome. */
type SettledWrite = Pick<PreparedWrite, 'family' | 'operation' | 'ids' | 'body'>;

const CALLS = say`the calls of that minute: ${cops`api-calls list --last 1h`}`;

/** How many fields of an edit to name. */
const MOST_FIELDS = 3;

/**
 * What settles an unknown outcome: the read of the item and the field to check, otherwise the calls of that minute.
 * @param ownKey the user's own key, which another machine may have used at any time in the last day
 */
export function settledBy(write: SettledWrite, ownKey?: string): Text {
  const calls = ownKey === undefined ? CALLS : say`the calls with its key: ${callsWithKey(ownKey)}`;
  const { family, operation, ids } = write;
  const read = readNear(family, operation.action, ids);
  if (!read) return say`Look at ${calls}.`;
  const command = cops`${family.name.replaceAll('_', '-')} ${read.action.split(' ')} ${ids.slice(0, pathParameters(read).length)}`;
  if (lastWord(operation) === 'delete' && pathParameters(read).length === ids.length)
    return say`Check whether it still exists: ${command}; or look at ${calls}.`;
  return say`Check ${fieldsOf(write).join(', ') || 'the item'} in: ${command}; or look at ${calls}.`;
}

/** Fields of the item that show whether it was done; empty if no known field does. */
function fieldsOf({ family, operation, body }: SettledWrite): readonly string[] {
  const { preview, wait, shownBy } = operation;
  if (preview?.refund) return ['amount_refunded'];
  if (shownBy !== undefined) return [shownBy];
  if (wait && wait.idFrom === undefined && wait.read.family === family.name) return [wait.field];
  const word = lastWord(operation);
  if (word === 'edit') {
    const names = Object.keys(body).filter((name) => name !== 'idempotency_key' && !isSecretName(name));
    const read = names.map((name) => operation.body?.fields[name]?.readFrom ?? name);
    return read.length > 0 && read.length <= MOST_FIELDS ? read : ['updated_date_unix'];
  }
  if (word === 'enable' || word === 'disable') return ['enabled'];
  if (word === 'set-default') return ['is_default'];
  return family.columns.some(({ path }) => path === 'status') ? ['status'] : [];
}

function lastWord(operation: Operation): string {
  return operation.action.split(' ').at(-1) ?? '';
}
