import { undated } from '../rules/builders.js';
import { CREATE_DEFAULTS, FUNCTION, imageAt, PORTAL, PRODUCT, recordsOf } from '../rules/shapes.js';
import type { Value } from '../store/item-values.js';
import {
  type AccountData,
  flowOver,
  gatewayAt,
  idAndName,
  putting,
  rateOf,
  type SeedScene,
  seededHead,
  shopAt,
  usual as usualOf,
} from './seed-account.js';
import { eventOf, lineOf } from './seed-automation.js';
import type { SiteData } from './site.js';

const LETTER = Array.from({ length: 30 }, (_, line) => `<p>Paragraph ${line + 1} of {{customer.first_name}}</p>`);
const CODE = Array.from({ length: 25 }, (_, line) => `// step ${line + 1}`).concat('callback(null, "done");');

/**
 * More set-up, for an account to be moved elsewhere: at least three objects per family, with references, two objects
 * that refer to each other, hidden values and long texts.
 */
export function seedRich(scene: SeedScene, account: AccountData, site: SiteData): void {
  const { live } = account;
  const file = putting(scene, live);
  const put: Put = (family, value, id) => file(family, 100, value, id);
  const two: Two = (family, make) => [put(family, make('North', 0)), put(family, make('South', 1))];
  const parameters = two('url_parameter_sets', (name) => ({
    ...usual(name),
    url_parameters: [{ url_parameter: 'ref', metadata_name: 'source' }],
  }));
  const domains = two('tracking_domains', (name, index) => {
    const domain = `${name.toLowerCase()}.example.com`;
    const sets = [idAndName(parameters[index] as Value)];
    return {
      name,
      description: '',
      domain_name: domain,
      ...recordsOf(domain, 'active', 'active'),
      url_parameter_sets: sets,
    };
  });
  two('sites', (name, index) => ({ ...usual(name), tracking_domains: [idAndName(domains[index] as Value)] }));
  const mail = two('smtp_profiles', (name) => usual(`${name} mail`));
  two('email_templates', (name, index) => ({
    name: `${name} letter`,
    enabled: true,
    smtp_profile: idAndName(mail[index] as Value),
    template_subject: `News of the ${name}`,
    template_from: 'shop@example.com',
    template_to: ['{{customer.email}}'],
    template_html: LETTER.join('\n'),
    template_trigger: index === 0 ? 'api_direct' : 'sale.created.success',
    custom_arguments: [],
  }));
  two('customer_portals', (name, index) => ({
    ...PORTAL,
    ...usual(name),
    display_name: name,
    tracking_domain: { ...idAndName(domains[index] as Value), domain_name: domains[index]?.domain_name },
    recaptcha: { site_key: `site-key-${index}` },
    footer_html: LETTER.slice(0, 3).join('\n'),
    smtp_profile: idAndName(mail[index] as Value),
  }));
  const functions = two('functions', (name, index) => ({
    ...FUNCTION,
    ...usual(`${name} rule`),
    environment_variables: [
      { name: 'REGION', value: name, encrypted: false },
      ...(index === 0 ? [{ name: 'TOKEN', value: '', encrypted: true }] : []),
    ],
    function_code: CODE.join('\n'),
  }));
  seedMoney(site, account, put);
  seedPictured(scene, live, put);
  seedRest(put, two, functions);
  const model = site.integrations.find((one) => one.integration_type === 'ai') as Value;
  const integration = put('user_third_party_integrations', {
    ...usual('Second model'),
    third_party_credentials_saved: ['default'],
    third_party_options_saved: [],
    site_third_party_integration: undated(model),
  });
  seedCircle(scene, live, integration);
}

type Put = (family: string, value: Value, id?: string) => Value;
type Two = (family: string, make: (name: string, index: number) => Value) => readonly [Value, Value];

function usual(name: string): Value {
  return usualOf(name, `${name}, an example`);
}

function seedMoney(site: SiteData, account: AccountData, put: Put): void {
  const gateway = put('user_gateways', gatewayAt(site.gateway, usual('North gateway'), 2.5));
  for (const name of ['North', 'South']) {
    const payment_flow = flowOver([gateway, account.gateway]);
    const flow = put('payment_profiles', { ...usual(`${name} routing`), payment_flow });
    put('user_shops', shopAt(site.shop, usual(`${name} shop`), `https://${name.toLowerCase()}.example.com`, flow));
    put('shipping_profiles', {
      ...usual(`${name} rates`),
      rates: [
        rateOf(site.carriers, 1, name === 'North' ? 7.5 : 5.25, {
          products: [{ id: account.products[0]?.id, enabled: true, quantity_rule: 'any', quantity_value: 0 }],
          countries: ['USA', 'CAN'].map((code) => ({ iso_code: code, enabled: true })),
        }),
      ],
    });
    put('gateway_groups', { ...usual(name), user_gateway: [account.gateway] });
    put('fulfillment_accounts', { ...usual(name), fulfillment_center: idAndName(site.center), cancel_on_void: false });
    put('tax_profiles', {
      ...usual(name),
      campaign_filter: account.campaigns.slice(0, 1),
      third_party_integration: null,
    });
    put('wallet_accounts', {
      ...CREATE_DEFAULTS.wallet_accounts,
      ...usual(name),
      wallet_account_email: `${name.toLowerCase()}@example.com`,
      campaign: account.campaigns[0]?.id,
      third_party_shop: [account.shop.id],
    });
  }
}

/** Products with images, one of them with two images and a metadata pair. */
function seedPictured(scene: SeedScene, live: boolean, put: Put): void {
  for (const [index, name] of ['North', 'South'].entries()) {
    const image = (view: string): Value => {
      const url = `https://images.example.com/${name.toLowerCase()}-${view}.png`;
      return { id: scene.chance.id(), ...imageAt(url, view === 'front') };
    };
    const images = [image('front'), ...(index === 0 ? [image('back')] : [])];
    const product = put('products', {
      ...PRODUCT,
      ...usual(`${name} box`),
      internal_id: `P-2${index}`,
      sku: `SKU-2${index}`,
      price: 24.5 + index,
      price_subscription: 24.5 + index,
      price_trial: 24.5 + index,
      images,
      metadata: index === 0 ? [{ name: 'season', value: 'winter' }] : [],
    });
    for (const one of images)
      scene.writer.add('product_images', live, seededHead(scene, 100, { ...one, product_id: product.id }));
  }
}

function seedRest(put: Put, two: Two, functions: readonly Value[]): void {
  const profiles = two('coupon_profiles', usual);
  put('coupons', {
    coupon_code: 'NORTH15',
    enabled: true,
    coupon_profile: idAndName(profiles[0]),
    discount_type: 'percent',
    discount_value: 15,
    start_date_unix: null,
    end_date_unix: null,
    num_use: 0,
  });
  two('ai_prompts', (name) => ({ name: `${name} prompt`, prompt: LETTER.join('\n') }));
  two('ai_voice_agents', (name, index) => ({
    ...usual(`${name} desk`),
    call_method: 'inbound',
    pre_agent_function: functions[index]?.id,
    settings: { voice: 'calm' },
  }));
  two('ai_voice_snippets', (name) => ({ ...usual(name.toLowerCase()), content: `Welcome to the ${name}.` }));
  two('bin_profiles', (name) => ({ ...usual(name), bin_6: ['400000'] }));
  two('projects', (name) => ({ name, description: LETTER.join('\n'), entities: [] }));
  two('customer_groups', (name) => ({ ...usual(name), qualifier_method: 'manual', qualifiers: [] }));
  for (const key of ['return_address', 'welcome_text'])
    put('key_values', { id: undefined, key, value: LETTER.join('\n'), description: '', key_type: 'string' }, key);
}

/** Two assistants whose filters name each other: neither can be created whole before the other. */
function seedCircle(scene: SeedScene, live: boolean, integration: Value): void {
  const pair = ['Day shift', 'Night shift'].map((name) =>
    seededHead(scene, 90, { name, description: '', enabled: true }),
  );
  for (const [index, one] of pair.entries()) {
    const other = pair[1 - index] as Value;
    scene.writer.add('ai_assistants', live, {
      ...one,
      settings: {
        assistant_instructions: LETTER.join('\n'),
        assistant_limits: { thread_max_tokens: 0, token_max_per_day: 0 },
        trigger_settings: {
          trigger: 'account_event',
          account_event: eventOf('ai_memo.created', { ai_assistant_filter: [String(other.id)] }),
        },
      },
      flow: lineOf([
        { id: 'start', type: 'start_thread' },
        { id: 'end', type: 'action_end_thread' },
      ]),
      third_party_integration: idAndName(integration),
    });
  }
}
