/** @module-tag thorough */
/** A name that means several things, none, or nearly one: what there is, with the line to be pasted. */
import { expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { home, pair } from '../helpers.js';
import { id } from './due-subscriptions.js';

const sandbox = (line: string) => home().run(['-p', 'sandbox', ...line.split(' ')]);

/** An account whose lists show these items, one family alike the other. */
const lists = (items: readonly { id: string }[]) =>
  pair((request) => {
    const found = items.find((item) => request.path.endsWith(`/${item.id}`));
    if (found) return ok(found);
    const of = request.path === '/customers' || request.path.includes('search') ? [] : items;
    return ok({ results: of, current_page: 1, current_count: of.length, total_count: of.length, total_pages: 1 });
  });

it('says that an action can be done to none of several, and while what it could', { tags: ['thorough'] }, async () => {
  const ran = await sandbox('subscriptions activate zoe.rossi.4@example.com');
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('and this is possible for none of them: nothing was sent');
  expect(ran.stderr).toContain('activate is possible while suspended:');
  expect(ran.stderr).toMatch(/active, .*next renewal .*, not possible in its state/);
  expect(ran.stderr).toMatch(/cancelled, .*not possible in its state/);
  expect(ran.stderr).not.toMatch(/activate \w{20}/);
});

it('says what all of several share where that forbids the action', async () => {
  const ran = await sandbox('trials cancel zoe.rossi.4@example.com');
  expect(ran.code).toBe(2);
  expect(ran.stderr.match(/expired, .*not possible in its state/g)).toHaveLength(2);
});

it('gives a whole line for each of many that an action can be done to', async () => {
  const customer = { id: id(99), email: 'jane@example.com' };
  const one = (at: number) => ({ id: id(at), created_date_unix: 1_700_000_000 + at, status: 'suspended', customer });
  const { home: there } = await lists(Array.from({ length: 9 }, (_none, at) => one(at)));
  const ran = await there.run(['subscriptions', 'activate', 'jane@example.com', '--reason', 'she asked']);
  expect(ran.code).toBe(2);
  for (let at = 0; at < 9; at++)
    expect(ran.stderr).toContain(`cops subscriptions activate ${id(at)} --reason 'she asked'\n`);
});

it('names the groups there are for one that is none', async () => {
  const ran = await sandbox('customers add-to-group tom.rossi.110@example.com --group VIPS --dry-run');
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toMatch(/There are: .*Regulars/);
});

it.each(['--group=regulars', '--group regulars'])(
  'takes a group in other capitals, and says which it is: %s',
  async (group) => {
    const ran = await sandbox(`customers add-to-group tom.rossi.110@example.com ${group} --dry-run`);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toMatch(/"regulars" is \w{20} of customer-groups \(Regulars/);
  },
);

it('names what there is of any family of set-up, read or written', async () => {
  for (const line of ['coupons get NOSUCH', 'subscription-profiles get nosuch', 'products edit nosuch --name x'])
    expect((await sandbox(line)).stderr).toMatch(/There are: .+ All of them: cops -p sandbox [\w-]+ list/);
});

it('names coupons by their codes, as a line takes them', async () => {
  expect((await sandbox('coupons get nosuch')).stderr).toContain('SAVE10');
});

it('says that there is nothing yet, and lists ten names of many', async () => {
  const none = await lists([]);
  expect((await none.home.run(['customer-groups', 'get', 'VIP'])).stderr).toContain(
    'There are no customer groups yet.',
  );
  const many = await lists(Array.from({ length: 13 }, (_none, at) => ({ id: id(at), name: `Group ${at}` })));
  const ran = await many.home.run(['customer-groups', 'get', 'VIP']);
  expect(ran.stderr).toContain('"Group 9", and 3 more. All of them: cops customer-groups list');
  expect(ran.stderr).not.toContain('Group 10');
});
