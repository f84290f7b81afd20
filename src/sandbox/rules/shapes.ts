import { each } from '../../catalogue/fields.js';
import type { Value } from '../store/item-values.js';

/**
 * The twelve permissions of a portal's customers (service.md#customer-portals); all off by default.
 * reading: portal-defaults
 */
export const PORTAL_PERMISSIONS: Readonly<Record<string, boolean>> = each(
  false,
  'contact_modify credit_card_add credit_card_remove credit_card_set_default shipping_modify_ship_to subscription_renew subscription_activate subscription_suspend subscription_cancel trial_expire trial_cancel salvage_transaction_process',
);

const mail = (subject: string, html: string): Value => ({
  to_cc: [],
  to_bcc: [],
  from: 'account@example.com',
  from_name: 'Account',
  subject,
  html,
});

/** The two mails of a portal (service.md#customer-portals), with default texts until others are written. */
export const EMAILS: Value = {
  customer_account_confirm_email: mail('Confirm your e-mail address', '<p>Your code: {{email_code}}</p>'),
  customer_account_password_reset: mail('Reset your password', '<p>Your code: {{email_code}}</p>'),
};

export const PORTAL: Value = {
  ...each('', 'description logo'),
  portal_urls: each('', 'main register login account'),
  ...each('', 'display_name footer_html'),
  customer_emails: EMAILS,
  customer_filters: { campaign: [], third_party_shop: [] },
  customer_permissions: PORTAL_PERMISSIONS,
  create_non_existing_customer: false,
  create_non_existing_customer_campaign: null,
};

export type RecordState = 'none' | 'pending' | 'active';

/** The records of a tracking domain and the progress of its set-up (published steps). reading: domain-records */
export function recordsOf(domain: string, ssl: RecordState, dns: RecordState): Value {
  return {
    a_records: [{ name: domain, value: '203.0.113.10' }],
    ssl: {
      status: ssl,
      cname_records: ssl === 'none' ? [] : [{ name: `_check.${domain}`, value: 'check.domains.example.com' }],
    },
    dns: { status: dns },
  };
}

/** The image of a product as shown, from its address. */
export function imageAt(url: string, featured: boolean): Value {
  const name = url.split('/').at(-1) ?? 'image.png';
  const ext = name.includes('.') ? (name.split('.').at(-1) as string) : 'png';
  return {
    featured,
    file_name: name,
    file_ext: ext,
    image_width: 800,
    image_height: 800,
    mimetype: `image/${ext}`,
    base_url: url.slice(0, -name.length),
    full_url: url,
  };
}

export const PRODUCT: Value = {
  ...each('', 'internal_id name description description_html sku url'),
  enabled: true,
  cost: 0,
  price: 0,
  price_subscription: null,
  price_trial: null,
  trial_days: 0,
  trial_shipping_setting: 'trial_expiration',
  is_bundle_product: false,
  bundle_settings: { products: [], unbundle_method: 'unbundle_at_fulfillment' },
  is_shippable: false,
  shipping_attributes: { weight: '', length: '', width: '', height: '', fulfillment_account: null },
  additional_id: [],
  product_group: [],
  images: [],
  images_url: 'https://images.example.com/',
  subscription_profile: null,
  project: [],
  third_party_shop: null,
  metadata: [],
};

/** The merchant's name on a card statement (published fields). */
export const DESCRIPTOR: Value = {
  enabled: false,
  ...each('', 'name email url phone address city state postal_code'),
};

/** The default gateway preference of a profile's renewals. */
export const NO_PREFERENCE = { enabled: false, lock_gateway: false, max: 0 };

export const SUBSCRIPTION_PROFILE: Value = {
  description: '',
  frequency: 'unit',
  frequency_unit: { unit_value: 1, unit: 'months' },
  occurrences: 'indefinite',
  occurrences_value: null,
  overdue_limit: 3,
  prefer_gateway: NO_PREFERENCE,
  shipping_profile: '',
  payment_profile: '',
  subscription_specific: false,
};

export const COUPON: Value = {
  name: '',
  enabled: true,
  coupon_profile: null,
  start_date_unix: null,
  end_date_unix: null,
  discount_type: 'percent',
  discount_value: 0,
  num_use: 0,
};

export const FUNCTION: Value = {
  enabled: true,
  event_source: 'api_direct',
  dependencies: [],
  environment_variables: [],
  custom_arguments: [],
  function_code: '',
};

/** The sentinel's settings in a new account. */
export const SENTINEL: Value = {
  enabled: true,
  tracking_visitor_validator: { enabled: false, reject_non_existing: false },
};

/** The default values that reads of a family show. */
export const CREATE_DEFAULTS: Readonly<Record<string, Value>> = {
  wallet_accounts: {
    ...each('', 'description wallet_account_email wallet_account_app_id campaign'),
    third_party_shop: [],
    transaction_confirmation: false,
    add_tracking: true,
  },
  tax_profiles: { description: '', enabled: true, campaign_filter: [], third_party_integration: null },
  payment_profiles: { description: '', enabled: true, payment_flow: [] },
  gateway_groups: { description: '', user_gateway: [] },
  user_gateways: { description: '', enabled: true, custom_descriptor: DESCRIPTOR, discount_rate: 0 },
  product_groups: { description: '', products: [] },
  bin_profiles: { description: '', bin_6: [] },
  url_parameter_sets: { description: '', url_parameters: [] },
  customer_groups: { description: '', qualifier_method: 'manual', qualifiers: [] },
  email_templates: { enabled: true, custom_arguments: [] },
  ai_voice_agents: { description: '', call_method: 'inbound', settings: {} },
  ai_voice_snippets: { description: '', content: '' },
  project_notes: { metadata: [] },
  projects: { description: '', entities: {} },
  shipping_profiles: { description: '', rates: [] },
  user_shops: {
    description: '',
    url: '',
    site_shop: null,
    campaign: null,
    payment_profile: '',
    shipping_methods: [],
    offline_payment_methods: [],
  },
  fulfillment_accounts: { description: '', enabled: true },
  user_third_party_integrations: { description: '' },
  sites: { description: '', enabled: true, tracking_domains: [] },
  smtp_profiles: { description: '', enabled: true },
  coupon_profiles: { description: '', enabled: true, max_uses: 0 },
};
