/** @module-tag thorough */
/** Options of the line that a command of set-ups must not pass over in silence. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeAfterTest } from '../../harness/closing.js';
import { json, home as newHome } from '../helpers.js';
import { sandboxHome } from './helpers.js';
import { pulledFolder } from './many.js';
import { Served } from './served.js';

const PLACES = ['--from', 'sandbox:test', '--to', 'sandbox:live'] as const;

describe('two environments', () => {
  it.each([
    ['promote', ['--base-url', 'http://127.0.0.1:9/v2']],
    ['diff', ['--base-url', 'http://127.0.0.1:9/v2']],
    ['promote', ['--send-key-to', 'example.com']],
    ['promote', ['-p', 'acme']],
    ['promote', ['--test']],
    ['diff', ['-p', 'acme']],
  ])('%s takes no %j that names another', async (command, more) => {
    const made = newHome();
    const ran = await made.run(['setup', command, ...PLACES, 'bin-profiles', '--yes', ...more]);
    expect([ran.code, ran.stdout], ran.stderr).toEqual([2, '']);
    expect(ran.stderr).toContain(more[0]);
  });

  it('take a profile and a mode that say the same', { tags: ['thorough'] }, async () => {
    const { home } = await sandboxHome('--live-data', 'empty');
    const ran = await home.run(['-p', 'sandbox', '--live', 'setup', 'promote', ...PLACES, 'bin-profiles', '--yes']);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
  });
});

describe('a plan', () => {
  it('names what the service has and no file holds, and --strict counts it', { tags: ['thorough'] }, async () => {
    const { home, setup } = await sandboxHome();
    expect((await setup('pull', 's', 'bin-profiles', 'products')).code).toBe(0);
    const made = ['-p', 'sandbox', 'products', 'create', '--name', 'By hand', '-d', 'price=6', '--yes'];
    expect((await home.run(made)).code).toBe(0);
    const told = '1 object is in the service but in no file, and not part of the plan: products/By hand.';
    const plan = await setup('plan', 's', '-o', 'json');
    expect(plan.code, plan.stderr).toBe(0);
    expect(json<{ notes: string[] }>(plan).notes.join()).toContain(told);
    expect(json<{ notes: string[] }>(plan).notes.join()).toMatch(/cops -p sandbox setup pull \S+s$/);
    const strict = await setup('plan', 's', '--strict', '-o', 'json');
    expect([strict.code, strict.stderr]).toEqual([13, expect.stringContaining('1 only in the service')]);
    await setup('pull', 's', 'products');
    expect((await setup('plan', 's', '--strict')).code).toBe(0);
  });
});

describe('a dry run', () => {
  it('of a resume sends nothing, and shows what is left', { tags: ['thorough'] }, async () => {
    const served = closeAfterTest(await Served.start());
    const home = newHome();
    const folder = path.join(home.folder, 's');
    await pulledFolder(served, home, folder, (name) => name === 'bin-profiles');
    served.home('live', home);
    served.forget();
    const journal = path.join(home.folder, 'a.journal');
    const words = (...more: readonly string[]) => [...more, '--yes', '--concurrency', '1', '-o', 'json'];
    const run = (...more: readonly string[]) =>
      home.run(words(...more), { cwd: home.folder, clock: served.clock, timeoutMs: 60_000 });
    served.fate = ({ method }) => (method === 'GET' || served.writes.length < 2 ? undefined : { lost: 'before' });
    expect((await run('setup', 'apply', 's', '--journal', journal, '--max-retries', '0')).code).not.toBe(0);
    served.forget();
    const before = readFileSync(journal, 'utf8');
    const dry = await run('setup', 'resume', journal, '--dry-run');
    expect(dry.code, dry.stderr).toBe(0);
    expect(served.writes).toEqual([]);
    expect(readFileSync(journal, 'utf8')).toBe(before);
    expect(json<{ steps: unknown[] }>(dry).steps.length).toBeGreaterThan(0);
    const applied = await run('setup', 'resume', journal);
    expect(applied.code, applied.stderr).toBe(0);
    expect(served.writes.length).toBeGreaterThan(0);
  });

  it('of an apply is JSON where JSON is asked for', async () => {
    const { setup } = await sandboxHome('--live-data', 'empty');
    const dry = await setup('promote', ...PLACES, 'bin-profiles', '--dry-run', '-o', 'json');
    expect(dry.code, dry.stderr).toBe(0);
    expect(json<{ steps: unknown[] }>(dry).steps.length).toBeGreaterThan(0);
    const line = `cops -p sandbox setup diff ${PLACES.join(' ')} bin-profiles -o json`;
    expect(dry.stderr).toContain(`To end with exit code 13 where anything differs: ${line}\n`);
  });

  it('counts what drifted in the summary of its JSON', async () => {
    const { home, setup } = await sandboxHome();
    const [coupon = ''] = (
      await home.run(['-p', 'sandbox', 'coupons', 'list', '-o', 'ids', '--limit', '1'])
    ).stdout.split('\n');
    await home.run(['-p', 'sandbox', 'coupons', 'edit', coupon, '-d', 'discount_value=12']);
    await home.run([
      '-p',
      'sandbox',
      'coupons',
      'create',
      '-d',
      'coupon_code=NEW',
      '-d',
      'name=NEW',
      '-d',
      'discount_type=percent',
      '-d',
      'discount_value=5',
      '-d',
      'coupon_profile=Season',
    ]);
    const ran = await setup('promote', ...PLACES, 'coupons', 'products', '--dry-run', '-o', 'json');
    const dry = json<{ summary: string; drift: unknown[] }>(ran);
    expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('Nothing is sent: 1 object there with other')]);
    expect(dry.drift.length).toBeGreaterThan(0);
    expect(dry.summary).toContain(`, ${dry.drift.length} left as they are there`);
  });

  it.each([
    ['init', 's'],
    ['pull', 's'],
    ['import', 'bin-profiles', 'x'],
  ])('of %s is refused: it writes files', async (...words) => {
    const { home, setup } = await sandboxHome();
    const ran = await setup(...words, '--dry-run');
    expect(ran.code).toBe(2);
    expect(existsSync(path.join(home.folder, 's'))).toBe(false);
  });

  it('of a server for agents is refused', async () => {
    const { home } = await sandboxHome();
    const ran = await home.run(['-p', 'sandbox', 'mcp', '--allow', 'write', '--dry-run'], { input: '' });
    expect([ran.code, ran.stdout]).toEqual([2, '']);
  });
});

describe('the form of a plan', () => {
  it('--query and --columns choose of its data, on a terminal too', async () => {
    const { setup } = await sandboxHome('--live-data', 'empty');
    const words = ['diff', ...PLACES, 'bin-profiles', '-o', 'table'] as const;
    const queried = await setup(...words, '--query', 'summary');
    expect(queried.stdout).toContain('to create');
    expect(queried.stdout).not.toContain('LIVE mode');
    const chosen = await setup(...words, '--columns', 'summary');
    expect(chosen.stdout).not.toContain('LIVE mode');
  });

  it('says which environment it is from, and which would be changed', async () => {
    const { setup } = await sandboxHome('--live-data', 'empty');
    const text = await setup('diff', ...PLACES, 'bin-profiles', '-o', 'table');
    expect(text.stdout).toContain('From sandbox test to sandbox live: what it would change in sandbox live (');
    const data = await setup('diff', ...PLACES, 'bin-profiles', '-o', 'json');
    expect(JSON.parse(data.stdout)).toMatchObject({
      from: { profile: 'sandbox', mode: 'test' },
      environment: { profile: 'sandbox', mode: 'live' },
    });
    const back = ['--from', 'sandbox:live', '--to', 'sandbox:test'];
    const other = await setup('diff', ...back, 'bin-profiles', '--markdown');
    expect(other.stdout).toContain('From sandbox live to sandbox test: what it would change in sandbox test (');
  });

  it('a comment names the line that carries out just that plan', async () => {
    const { setup } = await sandboxHome('--live-data', 'empty');
    const compared = await setup('diff', ...PLACES, 'bin-profiles', 'customer-groups', '--markdown');
    const [, line = ''] = /Plan `\w+`: `cops setup (.+)`/.exec(compared.stdout) ?? [];
    expect((await setup(...line.split(' '), '--yes')).code).toBe(0);
    expect((await setup('diff', ...PLACES, 'bin-profiles', 'customer-groups')).code).toBe(0);
  });

  it.each([
    ['-o', 'json'],
    ['--query', 'id'],
    ['--columns', 'id'],
  ])('--markdown does not go with %s', async (...more) => {
    const { setup } = await sandboxHome('--live-data', 'empty');
    const ran = await setup('diff', ...PLACES, 'bin-profiles', '--markdown', ...more);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
  });
});

it('the plan before a question is in colours on a terminal, not in their codes', async () => {
  const { home } = await sandboxHome('--live-data', 'empty');
  const words = ['-p', 'sandbox', 'setup', 'promote', ...PLACES, 'bin-profiles'];
  const running = home.start(words, { cwd: home.folder, terminal: 80 });
  await expect.poll(running.stderr).toContain('Go ahead?');
  expect(running.stderr()).toContain('From sandbox test to sandbox live: what it would change in sandbox live');
  running.type('n\r');
  const ran = await running.ended;
  expect(ran.code).toBe(12);
  expect(ran.stderr).toContain('\u001b[32m+ North\u001b[39m');
  expect(ran.stderr).not.toContain('\\u001b');
});
