import { DAY } from '../../time/units.js';
import { nextRun } from '../automation/schedules.js';
import { EMAILS, PERMISSIONS, recordsOf } from '../shapes.js';
import type { Value } from '../text.js';
import { type AccountData, head, named, type SeedScene } from './account.js';
import type { SiteData } from './site.js';

/** Seeds the rest of an account's set-up: coupons, domains, portals, mail, functions, projects, keys, logs. */
export function seedSetup(scene: SeedScene, account: AccountData, site: SiteData): void {
  const { writer, chance } = scene;
  const { live } = account;
  const put = (family: string, value: Value, id?: string): Value => {
    writer.add(family, live, value, id === undefined ? {} : { id });
    return value;
  };
  const many = (family: string, values: readonly Value[], daysAgo: number): Value[] =>
    values.map((value, index) => put(family, head(scene, daysAgo - index, value)));

  const wallet = put(
    'wallet_accounts',
    head(scene, 400, {
      name: 'Shop wallet',
      description: '',
      enabled: true,
      wallet_account_email: 'wallet@example.com',
      wallet_account_app_id: 'app-1',
      campaign: account.campaigns[0]?.id,
      third_party_shop: [account.shop.id],
      transaction_confirmation: false,
      add_tracking: true,
    }),
  );
  writer.memory.wallet_accounts = [...(writer.memory.wallet_accounts ?? []), wallet];

  const [couponProfile] = many(
    'coupon_profiles',
    [{ name: 'Season', description: '', enabled: true, max_uses: 100 }],
    380,
  ) as [Value];
  many(
    'coupons',
    [
      {
        coupon_code: 'SAVE10',
        name: 'Save ten percent',
        enabled: true,
        coupon_profile: named(couponProfile),
        discount_type: 'percent',
        discount_value: 10,
        start_date_unix: null,
        end_date_unix: null,
        num_use: 3,
        max_uses: 100,
      },
      {
        coupon_code: 'FIVEOFF',
        name: 'Five off',
        enabled: true,
        coupon_profile: named(couponProfile),
        discount_type: 'amount',
        discount_value: 5,
        start_date_unix: null,
        end_date_unix: null,
        num_use: 0,
        max_uses: 100,
      },
      {
        coupon_code: 'OLD2020',
        name: 'Expired',
        enabled: true,
        coupon_profile: named(couponProfile),
        discount_type: 'percent',
        discount_value: 50,
        num_use: 0,
        max_uses: 0,
        start_date_unix: null,
        end_date_unix: scene.day - DAY,
      },
    ],
    379,
  );
  const [parameters] = many(
    'url_parameter_sets',
    [
      {
        name: 'Campaign links',
        description: '',
        enabled: true,
        url_parameters: [{ url_parameter: 'utm_source', metadata_name: 'source' }],
      },
    ],
    378,
  ) as [Value];
  const [domain] = many(
    'tracking_domains',
    [
      {
        name: 'Main domain',
        description: '',
        domain_name: 'shop.example.com',
        ...recordsOf('shop.example.com', 'active', 'active'),
        url_parameter_sets: [named(parameters)],
      },
    ],
    377,
  ) as [Value];
  many('sites', [{ name: 'Shop site', description: '', enabled: true, tracking_domains: [named(domain)] }], 376);
  const visitors = Array.from({ length: 6 }, (_, index) => ({
    tracking_domain: named(domain),
    ip_address: `203.0.113.${index + 1}`,
    visits: 1 + index,
  }));
  many('tracking_visitors', visitors, 30);
  const [smtp] = many(
    'smtp_profiles',
    [{ name: 'Mail server', description: '', enabled: true, host: 'smtp.example.com', port: 587 }],
    375,
  ) as [Value];
  const templates = many(
    'email_templates',
    [
      {
        name: 'Thank you',
        enabled: true,
        smtp_profile: named(smtp),
        template_subject: 'Thank you',
        template_from: 'shop@example.com',
        template_to: ['{{customer.email}}'],
        template_html: '<p>Thank you!</p>',
        template_trigger: 'sale.created.success',
        custom_arguments: [],
      },
      {
        name: 'By hand',
        enabled: true,
        smtp_profile: named(smtp),
        template_subject: 'A word',
        template_from: 'shop@example.com',
        template_to: ['{{customer.email}}'],
        template_html: '<p>Hello</p>',
        template_trigger: 'api_direct',
        custom_arguments: [{ name: 'word', description: 'What to say' }],
      },
    ],
    374,
  );
  many(
    'smtp_messages',
    Array.from({ length: 12 }, () => ({
      live_mode: live,
      status: 'sent',
      email_template: named(templates[0] as Value),
      subject: 'Thank you',
      from: 'shop@example.com',
      to: ['someone@example.com'],
    })),
    14,
  );
  many(
    'customer_portals',
    [
      {
        name: 'My account',
        description: '',
        display_name: '',
        enabled: true,
        logo: '',
        tracking_domain: { ...named(domain), domain_name: 'shop.example.com' },
        recaptcha: { site_key: 'site-key' },
        portal_urls: {
          main: 'https://shop.example.com/portal',
          register: 'https://shop.example.com/portal/register',
          login: 'https://shop.example.com/portal/login',
          account: 'https://shop.example.com/portal/account',
        },
        footer_html: '',
        smtp_profile: named(smtp),
        customer_emails: EMAILS,
        customer_filters: { campaign: [], third_party_shop: [] },
        customer_permissions: { ...PERMISSIONS, contact_modify: true },
        create_non_existing_customer: false,
        create_non_existing_customer_campaign: null,
      },
    ],
    370,
  );
  const [, nightly] = many(
    'functions',
    [
      {
        name: 'Score order',
        description: '',
        enabled: true,
        event_source: 'api_direct',
        dependencies: [],
        environment_variables: [{ name: 'LEVEL', value: '3', encrypted: false }],
        custom_arguments: [{ name: 'threshold', description: 'Lowest score' }],
        function_code: 'callback(null, "pass");',
      },
      {
        name: 'Nightly check',
        description: '',
        enabled: true,
        event_source: 'schedule',
        cron_expression: '0 3 * * *',
        cron_timezone: 'UTC',
        dependencies: [],
        environment_variables: [],
        custom_arguments: [],
        function_code: 'callback();',
      },
    ],
    360,
  ) as [Value, Value];
  writer.schedule('cron', String(nightly.id), nextRun(nightly, scene.day + DAY - 1) as number);
  many(
    'ai_prompts',
    [
      { name: 'Polite refund', prompt: 'Write a polite refund note.' },
      { name: 'Short summary', prompt: 'Summarise in two sentences.' },
    ],
    200,
  );
  const [agent] = many(
    'ai_voice_agents',
    [
      { name: 'Call back', description: '', enabled: true, call_method: 'outbound', settings: { voice: 'calm' } },
      { name: 'Front desk', description: '', enabled: true, call_method: 'inbound', settings: { voice: 'bright' } },
    ],
    150,
  ) as [Value];
  many(
    'ai_voice_calls',
    Array.from({ length: 8 }, () => ({
      live_mode: live,
      status: 'Complete',
      call_method: 'outbound',
      ai_voice_agent: named(agent),
      ai_model: 'example-realtime',
      ai_source: 'example',
      ai_source_session_id: '',
      call_duration_ms: 1000 * (40 + chance.int(200)),
    })),
    20,
  );
  many(
    'ai_voice_snippets',
    [{ name: 'opening_hours', description: '', enabled: true, content: 'We are open from nine to five.' }],
    149,
  );
  many('bin_profiles', [{ name: 'Prepaid cards', description: '', enabled: true, bin_6: ['411111', '555555'] }], 300);
  const projects = many(
    'projects',
    [
      { name: 'Spring launch', description: 'New boxes', entities: {} },
      { name: 'Clean-up', description: '', entities: {} },
    ],
    120,
  );
  many(
    'project_notes',
    projects.flatMap((project) =>
      [1, 2].map((n) => ({
        project_id: project.id,
        title: `Note ${n}`,
        content: `Content of note ${n}.`,
        metadata: [],
      })),
    ),
    60,
  );
  for (const [key, value] of [
    ['shipping_cutoff', '15:00'],
    ['support_phone', '+15550100'],
  ]) {
    put('key_values', { ...head(scene, 250), id: undefined, key, value, description: '', key_type: 'string' }, key);
  }
  for (const [name, values] of [
    ['source', ['ads', 'friend', 'search']],
    ['channel', ['web', 'phone', 'mail']],
    ['plan', ['basic', 'gold']],
    ['note', ['loyal']],
    ['season', ['all']],
  ] as const) {
    put('metadata', head(scene, 420, { name, enabled: true, values }));
  }
  many(
    'site_events',
    Array.from({ length: 60 }, (_, index) => ({
      live_mode: live,
      type: index % 2 ? 'page_view' : 'cart',
      message: 'Visited',
    })),
    59,
  );
  many(
    'site_logs',
    Array.from({ length: 40 }, (_, index) => ({
      live_mode: live,
      level: index % 9 ? 'info' : 'error',
      message: 'Fetched the shop',
    })),
    39,
  );
  put(
    'sentinel',
    {
      ...head(scene, 420),
      id: undefined,
      created_date_unix: undefined,
      enabled: true,
      tracking_visitor_validator: { enabled: false, reject_non_existing: false },
    },
    'sentinel',
  );
  many(
    'product_syncs',
    [{ status: 'completed', message: 'All products were read.', third_party_shop: account.shop }],
    90,
  );
  if (site.integrations.length === 0) return;
  const tax = site.integrations.find((one) => one.integration_type === 'tax') as Value;
  many(
    'user_third_party_integrations',
    [
      {
        name: 'Tax service',
        description: '',
        enabled: true,
        third_party_credentials_saved: [],
        third_party_options_saved: [],
        site_third_party_integration: shown(tax),
      },
    ],
    310,
  );
}

/** A site integration as a user integration shows it (spec 2.7). */
export function shown(integration: Value): Value {
  const { created_date_unix: _created, updated_date_unix: _updated, ...rest } = integration;
  return rest;
}
