import { createPrivateKey, X509Certificate } from 'node:crypto';
import { CopsError, local, usage } from '../../base/errors/errors.js';
import { NoFile, readGivenFile } from '../../base/files/read-file.js';
import type { TlsMaterial } from '../../base/transport.js';
import { runKeyCommand } from './command.js';
import { fileFault, noKey } from './faults.js';
import { checkTrusted } from './keys.js';
import type { KeyReading, StoredProfile } from './types.js';

/** A profile's certificates for its connection to the service. */
export interface TlsSettings {
  readonly caFile?: string | undefined;
  readonly clientCert?: string | undefined;
  /** `env:NAME`, `@/path`, `cmd:<command line>`. */
  readonly clientKey?: string | undefined;
}

/**
 * The certificates of a profile, read and checked; undefined where it names none. The private key is read at each use and
 * kept nowhere.
 * @throws CopsError `usage` where one of certificate and key is missing, `local` for what is no certificate or key
 */
export async function readTls(
  settings: TlsSettings,
  profile: string,
  reading: KeyReading,
): Promise<TlsMaterial | undefined> {
  const { caFile, clientCert, clientKey } = settings;
  if (caFile === undefined && clientCert === undefined && clientKey === undefined) return undefined;
  checkPair(settings, profile);
  const ca = caFile === undefined ? undefined : await certificates(caFile, `ca_file of profile ${profile}`);
  if (clientCert === undefined || clientKey === undefined) return { ca };
  const cert = await certificates(clientCert, `client_cert of profile ${profile}`);
  const key = await privateKey(clientKey, profile, reading);
  checkMatch(cert, key, settings, profile);
  return { ca, cert, key };
}

/** @throws CopsError `usage` where one of certificate and key is missing */
export function checkPair({ clientCert, clientKey }: TlsSettings, profile: string): void {
  if ((clientCert === undefined) === (clientKey === undefined)) return;
  throw usage(
    `Profile ${profile} has ${clientCert === undefined ? 'client_key without client_cert' : 'client_cert without client_key'}: it needs both.`,
    `cops profiles edit ${profile} --client-cert <file> --client-key <ref>`,
  );
}

function checkMatch(cert: string, key: string, { clientCert }: TlsSettings, profile: string): void {
  if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return;
  throw local(
    `client_key of profile ${profile} does not match the certificate ${clientCert}.`,
    'Name a key and a certificate that match.',
  );
}

/**
 * Reads the files that settings name, without running a command for the key; a short text about them.
 * @throws CopsError `local` for a file that is missing or is no certificate or key
 */
export async function checkTlsFiles(settings: TlsSettings, profile: string): Promise<string> {
  const { caFile, clientCert, clientKey } = settings;
  if (caFile !== undefined) await certificates(caFile, `ca_file of profile ${profile}`);
  const cert =
    clientCert === undefined ? clientCert : await certificates(clientCert, `client_cert of profile ${profile}`);
  const isFile = clientKey?.startsWith('@') === true;
  const key = isFile ? await privateKey(clientKey, profile, { env: {}, configDir: '' }) : undefined;
  if (cert !== undefined && key !== undefined) checkMatch(cert, key, settings, profile);
  const named = { ca_file: caFile, client_cert: clientCert, client_key: clientKey };
  return Object.entries(named)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
    .join(', ');
}

/** The certificates that a stored profile names. */
export const tlsSettings = (stored: StoredProfile): TlsSettings => ({
  caFile: stored.ca_file,
  clientCert: stored.client_cert,
  clientKey: stored.client_key,
});

/** The text of a file of PEM certificates. @throws CopsError `local` for a file that is missing or holds none */
export async function certificates(file: string, named: string): Promise<string> {
  const text = await fileText(file, named);
  try {
    new X509Certificate(text);
    return text;
  } catch (cause) {
    throw local(
      `${named} contains no PEM certificate: ${file}`,
      'It begins with -----BEGIN CERTIFICATE-----; openssl x509 -inform der -in <file> converts the binary form.',
      cause,
    );
  }
}

async function privateKey(reference: string, profile: string, reading: KeyReading): Promise<string> {
  checkTrusted(reading.env, `it does not get client_key of profile ${profile}`);
  const text = await keyText(reference, `the client key of profile ${profile}`, reading);
  try {
    createPrivateKey(text);
    return text;
  } catch (cause) {
    const isLocked = /ENCRYPTED/.test(text);
    throw local(
      `client_key of profile ${profile} ${isLocked ? 'is locked with a passphrase' : 'is not a PEM private key'}.`,
      isLocked
        ? 'Name a command that unlocks it: --client-key "cmd:openssl pkey -in <file> -passin env:NAME"'
        : 'It begins with -----BEGIN PRIVATE KEY-----.',
      // The library's own words may quote its input.
      isLocked ? undefined : (cause as { code?: unknown }).code,
    );
  }
}

async function keyText(reference: string, owner: string, reading: KeyReading): Promise<string> {
  if (reference.startsWith('@')) return fileText(reference.slice(1), owner);
  if (reference.startsWith('cmd:')) return runKeyCommand(reference.slice(4).trim(), owner, reading);
  const name = reference.slice('env:'.length);
  const value = reading.env[name];
  if (value === undefined || value.trim() === '') throw noKey(`${name}, where ${owner} is read from, is not set.`);
  return value;
}

async function fileText(path: string, what: string): Promise<string> {
  try {
    return (await readGivenFile(path)).toString('utf8');
  } catch (error) {
    if (error instanceof CopsError) throw error;
    if (error instanceof NoFile) throw local(`${what} cannot be read: ${error.message}: ${path}`);
    throw fileFault(`${what} cannot be read`, path, error);
  }
}
