/** @module-tag thorough */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTransport } from '../../../src/service/http/client.js';
import { ok, type Service, startService } from '../../fixtures/service/service.js';
import { GET, KEY, POST } from './helpers.js';

/**
 * TLS and proxies, with a certificate made for this run. Certificates are read by Node when it starts, so the
 * transport runs in a process of its own, bundled from source.
 */
let folder: string;
let tls: { key: string; cert: string } | undefined;
let program: string;

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const openssl = hasOpenssl();
if (!openssl && process.env.CI === 'true') throw new Error('openssl is missing');
if (!openssl) process.stderr.write('skipped: TLS and proxy tests, since openssl is missing\n');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cops-tls-'));
  if (openssl) {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const args = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      cert,
      ...subject,
    ];
    execFileSync('openssl', args, { stdio: 'ignore' });
    tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  }
  program = join(folder, 'send.cjs');
  const source = `
    import { setFlagsFromString } from 'node:v8';
    import { openTransport } from ${JSON.stringify(join(process.cwd(), 'src/service/http/client.ts'))};
    const [baseUrl, method, delay] = process.argv.slice(2);
    (async () => {
      const transport = await openTransport({
        baseUrl, key: ${JSON.stringify(KEY)}, env: process.env, userAgent: 'x', tuneEngine: setFlagsFromString,
      });
      const request = { method, path: '/x', query: [], ...(method === 'POST' ? { body: '{}' } : {}) };
      const shown = await transport.send(request, { timeoutMs: Number(delay ?? 5000) }).then(
        (reply) => ({ status: reply.status, body: reply.body.toString() }),
        (error) => ({ stage: error.stage, reason: error.reason, message: error.message }),
      );
      await transport.close();
      process.stdout.write(JSON.stringify(shown));
      const closed = performance.now();
      process.on('exit', () => process.stderr.write(String(performance.now() - closed)));
    })();`;
  writeFileSync(join(folder, 'send.ts'), source);
  await build({
    entryPoints: [join(folder, 'send.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    nodePaths: [join(process.cwd(), 'node_modules')],
    logLevel: 'error',
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Sent {
  readonly answer: Record<string, unknown>;
  /** Milliseconds from the closed transport to the end of the process. */
  readonly lingered: number;
}

function send(baseUrl: string, method: string, env: Record<string, string> = {}, timeoutMs = 5_000): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const clean = { PATH: process.env.PATH ?? '' };
    const child = spawn(process.execPath, [program, baseUrl, method, String(timeoutMs)], { env: { ...clean, ...env } });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', () => {
      try {
        resolve({ answer: JSON.parse(out), lingered: Number(err) });
      } catch {
        reject(new Error(`${out} ${err}`));
      }
    });
  });
}

interface Proxy {
  readonly url: string;
  readonly seen: { target: string; authorization: string | undefined }[];
  close(): Promise<void>;
}

/** A proxy that opens ways with CONNECT, or refuses to. */
async function startProxy(refuse?: 'status' | 'drop'): Promise<Proxy> {
  const seen: Proxy['seen'] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((_request, response) => response.writeHead(501).end());
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, client: Socket) => {
    seen.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    client.on('error', () => {});
    if (refuse === 'drop') return void client.destroy();
    if (refuse === 'status') return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

describe.runIf(openssl)('TLS', () => {
  let service: Service;
  const trusted = () => ({ NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') });
  beforeAll(async () => {
    service = await startService({ handler: () => ok({ secure: true }), ...(tls ? { tls } : {}) });
  });
  afterAll(() => service.close());

  it('takes a certificate that NODE_EXTRA_CA_CERTS names, and no other', async () => {
    expect((await send(service.baseUrl, 'GET', trusted())).answer).toMatchObject({ status: 200 });
    const before = service.requests.length;
    const { answer } = await send(service.baseUrl, 'POST');
    expect(answer).toMatchObject({ stage: 'not_sent', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(answer.message).toMatch(/certificate/);
    expect(service.requests).toHaveLength(before);
  });

  it('does not take a certificate of another name', async () => {
    const wrong = service.baseUrl.replace('127.0.0.1', '127.0.0.2');
    const { answer } = await send(wrong, 'POST', trusted(), 2_000);
    expect(answer).toMatchObject({ stage: 'not_sent' });
  });

  it('is not sent when the other side speaks no TLS', async () => {
    const plain = await startService();
    const { answer } = await send(plain.baseUrl.replace('http:', 'https:'), 'POST');
    await plain.close();
    expect(answer).toMatchObject({ stage: 'not_sent' });
  });

  it('goes through the proxy of HTTPS_PROXY, unless NO_PROXY names the host', async () => {
    const proxy = await startProxy();
    const env = { ...trusted(), HTTPS_PROXY: `http://user:pass@${proxy.url}` };
    expect((await send(service.baseUrl, 'POST', env)).answer).toMatchObject({ status: 200 });
    expect(proxy.seen).toEqual([
      { target: `127.0.0.1:${service.port}`, authorization: `Basic ${Buffer.from('user:pass').toString('base64')}` },
    ]);
    expect((await send(service.baseUrl, 'POST', { ...env, NO_PROXY: '127.0.0.1' })).answer).toMatchObject({
      status: 200,
    });
    expect(proxy.seen).toHaveLength(1);
    await proxy.close();
  });

  it.each(['status', 'drop', 'dead'] as const)('is not sent when the proxy fails (%s)', async (how) => {
    const proxy = await startProxy(how === 'dead' ? undefined : how);
    if (how === 'dead') await proxy.close();
    const before = service.requests.length;
    const { answer } = await send(service.baseUrl, 'POST', { ...trusted(), https_proxy: proxy.url }, 1_500);
    expect(answer).toMatchObject({ stage: 'not_sent' });
    expect(proxy.seen.length).toBeLessThan(5);
    if (how === 'dead') expect(answer.message).toBe(`The connection to the proxy ${proxy.url} was refused`);
    expect(service.requests).toHaveLength(before);
    if (how !== 'dead') await proxy.close();
  });
});

describe('a process', () => {
  it('ends at once after the answer, and after a failure', async () => {
    const service = await startService({ handler: () => ok() });
    const lingered: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const sent = await send(service.baseUrl, 'GET');
      expect(sent.answer).toMatchObject({ status: 200 });
      lingered.push(sent.lingered);
    }
    service.script('silence');
    const silent = await send(service.baseUrl, 'POST', {}, 100);
    expect(silent.answer).toMatchObject({ stage: 'lost', reason: 'TIMEOUT' });
    await service.close();
    expect(Math.min(...lingered)).toBeLessThan(50);
    expect(silent.lingered).toBeLessThan(200);
  });

  it('sends over plain http in this process as well', async () => {
    const service = await startService({ handler: () => ok() });
    const transport = await openTransport({ baseUrl: service.baseUrl, key: KEY, env: {}, userAgent: 'x' });
    expect((await transport.send(GET, { timeoutMs: 1_000 })).status).toBe(200);
    expect((await transport.send(POST, { timeoutMs: 1_000 })).status).toBe(200);
    await transport.close();
    await transport.close();
    await service.close();
  });
});
