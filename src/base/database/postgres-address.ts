import { orThrow, usage, wrongOption } from '../errors/errors.js';

/** The parts of a PostgreSQL address; none of them is secret (command-line.md#a-database-as-an-address). */
export interface PostgresAddress {
  /** A host name, an IP address, or the folder of a socket (starts with `/`). */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** The schema named in the address; undefined where the caller should use its own. */
  readonly schema: string | undefined;
  readonly tls: 'off' | 'unverified' | 'without-name' | 'verified';
  /** Paths of the certificate authority, and of the certificate and key that this side presents. */
  readonly caFile: string | undefined;
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  /** A reference to the password, in the same form as for keys: `env:NAME`, `cmd:…`. */
  readonly passwordFrom: string | undefined;
  readonly connectSeconds: number;
  /** The address in a form fit to show and compare: defaults filled in, files and timeouts left out. */
  readonly text: string;
}

const TLS: Readonly<Record<string, PostgresAddress['tls']>> = {
  disable: 'off',
  require: 'unverified',
  'verify-ca': 'without-name',
  'verify-full': 'verified',
};

const PARAMETERS = ['schema', 'host', 'port', 'user', 'dbname', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']
  .concat(['password-from', 'connect_timeout'])
  .sort();

/** Stands in for a host that is not given. */
const NO_HOST = '_';

const NO_PASSWORD =
  'Every process on this machine can see a password in an address. Leave it out: cops reads it from PGPASSWORD, ' +
  '~/.pgpass, or the source in ?password-from=env:NAME or cmd:<command line>.';

/**
 * Reads `postgres://user@host:port/database?schema=acme&sslmode=verify-full`. Missing parts come from PGHOST, PGPORT,
 * PGUSER and PGDATABASE, as in other clients. Without `sslmode` the certificate is verified, except for a server on
 * this machine (command-line.md#a-database-as-an-address).
 * @param named where the address was given, for messages: `--mirror`
 * @throws CopsError `usage` (2) for a password, an unknown parameter or an invalid value
 */
export function parsePostgresAddress(
  text: string,
  named: string,
  env: Readonly<Record<string, string | undefined>>,
): PostgresAddress {
  const url = urlOf(text, named);
  const asked = url.searchParams;
  if (url.password !== '' || asked.has('password')) throw wrongOption(named, 'it contains a password.', NO_PASSWORD);
  for (const name of asked.keys()) {
    if (PARAMETERS.includes(name)) continue;
    throw wrongOption(named, `the parameter ${name} is not known.`, `Known are ${PARAMETERS.join(', ')}.`);
  }
  const given = (name: string): string | undefined => asked.get(name) || undefined;
  const written = url.hostname === NO_HOST ? '' : decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'), named);
  const host = given('host') ?? (written || env.PGHOST || 'localhost');
  const port = wholeNumber(given('port') ?? (url.port || env.PGPORT || '5432'), 65_535, named, 'port');
  const user = given('user') ?? (decoded(url.username, named) || env.PGUSER || env.USER);
  if (user === undefined) throw wrongOption(named, 'it names no user.', 'Write postgres://<user>@<host>/<database>.');
  const database = given('dbname') ?? (decoded(url.pathname.slice(1), named) || env.PGDATABASE || user);
  const schema = given('schema');
  if (schema?.startsWith('pg_')) throw wrongOption(named, 'a schema whose name begins with pg_ belongs to PostgreSQL.');
  return {
    ...{ host, port, user, database, schema, ...tlsOf(given, host, named) },
    passwordFrom: given('password-from'),
    connectSeconds: wholeNumber(given('connect_timeout') ?? '10', 600, named, 'connect_timeout'),
    text: shown({ host, port, user, database, schema }),
  };
}

export function withSchema(address: PostgresAddress, schema: string): PostgresAddress {
  return { ...address, schema, text: shown({ ...address, schema }) };
}

function urlOf(text: string, named: string): URL {
  // `URL` refuses a user without a host, but here a parameter may name the host.
  // Does not repeat the address, which may hold a password.
  return orThrow(
    () => new URL(text.replace(/^(postgres(?:ql)?:\/\/[^/?#@]*@)(?=[/?]|$)/i, `$1${NO_HOST}`)),
    () =>
      usage(
        `${named} is not a database address.`,
        'It looks like this: postgres://<user>@<host>/<database>?schema=<schema>',
      ),
  );
}

function decoded(text: string, named: string): string {
  return orThrow(
    () => decodeURIComponent(text),
    () => wrongOption(named, 'a % in it does not start an encoded character.', 'Write a literal % as %25.'),
  );
}

function wholeNumber(text: string, most: number, named: string, parameter: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw wrongOption(named, `${parameter} is a number from 1 to ${most}.`);
  return value;
}

function tlsOf(given: (name: string) => string | undefined, host: string, named: string) {
  const mode = given('sslmode') ?? (isThisMachine(host) ? 'disable' : 'verify-full');
  const tls = TLS[mode];
  if (tls === undefined)
    throw wrongOption(named, `sslmode=${mode} is not known.`, `Known are ${Object.keys(TLS).join(', ')}.`);
  return { tls, caFile: given('sslrootcert'), certificateFile: given('sslcert'), keyFile: given('sslkey') };
}

/** True where traffic to the host never reaches a network. */
function isThisMachine(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function shown(address: Pick<PostgresAddress, 'host' | 'port' | 'user' | 'database' | 'schema'>): string {
  const { host, port, user, database, schema } = address;
  const part = encodeURIComponent;
  const isSocket = host.startsWith('/');
  const at = isSocket ? '' : `${host.includes(':') ? `[${host}]` : host}${port === 5432 ? '' : `:${port}`}`;
  const asked = [
    ...(isSocket ? [`host=${host.split('/').map(part).join('/')}`] : []),
    ...(isSocket && port !== 5432 ? [`port=${port}`] : []),
    ...(schema === undefined ? [] : [`schema=${part(schema)}`]),
  ];
  return `postgres://${part(user)}@${at}/${part(database)}${asked.length > 0 ? `?${asked.join('&')}` : ''}`;
}
