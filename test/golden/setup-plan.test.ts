/** The views of a plan, held against files that can be read in a review: text, text in colours, a comment, data. */
import { expect, it } from 'vitest';
import { PLAIN, palette } from '../../src/screen/style.js';
import type { PlanStep, SetupPlan } from '../../src/setup/types.js';
import { planDocument, planMarkdown, planText } from '../../src/setup/view.js';
import { golden } from './file.js';

const step = (n: number, facts: Pick<PlanStep, 'action' | 'family' | 'key'> & Partial<PlanStep>): PlanStep => ({
  n,
  risk: 'write',
  changes: [],
  body: {},
  needs: [],
  level: 1,
  says: [],
  ...facts,
});

const LONG = Array.from({ length: 9 }, (_, n) => `<p>Line ${n}</p>`);

const STEPS: readonly PlanStep[] = [
  step(1, {
    action: 'create',
    family: 'payment-profiles',
    key: 'EU routing',
    changes: [
      { field: 'name', to: 'EU routing' },
      { field: 'gateway_group', to: { ref: 'gateway-groups/All gateways' } },
      { field: 'secret_key', to: '${secret.env:GATEWAY_KEY}' },
    ],
    says: ['money: gateway_group changes what is charged or counted'],
  }),
  step(2, {
    action: 'edit',
    family: 'subscription-profiles',
    key: 'Monthly',
    id: 'SUBPROFILE0000000001',
    changes: [
      { field: 'frequency', from: 'monthly', to: 'weekly' },
      { field: 'payment_profile', to: { ref: 'payment-profiles/EU routing' } },
    ],
    needs: [1],
    level: 2,
    says: ['money: frequency changes what is charged or counted'],
  }),
  step(3, {
    action: 'edit',
    family: 'email-templates',
    key: 'Receipt | *today*',
    id: 'TEMPLATE000000000001',
    changes: [{ field: 'template_html', from: LONG.join('\n'), to: LONG.with(4, '<p>New\u001b[31m</p>').join('\n') }],
    says: ['fires by itself: it is sent to customers'],
  }),
  step(4, {
    action: 'create',
    family: 'customer-portals',
    key: 'North',
    changes: Array.from({ length: 14 }, (_, n) => ({ field: `field_${n}`, to: `value ${n}` })),
    asks: ['recaptcha.secret_key'],
  }),
  step(5, { action: 'enable', family: 'functions', key: 'Nightly check', needs: [1], level: 3 }),
  step(6, {
    action: 'delete',
    family: 'product-groups',
    key: 'Drinks',
    id: 'GROUP000000000000001',
    risk: 'irreversible',
  }),
];

const PLAN: SetupPlan = {
  version: 1,
  id: 'k3x9wq',
  environment: { profile: 'acme', mode: 'live', base_url: 'https://api.example.com/v2', fingerprint: 'f'.repeat(32) },
  time: '2026-11-01T12:00:00.000Z',
  folder: '/home/acme/shop',
  families: ['payment-profiles', 'subscription-profiles'],
  summary: '2 to create, 3 to edit, 1 to delete',
  steps: STEPS,
  drift: [
    {
      address: 'tax-profiles/Default',
      id: 'TAXPROFILE0000000001',
      kind: 'changed there',
      changes: [{ field: 'rate', from: '19.00', to: '7.00' }],
    },
    { address: 'sites/Main', id: 'SITE0000000000000001', kind: 'unknown', changes: [], overwritten: true },
  ],
  shared: ['bin-profiles/North'],
  ids: { 'gateway-groups/All gateways': 'GATEWAYGROUP00000001' },
  externals: ['campaigns/Main'],
  reach: { 'subscription-profiles/Monthly': '412 active subscriptions use this profile' },
  cannot: ['user-gateways/Stripe: its stored credentials'],
  notes: ['products/Old: has no file any more and is kept (--allow-delete deletes it)'],
};

/** So many new objects that only their names are shown. */
const MANY: SetupPlan = {
  ...PLAN,
  summary: '30 to create, 1 to edit, 0 to delete',
  steps: [
    ...Array.from({ length: 30 }, (_, n) =>
      step(n + 1, {
        action: 'create',
        family: n < 20 ? 'products' : 'subscription-profiles',
        key: `Object ${n}`,
        changes: [
          { field: 'name', to: `Object ${n}` },
          { field: 'price', to: `${n}.00` },
        ],
        says: n < 20 ? [] : ['money: frequency sets what is charged'],
      }),
    ),
    { ...(STEPS[1] as PlanStep), n: 31 },
  ],
  drift: [],
  shared: [],
  externals: [],
  cannot: [],
  notes: [],
};

/** The same from one environment to another, without files. */
const DIFF: SetupPlan = {
  ...PLAN,
  folder: undefined,
  from: { ...PLAN.environment, mode: 'test' },
  steps: STEPS.slice(0, 1),
};

it.each([
  ['plan.txt', async () => planText(PLAN, PLAIN)],
  ['plan.colour.txt', async () => planText(PLAN, await palette(true))],
  ['plan.md', async () => planMarkdown(PLAN)],
  ['plan.json.txt', async () => `${JSON.stringify(JSON.parse(planDocument(PLAN)), null, 2)}\n`],
  ['many.txt', async () => planText(MANY, PLAIN)],
  ['many.md', async () => planMarkdown(MANY)],
  ['diff.txt', async () => planText(DIFF, PLAIN)],
  ['diff.md', async () => planMarkdown(DIFF)],
])('%s', async (name, view) => {
  const text = await view();
  expect(text).toBe(golden(`setup/${name}`, text));
});

it('without colours the text is the same, and no control character of a value comes through', async () => {
  const plain = planText(PLAN, PLAIN);
  const coloured = planText(PLAN, await palette(true));
  expect(coloured.replace(/\u001b\[[\d;]*m/g, '')).toBe(plain);
  expect(`${plain}${planMarkdown(PLAN)}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});
