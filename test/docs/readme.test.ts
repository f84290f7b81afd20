/** @module-tag process */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home, PROGRAM, ROOT } from '../cli/program.js';

const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
/** Every line of the README that shows a command. */
const LINES = [...README.matchAll(/^```console\n([\s\S]*?)^```/gm)]
  .flatMap((block) => (block[1] ?? '').split('\n'))
  .filter((line) => line.startsWith('$ '))
  .map((line) => line.slice(2));
/** Examples that show a refusal or an end that is not whole, with its exit code. */
const REFUSED: Readonly<Record<string, number>> = {
  'cops -p sandbox subscriptions cancel SUBSCRIPTION_ID --live': 12,
  // Objects that need a secret are left out by name.
  'cops setup promote --from sandbox:test --to sandbox:live --yes': 10,
};

const home = new Home({ ACME_TEST_KEY: 'test_key_of_acme_0001', ACME_LIVE_KEY: 'live_key_of_acme_0001' });
const cwd = path.join(home.folder, 'work');

/** Runs a line in a shell whose `cops` is the built program, as a reader would. */
function shell(line: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const define = `set -o pipefail; cops() { "${process.execPath}" "${PROGRAM}" "$@"; }; `;
    const child = spawn('bash', ['-c', define + line], { cwd, env: home.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

async function idsOf(family: string, query: string): Promise<string[]> {
  const { stdout } = await shell(`cops -p sandbox ${family} list --last 400d -q -o json --query "${query}"`);
  return JSON.parse(stdout) as string[];
}

const ids: Record<string, string> = {};
const active: string[] = [];

beforeAll(async () => {
  mkdirSync(cwd, { recursive: true });
  active.push(...(await idsOf('subscriptions', "[?status=='active'].id")));
  ids.CUSTOMER_ID = (await idsOf('customers', '[].id'))[0] ?? '';
  const sold = await shell('cops -p sandbox product-sales list --last 400d -q -o json');
  const refundable = (JSON.parse(sold.stdout) as { id: string; amount_refunded: number; amount_captured: number }[])
    .filter((item) => item.amount_refunded === 0 && item.amount_captured > 5)
    .map((item) => item.id);
  ids.PRODUCT_SALE_ID = refundable[0] ?? '';
  writeFileSync(path.join(cwd, 'refunds.csv'), `id,amount\n${refundable.slice(1, 4).join(',1.00\n')},1.00\n`);
});
afterAll(() => home.remove());

describe('the examples of the README', () => {
  it('are there', () => {
    expect(LINES.length).toBeGreaterThan(35);
  });

  let suspended = 0;
  it.each(LINES)('%s', async (line) => {
    if (line.includes('SUBSCRIPTION_ID') && !line.includes('activate')) ids.SUBSCRIPTION_ID = active[suspended++] ?? '';
    const filled = line.replace(/\b(SUBSCRIPTION_ID|CUSTOMER_ID|PRODUCT_SALE_ID)\b/g, (name) => ids[name] ?? name);
    const { code, stdout, stderr } = await shell(filled);
    expect({ code, stderr }).toMatchObject({ code: REFUSED[line] ?? 0 });
    if (!REFUSED[line] && !/ use | > /.test(line)) expect(stdout).not.toBe('');
  });
});
