import { stopped } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Sourced } from './types.js';

/** An address without its password, which is returned separately. */
export function outOfAddress(address: string): { readonly text: string; readonly password: string | undefined } {
  const [, before = '', password, after = ''] = /^([a-z]+:\/\/[^/@:]*):([^@]*)(@.*)$/is.exec(address) ?? [];
  return password === undefined
    ? { text: address, password: undefined }
    : { text: `${before}${after}`, password: decodeURIComponent(password) };
}

/**
 * The ledger in use: that of the profile, else that of COPS_LEDGER. What a profile says is never changed from outside:
 * a line that is started with another environment would write past the team.
 * @throws CopsError stopped (12) for a variable that would empty or change the profile's ledger
 */
export function ledgerInUse(
  variable: string | undefined,
  { name, ledger }: { readonly name: string; readonly ledger: string | undefined },
): Sourced<string> | undefined {
  const said = variable?.trim();
  if (ledger === undefined) return said ? { value: said, source: 'COPS_LEDGER' } : undefined;
  if (said !== undefined && outOfAddress(said).text !== ledger)
    throw stopped(
      said === ''
        ? `COPS_LEDGER is empty, but the profile ${name} has a ledger`
        : `COPS_LEDGER names another ledger than the profile ${name}`,
      say`Nothing was sent. Unset COPS_LEDGER; to leave the team: ${cops`team leave`}.`,
      { ledger: 'another' },
    );
  return said ? { value: said, source: 'COPS_LEDGER' } : { value: ledger, source: `profile ${name}` };
}
