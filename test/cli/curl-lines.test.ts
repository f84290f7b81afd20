/** @module-tag tool */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_TEST_KEY } from '../../src/sandbox/serve/embedded-keys.js';
import { serveSandbox } from '../../src/sandbox/serve/index.js';
import { Home } from '../harness/home.js';
import { FEW, laySandbox } from '../harness/seeded.js';

/* Every line that --curl prints runs with the real curl against a served sandbox, and gives the bytes that cops gets. */

let served: Awaited<ReturnType<typeof serveSandbox>>;
let home: Home;
const ids: Record<string, string> = {};

beforeAll(async () => {
  home = new Home({ COPS_API_KEY: SANDBOX_TEST_KEY, COPS_MODE: 'test' });
  const dataDir = path.join(home.folder, 'served');
  await laySandbox(dataDir, Date.now(), FEW);
  served = await serveSandbox({ dataDir, port: 0, now: Date.now, random: () => 0.5 });
  home.env.COPS_BASE_URL = served.url;
  for (const family of ['sales', 'customers', 'subscriptions']) {
    const { stdout } = await home.run([family, 'list', '--all-time', '--limit', '2', '-o', 'json']);
    const [item, other] = JSON.parse(stdout);
    if (family === 'sales') ids.sale = other.id;
    ids[family] = item.id;
    ids.email = item.customer?.email ?? item.email;
  }
  writeFileSync(path.join(home.folder, 'ids.txt'), `${ids.customers}\n`);
});
afterAll(async () => {
  await served.close();
  home.remove();
});

const filled = (line: string) =>
  line.split(' ').map((word) => word.replace(/\{([\w.]+)\}/g, (_, name) => ids[name] ?? path.join(home.folder, name)));

/** The requests that a line shows; nothing but them is on standard output. */
async function shown(line: string): Promise<string[]> {
  const ran = await home.run([...filled(line), '--curl']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout + ran.stderr).not.toContain(SANDBOX_TEST_KEY);
  return ran.stdout.trimEnd().split('\n');
}

async function pasted(line: string): Promise<string> {
  const env = { ...process.env, COPS_API_KEY: SANDBOX_TEST_KEY };
  return (await promisify(execFile)('sh', ['-c', line], { env, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

const bare = (text: string) =>
  text
    .trim()
    .replaceAll(/"api_call_id":"[^"]*"/g, '"api_call_id":""')
    .replaceAll(/"api_call_unix":\d+/g, '"api_call_unix":0');

describe('--curl of the embedded service', () => {
  it('runs against the sandbox once that is served, and says how', async () => {
    const embedded = new Home();
    try {
      const ran = await embedded.run(['-p', 'sandbox', 'campaigns', 'list', '--limit', '2', '--curl']);
      expect(ran.stderr).toContain('need a running cops sandbox serve');
      const [line = ''] = ran.stdout.split('\n');
      expect(line).not.toContain('sandbox.invalid');
      const env = `COPS_BASE_URL='${served.url}'; `;
      expect(JSON.parse(await pasted(env + line)).results).toHaveLength(2);
    } finally {
      embedded.remove();
    }
  });
});

describe('--curl of reads', () => {
  it.each([
    ['sales list --last 400d', 3],
    ['sales list --last 400d --where status=paid --columns id', 3],
    ['sales list --last 400d --limit 3', 1],
    ['sales list --count --last 30d', 1],
    ['campaigns list', 1],
    ['sales get {sales}', 1],
    ['sales get {sales} {sale}', 2],
    ['customers search {email}', 1],
    ['customers payment-methods list {customers}', 1],
    ['functions list', 1],
    ['api GET /campaigns?limit=5&page=1', 1],
    ['export sales --last 400d --out {out.jsonl}', 3],
    ['export campaigns --out {out.csv}', 1],
    ['find {email}', 1],
    ['why {subscriptions}', 1],
    ['timeline {sales}', 2],
    ['customers show {email}', 2],
    ['overview --last 30d', 2],
  ])('%s', async (line, atLeast) => {
    const lines = await shown(line);
    expect(lines.length).toBeGreaterThanOrEqual(atLeast);
    expect(new Set(lines).size).toBe(lines.length);
    for (const one of [lines[0], lines.at(-1)] as string[]) {
      const [, url = ''] = /curl -sS '?([^' ]*)/.exec(one) ?? [];
      expect(url.startsWith(served.url)).toBe(true);
      const got = await home.run(['api', 'GET', url.slice(served.url.length), '-o', 'json']);
      expect(bare(await pasted(one))).toBe(bare(got.stdout));
    }
  });
});

describe('--curl of writes', () => {
  it.each([
    ['customers edit {customers} --first-name Pasted', 'customers'],
    ['api POST /notes -d item_type=customer -d item_id={customers} -d text=Pasted', undefined],
    ['projects create --name Pasted', undefined],
    ['bulk customers edit --ids {ids.txt} -d customer.first_name=Pasted', 'customers'],
    ['bulk customers disable --ids {ids.txt}', undefined],
  ])('%s', async (line, changed) => {
    const before = changed && (await home.run(['customers', 'get', ids.customers ?? '', '-o', 'json'])).stdout;
    const lines = await shown(line);
    if (changed) expect((await home.run(['customers', 'get', ids.customers ?? '', '-o', 'json'])).stdout).toBe(before);
    for (const one of lines) expect(JSON.parse(await pasted(one))).toMatchObject({ code: 1 });
    // Pasted twice by mistake it is done once.
    for (const one of lines) expect(JSON.parse(await pasted(one))).toMatchObject({ error_code: 'E0583' });
  });

  it('shows all rows of a bulk run, each with its own key', async () => {
    const many = await home.run(['customers', 'list', '--all-time', '-o', 'ids']);
    writeFileSync(path.join(home.folder, 'many.txt'), many.stdout);
    const lines = await shown('bulk customers enable --ids {many.txt}');
    expect(lines.length).toBe(many.stdout.trimEnd().split('\n').length);
    expect(lines.length).toBeGreaterThan(5);
    expect(new Set(lines.map((one) => /idempotency_key":"([^"]*)/.exec(one)?.[1])).size).toBe(lines.length);
  });
});
