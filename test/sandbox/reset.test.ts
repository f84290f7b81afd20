/** @module-tag thorough */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSandboxStore, resetStore, serveSandbox } from '../../src/sandbox/serve/index.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { call, type Json, TEST_KEY } from './service.js';

/* A sandbox that is being served while another process lays it out anew. */

let dataDir: string;
let served: { url: string; close(): Promise<void> };
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'reset-'));
  await laySandbox(dataDir, Date.now(), FEW);
  served = await serve();
});
afterEach(async () => {
  await served.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const serve = () => serveSandbox({ dataDir, port: 0, now: Date.now, random: Math.random });
const headers = { 'x-api-key': TEST_KEY };
const get = (url: string, path: string) => call(url + path, { headers });
const post = (path: string, body: unknown) =>
  call(served.url + path, { method: 'POST', headers, body: JSON.stringify(body) });

async function reset(seed: number): Promise<void> {
  (await resetStore({ dataDir, now: Date.now, seed, renewals: FEW })).database.close();
}

/** A filtered and an unfiltered page with its totals, a family that is empty at first, and a rare one. */
async function look(url: string): Promise<Json> {
  const now = Math.floor(Date.now() / 1000);
  const range = `date_start=${now - 80 * 86_400}&date_end=${now}&limit=5`;
  const paths = [
    `/sales?${range}&page=1&metadata_filter=${encodeURIComponent('{"name":"channel","value":"METADATA_NAME_EXISTS"}')}`,
    `/subscription_renewals?${range}&page=3`,
    `/customers?${range}&page=2`,
    '/key_values?limit=25&page=1&status_filter=none',
    '/functions?limit=25&page=1',
  ];
  const answers = await Promise.all(paths.map((path) => get(url, path)));
  return answers.map(({ status, body: { results, total_count, total_pages } }) => ({
    status,
    results,
    total_count,
    total_pages,
  }));
}

describe('a reset beside a server', () => {
  it('is seen whole at once: no page, total or family of the data before is left', async () => {
    await look(served.url);
    await post('/key_values', { key: 'before', value: 'x' });
    for (const seed of [11, 12]) {
      await reset(seed);
      const other = await serve();
      expect(await look(served.url)).toEqual(await look(other.url));
      await other.close();
    }
    const made = await post('/functions', { name: 'After' });
    expect((await get(served.url, `/functions/${made.body.function_id}`)).body.name).toBe('After');
  });

  it('is waited for: while it runs nothing is read or written, and 429 says so', async () => {
    const opened = await openSandboxStore({ dataDir, now: Date.now });
    const state = (text: string) => opened.database.prepare("UPDATE meta SET value = ? WHERE name = 'state'").run(text);
    const calls = () => opened.store.counts.total(opened.store.kind('api_calls', false));
    const before = calls();
    state('building');
    for (const { status, body } of [
      await get(served.url, '/campaigns?limit=1&page=1'),
      await post('/projects', { name: 'A' }),
    ]) {
      expect([status, body.code]).toEqual([429, 0]);
      expect(body.message).toContain('being reset');
    }
    expect(calls()).toBe(before);
    state('ready');
    expect((await post('/projects', { name: 'A' })).status).toBe(200);
    opened.database.close();
  });

  it('is what another version of its tables needs: nothing is thrown away by itself', async () => {
    await post('/key_values', { key: 'mine', value: 'x' });
    const opened = await openSandboxStore({ dataDir, now: Date.now });
    opened.database.prepare("UPDATE meta SET value = '0' WHERE name = 'schema'").run();
    opened.database.close();
    const refused = expect.stringContaining('comes from another version of cops');
    await expect(openSandboxStore({ dataDir, now: Date.now })).rejects.toMatchObject({
      kind: 'local',
      message: refused,
    });
    await reset(13);
    (await openSandboxStore({ dataDir, now: Date.now })).database.close();
  });
});
