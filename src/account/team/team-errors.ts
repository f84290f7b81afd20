import { CopsError, stopped } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';

/** True if it is unknown whether the requested change happened: the answer did not arrive. */
export function isLost(error: unknown): boolean {
  return error instanceof CopsError && error.kind === 'network';
}

/** A write refused because the ledger cannot be reached (exit code 12). */
export function ledgerAway(error: unknown): CopsError {
  const why = error instanceof Error ? error.message : String(error);
  return stopped(
    `team ledger away: ${why}`,
    say`Nothing was sent: only the ledger shows which writes others send. ${cops`team status`} shows when it is back.`,
    { ledger: 'away' },
  );
}

/** The lease of this process ran out, or another process took over its run (exit code 12). */
export function leaseLost(): CopsError {
  return stopped(
    'this process lost contact for too long, and another one may have taken its place',
    'Nothing was sent. Run the command again; continue a bulk run with: cops bulk resume.',
    { ledger: 'lease lost' },
  );
}

/** The ledger lacks something that this machine saw in it (exit code 12). */
export function ledgerBehind(address: string): CopsError {
  return stopped(
    `the ledger ${address} does not have a write that this machine saw in it: it was restored to an older state`,
    say`Nothing was sent: the ledger lacks later writes, and they would be done again. Find out which were done (${cops`api-calls list`}), create a new ledger (${cops`team init <address>`}) and join it.`,
    { ledger: 'behind' },
  );
}

/**
 * The error of a failed connection to a ledger, with a hint at what follows from it.
 * @param user the user of the address
 */
export function ledgerFault(error: unknown, user: string): unknown {
  if (!(error instanceof CopsError) || error.facts.hint !== undefined) return error;
  const hint =
    error.facts.more?.sqlstate === '42501'
      ? `Whoever created the ledger grants the right in SQL: GRANT cops_member TO ${user}; or cops_reader, to read only.`
      : 'The history, the runs and the limits of the team are in this database: until it answers, nothing is written. Reading from the service still works.';
  const isHinted = error.kind === 'network' || error.kind === 'not_authorised';
  return isHinted ? new CopsError(error.kind, error.message, { ...error.facts, hint }) : error;
}

/** The user of the database may read the ledger at most (exit code 12). */
export function notMember(user: string, address: string): CopsError {
  return stopped(
    `${user} may read the ledger ${address}, but not write through it`,
    `Nothing was sent. Whoever created the ledger grants the right in SQL: GRANT cops_member TO ${user};`,
    { ledger: 'no right' },
  );
}

/** An earlier version of cops made the ledger (exit code 12). */
export function ledgerOld(address: string, its: number, wanted: number): CopsError {
  return stopped(
    `the ledger ${address} has version ${its}, but this program writes version ${wanted}`,
    say`Nothing was sent. As a member of cops_owner: ${cops`team migrate`}. Older versions of cops then write nothing there.`,
    { ledger: 'old' },
  );
}

/** The address leads to a different ledger than before (exit code 12). */
export function otherLedger(address: string): CopsError {
  return stopped(
    `${address} is not the ledger that this machine knows at this address`,
    say`Nothing was sent. If it is the right one: ${cops`team join ${address}`}.`,
    { ledger: 'another' },
  );
}

/** The ledger belongs to another account or mode than the profile (exit code 12). */
export function otherAccount(what: string, its: string, own: string): CopsError {
  return stopped(
    `the ledger belongs to the ${what} ${its}, but this profile has ${own}`,
    say`Nothing was sent. A ledger belongs to one account and mode; ${cops`team status`} shows which.`,
    { ledger: 'another account' },
  );
}
