/** @module-tag sweep */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { listHandler, ok } from '../../fixtures/service/service.js';
import { json, pair } from '../helpers.js';
import { filesOf, sandboxHome } from './helpers.js';

interface Applied {
  readonly done: number;
  readonly steps: number;
  readonly skipped: readonly { readonly step: string }[];
  readonly failed: readonly unknown[];
  readonly drift: readonly string[];
}

const ENVIRONMENTS = ['--from', 'sandbox:test', '--to', 'sandbox:live'] as const;

describe('a promotion', () => {
  it('makes an empty live account like the test account, but for what needs a secret, and once', async () => {
    const { home, setup } = await sandboxHome('--live-data', 'empty');
    const first = await setup('promote', ...ENVIRONMENTS, '--yes');
    const applied = json<Applied>(first);
    expect(applied).toMatchObject({ failed: [], drift: [] });
    expect(applied.skipped.map(({ step }) => step)).toEqual([
      'create customer-portals/My account',
      'create customer-portals/North',
      'create customer-portals/South',
    ]);
    expect(applied.done).toBe(applied.steps - 3);
    expect(first.code).toBe(10);
    const again = await setup('promote', ...ENVIRONMENTS, '--yes');
    expect(json<Applied>(again)).toMatchObject({ steps: 3, done: 0 });
    const list = ['-p', 'sandbox', '--live', 'ai-assistants', 'list', '--all'];
    const assistants = json<{ name: string; enabled: boolean }[]>(await home.run(list));
    expect(assistants.map(({ name }) => name).sort()).toEqual(
      ['Chargeback watcher', 'Daily digest', 'Day shift', 'Night shift', 'Refund helper', 'Win-back writer'].sort(),
    );
    expect(assistants.every(({ enabled }) => enabled)).toBe(true);
    const diff = await setup('diff', ...ENVIRONMENTS);
    expect(diff.code).toBe(13);
    expect(json<{ summary: string }>(diff).summary).toMatch(/^3 to create, 0 to edit, 0 to delete(, |$)/);
    expect(diff.stderr).toMatch(/3 to create, 0 to edit, 0 to delete, \d+ cannot be set/);
  }, 120_000);

  it('is one command, one question and the secrets, not shown; then both are alike in all that can be written', async () => {
    const { home, setup } = await sandboxHome('--live-data', 'empty');
    const words = ['-p', 'sandbox', 'setup', 'promote', ...ENVIRONMENTS];
    const running = home.start(words, { cwd: home.folder, terminal: 100 });
    const screen = () => stripVTControlCharacters(running.stdout() + running.stderr());
    await expect.poll(screen).toContain('Go ahead?');
    expect(screen()).toMatch(/108 to create, 0 to edit, 0 to delete/);
    running.type('y\r');
    for (const portal of ['My account', 'North', 'South']) {
      await expect.poll(screen).toContain(`create customer-portals/${portal}: recaptcha.secret_key`);
      running.type(`captcha-${portal.length}-secret\r`);
    }
    const ran = await running.ended;
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(screen()).not.toContain('-secret');
    const diff = await setup('diff', ...ENVIRONMENTS);
    expect(json<Applied & { cannot: string[] }>(diff)).toMatchObject({ steps: [], drift: [] });
    expect(diff.code).toBe(0);
    expect(diff.stderr).toMatch(/0 to create, 0 to edit, 0 to delete, \d+ cannot be set/);
    const again = await setup('promote', ...ENVIRONMENTS, '--yes');
    expect(again).toMatchObject({ code: 0 });
    expect(json<Applied>(again)).toMatchObject({ steps: 0, done: 0 });
    // The service has them; nothing else on this machine does.
    const kept = Object.entries(filesOf(home.folder)).filter(([name]) => !name.includes('sandbox.sqlite'));
    expect(kept.filter(([, text]) => /captcha-\d+-secret/.test(text)).map(([name]) => name)).toEqual([]);
  }, 120_000);

  it('writes nothing that the policy of this machine forbids', async () => {
    const { home } = await sandboxHome('--live-data', 'empty');
    mkdirSync(home.env.COPS_CONFIG_DIR ?? '', { recursive: true });
    writeFileSync(
      path.join(home.env.COPS_CONFIG_DIR ?? '', 'policy.yaml'),
      'zone: UTC\nrules:\n  - {name: no-products, never: [products create]}\n',
    );
    const copied = await home.run(['-p', 'sandbox', 'products', 'copy', 'Gift Card', '--to', 'sandbox:live', '--yes']);
    expect([10, 12]).toContain(copied.code);
    expect(copied.stderr).toContain('no-products');
    const list = ['-p', 'sandbox', '--live', 'products', 'list', '--last', '1d', '--all', '-o', 'json'];
    expect(json<unknown[]>(await home.run(list))).toEqual([]);
  });

  it('copies one product by its name, with nothing else', async () => {
    const { home } = await sandboxHome('--live-data', 'empty');
    const copied = await home.run(['-p', 'sandbox', 'products', 'copy', 'Gift Card', '--to', 'sandbox:live', '--yes']);
    expect(copied).toMatchObject({ code: 0 });
    const products = json<{ name: string }[]>(
      await home.run(['-p', 'sandbox', '--live', 'products', 'list', '--last', '1d', '--all']),
    );
    expect(products).toMatchObject([{ name: 'Gift Card' }]);
  }, 60_000);
});

describe('a plan', () => {
  it('sends nothing but GETs', async () => {
    const handler = listHandler({ items: [], dated: false });
    const dated = listHandler({ items: [] });
    const { service, home } = await pair((request) => {
      if (request.path.endsWith('/sentinel')) return ok({ enabled: true });
      return request.query.has('date_start') ? dated(request) : handler({ ...request });
    });
    await home.run(['setup', 'pull', 's'], { cwd: home.folder });
    await home.run(['setup', 'plan', 's'], { cwd: home.folder });
    expect(existsSync(`${home.folder}/s/cops.setup.yaml`)).toBe(true);
    expect(service.requests.length).toBeGreaterThan(5);
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
