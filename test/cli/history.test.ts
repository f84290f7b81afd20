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

it('finds entries by idempotency key, and counts them by outcome', async () => {
  const made = home();
  const create = (name: string, key: string, ...more: string[]) =>
    made.run([...SANDBOX, 'projects', 'create', '--name', name, '--idempotency-key', key, '--yes', ...more]);
  await create('Alpha', 'deploy-7781');
  await create('Alpha', 'deploy-7782', '--again');
  expect(json(await made.run(['history', 'show', 'deploy-7781', '-o', 'json']))).toMatchObject({ outcome: 'done' });
  await create('Beta', 'deploy-7781', '--again');
  const both = [
    { key: 'deploy-7781', outcome: 'unknown' },
    { key: 'deploy-7781', outcome: 'done' },
  ];
  expect(json(await made.run(['history', 'show', 'deploy-7781', '-o', 'json']))).toMatchObject(both);
  const listed = await made.run(['history', '--key', 'deploy-7781', '-o', 'json']);
  expect(json(listed)).toMatchObject(both);
  expect(listed.stderr).toContain('2 writes: 1 unknown, 1 done.');
  expect(json(await made.run(['history', '--last', '1d', '--count', '-o', 'json']))).toEqual({
    writes: 3,
    unknown: 1,
    done: 2,
  });
});

it('leads from an unknown key to the calls that may have carried it, and never reads as not done', async () => {
  const made = home();
  const line = 'cops -p sandbox --live api-calls list --last 1d --where raw_request~deploy-9999';
  const shown = await made.run([...SANDBOX, '--live', 'history', 'show', 'deploy-9999']);
  expect([shown.code, shown.stderr]).toEqual([4, expect.stringContaining(line)]);
  expect(shown.stderr).toContain('it may still have been done elsewhere');
  const listed = await made.run([...SANDBOX, '--live', 'history', '--key', 'deploy-9999', '-o', 'json']);
  expect([listed.code, listed.stdout.trim(), listed.stderr]).toEqual([0, '[]', expect.stringContaining(line)]);
});
