/** A list that leaves out what is there: nothing that is known by its id is made a second time, or taken away. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok, type Recorded, refusal, serverError, wrote } from '../../fixtures/service/service.js';
import { A, B, C, errorOf, pair } from '../helpers.js';

const GROUPS = { VIP: A, Regulars: B, Staff: C };
type Group = keyof typeof GROUPS;

/** A folder of three groups that are known by their ids, and a service that shows `listed` and has `there`. */
async function world(listed: readonly Group[], there: readonly Group[], failing = false) {
  const item = (name: Group) => ({ id: GROUPS[name], name, live_mode: false, created_date_unix: 1_700_000_000 });
  const { service, home } = await pair((request: Recorded) => {
    if (request.method === 'POST') return wrote('customer_group', 'DDDDDDDDDDDDDDDDDDD4');
    const found = there.find((name) => request.path === `/customer_groups/${GROUPS[name]}`);
    if (found) return failing ? serverError(500) : ok(item(found));
    if (/^\/customer_groups\/./.test(request.path)) return refusal(404, 'E0001', 'none');
    const results = request.path === '/customer_groups' ? listed.map(item) : [];
    return ok({ results, total_count: results.length, total_pages: 1, page: 1, limit: 25 });
  });
  const folder = path.join(home.folder, 's');
  const run = (...words: string[]) => home.run(['setup', ...words, '--max-retries', '0'], { cwd: home.folder });
  expect(await run('init', 's')).toMatchObject({ code: 0 });
  mkdirSync(path.join(folder, 'customer-groups'), { recursive: true });
  for (const name of Object.keys(GROUPS))
    writeFileSync(path.join(folder, 'customer-groups', `${name.toLowerCase()}.yaml`), `name: ${name}\n`);
  const ids = Object.fromEntries(Object.entries(GROUPS).map(([name, id]) => [`customer-groups/${name}`, id]));
  const know = () => {
    const state = { version: 1, profile: 'env', mode: 'test', base_url: service.baseUrl, ids, base: {}, own: {} };
    mkdirSync(path.join(folder, '.cops'), { recursive: true });
    writeFileSync(path.join(folder, '.cops', 'env-test.json'), JSON.stringify({ ...state, secrets: {} }));
  };
  const posts = () => service.requests.filter(({ method }) => method === 'POST').length;
  return { folder, run, know, posts };
}

describe('a list that leaves out what is there', { timeout: 60_000 }, () => {
  it.each([
    ['all', []],
    ['a part', ['VIP', 'Staff']],
  ] as const)('makes nothing of %s a second time', async (_what, listed) => {
    const { run, know, posts } = await world(listed, ['VIP', 'Regulars', 'Staff']);
    know();
    for (const words of [
      ['plan', 's'],
      ['apply', 's', '--yes'],
      ['apply', 's', '--yes', '--dry-run'],
    ]) {
      const ran = await run(...words, '-o', 'json');
      expect(ran.code, ran.stderr).toBe(12);
      expect(errorOf(ran).message).toContain(`customer-groups/Regulars (${B})`);
    }
    expect(posts()).toBe(0);
  });

  it('makes nothing a second time by a plan that was kept before', async () => {
    const { run, know, posts } = await world([], ['VIP', 'Regulars', 'Staff']);
    expect((await run('plan', 's', '--out', 'plan.json')).code).toBe(13);
    know();
    const ran = await run('apply', 'plan.json', '--yes', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(12);
    expect(posts()).toBe(0);
  });

  it('makes anew what is gone, and says so', async () => {
    const { run, know, posts } = await world(['VIP', 'Staff'], ['VIP', 'Staff']);
    know();
    const ran = await run('plan', 's', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(13);
    expect(ran.stderr).toContain(`customer-groups/Regulars (${B})`);
    await run('apply', 's', '--yes');
    expect(posts()).toBe(1);
  });

  it('stops where the read of a known id fails', async () => {
    const { run, know, posts } = await world([], ['VIP', 'Regulars', 'Staff'], true);
    know();
    const ran = await run('apply', 's', '--yes', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(1);
    expect(posts()).toBe(0);
  });

  it('takes no file away by --prune', async () => {
    const { folder, run, know } = await world([], ['VIP', 'Regulars', 'Staff']);
    know();
    const ran = await run('pull', 's', 'customer-groups', '--prune', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(12);
    expect(existsSync(path.join(folder, 'customer-groups', 'vip.yaml'))).toBe(true);
  });
});
