import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../harness/home.js';
import { FEW, laySandbox } from '../harness/seeded.js';

/* `functions deploy` and `functions dev`. */

let home: Home;
const cwd = () => path.join(home.folder, 'work');
const write = (name: string, text: string) => writeFileSync(path.join(cwd(), name), text);
const deploy = (...words: string[]) =>
  home.run(['functions', 'deploy', 'check.js', '--name', 'Own check', '-o', 'json', '--yes', ...words], { cwd: cwd() });
const calls = async () => (await home.run(['sandbox', 'status', '-o', 'json', '--query', 'items.functions'])).stdout;

beforeEach(async () => {
  home = new Home({ COPS_PROFILE: 'sandbox' });
  mkdirSync(cwd());
  await laySandbox(String(home.env.COPS_DATA_DIR), Date.now(), FEW);
  write('check.js', 'callback(null, event.notation);');
});
afterEach(() => home.remove());

describe('functions deploy', () => {
  // A deployment waits out half a minute, which a clock of our own jumps over.
  it('makes a function by name, and updates it from then on', { tags: ['inside'] }, async () => {
    const first = await deploy('--event', 'sale.created');
    expect(first.code).toBe(0);
    const { id } = JSON.parse(first.stdout);
    expect(JSON.parse(first.stdout)).toMatchObject({ name: 'Own check', outcome: 'made' });
    expect(first.stderr).toContain('The function does not run on sale.created yet.');
    const bind = ['-d', 'event_source=account_event', '-d', 'account_event_notations:=["sale.created"]'];
    expect((await home.run(['functions', 'edit', id, ...bind])).code).toBe(0);
    write('check.js', 'callback(null, 2);');
    const second = await deploy('--event', 'sale.created', '--dependency', 'lodash@4.17.21');
    expect(JSON.parse(second.stdout)).toMatchObject({ id, outcome: 'updated' });
    expect(second.stderr).not.toContain('does not run on');
    const read = JSON.parse((await home.run(['functions', 'get', id, '-o', 'json'])).stdout);
    expect(read).toMatchObject({
      function_code: 'callback(null, 2);',
      dependencies: [{ name: 'lodash', version: '4.17.21' }],
    });
  });

  it('sends nothing where the code fails here, or a scenario does not hold', async () => {
    const before = await calls();
    write('bad.test.yaml', 'version: 1\nsteps: [{ expect: [{ list: projects, count: 7 }] }]\n');
    expect((await deploy('--scenario', 'bad.test.yaml')).code).toBe(13);
    write('check.js', 'callback("no");');
    expect((await deploy('--event', 'sale.created')).code).toBe(1);
    expect(await calls()).toBe(before);
  });

  it('plays a scenario that has the new code', { tags: ['inside'] }, async () => {
    write(
      'good.test.yaml',
      'version: 1\nsteps:\n  - event: sale.created.success.paid\n  - run: functions run check.js --event sale.created\n    as: ran\nexpect:\n  - value: ran.outcome=success\n',
    );
    expect((await deploy('--scenario', 'good.test.yaml')).code).toBe(0);
  });
});

describe('functions dev --watch', () => {
  it('runs the code again at each save', async () => {
    const line = [
      'functions',
      'dev',
      path.join(cwd(), 'check.js'),
      '--event',
      'sale.created',
      '--watch',
      '-o',
      'jsonl',
    ];
    const running = home.start(line);
    await expect.poll(running.stdout, { timeout: 10_000 }).toContain('sale.created');
    write('check.js', 'callback(null, "saved anew");');
    await expect.poll(running.stdout, { timeout: 10_000 }).toContain('saved anew');
    write('check.js', 'callback("fails now");');
    await expect.poll(running.stdout, { timeout: 10_000 }).toContain('fails now');
    running.signal('SIGINT');
    expect((await running.ended).code).toBe(130);
  });
});
