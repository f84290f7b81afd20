// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places are written so in scenarios
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../../../src/base/world.js';
import { readScenarios } from '../../../src/data/scenarios/read-scenarios.js';
import { runScenario } from '../../../src/data/scenarios/run-scenario.js';
import { ServiceCopies } from '../../../src/data/scenarios/service-copy.js';
import { run } from '../../../src/main.js';
import { openSandboxStore } from '../../../src/sandbox/store/open-store.js';

/* Money is conserved after every step, or the scenario fails, whatever its expectations say. */

let folder: string;
const copies = new ServiceCopies();
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-books-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const outer = {
  version: '0',
  nodeVersion: process.versions.node,
  uuid: () => crypto.randomUUID(),
  interrupted: new AbortController().signal,
} as unknown as World;

/** Runs a line, then changes a field of the newest item of a family behind the back of the service. */
const tampering = (family: string, change: object) => async (world: World) => {
  const code = await run(world);
  const { store, database } = await openSandboxStore({
    dataDir: String(world.env.COPS_DATA_DIR),
    now: () => world.now(),
  });
  const item = store.newest(family, false);
  if (item) store.update(item, change as Record<string, unknown>, Math.floor(world.now() / 1000));
  database.close();
  return code;
};

async function played(
  runner: (world: World) => Promise<number>,
  steps = 'steps: [{ event: sale.created.success.paid }]\n',
) {
  writeFileSync(path.join(folder, 'a.test.yaml'), `version: 1\n${steps}`);
  const [scenario] = await readScenarios([folder], { cwd: folder });
  if (!scenario) throw new Error('no scenario');
  return runScenario(scenario, { world: outer, run: runner, copies });
}

describe('the books of a scenario', () => {
  it('fail it where a payment is charged back and refunded', async () => {
    const charge = 'steps:\n  - event: chargeback.created\n  - run: chargebacks list --limit 1\n    as: raised\n';
    const refund = '  - run: transactions refund ${raised[0].transaction_id} --amount 0.01 --yes\n';
    expect(await played(run, charge)).toMatchObject({ status: 'passed' });
    const end = await played(run, charge + refund);
    expect(end).toMatchObject({ status: 'failed', failure: { unmet: [{ expected: 'books that balance' }] } });
    expect(end.failure?.unmet[0]?.found).toContain('refunds and chargebacks');
  });

  it('balance where the service did all of it', async () => {
    expect(await played(run)).toMatchObject({ status: 'passed' });
  });

  it.each([
    ['more is refunded than was paid', 'transactions', { amount_refunded: '9999.00' }],
    ['a sale was captured for more than its payments', 'sales', { amount_captured: '9999.00' }],
    ['a line has another currency', 'product_sales', { iso_currency: 'JPY' }],
    ['a payment was taken for nothing', 'transactions', { sales: [] }],
    ['an item names one that is not there', 'sales', { transactions: ['A1b2C3d4E5f6G7h8I9j0'] }],
  ])('fail it where %s', async (_about, family, change) => {
    const end = await played(tampering(family, change));
    expect(end).toMatchObject({ status: 'failed', failure: { unmet: [{ expected: 'books that balance' }] } });
  });
});
