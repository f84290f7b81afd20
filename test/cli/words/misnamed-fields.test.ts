/** A write with names that its body does not have is led to the fields that are meant, as one whole line. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { Home } from '../../harness/home.js';
import { pair } from '../helpers.js';

const ID = 'CDqSEHNWN0ksyQBMDMTd';
let home: Home;
beforeAll(() => {
  home = new Home();
});
afterAll(() => home.remove());

const COUPON =
  'cops -p sandbox coupons create -d code=TEN -d discount_value=10 -d discount_type=percent -d end_date=2026-12-31 -d max_uses=5 -d coupon_profile=<coupon profile>';

it.each([
  ['coupons create -d code=TEN -d percent=10 -d expires=2026-12-31 -d max_uses=5', COUPON],
  ['coupons create --code TEN --percent-off 10 --expires 2026-12-31 --max-redemptions 5', COUPON],
  ['coupons create --code TEN --discount 10% --expiry 2026-12-31 --usage-limit 5', COUPON],
  ['coupons create --code TEN --amount-off 5', '-d discount_value=5 -d discount_type=amount'],
  // Of 10 alone nobody knows whether it is a sum or a share.
  ['coupons create --code TEN --discount 10', '-d discount_value=10 -d discount_type=<percent | amount>'],
  ['products create --title Mug --amount 12.50', 'products create -d name=Mug -d price=12.50'],
  ['products create -d title=Mug -d sku=M', 'products create -d name=Mug -d sku=M'],
  [
    'customers create --email a@b.co --first Ann --surname Lee',
    'customers create -d customer.email=a@b.co -d customer.first_name=Ann -d customer.last_name=Lee -d campaign=<campaign>',
  ],
  [
    'subscription-profiles create --name Monthly --interval month',
    '-d frequency_unit.unit=months -d frequency=unit -d frequency_unit.value=<value>',
  ],
  ['sales create -d product=Club -d customer=a@b.co', "-d 'products[0].id=Club' -d customer_id=a@b.co"],
  ['notes create --customer a@b.co --note hello', '-d item_type=customer -d item_id=a@b.co -d text=hello'],
  [`subscriptions edit ${ID} -d price=5`, `subscriptions edit ${ID} -d amount=5"`],
  [`customers edit ${ID} -d phone=5550100200`, `customers edit ${ID} -d customer.phone=5550100200"`],
  // What is none of its fields is told to be left out.
  ['user-gateways create --name Main --processor stripe', 'Set fields with -d name=value'],
  ['customers create -d email=a@b.co -d shoe_size=44', 'It leaves out shoe_size, which is not a field here.'],
] as const)('%s', async (line, whole) => {
  const ran = await home.run(['-p', 'sandbox', ...line.split(' ')]);
  expect(ran.code, ran.stderr).toBe(2);
  expect(ran.stderr).toContain(whole);
});

it("takes a field that is nobody's other name as it is, and whatever comes with --no-validate", async () => {
  const { service, home: there } = await pair(() => ok({ result: 'success' }));
  for (const line of [
    ['products', 'create', '--name', 'Mug', '-d', 'colour=red'],
    ['products', 'create', '-d', 'title=Mug', '--no-validate'],
  ])
    expect((await there.run(line)).code, line.join(' ')).toBe(0);
  const posts = service.requests.filter(({ method }) => method === 'POST');
  expect(posts.map(({ json }) => json)).toMatchObject([{ name: 'Mug', colour: 'red' }, { title: 'Mug' }]);
});

it.each(['list --limit 1', 'export'])('says what columns hold that are taken for more: sales %s', async (line) => {
  const [first = '', ...more] = line.split(' ');
  const words = first === 'export' ? ['export', 'sales', '--out', 'sales.csv'] : ['sales', first, ...more];
  const columns = ['--last', '30d', '--columns', 'id,net,tax'];
  const ran = await home.run(['-p', 'sandbox', ...words, ...columns], { cwd: home.folder });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/net is amount_net: .*\ntax holds ids; .*tax\.amount/);
});
