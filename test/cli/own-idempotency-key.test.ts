import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../harness/home.js';
import { FEW, laySandbox } from '../harness/seeded.js';

/* An own idempotency key that comes again: the line ends as the first did, and nothing is sent. */

let home: Home;
beforeEach(async () => {
  home = new Home({ COPS_PROFILE: 'sandbox' });
  await laySandbox(String(home.env.COPS_DATA_DIR), Date.now(), FEW);
});
afterEach(() => home.remove());

const KEY = ['--idempotency-key', 'own-key-of-a-test-1'];
const create = (name: string, ...more: string[]) =>
  home.run(['projects', 'create', '--name', name, '-o', 'json', ...more]);
const calls = async () =>
  JSON.parse((await home.run(['sandbox', 'status', '-o', 'json'])).stdout).items.api_calls as object;
const at = (hours: number) => ({ now: () => Date.now() + hours * 3_600_000, sleep: async () => {} });

describe('an own idempotency key', () => {
  it('that comes again with the same write ends as the first did, and nothing is sent', async () => {
    const first = await create('Alpha', ...KEY);
    expect(first.code).toBe(0);
    const before = await calls();
    const again = await create('Alpha', ...KEY);
    expect(again.code).toBe(0);
    // A script reads the second answer as it reads the first.
    expect(JSON.parse(again.stdout)).toEqual({ ...JSON.parse(first.stdout), repeated: true, outcome: 'done' });
    expect(await calls()).toEqual(before);
    const inBody = await home.run(['projects', 'create', '--body', '-', '-o', 'json'], {
      input: JSON.stringify({ name: 'Alpha', idempotency_key: KEY[1] }),
    });
    expect(inBody.code).not.toBe(9);
    expect(await calls()).toEqual(before);
  });

  it.each([
    [
      'a refusal',
      [
        'customers',
        'create',
        '--campaign',
        'none-such',
        '-d',
        'customer.first_name=A',
        '-d',
        'customer.last_name=B',
        '-d',
        'customer.email=a@example.com',
      ],
      1,
    ],
    ['an item that is not there', ['projects', 'edit', 'A1b2C3d4E5f6G7h8I9j0', '--name', 'B'], 4],
  ] as const)('keeps the exit code of %s', async (_about, line, code) => {
    expect((await home.run([...line, ...KEY, '-o', 'json'])).code).toBe(code);
    const before = await calls();
    const again = await home.run([...line, ...KEY, '-o', 'json']);
    expect(again.code).toBe(code);
    expect(JSON.parse(again.stdout)).toMatchObject({ repeated: true, outcome: 'refused' });
    expect(await calls()).toEqual(before);
  });

  it('with another body or credential, or older than a day, stops without --again', async () => {
    await create('Alpha', ...KEY);
    const before = await calls();
    expect(await create('Beta', ...KEY)).toMatchObject({ code: 12, stdout: '' });
    expect(await create('Alpha', ...KEY, '--live', '--yes')).toMatchObject({ code: 12, stdout: '' });
    expect(
      await home.run(['projects', 'create', '--name', 'Alpha', ...KEY, '-o', 'json'], { clock: at(25) }),
    ).toMatchObject({ code: 12, stdout: '' });
    expect(await calls()).toEqual(before);
    const same = await create('Alpha', ...KEY, '--again');
    expect(JSON.parse(same.stdout)).toMatchObject({ repeated: true, outcome: 'done' });
    expect(await calls()).toEqual(before);
    expect((await create('Beta', ...KEY, '--again')).code).not.toBe(12);
    expect(await calls()).not.toEqual(before);
  });

  it('holds for calls by path too', async () => {
    const line = ['api', 'POST', '/projects', '-d', 'name=Alpha', '-d', `idempotency_key=${KEY[1]}`, '-o', 'json'];
    expect((await home.run([...line, '--yes'])).code).toBe(0);
    const before = await calls();
    const again = await home.run([...line, '--yes']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ repeated: true, outcome: 'done' });
    expect(await calls()).toEqual(before);
  });
});

it('names the calls with an own key that was first used elsewhere, also in the history', async () => {
  await create('Alpha', ...KEY);
  const elsewhere = { env: { COPS_CONFIG_DIR: `${home.folder}/elsewhere` } };
  const ran = await home.run(['-p', 'sandbox', 'projects', 'create', '--name', 'Alpha', ...KEY], elsewhere);
  const line = 'api-calls list --last 1d --where raw_request~own-key-of-a-test-1';
  expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining(line)]);
  const [entry] = JSON.parse((await home.run(['history', '-o', 'json'], elsewhere)).stdout);
  expect(entry.settles).toContain(`cops -p sandbox --test ${line}`);
  const found = await home.run([...line.split(' '), '-o', 'json'], { clock: at(0.1) });
  expect(JSON.parse(found.stdout).at(-1).raw_request).toContain('Alpha');
});

it.each(['', 'short'])('proposes no example of a key for %j: without it each write has its own', async (key) => {
  const ran = await home.run(['projects', 'create', '--name', 'one', '--idempotency-key', key]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('For example: cops projects create --name one\n');
});
