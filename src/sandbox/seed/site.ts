import type { Value } from '../store/item-values.js';
import { putting, type SeedScene, seededHead } from './seed-account.js';

/** The service's own lists, which both modes see. */
export type SiteData = ReturnType<typeof seedSite>;

const CARRIERS = ['ups', 'usps', 'fedex', 'dhl', 'royal_mail', 'canada_post', 'other'];

/** Seeds carriers, centres, gateways, shop platforms and third parties. */
export function seedSite(scene: SeedScene) {
  const put = putting(scene, null);
  const carriers = CARRIERS.map((name) => {
    const carrier = {
      ...seededHead(scene, 900, { name, description: '' }),
      methods: ['Standard', 'Express'].map((method) => ({ id: scene.chance.id(), name: method })),
    };
    scene.writer.add('site_shipping_providers', null, carrier);
    return carrier;
  });
  const field = (id: string, name: string): Value => ({ id, name, required: true });
  const [gateway] = ['Example Payments', 'Sample Merchant'].map((name) =>
    put('site_gateways', 900, {
      name,
      description: '',
      credentials: [field('login', 'Login'), field('secret', 'Secret')],
    }),
  );
  const [shop] = ['Open Cart', 'Blog Shop'].map((name) => put('site_shops', 900, { name, description: '' }));
  const [center] = ['Ship Fast', 'Pick & Pack'].map((name) =>
    put('site_fulfillment_centers', 900, { name, description: '', required_fields: [field('api_key', 'API key')] }),
  );
  const integrations = ['ai', 'ai_voice', 'offline_payment', 'tax', 'shipping'].map((type) =>
    put('site_third_party_integrations', 900, {
      name: `Example ${type.replaceAll('_', ' ')}`,
      description: '',
      integration_type: type,
      third_party_credentials: {
        id: 'default',
        name: 'Credentials',
        description: '',
        fields: [field('api_key', 'API key')],
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
  );
  for (const [title, text] of [
    ['Refunds', 'How to refund a sale, a product sale, a renewal, a shipment or tax.'],
    ['Subscriptions', 'How to suspend, activate, cancel and renew a subscription.'],
    ['Paging', 'Lists take limit and page; date-ranged lists take date_start and date_end.'],
  ])
    put('documentation', 900, { title, text });
  return { carriers, gateway: gateway as Value, shop: shop as Value, center: center as Value, integrations };
}
