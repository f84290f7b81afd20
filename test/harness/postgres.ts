import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where Debian, Homebrew and others keep the programs of the server, which are not in the path. */
const PLACES = ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt', '/usr/local/opt'];

export interface PostgresOptions {
  /** Listens on a port of 127.0.0.1 too, for proxies and poolers. */
  readonly network?: boolean;
  /** TLS with a certificate for `localhost` that nobody signed but itself. */
  readonly tls?: boolean;
  /** Asks all but the superuser for a password, which is `right`. */
  readonly password?: boolean;
  /** Further settings of the server: `max_connections=20`. */
  readonly settings?: readonly string[];
}

/** A PostgreSQL of this machine for one file of tests, as another user than root. */
export class PostgresServer {
  /** Short: the path of a socket takes 107 bytes. */
  readonly folder = mkdtempSync('/tmp/cpg-');
  /** The name that tests use; the superuser is `postgres`. */
  readonly user = 'anna';
  port = 5432;
  #running: ChildProcess | undefined;
  readonly #owner = ownerOf();

  constructor(readonly options: PostgresOptions = {}) {}

  /** The address of a database of this server. `parameters` as in `schema=acme`. */
  url(parameters = '', database = 'shop', user = this.user): string {
    const asked = [this.options.network ? '' : `host=${this.folder}`, parameters].filter(Boolean).join('&');
    const host = this.options.network ? `127.0.0.1:${this.port}` : '';
    return `postgres://${user}@${host}/${database}${asked === '' ? '' : `?${asked}`}`;
  }

  async start(): Promise<this> {
    chmodSync(this.folder, 0o755);
    const data = path.join(this.folder, 'data');
    mkdirSync(data);
    this.#give(data);
    this.#run('initdb', [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-instructions',
      '-N',
    ]);
    const asks = this.options.password ? 'scram-sha-256' : 'trust';
    writeFileSync(
      path.join(data, 'pg_hba.conf'),
      `local all postgres trust\nlocal all all ${asks}\nhost all all all ${asks}\n`,
    );
    if (this.options.tls) this.#layCertificate(data);
    const sockets = path.join(this.folder);
    this.#give(sockets);
    if (this.options.network) this.port = await freePort();
    await this.restart();
    const password = this.options.password ? " PASSWORD 'right'" : '';
    this.sql(`CREATE ROLE ${this.user} LOGIN${password}`, 'postgres');
    this.createDatabase('shop');
    return this;
  }

  /** Begins, or ends at once and begins again, as after a crash of its machine where `crash` is said. */
  async restart(crash = false): Promise<void> {
    await this.stop(crash);
    const data = path.join(this.folder, 'data');
    const settings = [
      `listen_addresses=${this.options.network ? '127.0.0.1' : ''}`,
      `unix_socket_directories=${this.folder}`,
      `port=${this.port}`,
      ...['shared_buffers=32MB', 'max_connections=60', 'autovacuum=on', 'log_min_messages=fatal'],
      ...(this.options.tls ? ['ssl=on'] : []),
      ...(this.options.settings ?? []),
    ];
    const child = spawn(program('postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      stdio: 'ignore',
      cwd: this.folder,
      ...this.#owner,
    });
    this.#running = child;
    process.once('exit', this.#end);
    for (let tries = 0; ; tries++) {
      if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`);
      try {
        this.sql('SELECT 1', 'postgres');
        return;
      } catch (error) {
        if (tries > 200) throw error;
        await sleep(50);
      }
    }
  }

  async stop(crash = false): Promise<void> {
    const child = this.#running;
    this.#running = undefined;
    process.off('exit', this.#end);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(crash ? 'SIGQUIT' : 'SIGINT');
    await ended;
  }

  readonly #end = (): void => void this.#running?.kill('SIGQUIT');

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  createDatabase(name: string): void {
    this.sql(`CREATE DATABASE ${name} OWNER ${this.user}`, 'postgres');
  }

  /** What psql answers as the superuser: rows as lines, columns parted by `|`. */
  sql(text: string, database = 'shop'): string {
    const words = ['-X', '-qAt', '-v', 'ON_ERROR_STOP=1', '-h', this.folder, '-p', String(this.port)];
    return execFileSync(program('psql'), [...words, '-U', 'postgres', '-d', database, '-c', text], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, PGTZ: 'UTC' },
    }).trimEnd();
  }

  #layCertificate(data: string): void {
    const [key, certificate] = ['server.key', 'server.crt'].map((name) => path.join(data, name)) as [string, string];
    const words = ['req', '-new', '-x509', '-days', '2', '-nodes', '-subj', '/CN=localhost'];
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-out', certificate, '-keyout', key];
    execFileSync('openssl', [...words, ...names], { stdio: 'ignore' });
    chmodSync(key, 0o600);
    this.#give(key);
    this.#give(certificate);
  }

  #give(file: string): void {
    if (this.#owner.uid !== undefined) chownSync(file, this.#owner.uid, this.#owner.gid ?? -1);
  }

  #run(name: string, words: readonly string[]): void {
    execFileSync(program(name), words, { stdio: ['ignore', 'ignore', 'pipe'], cwd: this.folder, ...this.#owner });
  }
}

/** Starts a server, with the database `shop` of its user `anna`. What it needs has to be there. */
export function startPostgres(options?: PostgresOptions): Promise<PostgresServer> {
  return new PostgresServer(options).start();
}

/** The server refuses to run as root: its own user where Debian made one, else the one that owns nothing. */
function ownerOf(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const user of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((what) => Number(execFileSync('id', [what, user], { stdio: 'pipe' })));
      if (uid !== undefined && gid !== undefined) return { uid, gid };
    } catch {}
  }
  throw new Error('There is no user beside root for PostgreSQL to run as.');
}

/** A program of the newest PostgreSQL that is installed. */
function program(name: string): string {
  for (const place of PLACES.filter((one) => existsSync(one))) {
    const versions = readdirSync(place).filter((one) => /^(postgresql@?)?\d+$/.test(one));
    for (const version of versions.sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10))) {
      const file = path.join(place, version, 'bin', name);
      if (existsSync(file)) return file;
    }
  }
  return name;
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
