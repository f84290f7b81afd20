import { CopsError, stopped } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';

/** True where nothing tells whether what was asked has happened: the answer did not come. */
export function isLost(error: unknown): boolean {
  return error instanceof CopsError && error.kind === 'network';
}

/** A write that is refused because the ledger cannot be asked (exit code 12). */
export function ledgerAway(error: unknown): CopsError {
  const why = error instanceof Error ? error.message : String(error);
  return stopped(
    `team ledger away: ${why}`,
    say`Nothing was sent: without the ledger nobody knows which writes others send. ${cops`team status`} shows when it is back.`,
    { ledger: 'away' },
  );
}

/** The lease of this process ran out, or another one took over its run (exit code 12). */
export function leaseLost(): CopsError {
  return stopped(
    'this process was not heard of for too long, and another one may have gone on in its place',
    'Nothing was sent. Run the command again; continue a bulk run with: cops bulk resume.',
    { ledger: 'lease lost' },
  );
}

/** The ledger does not have what this machine saw in it (exit code 12). */
export function ledgerBehind(address: string): CopsError {
  return stopped(
    `the ledger ${address} does not have a write that this machine saw in it: it was restored to an older state`,
    say`Nothing was sent: later writes are missing there, and would be done again. Find out which were done (${cops`api-calls list`}), create a new ledger (${cops`team init <address>`}) and join it.`,
    { ledger: 'behind' },
  );
}

/** The address leads to another ledger than before (exit code 12). */
export function otherLedger(address: string): CopsError {
  return stopped(
    `${address} is not the ledger that this machine knows there`,
    say`Nothing was sent. Where that is right: ${cops`team join ${address}`}.`,
    { ledger: 'another' },
  );
}

/** The ledger is of another account or mode than the profile (exit code 12). */
export function otherAccount(what: string, its: string, own: string): CopsError {
  return stopped(
    `the ledger is of the ${what} ${its}, and this profile has ${own}`,
    say`Nothing was sent. A ledger is of one account and mode; ${cops`team status`} shows which.`,
    { ledger: 'another account' },
  );
}
