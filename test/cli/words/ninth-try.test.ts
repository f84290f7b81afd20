/** @module-tag sweep */
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { A, home } from '../helpers.js';

const SANDBOX = { COPS_PROFILE: 'sandbox' };
const SOFIA = 'sofia.muller.132@example.com';

describe('a customer whose address was changed', () => {
  const WAS = 'farid.haddad.43@example.com';
  const IS = 'farid@elsewhere.example';
  let id = '';
  const shown = async (...line: string[]) => {
    const cops = home(SANDBOX);
    const { stdout } = await cops.run(['customers', 'get', WAS, '-o', 'json']);
    id = (JSON.parse(stdout) as { id: string }).id;
    await cops.run(['customers', 'edit', id, '--email', IS]);
    return stripVTControlCharacters((await cops.run(line, { terminal: 300 })).stdout);
  };
  let screen = '';
  beforeAll(async () => {
    screen = await shown('customers', 'show', IS);
  });

  it('is never said to have none of what searches by the address find', () => {
    const none = /^None: .*$/m.exec(screen)?.[0] ?? '';
    expect(none).not.toMatch(/orders|trials|fraud/);
    expect(screen).toContain('made under an earlier e-mail address');
  });

  it('is led to from the old address', async () => {
    expect(await shown('find', WAS)).toMatch(new RegExp(`^ *cops .*customers show ${id}$`, 'm'));
  });
});

it('says of what still waits nothing that it has not looked at', async () => {
  const ran = await home(SANDBOX).run(['shipping', 'list', '--customer', SOFIA]);
  expect(ran.stderr).toMatch(/^Any still not shipped, however old: cops .*--customer \S+ --status notshipped$/m);
});

it('asks no family for an id whose keys cannot look like it', async () => {
  const ran = await home(SANDBOX).run(['find', 'ZZZZZZZZZZZZZZZZZZZ9', '--all']);
  expect(ran.code).toBe(4);
  expect(ran.stdout + ran.stderr).not.toContain('key-values');
});

it('keeps the range in the line that shows what a timeline left out', async () => {
  const cops = home(SANDBOX);
  const ran = await cops.run(['timeline', SOFIA, '--from', '60d', '-o', 'json']);
  const [, line = ''] = /changed since \(.*\)\. cops (.*)$/m.exec(ran.stderr) ?? [];
  expect(line).toContain('--from 60d');
  const whole = await cops.run([...line.replace(/^-p sandbox /, '').split(' '), '-o', 'json']);
  expect(whole.code, whole.stderr).toBe(0);
  expect(whole.stderr).not.toContain('Not read');
  const times = (JSON.parse(whole.stdout) as { time: number }[]).map(({ time }) => time);
  expect(Math.min(...times)).toBeGreaterThan(Date.now() / 1000 - 61 * 86_400);
});

it('shows no less of a customer where a line asks for more', async () => {
  const cops = home(SANDBOX);
  const rows = async (...more: string[]) => {
    const ran = await cops.run(['customers', 'show', SOFIA, ...more], { terminal: 120 });
    const orders = stripVTControlCharacters(ran.stdout).split(/^ORDERS.*$/m)[1] ?? '';
    return orders
      .split('\n')
      .slice(2)
      .findIndex((line) => !/^\w{20} /.test(line));
  };
  expect(await rows('--since', '90d')).toBeGreaterThan(await rows());
});

it('names other renewals with a line for each where the latest has nothing left', async () => {
  const cops = home(SANDBOX);
  const line = ['subscription-renewals', 'refund', 'farid.haddad.43@example.com', '--latest'];
  expect((await cops.run(line)).code).toBe(0);
  const again = await cops.run(line);
  expect(again.code).toBe(2);
  const lines = again.stderr.split('\n').filter((one) => / refund \w{20}$/.test(one));
  expect(lines.length).toBeGreaterThan(5);
  expect(again.stderr).not.toMatch(/refund \w{20} --latest/);
  const days = [...again.stderr.matchAll(/paid, made ([\d-]+)$/gm)].map(([, day = '']) => day);
  expect(days).toEqual([...days].sort().reverse());
});

it('shows in its help that a customer and a group are taken by name', async () => {
  const help = (await home().run(['customers', 'add-to-group', '--help'])).stdout;
  expect(help).toMatch(/add-to-group \S+@example\.com Wholesale$/m);
  const ran = await home(SANDBOX).run(['customers', 'add-to-group', SOFIA, 'Wholesale', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
});

it('gives lines for the order of an id', async () => {
  const ran = await home().run(['sales', 'refund', A]);
  expect(ran.stderr).toMatch(new RegExp(`^ +cops sales get ${A} --columns id,product_sales,shipping,tax$`, 'm'));
});
