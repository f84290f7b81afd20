/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Sentences of the published description about the fields that are shown and the bodies that are taken, each a question
 * with its answer. The answers were written before the sandbox was asked.
 */

/** What a write answers where the spec says whether it is taken: its status. */
type Write = readonly [question: string, status: number, body: Json | ((m: Merchant) => Json | Promise<Json>)];

function writes(path: string | ((m: Merchant) => Promise<string>), rows: readonly Write[]): Question[] {
  return rows.map(([question, status, body]) => [
    question,
    status,
    async (m) => {
      const sent = typeof body === 'function' ? await body(m) : body;
      return m.status(`POST ${typeof path === 'string' ? path : await path(m)}`, sent);
    },
  ]);
}

/** Fields that an item of the spec's table does not show. */
function shows(what: string, fields: string, item: (m: Merchant) => Promise<Json>): Question {
  return [
    `${what}: fields of its table that it does not show`,
    [],
    async (m) => {
      const found = await item(m);
      return fields.split(' ').filter((name) => !(name in found));
    },
  ];
}

const COMMON = 'id name description enabled created_date_unix updated_date_unix';

const SHOWN: Question[] = [
  shows(
    'product (2.2)',
    `${COMMON} internal_id description_html sku url cost price price_subscription price_trial trial_days trial_shipping_setting is_bundle_product bundle_settings is_shippable shipping_attributes additional_id product_group images images_url subscription_profile project third_party_shop metadata`,
    async (m) => m.get(`/products/${await m.product()}`),
  ),
  shows(
    'subscription profile (2.3)',
    `${COMMON} frequency frequency_unit occurrences occurrences_value overdue_limit prefer_gateway shipping_profile payment_profile subscription_specific`,
    async (m) => m.get(`/subscription_profiles/${await m.profile()}`),
  ),
  shows(
    'renewal (2.4)',
    'id created_date_unix updated_date_unix amount amount_original_total amount_total amount_gross amount_net amount_fees amount_captured amount_settled amount_remaining amount_refunded campaign_id campaign_name iso_currency live_mode payment_type product third_party_shop billing is_overdue subscription_profile subscription_id metadata customer ship_to sales product_sales shipping tax discounts trials subscriptions subscription_renewals invoices transactions ai_threads ai_assistants wallet_transactions offline_payments check_directs salvage_transactions',
    async (m) => m.renewed(await m.subscribed()),
  ),
  shows(
    'product of a renewal (2.4)',
    'id name quantity price is_subscription is_trial internal_id sku',
    async (m) => (await m.renewed(await m.subscribed())).product,
  ),
  shows(
    'ship_to of a renewal (2.4)',
    'first_name last_name address_line_1 address_line_2 city state zip company country email phone',
    async (m) => (await m.renewed(await m.subscribed())).ship_to,
  ),
  shows(
    'customer of a renewal (2.5)',
    'id enabled blocked internal_id first_name last_name company email phone address_line_1 address_line_2 city state zip country metadata created_date_unix updated_date_unix',
    async (m) => (await m.renewed(await m.subscribed())).customer,
  ),
  shows(
    'customer portal (2.6)',
    `${COMMON} display_name logo tracking_domain recaptcha portal_urls footer_html smtp_profile customer_emails customer_filters customer_permissions create_non_existing_customer create_non_existing_customer_campaign`,
    (m) => m.first('/customer_portals'),
  ),
  shows(
    'permissions of a portal (2.6)',
    'contact_modify credit_card_add credit_card_remove credit_card_set_default shipping_modify_ship_to subscription_renew subscription_activate subscription_suspend subscription_cancel trial_expire trial_cancel salvage_transaction_process',
    async (m) => (await m.first('/customer_portals')).customer_permissions,
  ),
  shows(
    'integration of the user (2.7)',
    'id name description enabled third_party_credentials_saved third_party_options_saved site_third_party_integration',
    (m) => m.first('/user_third_party_integrations'),
  ),
  shows(
    'its site integration (2.7)',
    'id name description integration_type third_party_credentials third_party_options',
    async (m) => (await m.first('/user_third_party_integrations')).site_third_party_integration,
  ),
  shows(
    'wallet account (2.8)',
    `${COMMON} wallet_account_email wallet_account_app_id campaign third_party_shop transaction_confirmation add_tracking`,
    (m) => m.first('/wallet_accounts'),
  ),
  shows('tax profile (2.8)', `${COMMON} campaign_filter third_party_integration`, (m) => m.first('/tax_profiles')),
  shows('metadata entry (2.8)', 'id name enabled created_date_unix updated_date_unix', (m) => m.first('/metadata')),
  shows('AI assistant (2.10)', 'id name description enabled created_date_unix settings flow', (m) =>
    m.first('/ai_assistants'),
  ),
  ...(
    [
      ['Credit Card', 'KnQ0KlNE6kf5mobyV0pN', {}],
      ['Wallet', 'ALkMK9pqgzfvgrqjlMVL', { payment_type: 'wallet', wallet_transaction_id: 'W-1' }],
      ['Offline Payment', '1rdzjX2rrkcNjPXMEvOm', { payment_type: 'offline_payment' }],
      ['Check', 'vEZoAZrZL4S6WG4Ryzo1', { payment_type: 'check_direct' }],
    ] as const
  ).map(
    ([name, id, more]): Question => [
      `payment type of a sale by ${name} (2.9)`,
      { id, name },
      async (m) => {
        const card = 'payment_type' in more ? { credit_card: undefined } : {};
        return (await m.sold({ ...card, ...more })).payment_type;
      },
    ],
  ),
];

const named = (more: Json) => (m: Merchant) => ({ name: m.name(), price: 5, ...more });

const PRODUCTS = writes('/products', [
  ['product: price as text', 400, named({ price: '5' })],
  ['product: an unknown trial_shipping_setting (2.2)', 400, named({ trial_shipping_setting: 'never' })],
  [
    'product: both_trial_expiration_creation (2.2)',
    200,
    named({ trial_shipping_setting: 'both_trial_expiration_creation' }),
  ],
  ['product: trial_days 1.5 (integer)', 400, named({ trial_days: 1.5 })],
  ['product: enabled as text', 400, named({ enabled: 'yes' })],
]);

const unit = { frequency: 'unit', frequency_unit: { unit: 'months', value: 1 } };
const plan = (more: Json) => (m: Merchant) => ({ name: m.name(), ...unit, ...more });
const aProfile = async (m: Merchant) => `/subscription_profiles/${await m.profile()}`;

const PROFILES: Question[] = [
  ...writes('/subscription_profiles', [
    ['profile: unit hours (2.3)', 400, plan({ frequency_unit: { unit: 'hours', value: 1 } })],
    ['profile: a unit without value (2.3)', 400, plan({ frequency_unit: { unit: 'days' } })],
    ['profile: a frequency that is none', 400, plan({ frequency: 'lunar' })],
    [
      'profile: calendar without parent',
      400,
      plan({ frequency: 'calendar', frequency_calendar: { unit: 'day', value: 1 } }),
    ],
    [
      'profile: calendar with parent day',
      400,
      plan({ frequency: 'calendar', frequency_calendar: { unit: 'day', value: 1, parent: 'day' } }),
    ],
    ['profile: fiscal without setting', 400, plan({ frequency: 'fiscal', frequency_fiscal: { unit: 'quarter' } })],
    [
      'profile: fiscal standard without value',
      200,
      plan({ frequency: 'fiscal', frequency_fiscal: { unit: 'quarter', setting: 'standard' } }),
    ],
    [
      'profile: fiscal of months',
      400,
      plan({ frequency: 'fiscal', frequency_fiscal: { unit: 'month', setting: 'standard' } }),
    ],
    [
      'profile: the name of another one (unique)',
      400,
      async (m) => ({ ...unit, name: (await m.first('/subscription_profiles')).name }),
    ],
  ]),
  ...writes(aProfile, [
    ['edit of a profile: frequency without its settings (4.7, 1)', 400, { frequency: 'calendar' }],
    [
      'edit of a profile: frequency with the settings of another (4.7, 1)',
      400,
      { frequency: 'calendar', frequency_unit: { unit: 'days', value: 3 } },
    ],
    ['edit of a profile: unit of {unit} alone', 400, { frequency: 'unit', frequency_unit: { unit: 'days' } }],
    [
      'edit of a profile: subscription_specific is not among its properties (4.7)',
      400,
      { subscription_specific: true },
    ],
    ['edit of a profile: occurrences that are none', 400, { occurrences: 'often' }],
  ]),
  [
    'settings without frequency: are they ignored? (4.7, 2)',
    [200, { unit_value: 1, unit: 'months' }],
    async (m) => {
      const path = await aProfile(m);
      const status = await m.status(`POST ${path}`, { frequency_unit: { unit: 'days', value: 3 } });
      return [status, (await m.get(path)).frequency_unit];
    },
  ],
  ['occurrences by default (2.3)', 'indefinite', async (m) => (await m.get(await aProfile(m))).occurrences],
  ...[null, ''].map(
    (gone): Question => [
      `shipping_profile ${JSON.stringify(gone)}: does it remove it? (4.7, 4)`,
      [true, false],
      async (m) => {
        const path = await aProfile(m);
        await m.done(path, {
          shipping_profile: await m.rates([[5, { countries: [{ iso_code: 'USA', enabled: true }] }]]),
        });
        const set = Boolean((await m.get(path)).shipping_profile);
        await m.done(path, { shipping_profile: gone });
        return [set, Boolean((await m.get(path)).shipping_profile)];
      },
    ],
  ),
];

const aPortal = async (m: Merchant) => `/customer_portals/${(await m.first('/customer_portals')).id}`;
const mail = (more: Json) => ({
  ...{ from: 'a@example.com', from_name: 'A', subject: 'S', html: 'Code {{email_code}}', to_cc: [], to_bcc: [] },
  ...more,
});
const mails = (more: Json) => ({ customer_emails: { customer_account_confirm_email: mail(more) } });

const PORTALS: Question[] = [
  ...writes(aPortal, [
    ['portal: recaptcha without its secret (4.5)', 400, { recaptcha: { site_key: 'a' } }],
    ['portal: recaptcha with both', 200, { recaptcha: { site_key: 'a', secret_key: 'very-secret' } }],
    ['portal: another property (4.5)', 400, { colour: 'red' }],
    ['portal: an unknown permission (4.5)', 400, { customer_permissions: { fly: true } }],
    ['portal: a permission as text', 400, { customer_permissions: { trial_cancel: 'yes' } }],
    ['portal: a mail without subject (4.5)', 400, mails({ subject: undefined })],
    ['portal: a mail without to_bcc (4.5)', 400, mails({ to_bcc: undefined })],
    ['portal: a mail without the shortcode of its code (2.6)', 400, mails({ html: 'Hello' })],
    ['portal: a whole mail', 200, mails({})],
    [
      'portal: filters by campaign (4.5)',
      200,
      (m) => ({ customer_filters: { campaign: [m.all('campaigns')[0]?.id], third_party_shop: [] } }),
    ],
  ]),
  [
    'portal: answer of an edit, and is its secret shown? (2.6, 4.5)',
    [true, 'string', false],
    async (m) => {
      const path = await aPortal(m);
      const answer = await m.done(path, { recaptcha: { site_key: 'a', secret_key: 'very-secret' } });
      const shown = JSON.stringify(await m.get(path)).includes('very-secret');
      return [path.endsWith(answer.customer_portal_id), typeof answer.result, shown];
    },
  ],
];

const person = { first_name: 'A', last_name: 'B', email: 'a@example.com' };
const buyer =
  (more: Json, customer: Json = {}) =>
  (m: Merchant) => ({
    campaign: m.all('campaigns')[0]?.id,
    customer: { ...person, email: `${m.name()}@example.com`, ...customer },
    ...more,
  });
const card = (more: Json) => ({
  payment: { credit_card: { card_number: '4111111111111111', exp_month: 1, exp_year: 60, card_code: '123', ...more } },
});
const pair = (name: string, value: unknown) => ({ metadata: [{ name, value }] });

const CUSTOMERS: Question[] = writes('/customers', [
  [
    'customer: with the name of its campaign (4.10)',
    200,
    (m) => ({ ...buyer({})(m), campaign: m.all('campaigns')[0]?.name }),
  ],
  ['customer: without campaign', 400, buyer({ campaign: undefined })],
  ['customer: a campaign that is none', 400, buyer({ campaign: 'Nowhere at all' })],
  ['customer: without customer', 400, buyer({ customer: undefined })],
  ['customer: without last_name', 400, buyer({}, { last_name: undefined })],
  ['customer: without email', 400, buyer({}, { email: undefined })],
  ['customer: an email that is none (2.5)', 400, buyer({}, { email: 'nobody' })],
  ['customer: a country of two letters', 400, buyer({}, { country: 'US' })],
  ['customer: bill_to without email (4.10)', 400, buyer({ bill_to: { first_name: 'A', last_name: 'B' } })],
  ['customer: bill_to with all three', 200, buyer({ bill_to: person })],
  ['customer: a card of letters (4.10)', 400, buyer(card({ card_number: 'four-one-one' }))],
  ['customer: exp_month 13', 400, buyer(card({ exp_month: 13 }))],
  ['customer: exp_year of four digits', 400, buyer(card({ exp_year: 2060 }))],
  ['customer: exp_month as text', 400, buyer(card({ exp_month: '1' }))],
  ['customer: internal_customer_id', 200, buyer({ internal_customer_id: 'C-1' })],
  ['metadata: a name of 100 characters (2.1)', 200, buyer(pair('n'.repeat(100), 'v'))],
  ['metadata: a name of 101 characters', 400, buyer(pair('n'.repeat(101), 'v'))],
  ['metadata: no name', 400, buyer(pair('', 'v'))],
  ['metadata: a value of 255 characters', 200, buyer(pair('n', 'v'.repeat(255)))],
  ['metadata: a value of 256 characters', 400, buyer(pair('n', 'v'.repeat(256)))],
  ['metadata: an empty value', 400, buyer(pair('n', ''))],
  ['metadata: a value that is a number', 400, buyer(pair('n', 5))],
]);

const rates =
  (qualifiers: Json, more: Json = {}) =>
  async (m: Merchant) => {
    const body = await m.ratesBody([[5, qualifiers]]);
    return { ...body, rates: body.rates.map((rate: Json) => ({ ...rate, ...more })) };
  };
const product = (more: Json) => async (m: Merchant) =>
  rates({ products: [{ id: await m.product(), enabled: true, quantity_rule: 'any', quantity_value: 1, ...more }] })(m);
const revenue = (more: Json) =>
  rates({ revenue_rules: [{ enabled: true, source: 'total_amount', rule: 'equal_to', rule_value: 1, ...more }] });

const SHIPPING: Question[] = writes('/shipping_profiles', [
  ['shipping profile: four empty lists (4.11: zero enabled qualifiers)', 400, rates({})],
  ['shipping profile: a disabled country alone', 400, rates({ countries: [{ iso_code: 'USA', enabled: false }] })],
  ['shipping profile: an enabled country', 200, rates({ countries: [{ iso_code: 'USA', enabled: true }] })],
  ['shipping profile: a country of two letters', 400, rates({ countries: [{ iso_code: 'US', enabled: true }] })],
  ['shipping profile: a country without enabled', 400, rates({ countries: [{ iso_code: 'USA' }] })],
  ['shipping profile: a product with rule any', 200, product({})],
  ['shipping profile: an unknown quantity_rule', 400, product({ quantity_rule: 'about' })],
  ['shipping profile: quantity_value 1.5', 400, product({ quantity_rule: 'equal_to', quantity_value: 1.5 })],
  ['shipping profile: a revenue rule', 200, revenue({})],
  ['shipping profile: a revenue rule of source any', 400, revenue({ source: 'any' })],
  ['shipping profile: a revenue rule without its value', 400, revenue({ rule_value: undefined })],
  ['shipping profile: a revenue rule with rule any', 400, revenue({ rule: 'any' })],
  [
    'shipping profile: a rate without provider',
    400,
    rates({ countries: [{ iso_code: 'USA', enabled: true }] }, { provider: undefined }),
  ],
  [
    'shipping profile: a rate without its charge',
    400,
    rates({ countries: [{ iso_code: 'USA', enabled: true }] }, { rate: undefined }),
  ],
  [
    'shipping profile: without name',
    400,
    async (m) => ({ ...(await rates({ countries: [{ iso_code: 'USA', enabled: true }] })(m)), name: undefined }),
  ],
]);

describe('shown fields', () => askTogether(SHOWN));
describe('bodies', () => askTogether([...PRODUCTS, ...PROFILES, ...PORTALS, ...CUSTOMERS, ...SHIPPING]));
