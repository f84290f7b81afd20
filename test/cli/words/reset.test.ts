/** @module-tag thorough */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { wrote } from '../../fixtures/service/service.js';
import { A, errorOf, home, json, pair } from '../helpers.js';

/** A home with files of cops and of somebody else. */
function furnished() {
  const made = home();
  const [config = '', data = ''] = [made.env.COPS_CONFIG_DIR, made.env.COPS_DATA_DIR];
  const put = (folder: string, name: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{}');
    return file;
  };
  const own = [
    ...['config.json', 'proofs.json', 'policy.yaml', 'first-days.json', 'queries/late.sql'].map((name) =>
      put(config, name),
    ),
    ...['ids/sandbox-test/sales.json', 'mirrors/my%20shop-live.sqlite', 'mirrors/my%20shop-live.sqlite-wal'].map(
      (name) => put(data, name),
    ),
    ...[
      'setup/sandbox-test.json',
      'setup/secret-marks.key',
      'sql-history',
      `marks/${'0a'.repeat(12)}.json`,
      `runs/${'0a'.repeat(12)}.begun`,
    ].map((name) => put(data, name)),
  ];
  const others = [put(config, 'mine.txt'), put(data, 'ids/notes.md'), put(data, 'journals/holiday.jpg')];
  return { made, own, others };
}

it('removes only files that it knows as its own, and says what it leaves', async () => {
  const { made, own, others } = furnished();
  const ran = await made.run(['reset', '--everything', '--yes', '-o', 'json']);
  expect(ran.code).toBe(0);
  expect(own.filter((file) => existsSync(file))).toEqual([]);
  expect(others.filter((file) => !existsSync(file))).toEqual([]);
  for (const file of others) expect(ran.stderr).toContain(file);
  expect(json<object[]>(ran)).toHaveLength(own.length);
});

it('removes the plan of a set-up and the completion of shells, where it wrote them', async () => {
  const made = home();
  await made.run(['sandbox', 'reset', '--size', '40', '--live-data', 'empty', '--yes']);
  const promoted = await made.run(['setup', 'promote', 'sandbox:test', 'sandbox:live', 'customer-groups', '--yes']);
  expect(promoted.code, promoted.stderr).toBe(0);
  for (const shell of ['bash', 'zsh']) expect((await made.run(['completion', 'install', shell])).code).toBe(0);
  const others = path.join(made.env.HOME ?? '', '.config', 'fish', 'completions', 'cops.fish');
  mkdirSync(path.dirname(others), { recursive: true });
  writeFileSync(others, '# mine\n');
  const ran = await made.run(['reset', '--everything', '--yes', '-o', 'json']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const removed = json<{ path: string }[]>(ran).map((one) => one.path);
  expect(removed.filter((file) => /\.journal\.plan\.json$|completions.cops$|_cops$/.test(file))).toHaveLength(3);
  expect(removed.filter((file) => existsSync(file))).toEqual([]);
  expect(existsSync(made.env.COPS_DATA_DIR ?? '')).toBe(false);
  expect(existsSync(others)).toBe(true);
});

it('removes nothing without a yes, nor in a dry run', async () => {
  const { made, own } = furnished();
  expect((await made.run(['reset', '--everything'])).code).toBe(12);
  expect((await made.run(['reset', '--everything', '--dry-run'])).code).toBe(0);
  expect((await made.run(['reset', '--yes'])).code).toBe(2);
  expect(own.filter((file) => !existsSync(file))).toEqual([]);
});

it('refuses while an outcome is unknown, unless that is to be forgotten', async () => {
  const { home: made } = await pair((request) => (request.method === 'POST' ? 'drop' : wrote('sale', A)));
  const line = ['subscriptions', 'suspend', A, '--max-retries', '0'];
  expect((await made.run(line)).code).toBe(9);
  const refused = await made.run(['reset', '--everything', '--yes', '-o', 'json']);
  expect(refused.code).toBe(12);
  expect(errorOf(refused).hint).toContain('--forget-unknown');
  expect((await made.run(['reset', '--everything', '--yes', '--forget-unknown'])).code).toBe(0);
  expect(existsSync(path.join(made.env.COPS_CONFIG_DIR ?? '', 'history'))).toBe(false);
});

it('refuses while a run is alive', async () => {
  const { made, own } = furnished();
  const host = await import('../../../src/base/files/lock.js');
  const held = await host.lock(path.join(made.env.COPS_DATA_DIR ?? '', 'runs', 'a'.repeat(24)));
  try {
    expect((await made.run(['reset', '--everything', '--yes'])).code).toBe(12);
    expect(own.filter((file) => !existsSync(file))).toEqual([]);
  } finally {
    await held.release();
  }
});
