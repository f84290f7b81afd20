/** @module-tag thorough */
/** The history: its range, what was not done, and what it never keeps. */
import { expect, it } from 'vitest';
import { home, json } from './helpers.js';

const SANDBOX = ['-p', 'sandbox'];

it('lists the history without an action, and the journals', async () => {
  const made = home();
  expect(json(await made.run(['history', '-o', 'json']))).toEqual([]);
  expect((await made.run(['history', '--limit', '0'])).code).toBe(2);
  const ran = await made.run(['bulk', 'list', '-o', 'json']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('No journals');
});

it('takes a range in the history, and says that what was sent is not kept', async () => {
  const made = home();
  const [first] = json<{ id: string }[]>(
    await made.run([...SANDBOX, 'subscriptions', 'list', '--where', 'status=active', '--limit', '1', '-o', 'json']),
  );
  await made.run([...SANDBOX, 'subscriptions', 'suspend', first?.id ?? '', '--yes']);
  const entries = json<{ id: string; api_call_id: string }[]>(
    await made.run(['history', '--last', '1d', '-o', 'json']),
  );
  expect(entries).toHaveLength(1);
  expect(json(await made.run(['history', 'list', '--to', '2020-01-01', '-o', 'json']))).toEqual([]);
  const shown = await made.run(['history', 'show', entries[0]?.id ?? '', '-o', 'json']);
  expect(shown.stderr).toContain(
    `never kept here, because it may hold secrets. The service keeps it: cops api-calls get ${entries[0]?.api_call_id}`,
  );
});

it('shows of the history what was not done', async () => {
  const made = home();
  const gone = 'ABCDEABCDEABCDEABCDE';
  await made.run([...SANDBOX, 'customer-groups', 'create', '--name', 'x', '--yes']);
  await made.run([...SANDBOX, 'subscriptions', 'suspend', gone, '--yes']);
  const failed = json<object[]>(await made.run(['history', '--failed', '--last', '1h', '-o', 'json']));
  expect(failed).toMatchObject([{ operation: 'subscriptions suspend', outcome: 'refused' }]);
  expect(json<object[]>(await made.run(['history', '-o', 'json']))).toHaveLength(2);
  expect(json(await made.run(['history', 'list', '--outcome', 'failed,unknown', '-o', 'json']))).toEqual(failed);
  expect(json<object[]>(await made.run(['history', '--outcome', 'done', '-o', 'json']))).toHaveLength(1);
  expect((await made.run(['history', '--outcome', 'gone'])).code).toBe(2);
});
