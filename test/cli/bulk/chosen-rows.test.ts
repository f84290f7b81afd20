/** A run whose rows are those of a list: each is held against its condition once more, right before its request. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  customers,
  FAMILIES,
  joinedAccount,
  type Row,
  serveRows,
  subscriptions,
} from '../../fixtures/joined-account.js';
import { ok, refusal } from '../../fixtures/service/service.js';
import { StandingClock } from '../../harness/clock.js';

const countryOf = (row: Row): unknown =>
  customers.find(({ id }) => id === (row.customer as Row | null | undefined)?.id)?.country;
const WANTED = subscriptions
  .filter((row) => row.status === 'overdue' && countryOf(row) === 'CAN')
  .map(({ id }) => String(id));
/** The list has the oldest first. */
const firstOf = WANTED[0];
const LINE = ['bulk', 'subscriptions', 'suspend', '--where', 'status=overdue', '--where', 'customer.country=CAN'];

/** The account, whose subscriptions can change between the list and the request of one of them. */
async function setting(change: (row: Row) => Row | undefined = (row) => row) {
  let isListed = false;
  let isBroken = false;
  const changed = (): readonly Row[] =>
    isListed ? subscriptions.flatMap((row) => [change(row) ?? []].flat()) : subscriptions;
  const made = await joinedAccount();
  made.service.script(...Array.from({ length: 500 }, () => answer));
  function answer(request: Parameters<ReturnType<typeof serveRows>>[0]) {
    if (request.method === 'POST') {
      if (isBroken) return refusal(400, 'E0001', 'no');
      return ok({ subscription_id: request.path.split('/')[2], live_mode: false });
    }
    const isSingle = request.path.startsWith('/subscriptions/');
    if (isSingle) isListed = true;
    return serveRows({ ...FAMILIES, subscriptions: changed() })(request);
  }
  const run = (line: readonly string[]) => made.home.run([...line, '--tz', 'UTC'], { clock: new StandingClock() });
  const sent = () =>
    made.service.requests.filter(({ method }) => method === 'POST').map((one) => one.path.split('/')[2]);
  const breakWrites = (is: boolean) => {
    isBroken = is;
  };
  return { ...made, run, sent, breakWrites };
}

it('sends to all that fit, and to nothing of which nobody can tell', async () => {
  const { run, sent } = await setting();
  const ran = await run([...LINE, '--concurrency', '1']);
  expect(WANTED.length).toBeGreaterThan(3);
  expect(sent().toSorted()).toEqual(WANTED.toSorted());
  // Some overdue ones show no country.
  expect(ran.code, ran.stderr).toBe(10);
});

it.each([
  ['it no longer matches', (row: Row) => ({ ...row, status: 'active' })],
  ['is gone', () => undefined],
  ['shows a customer that nobody knows', (row: Row) => ({ ...row, customer: undefined })],
] as const)('passes over an item that %s when its turn comes, and says so', async (_, change) => {
  const [first, ...others] = WANTED;
  const { run, sent } = await setting((row) => (row.id === first ? change(row) : row));
  const ran = await run([...LINE, '--concurrency', '1']);
  expect(sent().toSorted()).toEqual(others.toSorted());
  expect(ran.code).toBe(10);
  expect(ran.stderr).toContain(`${first}`);
});

it('holds rows against the condition also where a journal is gone on with', async () => {
  const second = WANTED.find((id) => id !== firstOf);
  const late = new Set<unknown>();
  const { run, sent, home, breakWrites } = await setting((row) =>
    late.has(row.id) ? { ...row, status: 'active' } : row,
  );
  breakWrites(true);
  const stopped = await run([...LINE, '--concurrency', '1', '--max-failures', '1']);
  breakWrites(false);
  expect([stopped.code, sent()]).toEqual([1, [firstOf]]);
  const before = sent().length;
  const folder = path.join(home.folder, 'data/journals');
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.journal'));
  late.add(second);
  const resumed = await run(['bulk', 'resume', path.join(folder, name)]);
  expect(resumed.code, resumed.stderr).toBe(10);
  expect(sent().slice(before).toSorted()).toEqual(WANTED.filter((id) => id !== firstOf && id !== second).toSorted());
});

it('asks with the count, sends nothing without it, and shows the rows of a dry run', async () => {
  const { run, sent, service } = await setting();
  const live = await run([...LINE, '--live']);
  expect(live.code).toBe(12);
  const wrong = await run([...LINE, '--expect', String(WANTED.length + 1)]);
  expect(wrong.code).toBe(12);
  const dry = await run([...LINE, '--dry-run', '-o', 'json']);
  expect([0, 10]).toContain(dry.code);
  expect(dry.stdout).toContain(String(WANTED[0]));
  expect(sent()).toEqual([]);
  expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('takes rows from one place only', async () => {
  const { run, service } = await setting();
  for (const line of [
    [...LINE, '--ids', 'ids.txt'],
    ['bulk', 'subscriptions', 'suspend', '--last', '30d', '--ids', 'ids.txt'],
    ['bulk', 'customers', 'payment-methods', 'disable', '--where', 'enabled=yes'],
  ])
    expect((await run(line)).code, line.join(' ')).toBe(2);
  // What was is no ground for a write.
  expect((await run([...LINE, '--as-of', 'yesterday'])).code).toBe(12);
  expect(service.requests).toHaveLength(0);
});

it('leads from a file beside a condition to the lines that do it', async () => {
  const { run, sent, home, service } = await setting();
  const fit = WANTED.slice(0, 2);
  const other = subscriptions.find(({ status }) => status === 'active')?.id;
  const file = path.join(home.folder, 'my ids.txt');
  writeFileSync(file, `${[...fit, other].join('\n')}\n`);
  const few = await run([...LINE, '--ids', file, '--last', '30d']);
  expect(few.code).toBe(2);
  const chosen = '--where status=overdue --where customer.country=CAN';
  const line = `cops bulk subscriptions suspend ${chosen} --last 30d --tz UTC`;
  expect(few.stderr).toContain(`Those of them that meet it: ${line} --where id=${[...fit, other].join(',')}\n`);
  expect(few.stderr).toContain(`All that meet it: ${line}\n`);
  expect(few.stderr).toContain(`All of them: cops bulk subscriptions suspend --ids '${file}' --tz UTC\n`);
  expect(service.requests).toHaveLength(0);
  // It does what it says.
  await run([...LINE, '--last', '30d', '--where', `id=${[...fit, other].join(',')}`]);
  expect(sent().toSorted()).toEqual(fit.toSorted());

  writeFileSync(file, subscriptions.map(({ id }) => `${id}\n`).join(''));
  const many = await run([...LINE, '--ids', file]);
  expect(many.stderr).toContain(
    `cops subscriptions list ${chosen} -o ids | grep -Fxf '${file}' | cops bulk subscriptions suspend --tz UTC --ids -\n`,
  );
  const rows = await run([...LINE, '--input', 'rows.csv']);
  expect([rows.code, rows.stderr]).toEqual([2, expect.stringContaining('suspend --input rows.csv --tz UTC\n')]);
  const words = await run([...LINE, ...fit]);
  expect(words.stderr).toContain(`suspend ${chosen} --tz UTC --where id=${fit.join(',')}\n`);
});

it('writes to nothing where a comma of the choice reads two ways', async () => {
  const named = (name: string) => ({ ...(subscriptions[0]?.product as Row), name });
  const some = subscriptions.map((row, at) => ({ ...row, product: named(at % 2 ? 'Course' : 'Course, six parts') }));
  const { home, service } = await joinedAccount({ ...FAMILIES, subscriptions: some });
  const line = ['bulk', 'subscriptions', 'suspend', '--where', 'product.name=Course, six parts', '--yes'];
  const ran = await home.run(line, { clock: new StandingClock() });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('one value of product.name and a list');
  expect(service.requests.some(({ method }) => method === 'POST')).toBe(false);
});
