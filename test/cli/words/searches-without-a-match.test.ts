/** @module-tag thorough */
/** What was not found where it was looked for, and the line that looks where it may be. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FEW, laySandbox } from '../../harness/seeded.js';
import { json } from '../helpers.js';
import { Home } from '../program.js';

const home = new Home({ COPS_PROFILE: 'sandbox' });
beforeAll(() => laySandbox(home.env.COPS_DATA_DIR ?? '', Date.now(), FEW));
afterAll(() => home.remove());

const LINE = ['sync', '-q', 'm.sqlite', 'customers', 'coupons'];

describe('customers search', () => {
  const people = [
    { first_name: 'Zoë', last_name: 'García', email: 'zoe.g@example.com', company: 'Larsen & Sons' },
    { first_name: 'Pat', last_name: 'O\u2019Brien', email: 'pat.ob@example.com', company: 'None' },
  ];
  beforeAll(async () => {
    const ids = (await home.run(['customers', 'list', '--limit', '2', '-o', 'ids'])).stdout.trim().split('\n');
    for (const [at, person] of people.entries()) {
      const data = Object.entries(person).flatMap((pair) => ['-d', `customer.${pair.join('=')}`]);
      const made = await home.run(['customers', 'edit', ids[at] ?? '', ...data, '--yes']);
      expect(made.code, made.stderr).toBe(0);
    }
  });

  it.each([
    ['Larsen & Sons', 'zoe.g@example.com'],
    ["O'Brien", 'pat.ob@example.com'],
    ['zoe garcia', 'zoe.g@example.com'],
  ])('of %s finds the person, or says what was not searched and by which line it is found', async (term, email) => {
    const ran = await home.run(['customers', 'search', term, '-o', 'json']);
    expect(ran.code).toBe(0);
    if (ran.stdout.includes(email)) return;
    expect(ran.stderr).toContain('not in');
    expect(ran.stderr).not.toContain('No items.');
    const lines = [...ran.stderr.matchAll(/customers list --where ('(?:[^']|'\\'')*'|\S+)/g)].map(([, word = '']) =>
      word.replaceAll("'\\''", '\0').replaceAll("'", '').replaceAll('\0', "'"),
    );
    const found = await Promise.all(
      lines.map((where) => home.run(['customers', 'list', '--where', where, '-o', 'json'])),
    );
    expect(found.map(({ code }) => code)).toEqual(lines.map(() => 0));
    expect(found.flatMap((one) => json<{ email: string }[]>(one).map((person) => person.email))).toContain(email);
  });
});

it.each([
  ['--test', 'live'],
  ['--live', 'test'],
])('customers show of nobody in one mode names the line for the other: %s', async (mode, other) => {
  const ran = await home.run(['customers', 'show', 'nobody.at.all@example.com', mode, '--no-input']);
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toMatch(new RegExp(`--${other} customers show nobody\\.at\\.all@example\\.com`));
});

it('sync with --quiet in a pipe says one line, and its rows where a format is named', async () => {
  const quiet = await home.run(LINE, { cwd: home.folder });
  expect(quiet).toMatchObject({ code: 0, stderr: '' });
  expect(quiet.stdout.trim().split('\n')).toHaveLength(1);
  expect(json<unknown[]>(await home.run([...LINE, '-o', 'json'], { cwd: home.folder })).length).toBe(2);
});

it('says of an id that the service does not know what it is, from lists shown before and from the history', async () => {
  const list = async (family: string, ...more: string[]) =>
    (await home.run([family, 'list', '--all-time', '--limit', '1', '-o', 'ids', ...more])).stdout.trim();
  const [subscription, customer] = [await list('subscriptions'), await list('customers', '--live')];
  const ran = await home.run(['customers', 'get', subscription, '--test']);
  expect([ran.code, ran.stderr]).toEqual([
    4,
    expect.stringMatching(/belongs to subscriptions in test mode, shown here before/),
  ]);
  expect(ran.stderr).toContain(`: cops --test subscriptions get ${subscription}\n`);
  const other = await home.run(['customers', 'get', customer]);
  expect(other.stderr).toContain(`in live mode, shown here before`);
  expect(other.stderr).toContain(`: cops --live customers get ${customer}\n`);
  expect((await home.run(['subscriptions', 'suspend', subscription])).code).toBe(0);
  expect((await home.run(['completion', 'forget'])).code).toBe(0);
  const known = await home.run(['customers', 'get', subscription]);
  expect(known.stderr).toMatch(/according to the history \(subscriptions suspend, .*\): cops subscriptions get/);
  const nowhere = await home.run(['customers', 'get', 'A'.repeat(20)]);
  expect(nowhere.stderr).not.toContain(' belongs to ');
});
