import { DAY } from '../../base/time/units.js';
import { nextRun } from '../automation/schedules.js';
import { undated } from '../rules/builders.js';
import { COUPON, CREATE_DEFAULTS, FUNCTION, PORTAL, PORTAL_PERMISSIONS, recordsOf } from '../rules/shapes.js';
import type { Value } from '../store/item-values.js';
import { type AccountData, idAndName, putting, type SeedScene, seedSentinel, usual } from './seed-account.js';
import type { Made } from './seed-recurring.js';
import type { SiteData } from './site.js';

/**
 * Seeds the rest of an account's set-up: coupons, domains, portals, mail, functions, projects, keys, logs.
 * @param uses how many sales used each coupon
 * @returns the account's wallet account.
 */
export function seedSetup(scene: SeedScene, account: AccountData, site: SiteData, uses: Made['coupons']): Value {
  const { writer, chance } = scene;
  const { live } = account;
  const put = putting(scene, live);
  /** Each a day newer than the one before. */
  const many = (family: string, daysAgo: number, values: readonly Value[]): Value[] =>
    values.map((value, index) => put(family, daysAgo - index, value));
  const times = (count: number, make: (index: number) => Value): Value[] =>
    Array.from({ length: count }, (_, index) => make(index));

  const wallet = put('wallet_accounts', 400, {
    ...usual('Shop wallet'),
    ...CREATE_DEFAULTS.wallet_accounts,
    wallet_account_email: 'wallet@example.com',
    wallet_account_app_id: 'app-1',
    campaign: account.campaigns[0]?.id,
    third_party_shop: [account.shop.id],
  });

  // They can still be used, however large the account is.
  const max_uses = 100 * Math.ceil((uses.SAVE10 + 50) / 100);
  const couponProfile = put('coupon_profiles', 380, { ...usual('Season'), max_uses });
  const coupon = (code: string, name: string, more: Value): Value => ({
    ...COUPON,
    coupon_code: code,
    name,
    coupon_profile: idAndName(couponProfile),
    max_uses,
    ...more,
  });
  many('coupons', 379, [
    coupon('SAVE10', 'Save ten percent', { id: account.coupons.SAVE10, discount_value: 10, num_use: uses.SAVE10 }),
    coupon('FIVEOFF', 'Five off', {
      id: account.coupons.FIVEOFF,
      discount_type: 'amount',
      discount_value: 5,
      num_use: uses.FIVEOFF,
    }),
    coupon('OLD2020', 'Expired', { discount_value: 50, max_uses: 0, end_date_unix: scene.day - DAY }),
  ]);
  const parameters = put('url_parameter_sets', 378, {
    ...usual('Campaign links'),
    url_parameters: [{ url_parameter: 'utm_source', metadata_name: 'source' }],
  });
  const domain = put('tracking_domains', 377, {
    name: 'Main domain',
    description: '',
    domain_name: 'shop.example.com',
    ...recordsOf('shop.example.com', 'active', 'active'),
    url_parameter_sets: [idAndName(parameters)],
  });
  put('sites', 376, { ...usual('Shop site'), tracking_domains: [idAndName(domain)] });
  const visitor = (index: number): Value => ({
    tracking_domain: idAndName(domain),
    ip_address: `203.0.113.${index + 1}`,
    visits: 1 + index,
  });
  many('tracking_visitors', 30, times(6, visitor));
  const smtp = put('smtp_profiles', 375, { ...usual('Mail server'), host: 'smtp.example.com', port: 587 });
  const letter = {
    ...CREATE_DEFAULTS.email_templates,
    smtp_profile: idAndName(smtp),
    template_from: 'shop@example.com',
    template_to: ['{{customer.email}}'],
  };
  const thanks = put('email_templates', 374, {
    name: 'Thank you',
    ...letter,
    template_subject: 'Thank you',
    template_html: '<p>Thank you!</p>',
    template_trigger: 'sale.created.success',
  });
  put('email_templates', 373, {
    name: 'By hand',
    ...letter,
    template_subject: 'A word',
    template_html: '<p>Hello</p>',
    template_trigger: 'api_direct',
    custom_arguments: [{ name: 'word', description: 'What to say' }],
  });
  const sent = {
    live_mode: live,
    status: 'sent',
    email_template: idAndName(thanks),
    subject: 'Thank you',
    from: 'shop@example.com',
    to: ['someone@example.com'],
  };
  many('smtp_messages', 14, Array(12).fill(sent));
  put('customer_portals', 370, {
    ...usual('My account'),
    ...PORTAL,
    tracking_domain: { ...idAndName(domain), domain_name: 'shop.example.com' },
    recaptcha: { site_key: 'site-key' },
    portal_urls: {
      main: 'https://shop.example.com/portal',
      register: 'https://shop.example.com/portal/register',
      login: 'https://shop.example.com/portal/login',
      account: 'https://shop.example.com/portal/account',
    },
    smtp_profile: idAndName(smtp),
    customer_permissions: { ...PORTAL_PERMISSIONS, contact_modify: true },
  });
  put('functions', 360, {
    ...usual('Score order'),
    ...FUNCTION,
    environment_variables: [{ name: 'LEVEL', value: '3', encrypted: false }],
    custom_arguments: [{ name: 'threshold', description: 'Lowest score' }],
    function_code: 'callback(null, "pass");',
  });
  const nightly = put('functions', 359, {
    ...usual('Nightly check'),
    ...FUNCTION,
    event_source: 'schedule',
    cron_expression: '0 3 * * *',
    cron_timezone: 'UTC',
    function_code: 'callback();',
  });
  writer.schedule('cron', String(nightly.id), nextRun(nightly, scene.day + DAY - 1) as number);
  many('ai_prompts', 200, [
    { name: 'Polite refund', prompt: 'Write a polite refund note.' },
    { name: 'Short summary', prompt: 'Summarise in two sentences.' },
  ]);
  const agent = put('ai_voice_agents', 150, {
    ...usual('Call back'),
    call_method: 'outbound',
    settings: { voice: 'calm' },
  });
  put('ai_voice_agents', 149, { ...usual('Front desk'), call_method: 'inbound', settings: { voice: 'bright' } });
  const voiceCall = (): Value => ({
    live_mode: live,
    status: 'Complete',
    call_method: 'outbound',
    ai_voice_agent: idAndName(agent),
    ai_model: 'example-realtime',
    ai_source: 'example',
    ai_source_session_id: '',
    call_duration_ms: 1000 * (40 + chance.int(200)),
  });
  many('ai_voice_calls', 20, times(8, voiceCall));
  put('ai_voice_snippets', 149, { ...usual('opening_hours'), content: 'We are open from nine to five.' });
  put('bin_profiles', 300, { ...usual('Prepaid cards'), bin_6: ['411111', '555555'] });
  const projects = many('projects', 120, [
    { name: 'Spring launch', description: 'New boxes', entities: {} },
    { name: 'Clean-up', description: '', entities: {} },
  ]);
  const note = (project: Value, n: number): Value => ({
    project_id: project.id,
    title: `Note ${n}`,
    content: `Content of note ${n}.`,
    metadata: [],
  });
  many(
    'project_notes',
    60,
    projects.flatMap((project) => [note(project, 1), note(project, 2)]),
  );
  for (const [key, value] of [
    ['shipping_cutoff', '15:00'],
    ['support_phone', '+15550100'],
  ])
    put('key_values', 250, { id: undefined, key, value, description: '', key_type: 'string' }, key);
  for (const [name, values] of [
    ['source', ['ads', 'friend', 'search']],
    ['channel', ['web', 'phone', 'mail']],
    ['plan', ['basic', 'gold']],
    ['note', ['loyal']],
    ['season', ['all']],
  ])
    put('metadata', 420, { name, enabled: true, values });
  const visited = (index: number) => ({ live_mode: live, type: index % 2 ? 'page_view' : 'cart', message: 'Visited' });
  many('site_events', 59, times(60, visited));
  const fetched = (index: number) => ({
    live_mode: live,
    level: index % 9 ? 'info' : 'error',
    message: 'Fetched the shop',
  });
  many('site_logs', 39, times(40, fetched));
  seedSentinel(scene, live);
  put('product_syncs', 90, { status: 'completed', message: 'All products were read.', third_party_shop: account.shop });
  const tax = site.integrations.find((one) => one.integration_type === 'tax') as Value;
  put('user_third_party_integrations', 310, {
    ...usual('Tax service'),
    third_party_credentials_saved: [],
    third_party_options_saved: [],
    site_third_party_integration: undated(tax),
  });
  return wallet;
}
