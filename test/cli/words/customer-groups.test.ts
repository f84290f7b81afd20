/** @module-tag sweep */
/** A customer is put into a group from either end, by name, and shown with it. */
import { afterAll, expect, it } from 'vitest';
import { SOME } from '../../harness/seeded.js';
import { home, json } from '../helpers.js';
import { Home } from '../program.js';
import { homesOf } from './seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const IN_SANDBOX = { COPS_PROFILE: 'sandbox' };

const SOFIA = 'sofia.muller.132@example.com';

const seeded = homesOf(SOME);

const shop = new Home();
afterAll(() => shop.remove());

it('puts a customer into a group from either end', async () => {
  const there = home();
  for (const line of [
    ['customer-groups', 'add-customer', 'Regulars', 'tom.rossi.110@example.com'],
    ['customers', 'add-to-group', 'tom.rossi.110@example.com', '--group', 'Regulars'],
    ['customers', 'edit', 'tom.rossi.110@example.com', '--group=Regulars'],
  ]) {
    const ran = await there.run(['-p', 'sandbox', ...line, '--dry-run', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout).body.customer_group).toHaveLength(1);
  }
});

it('sends nothing where an edit names a group and more', async () => {
  const line = ['customers', 'edit', 'tom.rossi.110@example.com', '--group', 'Regulars', '--first-name', 'Tom'];
  expect(await home().run(['-p', 'sandbox', ...line])).toMatchObject({ code: 2, stdout: '' });
});

it('puts a customer into a group that stands behind him', async () => {
  const line = ['customers', 'add-to-group', 'katarzyna.rossi.23@example.com', 'Regulars'];
  const ran = await seeded().run([...SANDBOX, ...line, '--dry-run', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain("Regulars is read as -d 'customer_group[0]=Regulars'.");
  expect(JSON.parse(ran.stdout).body.customer_group).toHaveLength(1);
});

it('names a line in live mode that does it, with both ids', async () => {
  const made = seeded();
  const live = (...line: string[]) => made.run([...SANDBOX, '--live', ...line, '--yes']);
  const [someone] = json<{ email: string }[]>(
    await made.run([...SANDBOX, '--live', 'customers', 'list', '--limit', '1', '-o', 'json']),
  );
  const refused = await live('customers', 'add-to-group', someone?.email ?? '', 'Wholesale');
  expect(refused.code).toBe(12);
  const [, line = ''] = /cops ((?:\S+ )*customers add-to-group .*)$/m.exec(refused.stderr) ?? [];
  const ran = await made.run(line.split(' '));
  expect(ran.code, `${line}\n${ran.stderr}`).toBe(0);
});

it('shows in its help that a customer and a group are taken by name', async () => {
  const help = (await home().run(['customers', 'add-to-group', '--help'])).stdout;
  expect(help).toMatch(/add-to-group \S+@example\.com Wholesale$/m);
  const ran = await home(IN_SANDBOX).run(['customers', 'add-to-group', SOFIA, 'Wholesale', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
});

it('calls the groups of a customer by their names', async () => {
  const made = home();
  const [customer] = json<{ id: string }[]>(
    await made.run([...SANDBOX, 'customers', 'list', '--limit', '1', '-o', 'json']),
  );
  const [group] = json<{ id: string; name: string }[]>(
    await made.run([...SANDBOX, 'customer-groups', 'list', '-o', 'json']),
  );
  const joined = ['customers', 'add-to-group', customer?.id ?? '', '-d', `customer_group[0]=${group?.id}`];
  expect((await made.run([...SANDBOX, ...joined])).code).toBe(0);
  const ran = await made.run([...SANDBOX, 'customers', 'show', customer?.id ?? '', '-o', 'table']);
  expect(ran.stdout, ran.stderr).toContain(`groups ${group?.name}`);
});

it('puts a customer into a group whichever of both is named first', async () => {
  const ran = await shop.run([
    ...SANDBOX,
    'customer-groups',
    'add',
    'liam.larsen.122@example.com',
    'Regulars',
    '--dry-run',
  ]);
  expect(ran.stderr).toContain('This is read as cops -p sandbox customers add-to-group liam.larsen.122@example.com');
});
