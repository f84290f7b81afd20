import { CopsError, type ErrorKind, local } from '../errors/errors.js';
import type { PostgresAddress } from './postgres-address.js';

/** The server asks for a password and we have none. */
export class MissingPassword extends Error {}

/** A failure as PostgreSQL's protocol reports it. */
interface ServerFault {
  /** A five-character SQLSTATE, or the code of a system error, which has no severity. */
  readonly code?: string;
  readonly severity?: string;
  readonly detail?: string;
}

/** The SQLSTATE of a failed statement; undefined for a failure that did not come from the server. */
export function sqlStateOf(error: unknown): string | undefined {
  const state = error instanceof CopsError ? error.facts.more?.sqlstate : undefined;
  return typeof state === 'string' ? state : undefined;
}

/** Marks a failure as having come instead of the answer to COMMIT: the caller must check whether it happened. */
export function commitUnknown(fault: CopsError): CopsError {
  return new CopsError('network', fault.message, { ...fault.facts, more: { ...fault.facts.more, commit: 'unknown' } });
}

/** Why connecting failed, in our words. */
export function connectFault(error: unknown, address: PostgresAddress): CopsError {
  const { code = '' } = error as ServerFault;
  const says = textOf(error);
  const at = address.text;
  if (error instanceof CopsError) return error;
  if (error instanceof MissingPassword) {
    return notAllowed(`${at} asks for a password, and none is set.`, error, {
      hint: 'Set PGPASSWORD, write it into ~/.pgpass (mode 600), or name its source: ?password-from=env:NAME.',
    });
  }
  if (code.startsWith('28')) return notAllowed(`${at} does not let ${address.user} in: ${says}`, error);
  if (code === '3D000')
    return local(`${at}: the database does not exist.`, 'Create it first: createdb, or CREATE DATABASE.', error);
  if ('severity' in (error as ServerFault)) return queryFault(error, address);
  if (/does not support SSL/.test(says)) {
    const hint = 'Where nobody else can listen in (your own network), use ?sslmode=disable.';
    return new CopsError('network', `${at} does not speak TLS.`, { hint, cause: error });
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(code)) {
    const hint =
      'Name the authority that signed it: ?sslrootcert=<file>. Otherwise stop here: another server may be answering.';
    return new CopsError('network', `The certificate of ${at} was not accepted: ${says}`, { hint, cause: error });
  }
  return new CopsError('network', `${at} cannot be reached: ${says}`, { cause: error });
}

/** Server states in which a later try may succeed: connections are closing, it is starting, it has too many. */
const AWAY = /^(08|57P0|53300)/;

/** Why a statement failed, in our words. */
export function queryFault(error: unknown, address: PostgresAddress): CopsError {
  const { code = '', severity, detail } = error as ServerFault;
  const says = `${textOf(error)}${detail === undefined ? '' : ` (${detail})`}`;
  const isState = severity !== undefined;
  const more = isState ? { sqlstate: code } : undefined;
  if (code === '42501')
    return notAllowed(`${address.text} does not allow this for ${address.user}: ${says}`, error, { more });
  const kind: ErrorKind = isState && !AWAY.test(code) ? 'local' : 'network';
  const message = kind === 'network' ? `${address.text} is unavailable: ${says}` : `${address.text}: ${says}`;
  return new CopsError(kind, message, { more, cause: error });
}

function notAllowed(message: string, cause: unknown, facts: Pick<CopsError['facts'], 'hint' | 'more'> = {}): CopsError {
  return new CopsError('not_authorised', message, { ...facts, cause });
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message || ((error as ServerFault).code ?? error.name) : String(error);
  return text.split('\n', 1)[0] ?? '';
}
