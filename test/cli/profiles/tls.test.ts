/**
 * A service behind authorities of its own, which wants a certificate of this machine: over real TLS, with certificates
 * that openssl made.
 * @module-tag tool
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { closeAfterTest } from '../../harness/closing.js';
import { errorOf, home, KEY, prove } from '../helpers.js';
import type { Home } from '../program.js';

const folder = path.join(import.meta.dirname, '../../../node_modules/.cache/tls-test');
const at = (name: string) => path.join(folder, name);

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });

/** An authority of a name. */
function authority(name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`];
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', ...subject);
}

/** A certificate of an authority. */
function certificate(name: string, by: string): void {
  const subject = ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`];
  openssl('req', '-newkey', 'rsa:2048', '-nodes', ...subject);
  writeFileSync(at('names.ext'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  const signed = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', 'names.ext'];
  openssl('x509', '-req', '-days', '30', '-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial', ...signed);
}

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  authority('good');
  authority('other');
  certificate('server', 'good');
  certificate('client', 'good');
  certificate('stranger', 'other');
  openssl('pkcs8', '-topk8', '-in', 'client.key', '-out', 'locked.key', '-passout', 'pass:geheim', '-v2', 'aes256');
});

const CAMPAIGN = { id: 'AAAAAAAAAAAAAAAAAAA1', live_mode: false, name: 'One', created_date_unix: 1_780_000_000 };

/** A service over TLS; what it was asked. */
async function tlsService({
  wantsCertificate,
  version,
}: {
  wantsCertificate: boolean;
  version?: 'TLSv1.2' | 'TLSv1.3';
}) {
  const asked: string[] = [];
  const server: Server = createServer(
    {
      key: readFileSync(at('server.key')),
      cert: readFileSync(at('server.pem')),
      ca: readFileSync(at('good.pem')),
      requestCert: wantsCertificate,
      rejectUnauthorized: wantsCertificate,
      ...(version && { minVersion: version, maxVersion: version }),
    },
    (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const list = {
        code: 1,
        api_call_id: 'c',
        api_call_unix: 1,
        results: [CAMPAIGN],
        page: 1,
        total_count: 1,
        limit: 25,
      };
      request.resume();
      request.on('end', () => {
        const one = { code: 1, api_call_id: 'c', api_call_unix: 1, result: 'success', ...CAMPAIGN };
        const body = JSON.stringify(/page=/.test(request.url ?? '') ? list : one);
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
    },
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTest({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return { asked, baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v2` };
}

async function profile(baseUrl: string, ...options: string[]): Promise<Home> {
  const made = home({ ACME_KEY: KEY });
  const ran = await made.run([
    'profiles',
    'add',
    'acme',
    '--base-url',
    baseUrl,
    '--test-key',
    'env:ACME_KEY',
    ...options,
  ]);
  expect(ran.code, ran.stderr).toBe(0);
  prove(made, baseUrl);
  return made;
}

const CA = ['--ca-file', at('good.pem')];
const OWN = ['--client-cert', at('client.pem'), '--client-key', `@${at('client.key')}`];

const WAYS: readonly (readonly [string, readonly string[]])[] = [
  ['a list', ['campaigns', 'list', '-o', 'json']],
  ['one item', ['campaigns', 'get', CAMPAIGN.id, '-o', 'json']],
  ['a write', ['customers', 'disable', CAMPAIGN.id, '-o', 'json']],
  ['an export', ['export', 'campaigns', '--out', 'campaigns.jsonl']],
  ['doctor', ['doctor', '--online', '-o', 'json']],
  ['whoami', ['whoami', '-o', 'json']],
  ['any request', ['api', 'GET', '/campaigns?limit=25&page=1', '-o', 'json']],
];

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('over %s', (version) => {
  it.each(WAYS)('%s goes with the authority and the certificate of the profile', async (_what, line) => {
    const { asked, baseUrl } = await tlsService({ wantsCertificate: true, version });
    const made = await profile(baseUrl, ...CA, ...OWN);
    const ran = await made.run(line, { cwd: made.folder });
    // What doctor says of anything else is its own business.
    if (line[0] === 'doctor') expect(ran.stdout).not.toMatch(/handshake|not accepted/);
    else expect(ran.code, ran.stderr).toBe(0);
    if (line[0] !== 'whoami') expect(asked.length).toBeGreaterThan(0);
  });

  it.each(WAYS.filter(([what]) => what !== 'whoami' && what !== 'doctor'))(
    '%s does not go without a certificate, and says what to do',
    async (_what, line) => {
      const { asked, baseUrl } = await tlsService({ wantsCertificate: true, version });
      const made = await profile(baseUrl, ...CA);
      const ran = await made.run([...line, '--max-retries', '0'], { cwd: made.folder });
      expect(ran.code, ran.stderr).toBe(8);
      expect(ran.stderr).toContain('--client-cert');
      expect(asked).toEqual([]);
    },
  );
});

describe('a profile with certificates', () => {
  it('does not go to what other authorities vouch for, and says what to do', async () => {
    const { asked, baseUrl } = await tlsService({ wantsCertificate: false });
    for (const options of [[], ['--ca-file', at('other.pem')]]) {
      const made = await profile(baseUrl, ...options);
      const ran = await made.run(['customers', 'disable', CAMPAIGN.id, '-o', 'json', '--max-retries', '0']);
      expect(ran.code, ran.stderr).toBe(8);
      expect(errorOf(ran).hint).toContain('--ca-file');
    }
    expect(asked).toEqual([]);
  });

  it('takes the private key from a variable or a command, and keeps none', async () => {
    const { baseUrl } = await tlsService({ wantsCertificate: true });
    const command = `cmd:openssl pkey -in ${at('locked.key')} -passin pass:geheim`;
    for (const reference of ['env:CLIENT_KEY', command]) {
      const made = await profile(baseUrl, ...CA, '--client-cert', at('client.pem'), '--client-key', reference);
      const env = { CLIENT_KEY: readFileSync(at('client.key'), 'utf8') };
      const ran = await made.run(['campaigns', 'list', '-o', 'json'], { env });
      expect(ran.code, ran.stderr).toBe(0);
      expect(readFileSync(path.join(made.env.COPS_CONFIG_DIR ?? '', 'config.json'), 'utf8')).not.toContain(
        'PRIVATE KEY',
      );
    }
  });

  it.each([
    ['a certificate without its key', 2, ['--client-cert', at('client.pem')], 'client_key'],
    [
      'the key of another certificate',
      11,
      ['--client-cert', at('client.pem'), '--client-key', `cmd:cat ${at('stranger.key')}`],
      'does not match the certificate',
    ],
    ['a variable that is not set', 3, ['--client-cert', at('client.pem'), '--client-key', 'env:NOWHERE'], 'NOWHERE'],
  ] as const)('says so of %s', async (_what, code, options, says) => {
    const { asked, baseUrl } = await tlsService({ wantsCertificate: true });
    const made = await profile(baseUrl, ...options);
    const ran = await made.run(['campaigns', 'list', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(code);
    expect(errorOf(ran).message).toContain(says);
    expect(asked).toEqual([]);
  });

  it.each([
    ['a file that is not there', 'ca_file', at('nowhere.pem'), 'nowhere.pem'],
    ['a file that holds no certificate', 'ca_file', at('client.key'), 'no PEM certificate'],
    ['a certificate that is none', 'client_cert', at('client.key'), 'no PEM certificate'],
    ['a key that is locked', 'client_key', `@${at('locked.key')}`, 'passphrase'],
    ['a key that is not there', 'client_key', `@${at('nowhere.key')}`, 'nowhere.key'],
  ] as const)('is not given %s; once it is, doctor and every call say so', async (_what, setting, value, says) => {
    const { asked, baseUrl } = await tlsService({ wantsCertificate: true });
    const made = await profile(baseUrl, ...CA, ...OWN);
    const named = await made.run(['doctor', '-o', 'json']);
    expect(named.stdout).toContain(`ca_file ${at('good.pem')}, client_cert ${at('client.pem')}, client_key @`);
    const file = path.join(made.env.COPS_CONFIG_DIR ?? '', 'config.json');
    const before = readFileSync(file, 'utf8');
    const option = `--${setting.replace('_', '-')}`;
    for (const line of [
      ['profiles', 'edit', 'acme', option, value],
      ['config', 'set', setting, value],
      ['profiles', 'add', 'other', '--base-url', baseUrl, option, value],
    ]) {
      const ran = await made.run([...line, '-o', 'json']);
      expect(ran.code, ran.stderr).toBe(11);
      expect(errorOf(ran).message).toContain(says);
      expect(readFileSync(file, 'utf8')).toBe(before);
    }
    const { profiles, ...rest } = JSON.parse(before) as { profiles: { acme: object } };
    writeFileSync(file, JSON.stringify({ ...rest, profiles: { acme: { ...profiles.acme, [setting]: value } } }));
    const ran = await made.run(['campaigns', 'list', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(11);
    expect(errorOf(ran).message).toContain(says);
    const told = await made.run(['doctor', '-o', 'json']);
    expect(told.code).toBe(1);
    expect(told.stdout).toContain(says);
    expect(asked).toEqual([]);
  });

  it('is not given the key of another certificate, and doctor misses the key of one', async () => {
    const made = home({ ACME_KEY: KEY });
    const line = ['profiles', 'add', 'acme', '--base-url', 'https://127.0.0.1:9/v2', '--test-key', 'env:ACME_KEY'];
    const half = [...line, '--client-cert', at('client.pem')];
    const other = await made.run([...half, '--client-key', `@${at('stranger.key')}`, '-o', 'json']);
    expect([other.code, errorOf(other).message]).toEqual([11, expect.stringContaining('does not match')]);
    expect((await made.run(half)).code).toBe(0);
    const told = await made.run(['doctor', '-o', 'json']);
    expect([told.code, told.stdout]).toEqual([1, expect.stringContaining('needs both')]);
  });

  it('is not given the key itself', async () => {
    const made = home();
    const line = ['profiles', 'add', 'acme', '--base-url', 'https://example.com/v2', '--client-key', 'MIIEvQIBADANBg'];
    const ran = await made.run(line);
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('MIIEvQ');
  });
});
