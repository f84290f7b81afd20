import { hostname } from 'node:os';
import { join } from 'node:path';
import { connectPostgres, type Postgres } from '../../base/database/postgres.js';
import { parsePostgresAddress } from '../../base/database/postgres-address.js';
import { usage } from '../../base/errors/errors.js';
import { osProcesses } from '../../base/files/lock.js';
import { serviceName } from '../../service/http/base-url.js';
import { outOfAddress } from '../profiles/chosen-ledger.js';
import { readKey, readReference } from '../profiles/keys.js';
import type { KeyReading, Mode, Sourced } from '../profiles/types.js';
import { Team } from './team.js';
import { otherAccount } from './team-errors.js';
import { ledgerSchema } from './team-setup.js';

/** The inputs for opening a ledger. */
export interface TeamOpening {
  /** The address, with its source. */
  readonly ledger: Sourced<string>;
  /** What the ledger must belong to; undefined for merely looking at it. */
  readonly account?: { readonly baseUrl: string; readonly mode: Mode } | undefined;
  readonly reading: KeyReading;
  readonly dataDir: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  now(): number;
  warn(text: string): void;
}

/** How to reach a ledger's database. */
export type LedgerWay = ReturnType<typeof ledgerWay>;

/**
 * Reads the address of a ledger. A password in it counts only where it came by COPS_LEDGER.
 * @throws CopsError usage (2)
 */
export function ledgerWay({ ledger, reading, cwd }: Pick<TeamOpening, 'ledger' | 'reading' | 'cwd'>) {
  const isVariable = ledger.source === 'COPS_LEDGER';
  const { text, password } = isVariable ? outOfAddress(ledger.value) : { text: ledger.value, password: undefined };
  const address = parsePostgresAddress(text, ledger.source, reading.env);
  const schema = ledgerSchema(address.schema);
  const connect = async (signal?: AbortSignal): Promise<Postgres> => {
    const { passwordFrom } = address;
    const given = passwordFrom === undefined ? password : await passwordOf(passwordFrom, reading, cwd);
    return connectPostgres(address, { env: reading.env, password: given, signal, application: 'cops' });
  };
  return { address, schema, connect };
}

async function passwordOf(text: string, reading: KeyReading, cwd: string): Promise<string> {
  const readStdin = async (): Promise<string> => {
    throw usage('password-from: a database password cannot come from standard input.');
  };
  return readKey(await readReference(text, 'password-from', { cwd, readStdin }), 'the ledger', reading);
}

/** Opens a team's ledger; connects only when first asked. @throws CopsError usage (2) for a bad address */
export function openTeam(opening: TeamOpening): Team {
  const { account, dataDir, timeoutMs, now, warn } = opening;
  const { address, schema, connect } = ledgerWay(opening);
  return new Team({
    address: address.text,
    user: address.user,
    schema,
    connect,
    folder: join(dataDir, 'team'),
    now,
    timeoutMs,
    self: { pid: osProcesses().self.pid, host: hostname() },
    warn,
    check: (facts) => {
      if (!account) return;
      if (serviceName(facts.baseUrl) !== serviceName(account.baseUrl))
        throw otherAccount('service', facts.baseUrl, account.baseUrl);
      if (facts.mode !== account.mode) throw otherAccount('mode', facts.mode, account.mode);
    },
  });
}
