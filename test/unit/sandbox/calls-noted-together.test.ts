import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SANDBOX_TEST_KEY } from '../../../src/sandbox/serve/embedded-keys.js';
import { createService, type Service } from '../../../src/sandbox/serve/service.js';
import { type OpenedSandbox, openSandboxStore } from '../../../src/sandbox/store/open-store.js';
import { bodyBytes } from '../../../src/sandbox/store/prebuilt-json.js';
import { FEW, laySandbox } from '../../harness/seeded.js';

/* Reads of a sandbox that serves are answered first, and their records are written together soon after. */

const NOW = Date.now();
const FILTER: readonly [string, string][] = [
  ['limit', '25'],
  ['page', '1'],
  ['date_start', String(Math.floor(NOW / 1000) - 3600)],
  ['date_end', String(Math.floor(NOW / 1000) + 3600)],
];

let dataDir: string;
let opened: OpenedSandbox;
let service: Service;
let commits: number;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'noted-'));
  await laySandbox(dataDir, NOW, FEW);
  opened = await openSandboxStore({ dataDir, now: () => NOW });
  service = createService({ ...opened, isServed: true });
  commits = 0;
  const { store } = opened;
  const { transaction } = store;
  store.transaction = <T>(work: () => T): T => {
    commits++;
    return transaction.call(store, work) as T;
  };
});

afterEach(async () => {
  await service.close();
  opened.database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function ask(path: string, query: readonly [string, string][] = [], method = 'GET', body = '') {
  const answer = await service.handle({ method, path, query, body, key: SANDBOX_TEST_KEY, ip: '127.0.0.1' });
  return { status: answer.status, body: JSON.parse(bodyBytes(answer.body).toString()) };
}

async function readMany(): Promise<string[]> {
  const ids: string[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const answer = await ask('/campaigns', FILTER.slice(0, 2));
    expect(answer.status).toBe(200);
    ids.unshift(answer.body.api_call_id);
  }
  return ids;
}

describe('calls of a sandbox that serves', () => {
  it('are in the list of calls once it is asked for, newest first, without a transaction each', async () => {
    const ids = await readMany();
    expect(commits).toBe(0);
    const { results } = (await ask('/api_calls', FILTER)).body;
    expect(results.map(({ id }: { id: string }) => id).slice(0, 20)).toEqual(ids);
    // A slow machine may cut the group.
    expect(commits).toBeLessThan(10);
  });

  it('are filed before what is changed after them', async () => {
    const ids = await readMany();
    const made = await ask('/projects', [], 'POST', JSON.stringify({ name: 'After' }));
    const { results } = (await ask('/api_calls', FILTER)).body;
    expect(results.map(({ id }: { id: string }) => id).slice(0, 21)).toEqual([made.body.api_call_id, ...ids]);
  });

  it('are written when it stops', async () => {
    const [id] = await readMany();
    await service.close();
    expect(opened.store.get('api_calls', id as string, false)?.value.path).toBe('/campaigns');
  });

  it('are not lost without a word: where they could not be written their list is refused', async () => {
    opened.database.exec("CREATE TRIGGER full BEFORE INSERT ON items BEGIN SELECT RAISE(ABORT, 'full'); END");
    await readMany();
    expect((await ask('/api_calls', FILTER)).status).toBe(500);
    opened.database.exec('DROP TRIGGER full');
    expect((await ask('/api_calls', FILTER)).body.results[0].http_status).toBe(500);
  });
});
