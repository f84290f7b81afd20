/** A list that leaves out what is there: nothing that is known by its id is made a second time, or taken away. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok, type Recorded, refusal, serverError, wrote } from '../../fixtures/service/service.js';
import { A, B, C, home as emptyHome, errorOf, pair, service as serviceOf } from '../helpers.js';

const GROUPS = { VIP: A, Regulars: B, Staff: C };
type Group = keyof typeof GROUPS;

/** What a service answers that shows `listed` and has `there`. */
function answer(
  request: Recorded,
  listed: readonly Group[],
  there: readonly Group[],
  { failing = false, isLive = false, path = '/customer_groups' } = {},
) {
  const item = (name: Group) => ({ id: GROUPS[name], name, live_mode: isLive, created_date_unix: 1_700_000_000 });
  if (request.method === 'POST') return wrote('customer_group', 'DDDDDDDDDDDDDDDDDDD4');
  const found = there.find((name) => request.path === `${path}/${GROUPS[name]}`);
  if (found) return failing ? serverError(500) : ok(item(found));
  if (request.path.startsWith(`${path}/`)) return refusal(404, 'E0001', 'none');
  const results = request.path === path ? listed.map(item) : [];
  return ok({ results, total_count: results.length, total_pages: 1, page: 1, limit: 25 });
}

/** A folder of three groups that are known by their ids, and a service that shows `listed` and has `there`. */
async function world(listed: readonly Group[], there: readonly Group[], failing = false) {
  const events = { created: () => {} };
  const { service, home } = await pair((request: Recorded) => {
    if (request.method === 'POST') events.created();
    return answer(request, listed, there, { failing });
  });
  const folder = join(home.folder, 's');
  const run = (...words: string[]) => home.run(['setup', ...words, '--max-retries', '0'], { cwd: home.folder });
  expect(await run('init', 's')).toMatchObject({ code: 0 });
  mkdirSync(join(folder, 'customer-groups'), { recursive: true });
  for (const name of Object.keys(GROUPS))
    writeFileSync(join(folder, 'customer-groups', `${name.toLowerCase()}.yaml`), `name: ${name}\n`);
  const ids = Object.fromEntries(Object.entries(GROUPS).map(([name, id]) => [`customer-groups/${name}`, id]));
  const know = () => writeState(join(folder, '.cops'), 'env-test', service.baseUrl, ids);
  const posts = () => service.requests.filter(({ method }) => method === 'POST').length;
  return { home, folder, run, know, posts, events };
}

/** What is known of an environment, as the last command there left it. */
function writeState(folder: string, environment: string, baseUrl: string, ids: Readonly<Record<string, string>>): void {
  const [profile, mode] = environment.split('-');
  const state = { version: 1, profile, mode, base_url: baseUrl, ids, base: {}, own: {}, secrets: {} };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${environment}.json`), JSON.stringify(state));
}

describe('an object that was renamed in the service', { timeout: 60_000 }, () => {
  it('is not made a second time, and takes either name', async () => {
    const groups = ['VIP', 'Regulars', 'Staff'] as const;
    const { home, folder, know, run, posts } = await world(groups, groups);
    know();
    expect(await run('plan', 's')).toMatchObject({ code: 0 });
    // As if the folder had known it by the name that the service no longer shows.
    writeFileSync(join(folder, 'customer-groups', 'vip.yaml'), 'name: Gold\n');
    const state = join(folder, '.cops', 'env-test.json');
    writeFileSync(state, readFileSync(state, 'utf8').replace('customer-groups/VIP', 'customer-groups/Gold'));
    const refused = await run('apply', 's', '--yes');
    expect(refused.code, refused.stderr).toBe(12);
    expect(refused.stderr).toContain(`customer-groups/Gold is customer-groups/VIP there (${A})`);
    expect(posts()).toBe(0);
    const line = ['setup', 'rename', 's', 'customer-groups', 'Gold', 'VIP'];
    expect(await home.run(line, { cwd: home.folder })).toMatchObject({ code: 0 });
    expect(await run('plan', 's')).toMatchObject({ code: 0 });
  });
});

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

  it('recreates deleted objects, and says so', async () => {
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
    expect(existsSync(join(folder, 'customer-groups', 'vip.yaml'))).toBe(true);
  });

  it.each([
    ['plan', 's'],
    ['apply', 's', '--yes'],
  ])('makes nothing a second time that a file renames: setup %s', async (...words) => {
    const { folder, run, know, posts } = await world(['Regulars', 'Staff'], ['VIP', 'Regulars', 'Staff']);
    know();
    writeFileSync(join(folder, 'customer-groups', 'vip.yaml'), 'name: Best\n_was: VIP\n');
    const ran = await run(...words, '-o', 'json');
    expect(ran.code, ran.stderr).toBe(12);
    expect(errorOf(ran).message).toContain(`customer-groups/Best (${A})`);
    expect(posts()).toBe(0);
  });

  it('makes nothing a second time that a file renames by a plan that was kept before', async () => {
    const { folder, run, know, posts } = await world(['Regulars', 'Staff'], ['VIP', 'Regulars', 'Staff']);
    writeFileSync(join(folder, 'customer-groups', 'vip.yaml'), 'name: Best\n_was: VIP\n');
    expect((await run('plan', 's', '--out', 'plan.json')).code).toBe(13);
    know();
    const ran = await run('apply', 'plan.json', '--yes', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(12);
    expect(posts()).toBe(0);
  });

  it('asks for the ids of both names where the one is gone', async () => {
    const { folder, run, know, posts } = await world(['Regulars'], ['VIP', 'Regulars']);
    know();
    writeFileSync(join(folder, 'customer-groups', 'staff.yaml'), 'name: Staff\n_was: VIP\n');
    rmSync(join(folder, 'customer-groups', 'vip.yaml'));
    const ran = await run('apply', 's', '--yes', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(12);
    expect(errorOf(ran).message).toContain(`customer-groups/Staff (${A})`);
    expect(posts()).toBe(0);
  });

  it('makes nothing a second time that is known by the time of a resume', async () => {
    const { home, run, know, posts, events } = await world([], ['VIP', 'Regulars', 'Staff']);
    const words = ['setup', 'apply', 's', '--yes', '--journal', 'a.journal', '--concurrency', '1'];
    const running = home.start(words, { cwd: home.folder });
    events.created = () => running.signal('SIGINT');
    running.endInput();
    expect([9, 10, 130]).toContain((await running.ended).code);
    const before = posts();
    expect(before).toBeLessThan(3);
    know();
    const ran = await run('resume', 'a.journal', '--yes', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(12);
    expect(errorOf(ran).message).toMatch(/customer-groups\/(?:VIP|Regulars|Staff) \(/);
    expect(posts()).toBe(before);
  });
});

describe('a list of the account that is written to', { timeout: 60_000 }, () => {
  const LIVE_KEY = 'live_key_of_the_tests_0002';

  it.each([
    ['customer-groups', ['setup', 'promote', 'customer-groups']],
    ['products', ['products', 'copy', 'Regulars']],
  ])('makes nothing of %s a second time by cops %j', async (family, words) => {
    const all = Object.keys(GROUPS) as Group[];
    const service = await serviceOf({
      handler: (request) => {
        const isLive = request.headers['x-api-key'] === LIVE_KEY;
        return answer(request, isLive ? ['VIP'] : all, all, { isLive, path: `/${family.replace('-', '_')}` });
      },
    });
    const home = emptyHome();
    const config = home.env.COPS_CONFIG_DIR ?? '';
    mkdirSync(config, { recursive: true, mode: 0o700 });
    const acme = {
      base_url: service.baseUrl,
      test_key: { kind: 'stored', key: 'test_key_of_the_tests_0001' },
      live_key: { kind: 'stored', key: LIVE_KEY },
    };
    writeFileSync(join(config, 'config.json'), JSON.stringify({ current: 'acme', profiles: { acme } }), {
      mode: 0o600,
    });
    const ids = Object.fromEntries(all.map((name) => [`${family}/${name}`, GROUPS[name]]));
    writeState(join(home.env.COPS_DATA_DIR ?? '', 'setup'), 'acme-live', service.baseUrl, ids);
    for (const more of [[], ['--dry-run']]) {
      const ran = await home.run(
        [...words, '--from', 'acme:test', '--to', 'acme:live', '--yes', '-o', 'json', '--max-retries', '0', ...more],
        {
          cwd: home.folder,
        },
      );
      expect(ran.code, ran.stderr).toBe(12);
      expect(errorOf(ran).message).toContain(`${family}/Regulars (${B})`);
    }
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
