/** @module-tag thorough */
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, openSandboxStore, serveSandbox, switchAccount } from '../../src/sandbox/serve/index.js';
import { type Faults, parseFaults } from '../../src/sandbox/serve/injected-faults.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { TEST_KEY } from './service.js';

/* What is changed while the sandbox serves: its clock, faults and keys, over the control and from beside it. */

const dataDir = mkdtempSync(join(tmpdir(), 'control-'));
let serving: Awaited<ReturnType<typeof serveSandbox>>;
let control: { url: string; token: string };

beforeAll(async () => {
  await laySandbox(dataDir, Date.now(), FEW);
  serving = await serveSandbox({ dataDir, port: 0, control: 0, now: Date.now, random: Math.random });
  control = serving.control as typeof control;
});
afterAll(async () => {
  await serving.close();
  rmSync(dataDir, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
async function ask(method: string, path: string, body?: unknown, token = control.token): Promise<any> {
  const answer = await fetch(`${control.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}

async function call(path: string, key = TEST_KEY, body?: object) {
  const answer = await fetch(`${serving.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': key },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  return { status: answer.status, body: (await answer.json().catch(() => ({}))) as any };
}

const LIST = '/campaigns?limit=1&page=1';

describe('the control', () => {
  it('is not there unless it is asked for', async () => {
    const plain = mkdtempSync(join(tmpdir(), 'control-'));
    await laySandbox(plain, Date.now(), FEW);
    const other = await serveSandbox({ dataDir: plain, port: 0, now: Date.now, random: Math.random });
    expect(other.control).toBeUndefined();
    expect((await fetch(`${other.url}/clock`, { headers: { 'x-api-key': TEST_KEY } })).status).toBe(404);
    await other.close();
    rmSync(plain, { recursive: true, force: true });
  });

  it('wants its token and its own name', async () => {
    expect(await ask('GET', '/clock', undefined, 'guess')).toMatchObject({ status: 401 });
    expect(await ask('POST', '/clock', { advance: '1d' }, '')).toMatchObject({ status: 401 });
    const { hostname, port } = new URL(control.url);
    const status = await new Promise((done, fail) => {
      const sent: ClientRequest = httpRequest(
        {
          host: hostname,
          port,
          path: '/clock',
          headers: { host: 'evil.example', authorization: `Bearer ${control.token}` },
        },
        (answer) => done(answer.resume().statusCode),
      );
      sent.on('error', fail).end();
    });
    expect(status).toBe(421);
  });

  it('moves the clock, and what falls due happens', async () => {
    const before = await ask('GET', '/clock');
    const after = await ask('POST', '/clock', { advance: '40d' });
    expect(after.now_unix - before.now_unix).toBeGreaterThanOrEqual(40 * 86_400);
    expect(after.events).toBeGreaterThan(100);
    expect((await call(LIST)).body.api_call_unix).toBeGreaterThanOrEqual(after.now_unix);
    const set = await ask('POST', '/clock', { set: after.now_unix + 3600 });
    expect(set.now_unix - after.now_unix).toBeGreaterThanOrEqual(3600);
  });

  it.each([
    ['a clock that goes back', '/clock', { set: '2020-01-01' }, /only goes forward/],
    ['a span that is none', '/clock', { advance: 'soon' }, /not a span/],
    ['both at once', '/clock', { advance: '1d', set: '2030-01-01' }, /exactly one/],
    ['neither', '/clock', {}, /exactly one/],
    ['an unknown fault', '/faults', { faults: { boom: 1 } }, /no fault called/],
    ['a share above one', '/faults', { faults: { 429: 2 } }, /share of 429/],
    ['no number of calls', '/faults', { faults: { 503: '0x' } }, /share of 503/],
    ['a status that is not in the table', '/faults', { faults: { 418: '3x' } }, /429, 500, 503|429, .*503/],
    ['a family that is not there', '/faults', { faults: { 503: '3x@tranactions' } }, /no family for "@tranactions"/],
    ['a seed that is no number', '/faults', { seed: 'x' }, /whole number/],
    ['an unknown permission', '/keys', { permissions: ['sale:fly'] }, /no permission/],
    ['an unknown property', '/keys', { nmae: 'x' }, /nmae is unknown/],
    ['what is not JSON', '/keys', '{', /JSON object/],
  ])('refuses %s', async (_what, path, body, message) => {
    expect(await ask('POST', path, body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  it.each([
    '/keys/%zz/disable',
    '/keys/%/enable',
    '/keys/%ff/disable',
    '/keys/%c3%28/enable',
    '/keys/%00/disable',
    '/keys/%E0%A4%A/enable',
    '/%zz',
    '/keys/__proto__/disable',
    '/keys//disable',
    '/clock?x=%zz',
    '/constructor',
  ])('answers what is malformed by the one who asks: POST %s', async (path) => {
    const { status } = await ask('POST', path, {});
    expect([400, 404]).toContain(status);
  });

  it('draws the same faults for the same seed', async () => {
    const draw = async () => {
      await ask('POST', '/faults', { faults: { 429: 0.3, 500: 0.2 }, seed: 7 });
      const statuses: number[] = [];
      for (let turn = 0; turn < 30; turn++) statuses.push((await call(LIST)).status);
      return statuses;
    };
    const first = await draw();
    expect(new Set(first)).toEqual(new Set([200, 429, 500]));
    expect(await draw()).toEqual(first);
    expect(await ask('POST', '/faults', {})).toMatchObject({ status: 200, faults: {} });
    expect((await call(LIST)).status).toBe(200);
  });

  it('disturbs the next calls, of one family or path, and counts what is left', async () => {
    const range = `date_start=${Math.floor(Date.now() / 1000) - 86_400}&date_end=${Math.floor(Date.now() / 1000)}`;
    const sales = async () => (await call(`/sales?limit=1&page=1&${range}`)).status;
    const found = async () => (await call('/sales/search?search_term=nobody')).status;
    const faults = { 503: '3x@sales', 500: ['1x@sales/search', '1x@/campaigns'] };
    expect(await ask('POST', '/faults', { faults })).toMatchObject({
      faults: { 503: '3x@sales', 500: ['1x@sales/search', '1x@campaigns'] },
    });
    expect([(await call(LIST)).status, (await call(LIST)).status]).toEqual([500, 200]);
    expect([await sales(), await found()]).toEqual([503, 500]);
    expect(await ask('GET', '/faults')).toMatchObject({ faults: { 503: '2x@sales' } });
    expect([await found(), await sales(), await sales()]).toEqual([503, 503, 200]);
    expect(await ask('POST', '/faults', { faults: { 429: '100%@payment-profiles' } })).toMatchObject({
      faults: { 429: '1@payment_profiles' },
    });
    expect([(await call(LIST)).status, (await call('/payment_profiles?limit=1&page=1')).status]).toEqual([200, 429]);
    expect(await ask('POST', '/faults', {})).toMatchObject({ status: 200, faults: {} });
  });

  it('makes, lists and disables keys of any permissions', async () => {
    const made = await ask('POST', '/keys', { name: 'reader', permissions: ['payment_profile:retrieve', 'invoice:*'] });
    expect(made).toMatchObject({
      enabled: true,
      mode: 'test',
      permissions: ['invoice:create', 'invoice:retrieve', 'payment_profile:retrieve'],
    });
    expect((await call('/payment_profiles?limit=1&page=1', made.key)).status).toBe(200);
    expect((await call('/payment_profiles', made.key, { name: 'x' })).status).toBe(401);
    expect((await call('/key_values?limit=1&page=1', made.key)).status).toBe(401);
    expect((await ask('GET', '/keys')).keys.map(({ name }: { name: string }) => name)).toContain('reader');
    expect(await ask('POST', `/keys/${made.id}/disable`)).toMatchObject({ enabled: false });
    expect((await call('/payment_profiles?limit=1&page=1', made.key)).status).toBe(401);
    expect(await ask('POST', '/keys/nobody/disable')).toMatchObject({ status: 404 });
    expect(await ask('POST', '/keys/Sandbox%20test/disable')).toMatchObject({ status: 404 });
  });

  it('takes keys that another process makes, and no longer those it disables', async () => {
    const beside = await openSandboxStore({ dataDir, now: Date.now });
    const facts = { name: 'beside', live: true, permissions: undefined, now: 1 };
    const made = addAccount(beside.database, facts);
    expect((await call(LIST, made.key)).status).toBe(200);
    switchAccount(beside.database, 'beside', false);
    expect((await call(LIST, made.key)).status).toBe(401);
    beside.database.close();
  });
});

describe('serving', () => {
  it('answers below /v2 and without it', async () => {
    expect(serving.url).toMatch(/\/v2$/);
    for (const base of [serving.url, serving.url.replace(/\/v2$/, '')]) {
      const answer = await fetch(`${base}${LIST}`, { headers: { 'x-api-key': TEST_KEY } });
      expect(answer.status, base).toBe(200);
    }
    expect((await fetch(`${serving.url}/v2${LIST}`, { headers: { 'x-api-key': TEST_KEY } })).status).toBe(404);
  });

  it('stops though connections are open, idle, half asked and half answered', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'control-'));
    await laySandbox(dir, Date.now(), FEW);
    const slow = parseFaults(['slow']) as Faults;
    const other = await serveSandbox({ dataDir: dir, port: 0, faults: slow, now: Date.now, random: Math.random });
    const { port } = new URL(other.url);
    const sockets = [0, 1, 2].map(() => connect(Number(port), '127.0.0.1').on('error', () => {}));
    const closed = sockets.map((socket) => new Promise((done) => socket.on('close', done)));
    await Promise.all(sockets.map((socket) => new Promise((done) => socket.on('connect', done))));
    sockets[1]?.write('GET /v2/campaigns HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    sockets[2]?.write(`GET /v2${LIST} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${TEST_KEY}\r\n\r\n`);
    await new Promise((done) => sockets[2]?.once('data', done));
    await other.close();
    await Promise.all(closed);
    rmSync(dir, { recursive: true, force: true });
  });
});
