import { DAY } from '../../time/units.js';
import { nextRun } from '../automation/schedules.js';
import { undated } from '../builders.js';
import { COUPON, DEFAULTS, FUNCTION, PERMISSIONS, PORTAL, recordsOf } from '../shapes.js';
import type { Value } from '../text.js';
import { type AccountData, head, named, type SeedScene, seedSentinel, usual } from './account.js';
import type { SiteData } from './site.js';

/**
 * Seeds the rest of an account's set-up: coupons, domains, portals, mail, functions, projects, keys, logs.
 * @returns its wallet account.
 */
export function seedSetup(scene: SeedScene, account: AccountData, site: SiteData): Value {
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
      ...usual('Shop wallet'),
      ...DEFAULTS.wallet_accounts,
      wallet_account_email: 'wallet@example.com',
      wallet_account_app_id: 'app-1',
      campaign: account.campaigns[0]?.id,
      third_party_shop: [account.shop.id],
    }),
  );

  const [couponProfile] = many('coupon_profiles', [{ ...usual('Season'), max_uses: 100 }], 380) as [Value];
  const coupon = (code: string, name: string, more: Value): Value => ({
    ...COUPON,
    coupon_code: code,
    name,
    coupon_profile: named(couponProfile),
    max_uses: 100,
    ...more,
  });
  many(
    'coupons',
    [
      coupon('SAVE10', 'Save ten percent', { discount_value: 10, num_use: 3 }),
      coupon('FIVEOFF', 'Five off', { discount_type: 'amount', discount_value: 5 }),
      coupon('OLD2020', 'Expired', { discount_value: 50, max_uses: 0, end_date_unix: scene.day - DAY }),
    ],
    379,
  );
  const [parameters] = many(
    'url_parameter_sets',
    [
      {
        ...usual('Campaign links'),
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
  many('sites', [{ ...usual('Shop site'), tracking_domains: [named(domain)] }], 376);
  const visitors = Array.from({ length: 6 }, (_, index) => ({
    tracking_domain: named(domain),
    ip_address: `203.0.113.${index + 1}`,
    visits: 1 + index,
  }));
  many('tracking_visitors', visitors, 30);
  const [smtp] = many('smtp_profiles', [{ ...usual('Mail server'), host: 'smtp.example.com', port: 587 }], 375) as [
    Value,
  ];
  const letter = {
    ...DEFAULTS.email_templates,
    smtp_profile: named(smtp),
    template_from: 'shop@example.com',
    template_to: ['{{customer.email}}'],
  };
  const templates = many(
    'email_templates',
    [
      {
        name: 'Thank you',
        ...letter,
        template_subject: 'Thank you',
        template_html: '<p>Thank you!</p>',
        template_trigger: 'sale.created.success',
      },
      {
        name: 'By hand',
        ...letter,
        template_subject: 'A word',
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
        ...usual('My account'),
        ...PORTAL,
        tracking_domain: { ...named(domain), domain_name: 'shop.example.com' },
        recaptcha: { site_key: 'site-key' },
        portal_urls: {
          main: 'https://shop.example.com/portal',
          register: 'https://shop.example.com/portal/register',
          login: 'https://shop.example.com/portal/login',
          account: 'https://shop.example.com/portal/account',
        },
        smtp_profile: named(smtp),
        customer_permissions: { ...PERMISSIONS, contact_modify: true },
      },
    ],
    370,
  );
  const [, nightly] = many(
    'functions',
    [
      {
        ...usual('Score order'),
        ...FUNCTION,
        environment_variables: [{ name: 'LEVEL', value: '3', encrypted: false }],
        custom_arguments: [{ name: 'threshold', description: 'Lowest score' }],
        function_code: 'callback(null, "pass");',
      },
      {
        ...usual('Nightly check'),
        ...FUNCTION,
        event_source: 'schedule',
        cron_expression: '0 3 * * *',
        cron_timezone: 'UTC',
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
      { ...usual('Call back'), call_method: 'outbound', settings: { voice: 'calm' } },
      { ...usual('Front desk'), call_method: 'inbound', settings: { voice: 'bright' } },
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
  many('ai_voice_snippets', [{ ...usual('opening_hours'), content: 'We are open from nine to five.' }], 149);
  many('bin_profiles', [{ ...usual('Prepaid cards'), bin_6: ['411111', '555555'] }], 300);
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
  seedSentinel(scene, live);
  many(
    'product_syncs',
    [{ status: 'completed', message: 'All products were read.', third_party_shop: account.shop }],
    90,
  );
  const tax = site.integrations.find((one) => one.integration_type === 'tax') as Value;
  many(
    'user_third_party_integrations',
    [
      {
        ...usual('Tax service'),
        third_party_credentials_saved: [],
        third_party_options_saved: [],
        site_third_party_integration: undated(tax),
      },
    ],
    310,
  );
  return wallet;
}
