/** @module-tag sweep */
/** A line that is not understood sends nothing, and ends with the one that does what is meant. */
import { afterAll, describe, expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { A, home, pair } from '../helpers.js';
import { Home } from '../program.js';
import { account, clock } from './due-subscriptions.js';

const SANDBOX = ['-p', 'sandbox'];

const shop = new Home();
afterAll(() => shop.remove());

it.each([
  [['sales', 'list', '--next', '7d'], /cops subscriptions list --next 7d/],
  [['trials', 'list', '--from', 'now', '--to', '+7d'], /cops trials list --next 7d/],
  [['subscriptions', 'list', '--next', 'soon'], /--next: "soon" is not a span/],
  [['customers', 'edit', A, '--group'], /cops customers add-to-group/],
] as const)('refuses %j with the line that answers', async (line, hint) => {
  const { service, home } = await account();
  const ran = await home.run(line, { clock });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toMatch(hint);
  expect(service.requests).toHaveLength(0);
});

it.each([
  ['subscriptions pause {}', /Did you mean "cops subscriptions suspend/],
  ['subscriptions pause {} {}', /Did you mean "cops subscriptions suspend/],
  ['subscriptions suspend {} --for 1mo', /cops subscriptions postpone \w+ --by 1mo/],
  ['subscriptions suspend {} --until 2026-12-21', /cops subscriptions postpone \w+ --until 2026-12-21/],
  ['subscriptions pause {} --sometime --yes', /"cops subscriptions suspend \w+ --yes"/],
  ['pause --quietly {} --why later', /"cops subscriptions suspend \w+"/],
  ['product-sales return {} --half --why=late', /"cops product-sales refund \w+ --half"/],
  ['subscriptions suspend {} --until 2028-02-21 --reason x', /--until 2028-02-21 --reason x"/],
  ['subscriptions pause --reason holiday {}', /suspend --reason holiday \w{20}".* postpone \w{20} --by 1mo$/m],
  ['auth --foo', /Did you mean "cops login"/],
  ['subscriptions postpone {}', /--by 1mo, or --until/],
  ['subscriptions postpone {} --by 5min', /not a number of days/],
  ['policy deny refund', /cops policy add refund/],
  ['customers list --where country=EU', /several: name those.*: country=AUT,BEL,.*,SWE$/m],
  ['sales list --where customer.country!=Europe', /customer.country=DEU,FRA/],
  ['report revenue --where country=EU', /several: name those.*: country=AUT,BEL,.*,SWE$/m],
  ['sales list -o xlsx', /cops export sales --out sales.xlsx/],
  [
    'export sales --where currency=USD --campaign {} --out x.csv',
    /cops sales list --where currency=USD --campaign \w{20} --all-time -o csv > x.csv"/,
  ],
  [
    'export sales --month 2026-10 --without chargebacks --out x.jsonl',
    /cops sales list --month 2026-10 --without chargebacks -o jsonl > x.jsonl"/,
  ],
  [
    'export sales --month 2026-10 --where currency=USD --sample 10 --seed 3 --out x.parquet',
    /cops sales list --month 2026-10 --where currency=USD -o jsonl \| shuf -n 10 --random-source=<\(yes 3\) > x.jsonl$/m,
  ],
  ['export customers --sample=5% --out x.csv', /list --all-time -o jsonl \| awk '[^']*0\.05' > x\.jsonl$/m],
])('sends nothing for %s', async (line, hint) => {
  const { service, home } = await pair(() => ok());
  const ran = await home.run(line.replaceAll('{}', A).split(' '));
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toMatch(hint);
  expect(service.requests).toHaveLength(0);
});

it.each([
  ['sales get {} --latest', /you need its id: cops -p sandbox sales list --customer \w{20}/],
  ['shipping list --livee', /^(?!.*Did you mean)/s],
  [
    'sales list --year 2026 --where currency=USD --average',
    /sales list --year 2026 --where currency=USD --sum amount '--sort=-avg\(amount\)'"/,
  ],
  [
    'sales list --max amount --currency USD --where amount>5',
    /sales list --currency USD --where 'amount>5' --sum amount '--sort=-max\(amount\)'"/,
  ],
  ['sales list --max 10 --currency USD', /sales list --limit 10 --currency USD"/],
  ['customers list --largest created --where country=USA', /--where country=USA --sort=-created --limit 1"/],
  [
    'sales list --sum avg(amount) --sum amount --where currency=USD',
    /--where currency=USD --sum amount '--sort=-avg\(amount\)'$/m,
  ],
  ['customers list --search emma', /cops -p sandbox customers search emma/],
  ['sales list --last 90d --where status>=400', /status holds text, and 400 is a number/],
  ['sales list --last 90d --group-by product', /Did you mean "products.name"/],
  [
    'pending-refunds list',
    /To see all that are still pending, however old: cops -p sandbox pending-refunds list --status pending$/m,
  ],
  [
    'subscriptions get {} --until status=cancelled --timeout 10',
    /s=\$\(cops -p sandbox subscriptions get \w{20} --query status\) && \[ "\$s" != '"cancelled"' \]/,
  ],
  ['subscriptions wait {}', /cops -p sandbox subscriptions get \w{20} --query status/],
  ['subscriptions get {} --watch', /cops -p sandbox subscriptions get \w{20} --query status/],
  ['wait {}', /cops -p sandbox subscriptions get/],
  ['help wait', /No command waits for a state/],
  ['helo bob', /^(?!.*cops help bob)/s],
  ['profiles edit shop --proxy http://proxy.test:3128', /HTTPS_PROXY=http:\/\/proxy.test:3128 cops -p shop whoami/],
  [
    'profiles edit shop --read-only --no-proxy localhost --proxy http://proxy.test:3128',
    /Without it: cops -p sandbox profiles edit shop --read-only\s.*HTTPS_PROXY=http:\/\/proxy.test:3128 cops/s,
  ],
  ['profiles edit shop --proxy http://proxy.test:3128', /alias cops-shop='HTTPS_PROXY=\S+:3128 cops -p shop'/],
  [
    'profiles edit shop --read-only --proxy http://proxy.test:3128',
    /Without it: cops -p sandbox profiles edit shop --read-only\n/,
  ],
  // An edit without anything to edit would be refused.
  ['profiles edit shop --proxy http://proxy.test:3128', /^(?!.*Without it)/s],
  ['profiles edit shop --proxy=http://me:pw@proxy.test:3128', /^(?!.*pw@)/s],
])('leads from %s to what answers', async (line, hint) => {
  const ran = await home().run(['-p', 'sandbox', ...line.replace('{}', A).split(' ')]);
  expect(ran.stderr).toMatch(hint);
});

it.each([['subscriptions count'], ['subscriptions pause X'], ['declines list'], ['orders create']])(
  'only hints where a word means less plainly, or writes: %s',
  async (line) => {
    const ran = await home().run(['-p', 'sandbox', ...line.split(' ')]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('Did you mean');
  },
);

it('keeps profile and mode in every command that a hint names', async () => {
  const ran = await home().run(['-p', 'sandbox', '--test', 'report', 'revenue', '--month', 'last', '--no-sync']);
  expect(ran.code).toBe(11);
  expect(ran.stderr).toContain('cops -p sandbox --test sync');
});

it('names the line that pauses for a month with the words of the line', async () => {
  const ran = await home().run(['subscriptions', 'pause', 'jane@example.com']);
  expect(ran.stderr).toContain('cops subscriptions postpone jane@example.com --by 1mo');
});

it('says where a field belongs that stands at the top of a body', async () => {
  const body = JSON.stringify({ first_name: 'Jane', email: 'jane@example.com', nonsense: 1 });
  const ran = await home().run(['-p', 'sandbox', 'customers', 'create', '--body', body]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('first_name: is not a field here; it belongs below customer: customer.first_name');
  expect(ran.stderr).toContain('email: is not a field here; it belongs below customer: customer.email');
  expect(ran.stderr).not.toContain('nonsense: is not a field here; it belongs');
});

describe('a hint that is ready to be pasted', () => {
  it.each([
    ['customers create new.json', 'Did you mean "cops -p sandbox customers create --body @new.json"?'],
    ['products copy Mug', 'products copy Mug --from test --to live'],
    ['subscriptions pause sofia.muller.132@example.com', '--by 1mo\n'],
  ])('%s', async (line, hint) => {
    const ran = await shop.run([...SANDBOX, ...line.split(' ')]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(hint);
  });
});
