/** @module-tag sweep */
/** What support, finance and engineers typed in the fourth trial, and was answered in part only. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { id, ok, refusal } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';
import { Home } from '../program.js';
import { REPORT_FAMILIES } from '../report/families.js';

const SANDBOX = ['-p', 'sandbox'];

let home: Home;
beforeAll(async () => {
  home = new Home();
  await home.run([...SANDBOX, 'sync', ...REPORT_FAMILIES.map((name) => name.replaceAll('_', '-'))]);
}, 120_000);
afterAll(() => home.remove());

const reported = (...line: string[]) => home.run([...SANDBOX, 'report', ...line]);

describe('the average of an order', () => {
  const ask = (...line: string[]) => reported(...line, '--year', '2026');
  const rowsOf = (stdout: string) =>
    (JSON.parse(stdout) as { rows: { kind: string; product?: string; payments: number }[] }).rows;

  it('is of orders alone, renewals and trials left out, and that is said', async () => {
    const ran = await ask('aov', '--by', 'product', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(new Set(rowsOf(ran.stdout).map(({ kind }) => kind))).toEqual(new Set(['sale']));
    expect(ran.stderr).toContain('Note: orders alone (kind sale)');
    const { notes } = JSON.parse(ran.stdout) as { notes: string[] };
    expect(notes.join()).toContain('orders alone (kind sale)');
  });

  it('is the figure that the whole report has for orders, its totals too', async () => {
    const whole = rowsOf((await ask('revenue', '--by', 'kind', '-o', 'json')).stdout);
    const orders = whole.filter(({ kind }) => kind === 'sale');
    expect(whole.length).toBeGreaterThan(orders.length);
    expect(rowsOf((await ask('aov', '-o', 'json')).stdout)).toEqual(orders);
    const { totals } = JSON.parse((await ask('aov', '--by', 'product', '-o', 'json')).stdout) as { totals: unknown[] };
    expect(totals).toMatchObject(orders);
  });

  it('says why the payments of products come to more than the orders', async () => {
    interface Paid {
      readonly currency: string;
      readonly payments: number;
    }
    const ran = await ask('aov', '--by', 'product', '-o', 'json');
    const { rows, totals } = JSON.parse(ran.stdout) as { rows: Paid[]; totals: Paid[] };
    const dollars = (some: Paid[]) =>
      some.filter(({ currency }) => currency === 'USD').reduce((sum, { payments }) => sum + payments, 0);
    expect(dollars(rows)).toBeGreaterThan(dollars(totals));
    expect(ran.stderr).toContain(`USD ${dollars(rows)} in the rows, ${dollars(totals)} in all`);
    expect(ran.stderr).toContain('an order of several products is in the row of each');
    expect((await ask('aov', '--by', 'country', '-o', 'json')).stderr).not.toContain('add up');
  });

  it('has its parts where they are asked for, and is held against another year', async () => {
    const kinds = rowsOf((await ask('aov', '--by', 'kind', '-o', 'json')).stdout).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['sale', 'renewal', 'trial']));
    const against = rowsOf((await ask('aov', '--against', '2025', '-o', 'json')).stdout);
    expect(new Set(against.map(({ kind }) => kind))).toEqual(new Set(['sale']));
  });
});

it('says how many overdue subscriptions recurring revenue leaves out', async () => {
  const leftOut = async (days: string) => {
    const { stdout, stderr } = await reported('mrr', '--overdue-days', days, '-o', 'json');
    const counted = (JSON.parse(stdout) as { rows: { subscriptions: number }[] }).rows;
    const said = /(\d+) subscriptions? overdue for more than/.exec(stderr)?.[1] ?? '0';
    return [counted.reduce((sum, { subscriptions }) => sum + subscriptions, 0), Number(said)] as const;
  };
  const [all, none] = await leftOut('3650');
  const [held, gone] = await leftOut('30');
  expect(none).toBe(0);
  expect(gone).toBeGreaterThan(0);
  expect(held + gone).toBe(all);
});

it('says how much recurring revenue leaves out because its trial is not paid', async () => {
  const { stderr } = await reported('mrr');
  const said = /(\d+) subscriptions? whose trial nobody paid (?:is|are) not in it[^:]*: (.*)/.exec(stderr);
  const asked = `select count(distinct s.id) as n from subscriptions s join raw_trials t on (t.status = 'active' or t.expired_result = 'failed')
      and not exists (select 1 from raw_subscription_renewals r where r.subscription_id = s.id and r.amount_captured > 0)
    where s.status in ('active', 'overdue') and exists (select 1 from json_each(t.subscriptions) j where j.value = s.id)`;
  const [row] = JSON.parse((await home.run([...SANDBOX, 'sql', asked, '-o', 'json'])).stdout) as { n: number }[];
  expect(row?.n).toBeGreaterThan(0);
  expect(Number(said?.[1])).toBe(row?.n);
  expect(said?.[2]).toMatch(/^\d+\.\d\d [A-Z]{3}/);
});

describe('what is still to collect of a customer', () => {
  interface Salvage {
    readonly id: string;
    readonly status: string;
    readonly customer: { readonly id: string };
  }
  let open: Map<string, string[]>;
  beforeAll(async () => {
    const all = await home.run([...SANDBOX, 'salvage-transactions', 'list', '--all-time', '-o', 'json']);
    open = new Map();
    for (const { id: one, status, customer } of JSON.parse(all.stdout) as Salvage[])
      if (['created', 'failed'].includes(status)) open.set(customer.id, [...(open.get(customer.id) ?? []), one]);
    // Those of whom most is open, and one of whom little is.
    open = new Map([...open].sort(([, a], [, b]) => b.length - a.length).filter((_, at) => at < 3 || at === 9));
  });
  const idsIn = (items: readonly { readonly id: string }[]) => items.map(({ id: one }) => one).sort();

  it('is shown whole, or said not to be', async () => {
    for (const [customer, ids] of open) {
      const ran = await home.run([...SANDBOX, 'customers', 'show', customer, '-o', 'json']);
      const { to_collect: found, looked } = JSON.parse(ran.stdout);
      if (idsIn(found).join() !== ids.sort().join()) {
        expect(looked.to_collect.total).toBeNull();
        expect(ran.stderr).toMatch(/^Not read: .*(?:further amounts to collect|of salvage-transactions)/m);
      }
      const screen = await home.run([...SANDBOX, 'customers', 'show', customer], { terminal: 120 });
      expect(screen.stdout).not.toMatch(/None: [^.]*to collect/);
    }
  });

  it('is shown whole where everything is read, and stands in the whole timeline', async () => {
    for (const [customer, ids] of open) {
      const whole = await home.run([...SANDBOX, 'customers', 'show', customer, '--all', '-o', 'json']);
      expect(idsIn(JSON.parse(whole.stdout).to_collect)).toEqual(ids.sort());
      const life = await home.run([...SANDBOX, 'timeline', customer, '--all', '-o', 'json']);
      expect(idsIn(JSON.parse(life.stdout))).toEqual(expect.arrayContaining(ids));
    }
  });
});

it('says that a timeline from a day on is without later changes of what is older', async () => {
  const ran = await home.run([...SANDBOX, 'timeline', 'sofia.muller.132@example.com', '--from', '2026-09-01']);
  expect(ran.stderr).toMatch(/Not read: what was made before 2026-09-01T[\d:]+Z and changed since .*--all/);
});

describe('an action on a person who has several subscriptions', () => {
  const cancel = [...SANDBOX, 'subscriptions', 'cancel', 'sofia.muller.132@example.com'];

  it('is asked about the only one that it can still be done to, in test mode too', async () => {
    const asked = await home.run(cancel, { terminal: 120, input: 'n\r' });
    expect(asked.stderr).toContain('the only one of 2 to which this can still be done');
    expect(asked.code).toBe(12);
  });

  it.each([[[]], [['--yes']]])('lists them where nobody is asked: %j', async (more) => {
    const ran = await home.run([...cancel, ...more], more.length === 0 ? {} : { terminal: 120 });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('means 2 items of subscriptions')]);
  });
});

describe('bulk resume without a journal', () => {
  const IDS = [1, 2, 3].map((n) => id(`SUB${n}`));

  /** A run of three rows that stopped after the first failure. */
  async function stopped() {
    const now = { fails: true };
    const { home: own } = await pair(({ method }) => {
      if (method === 'GET') return ok({ id: IDS[0], live_mode: false });
      return now.fails ? refusal(404, 'E0001', 'no such') : ok({ result: 'success' });
    });
    const ids = path.join(own.folder, 'ids.txt');
    writeFileSync(ids, IDS.join('\n'));
    const start = ['bulk', 'subscriptions', 'cancel', '--ids', ids, '--concurrency', '1', '--max-failures', '1'];
    const begin = async () => own.run([...start, '--again']);
    expect((await begin()).stderr).toContain('cops bulk resume');
    now.fails = false;
    return { own, begin, now };
  }

  it('takes the only one that is not at its end, for a person, and names it', async () => {
    const { own } = await stopped();
    const ran = await own.run(['bulk', 'resume'], { terminal: 100 });
    expect(ran.stderr).toMatch(/^The only journal that is not at its end:\s.*\.journal$/m);
    const [row] = JSON.parse((await own.run(['bulk', 'list', '-o', 'json'])).stdout) as object[];
    expect(row).toMatchObject({ done: 2, refused: 1, not_started: 0 });
  });

  it('names the line and does nothing in a script, and where there are two', async () => {
    const { own, begin, now } = await stopped();
    const script = await own.run(['bulk', 'resume']);
    expect([script.code, script.stderr]).toEqual([2, expect.stringContaining('Did you mean "cops bulk resume ')]);
    now.fails = true;
    await begin();
    const two = await own.run(['bulk', 'resume'], { terminal: 100 });
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('1 more is not at the end')]);
  });
});

describe('what was said in part only', () => {
  it('takes a quarter without a year for the last that has begun, in lists and reports', async () => {
    for (const line of [
      ['sales', 'list', '--count'],
      ['report', 'revenue'],
    ]) {
      const ran = await home.run([...SANDBOX, ...line, '--quarter', 'Q3']);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toMatch(/Q3 is read as 20\d\d-Q3, the last that has begun\./);
    }
  });

  it('keeps the figures of groups in their rows, where they are the same in all', async () => {
    const ran = await home.run([...SANDBOX, 'customers', 'list', '--group-by', 'id', '--no-color'], { terminal: 120 });
    expect(ran.stdout).toMatch(/^ID +COUNT$/m);
  });

  it('keeps the words of the line where it names what still waits', async () => {
    const ran = await home.run([...SANDBOX, 'shipping', 'list', '--customer', 'sofia.muller.132@example.com']);
    expect(ran.stderr).toContain('shipping list --customer sofia.muller.132@example.com --status notshipped');
  });

  it('gives no range beside that of what is due', async () => {
    const ran = await home.run([...SANDBOX, 'trials', 'list', '--next', '7d']);
    expect(ran.stderr).not.toContain('No range given');
  });

  it('names the profile in the lines that go on with a run', async () => {
    const ids = path.join(home.folder, 'ids.txt');
    writeFileSync(ids, ['A', 'B', 'C'].map((one) => id(one)).join('\n'));
    const bulk = ['bulk', 'subscriptions', 'cancel', '--ids', ids, '--concurrency', '1', '--max-failures', '1'];
    const ran = await home.run([...SANDBOX, ...bulk]);
    expect(ran.stderr).toContain('cops -p sandbox bulk resume ');
    const bare = await home.run(['bulk', 'resume']);
    expect(bare.stderr).toContain('Did you mean "cops -p sandbox --test bulk resume ');
    const [row] = JSON.parse((await home.run(['bulk', 'list', '-o', 'json'])).stdout) as { journal: string }[];
    const limited = await home.run(['bulk', 'list', '--limit', '1', '-o', 'json']);
    expect(JSON.parse(limited.stdout)).toHaveLength(1);
    expect((await home.run(['bulk', 'subscriptions', 'cancel', 'x', '--limit', '1'])).code).toBe(2);
    const status = await home.run(['bulk', 'status', row?.journal ?? '', '-o', 'json']);
    expect(JSON.parse(status.stdout).next[0]).toMatch(/^cops -p sandbox --test bulk resume /);
    expect(row).toMatchObject({ failed: 1 });
  });

  it('leads a file of rows for a single write to the run over many', async () => {
    const ran = await home.run([...SANDBOX, 'subscriptions', 'cancel', '--input', 'rows.csv']);
    expect(ran.stderr).toContain('Did you mean "cops -p sandbox bulk subscriptions cancel --input rows.csv"?');
  });

  it('sends nothing of what items show where an action has no fields that are known', async () => {
    const rows = path.join(home.folder, 'rows.csv');
    writeFileSync(rows, `id,status,customer.email,why\n${id('A')},active,a@b.c,asked\n`);
    const ran = await home.run([...SANDBOX, 'bulk', 'subscriptions', 'cancel', '--input', rows, '--dry-run']);
    expect(ran.stderr).toContain('Columns left out: status, customer.email.');
    expect(ran.stderr).toContain('no field of this action is documented: why.');
    expect((JSON.parse(ran.stdout) as { body: object }[])[0]?.body).toMatchObject({ why: 'asked' });
    expect(ran.stdout).not.toContain('active');
  });

  it('puts a customer into a group whichever of both is named first', async () => {
    const ran = await home.run([
      ...SANDBOX,
      'customer-groups',
      'add',
      'liam.larsen.122@example.com',
      'Regulars',
      '--dry-run',
    ]);
    expect(ran.stderr).toContain('This is read as cops -p sandbox customers add-to-group liam.larsen.122@example.com');
  });
});

describe('a customer who has another e-mail address now', () => {
  const WAS = 'katarzyna.haddad.117@example.com';
  const IS = 'kasia.haddad@example.com';
  const own = async (...line: string[]) => {
    const ran = await home.run([...SANDBOX, ...line]);
    expect(ran.code, ran.stderr).toBe(0);
    return ran.stdout;
  };
  const idsOf = (text: string) => (JSON.parse(text) as { id: string }[]).map((one) => one.id).sort();
  let customer: string;
  beforeAll(async () => {
    customer = (JSON.parse(await own('customers', 'get', WAS, '-o', 'json')) as { id: string }).id;
    await own('customers', 'edit', customer, '--email', IS);
  });

  it('keeps by the new address what was made under the old one', async () => {
    const renewals = idsOf(
      await own('subscription-renewals', 'list', '--all-time', '--customer', customer, '-o', 'json'),
    );
    const several = await home.run([...SANDBOX, 'subscription-renewals', 'refund', IS, '--dry-run']);
    expect(several.stderr).toContain(`means ${renewals.length} items of subscription-renewals`);
    const sales = idsOf(await own('sales', 'list', '--all-time', '--customer', customer, '-o', 'json'));
    expect(sales.length).toBeGreaterThan(1);
    const read = await home.run([...SANDBOX, 'sales', 'get', IS]);
    expect([read.code, read.stderr]).toEqual([2, expect.stringContaining(`means ${sales.length} items of sales`)]);
  });

  it('is shown with all that there is, or the screen says what it lacks', async () => {
    const sales = idsOf(await own('sales', 'list', '--all-time', '--customer', customer, '-o', 'json'));
    const trials = idsOf(await own('trials', 'list', '--all-time', '--customer', customer, '-o', 'json'));
    const whole = JSON.parse(await own('customers', 'show', IS, '--all', '-o', 'json'));
    expect(idsOf(JSON.stringify(whole.orders))).toEqual(sales);
    expect(idsOf(JSON.stringify(whole.trials))).toEqual(trials);
    expect(await own('customers', 'show', IS)).toContain('made under an earlier e-mail address');
  });
});

describe('a hint that is ready to be pasted', () => {
  it.each([
    ['customers create new.json', 'Did you mean "cops -p sandbox customers create --body @new.json"?'],
    ['products copy Mug', 'products copy Mug --from test --to live'],
    ['subscriptions pause sofia.muller.132@example.com', '--by 1mo\n'],
  ])('%s', async (line, hint) => {
    const ran = await home.run([...SANDBOX, ...line.split(' ')]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(hint);
  });
});

it('reads the export of a family whichever of both words is first', async () => {
  const file = path.join(home.folder, 'products.csv');
  const ran = await home.run([...SANDBOX, 'products', 'export', '--out', file]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('products export is read as export products.');
});

it('takes what is set up by its name, whatever its key is', async () => {
  const ran = await home.run([...SANDBOX, 'coupons', 'get', 'Five off', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'Five off' });
});

describe('what a third trial typed', () => {
  it('takes the period that an option names in full', async () => {
    for (const [option, words] of [
      ['--month', 'last month'],
      ['--quarter', 'last quarter'],
      ['--year', 'this year'],
    ]) {
      const short = String(words).split(' ')[0] ?? '';
      const count = async (text: string) =>
        (await home.run([...SANDBOX, 'sales', 'list', String(option), text, '--count'])).stdout;
      expect(await count(String(words))).toBe(await count(short));
      expect((await home.run([...SANDBOX, 'report', 'revenue', String(option), String(words)])).code).toBe(0);
    }
    expect((await home.run([...SANDBOX, 'sales', 'list', '--month', 'last year'])).code).toBe(2);
  });

  it('takes a sum with its currency', async () => {
    const list = async (...line: string[]) =>
      (await home.run([...SANDBOX, 'sales', 'list', '--all-time', ...line])).stdout;
    const both = await list('--where', 'amount>50', '--where', 'iso_currency=GBP', '--count');
    expect(Number(both)).toBeGreaterThan(0);
    expect(await list('--where', 'amount>50 GBP', '--count')).toBe(both);
  });

  it('voids the latest order of a person, and not the one before it when it is typed again', async () => {
    const who = 'liam.larsen.122@example.com';
    const line = [...SANDBOX, 'sales', 'void', who, '--latest'];
    const list = [...SANDBOX, 'sales', 'list', '--all-time', '--customer', who, '--sort', '-created', '-o', 'json'];
    const [newest] = JSON.parse((await home.run(list)).stdout) as { id: string }[];
    const first = await home.run(line);
    expect([first.code, first.stderr], first.stderr).toEqual([0, expect.stringContaining(newest?.id ?? '-')]);
    const again = await home.run([...line, '--again']);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain(newest?.id);
  });
});

it('names what differs between two environments though nothing tells whether a write takes it', async () => {
  const diff = async () => {
    const ran = await home.run([...SANDBOX, 'setup', 'diff', 'sandbox:test', 'sandbox:live'], { terminal: 120 });
    expect(ran.stderr).toMatch(
      /Not compared: keys and passwords, which no answer shows, .* nor .*campaigns.*project-notes/s,
    );
    return ran.stdout;
  };
  expect(await diff()).not.toContain('max_uses of SAVE10');
  await home.run([...SANDBOX, 'coupons', 'edit', 'SAVE10', '-d', 'max_uses:=999']);
  await home.run([...SANDBOX, 'user-shops', 'edit', 'Corner Shop', '-d', 'enabled:=false']);
  const found = await diff();
  expect(found).toContain('coupons: max_uses of SAVE10: differs, and stays so');
  expect(found).toContain('user-shops: enabled of Corner Shop: differs, and stays so');
  const folder = path.join(home.folder, 'shop');
  const pulled = await home.run([...SANDBOX, 'setup', 'pull', folder, '-o', 'json']);
  expect(JSON.parse(pulled.stdout).not_in_files.join('\n')).toContain('coupons: max_uses of');
});
