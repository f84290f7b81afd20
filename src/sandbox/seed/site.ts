import type { Value } from '../text.js';
import { head, type SeedScene } from './account.js';

/** The service's own lists, seen by both modes. */
export interface SiteData {
  readonly carriers: readonly Value[];
  readonly gateway: Value;
  readonly shop: Value;
  readonly center: Value;
  readonly integrations: readonly Value[];
}

const CARRIERS = ['ups', 'usps', 'fedex', 'dhl', 'royal_mail', 'canada_post', 'other'];

/** Seeds carriers, centres, gateways, shop platforms and third parties. */
export function seedSite(scene: SeedScene): SiteData {
  const put = (family: string, value: Value): Value => {
    scene.writer.add(family, null, value);
    return value;
  };
  const carriers = CARRIERS.map((name) =>
    put('site_shipping_providers', {
      ...head(scene, 900, { name, description: '' }),
      methods: ['Standard', 'Express'].map((method) => ({ id: scene.chance.id(), name: method })),
    }),
  );
  const gateways = ['Example Payments', 'Sample Merchant'].map((name) =>
    put(
      'site_gateways',
      head(scene, 900, {
        name,
        description: '',
        credentials: [
          { id: 'login', name: 'Login', required: true },
          { id: 'secret', name: 'Secret', required: true },
        ],
      }),
    ),
  );
  const shops = ['Open Cart', 'Blog Shop'].map((name) =>
    put('site_shops', head(scene, 900, { name, description: '' })),
  );
  const centers = ['Ship Fast', 'Pick & Pack'].map((name) =>
    put(
      'site_fulfillment_centers',
      head(scene, 900, {
        name,
        description: '',
        required_fields: [{ id: 'api_key', name: 'API key', required: true }],
      }),
    ),
  );
  const integrations = (['ai', 'ai_voice', 'offline_payment', 'tax', 'shipping'] as const).map((type) =>
    put(
      'site_third_party_integrations',
      head(scene, 900, {
        name: `Example ${type.replaceAll('_', ' ')}`,
        description: '',
        integration_type: type,
        third_party_credentials: {
          id: 'default',
          name: 'Credentials',
          description: '',
          fields: [{ id: 'api_key', name: 'API key', required: true }],
        },
        third_party_options: [
          {
            id: 'model',
            name: 'Model',
            description: '',
            required: false,
            fields: [
              {
                id: 'model_name',
                name: 'Model name',
                field_type: 'select',
                required: false,
                select_settings: { third_party_asset: false, options: ['small', 'large'], multiple: false },
              },
            ],
          },
        ],
      }),
    ),
  );
  for (const [title, text] of [
    ['Refunds', 'How to refund a sale, a product sale, a renewal, a shipment or tax.'],
    ['Subscriptions', 'How to suspend, activate, cancel and renew a subscription.'],
    ['Paging', 'Lists take limit and page; date-ranged lists take date_start and date_end.'],
  ]) {
    put('documentation', head(scene, 900, { title, text }));
  }
  return {
    carriers,
    gateway: gateways[0] as Value,
    shop: shops[0] as Value,
    center: centers[0] as Value,
    integrations,
  };
}
