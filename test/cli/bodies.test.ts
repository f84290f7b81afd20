/** How bodies are given, checked, masked and refused (command-line.md#bodies). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ok, wrote } from '../fixtures/service/service.js';
import { A, B, errorOf, json, pair } from './helpers.js';

const CREATE = ['customers', 'create'];
const CUSTOMER = { first_name: 'J', last_name: 'M', email: 'j@m.example' };

async function sent(args: readonly string[], files: Record<string, string> = {}, input?: string) {
  const { service, home } = await pair((request) =>
    request.method === 'GET' ? ok({ id: A, live_mode: false }) : wrote('customer', A),
  );
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(home.folder, name), text);
  const ran = await home.run([...args, '--yes'], { cwd: home.folder, ...(input === undefined ? {} : { input }) });
  const post = service.requests.find(({ method }) => method === 'POST');
  const { idempotency_key: _, ...body } = (post?.json ?? {}) as Record<string, unknown>;
  return { ran, body, raw: post?.body ?? '', posts: service.requests.filter(({ method }) => method === 'POST').length };
}

const whole = { campaign: 'C', customer: CUSTOMER };
it.each([
  ['json', ['--body', JSON.stringify(whole)], {}, undefined],
  ['a json file', ['--body', '@b.json'], { 'b.json': `\ufeff${JSON.stringify(whole, null, 2)}\r\n` }, undefined],
  [
    'a yaml file',
    ['--body', '@b.yaml'],
    { 'b.yaml': 'campaign: C\ncustomer:\n  first_name: J\n  last_name: M\n  email: j@m.example\n' },
    undefined,
  ],
  [
    'a yml file',
    ['--body', '@b.yml'],
    { 'b.yml': 'campaign: C\ncustomer: {first_name: J, last_name: M, email: j@m.example}\n' },
    undefined,
  ],
  ['standard input', ['--body', '-'], {}, JSON.stringify(whole)],
  [
    '-d',
    [
      '-d',
      'campaign=C',
      '-d',
      'customer.first_name=J',
      '-d',
      'customer.last_name=M',
      '-d',
      'customer.email=j@m.example',
    ],
    {},
    undefined,
  ],
  ['-d with raw JSON', ['--data', 'campaign=C', '-d', `customer:=${JSON.stringify(CUSTOMER)}`], {}, undefined],
  ['a typed option', ['--campaign', 'C', '-d', `customer:=${JSON.stringify(CUSTOMER)}`], {}, undefined],
] as const)('takes a body as %s', async (_, args, files, input) => {
  const { ran, body } = await sent([...CREATE, ...args], files, input);
  expect(ran.stderr).not.toContain('Error');
  expect(body).toEqual(whole);
});

it('builds nested values from paths, as the reference page writes them', async () => {
  const line = ['-d', 'campaign=C', '-d', 'customer.first_name=J', '-d', 'customer.last_name=M'];
  const { ran, body } = await sent([...CREATE, ...line, '-d', 'customer.email=a@b.c']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(body).toMatchObject({ customer: { email: 'a@b.c' } });
});

it('lets later sources win: --body, then -d, then typed options', async () => {
  const base = ['--body', JSON.stringify({ ...whole, campaign: 'from body', internal_customer_id: 'from body' })];
  expect((await sent([...CREATE, ...base, '-d', 'campaign=from data'])).body.campaign).toBe('from data');
  const both = await sent([...CREATE, '--campaign', 'typed', '-d', 'campaign=from data', ...base]);
  expect(both.body).toMatchObject({ campaign: 'typed', internal_customer_id: 'from body' });
  expect((await sent([...CREATE, ...base, '-d', 'campaign=1', '-d', 'campaign=2'])).body.campaign).toBe('2');
});

it('types -d by the schema: numbers, booleans, arrays, and text that looks like numbers', async () => {
  const { body } = await sent([
    'shipping-profiles',
    'create',
    '--name',
    '123',
    '-d',
    'enabled=true',
    '-d',
    'rates[0].rate=5',
    '-d',
    `rates[0].provider=${A}`,
    '-d',
    `rates[0].provider_method=${B}`,
    '-d',
    'rates[0].qualifiers.countries[0].iso_code=USA',
    '-d',
    'rates[0].qualifiers.countries[0].enabled=true',
  ]);
  expect(body).toEqual({
    name: '123',
    enabled: true,
    rates: [
      { rate: 5, provider: A, provider_method: B, qualifiers: { countries: [{ iso_code: 'USA', enabled: true }] } },
    ],
  });
});

it('takes a file’s text with =@, whole', async () => {
  const text = 'line 1\nline "2"\t\u00e9\n';
  const { body } = await sent(['ai-prompts', 'create', '--name', 'x', '-d', 'prompt=@p.txt'], { 'p.txt': text });
  expect(body).toEqual({ name: 'x', prompt: text });
});

it('keeps the digits of a body', async () => {
  const { raw } = await sent(['invoices', 'create', '--body', '{"a":10.00,"b":12345678901234567890}', '--no-validate']);
  expect(raw).toContain('"a":10.00');
  expect(raw).toContain('"b":12345678901234567890');
});

it('takes --enabled and --no-enabled', async () => {
  expect((await sent(['customer-portals', 'edit', A, '--enabled'])).body).toEqual({ enabled: true });
  expect((await sent(['customer-portals', 'edit', A, '--no-enabled'])).body).toEqual({ enabled: false });
});

it('names unknown fields of a closed body', async () => {
  const { ran, posts } = await sent([
    'customer-portals',
    'edit',
    A,
    '--body',
    '{"nmae":"x","enabled":1}',
    '-o',
    'json',
  ]);
  expect(ran.code).toBe(2);
  expect((errorOf(ran).faults ?? []).map((fault) => fault.path).sort()).toEqual(['enabled', 'nmae']);
  expect(posts).toBe(0);
});

it('names missing and ill-typed fields with their paths, all at once, and sends nothing', async () => {
  const { ran, posts } = await sent([
    'shipping-profiles',
    'create',
    '--body',
    JSON.stringify({ enabled: 'yes', rates: [{ rate: 'five', provider: 'short' }] }),
    '-o',
    'json',
  ]);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  const paths = (errorOf(ran).faults ?? []).map((fault) => fault.path);
  for (const wanted of [
    'name',
    'enabled',
    'rates[0].rate',
    'rates[0].provider',
    'rates[0].provider_method',
    'rates[0].qualifiers',
  ]) {
    expect(paths, wanted).toContain(wanted);
  }
  expect(posts).toBe(0);
});

it('sends anyway with --no-validate', async () => {
  const { ran, body } = await sent(['shipping-profiles', 'create', '--body', '{"nmae":"x"}', '--no-validate']);
  expect(ran.code).toBe(0);
  expect(body).toEqual({ nmae: 'x' });
});

it.each([
  [[...CREATE, '-d', 'payment.credit_card.card_number=4111111111111111']],
  [[...CREATE, '-d', 'payment.credit_card.card_code=123']],
  [[...CREATE, '-d', 'payment:={"credit_card":{"card_number":"4111111111111111"}}']],
  [[...CREATE, '--body', '{"payment":{"credit_card":{"card_number":"4111111111111111"}}}']],
  [['customer-portals', 'edit', A, '-d', 'recaptcha.secret_key=4111111111111111']],
  [['api', 'POST', '/customers', '-d', 'payment.credit_card.card_number=4111111111111111']],
  [['api', 'POST', '/customers', '--body', '{"payment":{"credit_card":{"card_number":"4111111111111111"}}}']],
  [['api', 'POST', '/unknown_family', '--body', '{"x":{"secret_key":"4111111111111111"}}']],
] as const)('never takes a secret from the command line: %j', async (line) => {
  const { ran, posts } = await sent(line);
  expect(ran.code).toBe(2);
  expect(ran.stdout + ran.stderr).not.toContain('4111111111111111');
  expect(ran.stderr).toMatch(/file|standard input/);
  expect(posts).toBe(0);
});

it('takes a secret from a file or standard input, sends it whole and masks it in a dry run', async () => {
  const card = { card_number: '4111111111111111', exp_month: 1, exp_year: 31, card_code: '987' };
  const text = JSON.stringify({ ...whole, payment: { credit_card: card } });
  const { body } = await sent([...CREATE, '--body', '-'], {}, text);
  expect(body).toMatchObject({ payment: { credit_card: card } });
  const file = await sent(
    [
      ...CREATE,
      '-d',
      `customer:=${JSON.stringify(CUSTOMER)}`,
      '-d',
      'campaign=C',
      '-d',
      'payment.credit_card.exp_month=1',
      '-d',
      'payment.credit_card.exp_year=31',
      '-d',
      'payment.credit_card.card_number=@n.txt',
    ],
    { 'n.txt': '4111111111111111\n' },
  );
  expect(file.body).toMatchObject({ payment: { credit_card: { card_number: '4111111111111111' } } });
  const { ran } = await sent([...CREATE, '--body', '-', '--dry-run', '--debug'], {}, text);
  expect(ran.code).toBe(0);
  expect(ran.stdout + ran.stderr).not.toMatch(/4111111111111111|"987"/);
});

it.each([
  [['subscriptions', 'cancel', '-', '--body', '-']],
  [[...CREATE, '--body', '-', '-d', 'campaign=@-']],
  [['bigquery', 'query', '-', '--body', '-']],
] as const)('refuses two readers of standard input: %j', async (line) => {
  const { ran, posts } = await sent(line, {}, '{}');
  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(/standard input/i);
  expect(posts).toBe(0);
});

it.each([
  ['{"a":', 2],
  ['[1]', 2],
  ['"text"', 2],
  ['', 2],
] as const)('refuses the body %j', async (text, code) => {
  const { ran, posts } = await sent([...CREATE, '--body', '-'], {}, text);
  expect(ran.code).toBe(code);
  expect(posts).toBe(0);
});

it('reports a missing file by name as a local fault or a usage error', async () => {
  const { ran, posts } = await sent([...CREATE, '--body', '@nowhere.json']);
  expect([2, 11]).toContain(ran.code);
  expect(ran.stderr).toContain('nowhere.json');
  expect(posts).toBe(0);
});

it.each([
  [['bigquery', 'query', '@nowhere.sql'], 'nowhere.sql'],
  [['bigquery', 'query', '@.'], 'folder'],
  [['shipping-profiles', 'edit', A, '-d', 'name=@handle'], '@@'],
] as const)('tells a text that cannot be read as a local fault: %j', async (line, wanted) => {
  const { ran, posts } = await sent(line);
  expect([ran.code, posts], ran.stderr).toEqual([11, 0]);
  expect(ran.stderr).toContain(wanted);
});

it('reads ids as Windows shells write them', async () => {
  const { service, home } = await pair(() => ok());
  const input = Buffer.from(`\ufeff${A}\r\n\r\n`, 'utf16le');
  const ran = await home.run(['customer-groups', 'edit', '-', '--name', 'x'], { input });
  expect([ran.code, service.requests[0]?.path], ran.stderr).toEqual([0, `/customer_groups/${A}`]);
});

it('prints a skeleton with every known field, which is a body', async () => {
  const { ran, posts } = await sent(['shipping-profiles', 'create', '--skeleton']);
  expect(ran.code).toBe(0);
  expect(Object.keys(json<object>(ran)).sort()).toEqual(['description', 'enabled', 'name', 'rates']);
  expect(posts).toBe(0);
});

it('says of a skeleton what it leaves out: fields that reads alone show, and what the line gives', async () => {
  const { ran } = await sent(['coupons', 'create', '--skeleton', '-d', 'coupon_code=A']);
  expect(json<object>(ran)).toEqual({});
  expect(ran.stderr).toContain('a write accepts them: coupon_code, enabled,');
  expect(ran.stderr).toContain('it leaves out what the command line already gives');
  expect((await sent(['shipping-profiles', 'create', '--skeleton'])).ran.stderr).toBe('');
});

it('needs neither key nor network for a skeleton', async () => {
  const { home } = await pair();
  const ran = await home.run(['customers', 'create', '--skeleton'], { env: { COPS_API_KEY: '', COPS_BASE_URL: '' } });
  expect(ran.code).toBe(0);
});

it('needs something to change in an edit', async () => {
  const { ran, posts } = await sent(['customers', 'edit', A]);
  expect(ran.code).toBe(2);
  expect(posts).toBe(0);
});

it('needs the frequency next to its settings (service.md#subscription-profiles)', async () => {
  const { ran } = await sent([
    'subscription-profiles',
    'edit',
    A,
    '-d',
    'frequency_unit.unit=days',
    '-d',
    'frequency_unit.value=3',
  ]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('frequency');
});

it.each([
  [['-d', 'next_renewal_date=2026-12-21']],
  [['--next-renewal-date', '2026-12-21']],
  [['--body', '{"next_renewal_date":"2026-12-21"}']],
])('understands a date where the service wants an instant, and says in which zone: %j', async (line) => {
  const { service, home } = await pair(() => ok({ subscription_id: A }));
  const ran = await home.run(['subscriptions', 'edit', A, ...line, '--tz', 'Europe/Berlin', '-y']);
  expect(ran.code, ran.stderr).toBe(0);
  const sent = service.requests.find(({ method }) => method === 'POST');
  expect(sent?.body).toContain('"next_renewal_date":"2026-12-20T23:00:00Z"');
  expect(ran.stderr).toContain('2026-12-21 begins in Europe/Berlin at 2026-12-20T23:00:00Z');
});

it.each(['30d', 'soon', '2026-13-01'])('sends no instant for %s', async (text) => {
  const { service, home } = await pair(() => ok({ subscription_id: A }));
  const ran = await home.run(['subscriptions', 'edit', A, '-d', `next_renewal_date=${text}`, '-y']);
  expect(ran.code).toBe(2);
  expect(service.requests).toHaveLength(0);
});

/** What the pages break off before, or only reads show: its types are known all the same. */
it.each([
  ['products edit', ['-d', 'is_bundle_product=often'], 'is_bundle_product'],
  ['products edit', ['-d', 'bundle_settings:=5'], 'bundle_settings'],
  ['products edit', ['-d', 'bundle_settings.unbundle_method=later'], 'bundle_settings.unbundle_method'],
  ['shipping edit', ['-d', 'status:=null'], 'status'],
  ['shipping edit', ['-d', 'ship_to.country=Xanadu'], 'ship_to.country'],
  ['user-gateways edit', ['-d', 'processor_fee_percentage=lots'], 'processor_fee_percentage'],
  ['coupons edit', ['-d', 'max_uses=many'], 'max_uses'],
  ['chargebacks edit', ['-d', 'metadata:=[null]'], 'metadata[0]'],
  ['sales pending edit', ['-d', 'customer.email=nobody'], 'customer.email'],
  ['sales pending edit', ['-d', 'products[0].quantity=two'], 'products[0].quantity'],
  ['tax-profiles edit', ['-d', 'third_party_integration:=5'], 'third_party_integration'],
])('%s %j is refused before anything is sent', async (command, args, place) => {
  const [family = '', ...action] = command.split(' ');
  const { ran, posts } = await sent([family, ...action, A, ...args]);
  expect({ code: ran.code, posts }).toEqual({ code: 2, posts: 0 });
  expect(ran.stderr).toContain(place);
});

it('makes numbers and single elements of what is typed for such a field', async () => {
  const line = ['sales', 'pending', 'edit', A, '-d', `products[0].id=${B}`, '-d', 'products[0].quantity=2'];
  const { body } = await sent([...line, '-d', 'shipping_amount=4.90']);
  expect(body).toEqual({ products: [{ id: B, quantity: 2 }], shipping_amount: 4.9 });
  expect((await sent(['gateway-groups', 'add-user-gateway', A, '-d', `user_gateway=${B}`])).body).toEqual({
    user_gateway: B,
  });
});

it('does not say what such a field needs, nor what else it may hold', async () => {
  const line = ['sales', 'pending', 'edit', A, '-d', 'products[0].sku=MUG', '-d', 'customer.first_name=Ann'];
  const { ran, body } = await sent(line);
  expect(ran.code, ran.stderr).toBe(0);
  expect(body).toEqual({ products: [{ sku: 'MUG' }], customer: { first_name: 'Ann' } });
  expect(ran.stderr).toContain('products is not a known field');
});
