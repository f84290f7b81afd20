/** A typed value goes only into a place of the same meaning, and what the service lacks is said. */
import { afterAll, describe, expect, it } from 'vitest';
import { CAPABILITIES } from '../../../src/cli/guess/capabilities.js';
import { cardHint } from '../../../src/cli/guess/card-hint.js';
import { Home } from '../program.js';

const home = new Home({ COPS_PROFILE: 'sandbox' });
afterAll(() => home.remove());

const ID = 'ABCDEFGHIJ0123456789';
const run = (line: readonly string[], input?: string) => home.run(line, input === undefined ? {} : { input });

describe('the cards', () => {
  /** Names of fields and options that hold numbers of other kinds. */
  const OTHERS = 'quantity discount discount-rate trial-days stock weight off points percent max-uses seats'.split(' ');
  /** Options whose value is a sum of money, and switches of ours, behind which a number stands by itself. */
  const SUMS = /^(?:amount|price|cost|fee|sum|total|value|new|to|part|partial|only|refund|again)$/;

  it.each([...CAPABILITIES.entries()])(
    'carry no number into a sum of money that is not one: %i',
    (_at, { said, of }) => {
      const own = new Set(said.flatMap((one) => one.split(/[ |]/)));
      const first = said.map((one) => one.split(' ').map((group) => group.split('|')[0] ?? ''));
      const wrong = (of ?? ['']).flatMap((family) =>
        [...own, ...OTHERS].flatMap((word) =>
          first.flatMap((words) => {
            const line = [family, ...words, ID, `--${word}`, '37'].filter(Boolean);
            const isSum = word.split('-').every((part) => SUMS.test(part));
            return !isSum && /--amount 37|amount=37/.test(String(cardHint(line) ?? '')) ? line.join(' ') : [];
          }),
        ),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('leave the place of a sum open where the typed one has another meaning', () => {
    expect(String(cardHint(['subscriptions', 'discount', ID, '5']))).toContain('--amount <new amount>');
    expect(String(cardHint(['customers', 'refund', 'jane@example.com', '--percent', '50']))).toContain(
      '--amount <part>',
    );
    expect(String(cardHint(['customers', 'refund', 'jane@example.com', '50']))).toContain('--amount 50');
    expect(String(cardHint(['customers', 'refund', 'jane@example.com']))).not.toContain('--amount');
    expect(String(cardHint(['customers', 'rename', ID, '--nickname', 'Bob']))).not.toContain('Bob');
  });
});

describe('what the service lacks', () => {
  it.each([
    [['subscriptions', 'edit', ID, '--quantity', '3'], /quantity of a subscription cannot be changed/],
    [['subscriptions', 'edit', ID, '-d', 'quantity=3'], /quantity of a subscription cannot be changed/],
    [['products', 'create', '--name', 'Mug', '--price', '5', '-d', 'currency=EUR'], /no currency/],
    [['products', 'create', '--name', 'Mug', '--price', '5', '--currency', 'EUR'], /no currency/],
    [
      ['coupons', 'create', '-d', 'coupon_code=A1', '-d', 'max_uses_per_customer=1'],
      /all its uses, never those of one/,
    ],
    [['coupons', 'create', '-d', 'coupon_code=A1', '-d', 'once_per_person=true'], /all its uses, never those of one/],
    [['tax-profiles', 'create', '--name', 'VAT', '-d', 'rate=20'], /holds no rates/],
    [['users', 'create', '--email', 'mia@example.com', '--role', 'support'], /Users and their rights/],
    [['colleagues', 'list'], /Users and their rights/],
    [['roles', 'edit', 'support'], /Users and their rights/],
    [['settings', 'show'], /in the web application/],
    [['sales', 'send-receipt', ID], /cannot be sent again/],
    [['subscriptions', 'uncancel', ID], /cancelled one cannot come back/],
    [['subscriptions', 'cancel', ID, '--refund'], /two commands/],
    [['config', 'set', 'proxy', 'http://p:3128'], /HTTPS_PROXY/],
    [['profiles', 'edit', 'sandbox', '--https-proxy', 'http://p:3128'], /HTTPS_PROXY/],
  ])('%j is answered by a sentence, and nothing is sent', async (line, says) => {
    const ran = await run([...line, '--no-input']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(says);
    expect(ran.stderr).not.toMatch(/Did you mean|--amount 3\b|customers create|key-values/);
  });

  it.each([
    [['subscriptions', 'cancel', ID, '-d', 'cancel_at_period_end=true'], /never at the end of a period/],
    [
      ['subscriptions', 'cancel', ID, ID.replace('A', 'B'), '-d', 'at_period_end:=true'],
      /never at the end of a period/,
    ],
    [
      ['subscriptions', 'cancel', ID, '--body', '{"options":{"cancel_at_period_end":true}}'],
      /options.cancel_at_period_end is not a field/,
    ],
    [['subscriptions', 'cancel', ID, '-d', 'refund=true'], /two commands/],
    [['subscriptions', 'cancel', ID, '-d', 'prorate=true'], /does not prorate|whole amount/],
    [['subscriptions', 'suspend', ID, '-d', 'resume_at=2027-01-01'], /does not end automatically/],
    [['subscriptions', 'renew', ID, '-d', 'amount=3'], /charges the whole amount/],
    [['subscriptions', 'renew', ID, '--amount', '3'], /charges the whole amount/],
    [['transactions', 'refund', ID, '-d', 'cancel_subscription=true'], /two commands/],
    [['sales', 'void', ID, '-d', 'amount=3'], /Only a whole order can be voided/],
    [['subscriptions', 'edit', ID, '-d', 'product=Mug'], /only in the web application/],
    [
      ['bulk', 'subscriptions', 'cancel', '--ids', '-', '-d', 'cancel_at_period_end=true'],
      /never at the end of a period/,
    ],
    [['bulk', 'subscriptions', 'cancel', '--input', '-'], /never at the end of a period/],
  ])('%j: an action on money says so instead of being sent', async (line, says) => {
    const rows = line.includes('--input') ? `id,cancel_at_period_end\n${ID},true\n` : `${ID}\n`;
    const ran = await run([...line, '--yes', '--no-input'], line[0] === 'bulk' ? rows : undefined);
    expect(ran.code, ran.stderr).toBe(2);
    expect(ran.stderr).toMatch(says);
  });

  it.each([
    ['subscriptions', 'cancel', ID, '-d', 'reason=moved'],
    ['subscriptions', 'cancel', ID, '-d', 'comment=end of contract'],
    ['subscriptions', 'suspend', ID, '-d', 'note=asked by phone'],
  ])('%s %s sends a field of no known meaning as given', async (...line) => {
    const { code, stdout, stderr } = await run([...line, '--dry-run', '-o', 'json']);
    expect(code, stderr).toBe(0);
    const [name = '', value] = line.at(-1)?.split('=') ?? [];
    expect(JSON.parse(stdout)).toMatchObject({ body: { [name]: value } });
  });

  it('is sent where that is said', async () => {
    const line = [
      'products',
      'create',
      '--name',
      'Mug',
      '--price',
      '5',
      '-d',
      'currency=EUR',
      '--no-validate',
      '--dry-run',
    ];
    expect(await run(line)).toMatchObject({ code: 0 });
  });

  it('is told after a refusal that it explains', async () => {
    const cancelled = (
      await run(['subscriptions', 'list', '--status', 'cancelled', '--limit', '1', '-o', 'ids'])
    ).stdout.trim();
    const ran = await run(['subscriptions', 'activate', cancelled]);
    expect(ran.code).toBe(1);
    const line = /^Hint: It has ended for good\. .*: (cops .* --dry-run)$/m.exec(ran.stderr)?.[1] ?? '';
    const again = await run(line.replaceAll("'", '').split(' ').slice(1));
    expect(again.code, again.stderr).toBe(0);
    expect(JSON.parse(again.stdout).body.products).toHaveLength(1);
    expect((await run(['subscriptions', 'cancel', cancelled])).stderr).toContain('It has ended already');
    expect((await run(['pending-refunds', 'cancel', ID])).stderr).toContain(
      `Where it stands: cops pending-refunds get ${ID}`,
    );
  });
});

it('a code is told before anything is sent, and a name beside it is no fault', async () => {
  const line = ['coupons', 'create', '-d', 'coupon_code=SORRY-ANNA', '-d', 'coupon_profile=Season', '--dry-run'];
  const ran = await run(line);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('coupon_code: takes letters and digits without spaces or signs (write SORRYANNA)');
  expect(ran.stderr).toContain('; a name is looked up once the rest is right');
});

it.each([
  ['--where', 'cancelled_at>=2026-10-01'],
  ['--where', 'cancelled>-60d'],
  ['--where', 'canceled>-60d'],
  ['--where', 'ended>{created}+6mo'],
  ['--sort', 'canceled_on'],
  ['--columns', 'id,cancellation_date'],
])('%s %s is answered by what the service shows of it', async (...words) => {
  const ran = await run(['subscriptions', 'list', '--status', 'cancelled', ...words]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('No item shows since when it is in its state');
});

it.each([
  ['--where', 'processed>2020-01-01'],
  ['--sort', '-processed'],
])('%s %s is answered by the date that the items have, though nothing promises it', async (...words) => {
  const ran = await run(['pending-refunds', 'list', '--all-time', ...words]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('Did you mean "processed_date_unix"?');
  // `-p` is the short form of an option.
  expect(ran.stderr).not.toContain('rocessed report');
  expect(ran.stderr).not.toContain('since when');
});

it('an option that nothing knows leads to the line without it: a write as a dry run', async () => {
  const write = await run(['subscriptions', 'cancel', 'jane@example.com', '--all']);
  expect(write.stderr).toContain("Unknown option '--all'.");
  expect(write.stderr).toContain('names what fits: cops subscriptions cancel jane@example.com --dry-run');
  const read = await run(['customers', 'get', ID, '--frobnicate']);
  expect(read.stderr).toContain(`Without it, the line only reads: cops customers get ${ID}`);
});

it('a flag of related items is no state of these', async () => {
  const ran = await run(['subscriptions', 'list', '--where', 'enabled=true']);
  expect(ran.stderr).not.toContain('since when');
});

it('a cancellation names the trial that goes on', async () => {
  const trials = await run(['trials', 'list', '--status', 'active', '-o', 'json']);
  const [trial] = JSON.parse(trials.stdout).filter((one: { subscriptions: string[] }) => one.subscriptions.length > 0);
  const ran = await run(['subscriptions', 'cancel', trial.subscriptions[0], '-o', 'json']);
  expect(ran.stderr).toMatch(
    new RegExp(
      `^Its trial ${trial.id} goes on, and charges [\\d.]+ [A-Z]{3} when it ends on [\\d-]+\\. To end it too: `,
      'm',
    ),
  );
  expect(ran.stderr).toContain(`trials cancel ${trial.id}`);
});

it('cancelling several names each trial that goes on, tried, typed and in a bulk run', async () => {
  const trials = await run(['trials', 'list', '--status', 'active', '-o', 'json']);
  const [, one, other, third] = JSON.parse(trials.stdout).filter(
    ({ subscriptions: [id] }: { subscriptions: string[] }) => id !== undefined,
  );
  const ids = [one, other, third].map(({ subscriptions: [id] }) => id);
  const told = (...named: { id: string }[]) =>
    new RegExp(
      `${named.map(({ id }) => `The trial ${id} goes on, and charges [\\d.]+ [A-Z]{3} when it ends on [\\d-]+\\.`).join('\\n')}\nTo end them too: cops trials cancel ${named.map(({ id }) => id).join(' ')}$`,
      'm',
    );
  const line = ['subscriptions', 'cancel', ...ids.slice(0, 2)];
  expect((await run([...line, '--dry-run'])).stderr).toMatch(told(one, other));
  expect((await run(line)).stderr).toMatch(told(one, other));
  const bulk = ['bulk', 'subscriptions', 'cancel', '--ids', '-'];
  expect((await run([...bulk, '--dry-run'], ids[2])).stderr).toContain(`Its trial ${third.id} goes on`);
  expect((await run([...bulk, '--yes'], ids[2])).stderr).toContain(`Its trial ${third.id} goes on`);
});

it('disabling a customer says that trials wait too', async () => {
  const customer = (await run(['customers', 'list', '--limit', '1', '-o', 'ids'])).stdout.trim();
  const { stderr } = await run(['customers', 'disable', customer]);
  expect(stderr).toContain(`cops trials list --customer ${customer} --where status=active`);
});

describe('values of a body', () => {
  const bodyOf = async (...line: string[]) => {
    const ran = await run([...line, '--dry-run']);
    expect(ran.code, ran.stderr).toBe(0);
    return { body: JSON.parse(ran.stdout).body as Record<string, unknown>, stderr: ran.stderr };
  };
  const idOf = async (family: string, name: string) =>
    (await run([family, 'list', '--where', `name=${name}`, '-o', 'ids'])).stdout.trim();

  it('are names wherever a field refers, assumed fields included', async () => {
    const shipment = (await run(['shipping', 'list', '--limit', '1', '-o', 'ids'])).stdout.trim();
    const { body } = await bodyOf('shipping', 'edit', shipment, '--provider', 'ups', '-d', 'provider_tracking=1Z');
    expect(body.provider).toBe(await idOf('site-shipping-providers', 'ups'));
    const profile = await idOf('coupon-profiles', 'Season');
    const coupon = await bodyOf('coupons', 'create', '-d', 'coupon_code=AB1', '-d', 'coupon_profile=Season');
    expect(coupon.body.coupon_profile).toBe(profile);
    const wrong = await run(['coupons', 'create', '-d', 'coupon_code=AB1', '-d', 'coupon_profile=Nope']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/There are: .*Season.*coupon-profiles list/);
  });

  it('are a list of one where a list is meant', async () => {
    const subscription = (
      await run(['subscriptions', 'list', '--status', 'active', '--limit', '1', '-o', 'ids'])
    ).stdout.trim();
    const { body, stderr } = await bodyOf('subscriptions', 'edit', subscription, '--coupon', 'SAVE10');
    expect(body.coupon).toEqual([expect.stringMatching(/^\w{20}$/)]);
    expect(stderr).toContain('only this element is sent');
  });

  it('are countries by name, and days that end where the field is an end', async () => {
    const who = (await run(['customers', 'list', '--limit', '1', '-o', 'ids'])).stdout.trim();
    const { body } = await bodyOf('customers', 'edit', who, '--country', 'austria');
    expect(body.customer).toEqual({ country: 'AUT' });
    const coupon = await bodyOf(
      'coupons',
      'create',
      '-d',
      'coupon_code=AB1',
      '-d',
      'start_date=2026-12-01',
      '-d',
      'end_date=2026-12-31',
      '--tz',
      'Europe/Vienna',
    );
    expect(coupon.body).toMatchObject({ start_date: 1796079600, end_date: 1798757999 });
    expect(coupon.stderr).toContain('ends in Europe/Vienna at 2026-12-31T22:59:59Z');
  });

  it('are given by an option wherever -d takes them', async () => {
    const { body } = await bodyOf(
      'email-templates',
      'edit',
      'Thank you',
      '--template-subject',
      'Hello',
      '--no-enabled',
    );
    expect(body).toMatchObject({ template_subject: 'Hello', enabled: false });
    const part = await run(['email-templates', 'edit', 'Thank you', '--subject', 'Hello']);
    expect(part.stderr).toContain("cops email-templates edit 'Thank you' -d template_subject=Hello");
  });

  it('are a card as it stands on the card, and that it is not the default is told', async () => {
    const who = (await run(['customers', 'list', '--limit', '1', '-o', 'ids'])).stdout.trim();
    const card = { card_number: '4111 1111 1111 1111', exp_month: 5, exp_year: 30 };
    const ran = await run(
      ['customers', 'payment-methods', 'create', who, '--body', '-'],
      JSON.stringify({ payment: { credit_card: card } }),
    );
    expect(ran.code, ran.stderr).toBe(0);
    const { customer_card_id: id } = JSON.parse(ran.stdout);
    expect(ran.stderr).toContain(`customers payment-methods set-default ${who} ${id}`);
  });
});

describe('an option of a write', () => {
  it.each([
    [['shipping', 'edit', ID, '--carrier', 'ups'], /"provider":"\w{20}"/],
    [['coupons', 'edit', 'SAVE10', '--expires', '2027-01-31', '--tz', 'UTC'], /"end_date":1801439999/],
    [['coupons', 'edit', 'SAVE10', '--limit', '5'], /"max_uses":5/],
    [['coupons', 'edit', 'SAVE10', '--no-enabled'], /"enabled":false/],
    [['product-groups', 'create', '--name', 'Cold', '--products', 'Coffee Club'], /"products":\["\w{20}"\]/],
  ])('is the field that is called so, or refers to what it names: %j', async (line, body) => {
    const ran = await run([...line, '--dry-run']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(body);
  });

  it.each([
    [['projects', 'create', '--name', 'Q1', '--owner', 'mia'], 'known here: name, description'],
    [['trials', 'extend', 'jane@example.com', '--weeks', '2'], 'trials extend jane@example.com --days 14'],
    [['customer-groups', 'pause', 'VIP'], 'there is no action "pause"'],
    [['functions', 'pause', 'Hook'], 'cops functions edit Hook -d enabled=false'],
    [['shipping', 'mark-delivered', '#O-9'], "cops shipping edit '#O-9' -d status=delivered"],
    [['product-groups', 'edit', 'Drinks', '--add', 'Mug'], 'known here: name'],
    [['api-keys', 'create', '--name', 'ci'], 'cops profiles edit <name> --read-only'],
    [
      ['tokens', 'list'],
      'in the web application, not in this interface. Profiles that store keys here: cops profiles list',
    ],
  ])('or leads to what there is: %j', async (line, says) => {
    const ran = await run(line);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(says);
    expect(ran.stderr).not.toContain('address');
  });

  it('keeps the number behind it', async () => {
    expect((await run(['product-sales', 'refund', ID, '--vat', '37', '--dry-run'])).code).toBe(2);
  });
});

it('names the whole line with the id for a live write by name', async () => {
  const found = await run(['--live', 'customers', 'list', '--limit', '1', '--columns', 'id,email', '-o', 'csv']);
  const [id = '', email = ''] = found.stdout.trim().split('\n').at(-1)?.split(',') ?? [];
  const ran = await run(['--live', 'customers', 'edit', email, '--email', 'new@example.com', '--yes']);
  expect(ran.code).toBe(12);
  expect(ran.stderr).toContain(`cops --live customers edit ${id} --email new@example.com --yes`);
  const money = await run(['--live', 'customers', 'disable', email]);
  expect(money.stderr).toContain(`cops --live customers disable ${id} --yes`);
});

it('takes a city for the one zone that is called so', async () => {
  expect(await run(['config', 'set', 'tz', 'Vienna', '--dry-run'])).toMatchObject({ code: 0 });
  expect((await run(['config', 'set', 'tz', 'Atlantis'])).code).toBe(2);
});

it.each(['proxy', 'privacy', 'files', 'limits', 'setup'])('has help on %s', async (name) => {
  const ran = await run(['help', name]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout.length).toBeGreaterThan(300);
});

it('a range beside a state that comes later says what it selects by, with the line by the last change', async () => {
  const ran = await run(['subscriptions', 'list', '--status', 'cancelled', '--month', '2026-10', '--count']);
  expect(ran.stderr).toContain(
    '--month 2026-10 selects by when they were created, not by since when they are cancelled',
  );
  expect(ran.stderr).toMatch(/: cops subscriptions list --status cancelled --count --where 'updated>=/);
  const active = await run(['subscriptions', 'list', '--status', 'active', '--month', '2026-10', '--count']);
  expect(active.stderr).not.toContain('selects by');
});

it('a path that begins with the rows themselves names the field', async () => {
  const ran = await run(['customer-cards', 'list', '--where', 'card.expires<2026-12', '--count']);
  expect(ran).toMatchObject({ code: 2 });
  expect(ran.stderr).toContain('Each row is a customer-card itself: write expires.');
});
