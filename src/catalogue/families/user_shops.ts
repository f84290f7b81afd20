import type { FamilySpec } from '../conventions.js';
import { closedBody, flag, id, namedItem, namedObject, text, unseenBody } from '../fields.js';

export default {
  name: 'user_shops',
  summary: 'Your connections to shops.',
  columns: 'id name url description created_date_unix',
  exampleId: 'XoQauuefDaR2V3jjxWxT',
  nature: 'set-up',
  words: ['shops'],
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  item: { ...namedItem, url: text, site_shop: namedObject },
  assumed: { campaign: namedObject, payment_profile: id },
  operations: {
    list: { evidence: 'convention' },
    get: {
      query: {
        remote_data: {
          type: 'string',
          many: true,
          enum: ['products', 'shipping_methods', 'offline_payment_methods'],
          note: 'Asks the connected shop live.',
        },
      },
      rules: ['`--remote-data products` can return a lot of data: prefer `products sync start`.'],
      example: 'user-shops get XoQauuefDaR2V3jjxWxT --remote-data shipping_methods',
    },
    create: {
      body: closedBody({
        name: { ...text, common: true, note: 'Unique among user shops.' },
        description: text,
        url: { ...text, common: true, note: 'Address of the shop.' },
      }),
      rules: [
        'Before: install the plugin in the shop and create its API key there.',
        'After: `validate`, `fix` if that fails, then map shipping and offline payment methods with `edit`.',
      ],
      example: 'user-shops create --name "Main shop" --url https://shop.example.com',
    },
    edit: {
      risk: 'money',
      body: closedBody({
        name: { ...text, common: true, note: 'Unique among user shops.' },
        description: text,
        url: { ...text, common: true, note: 'Address of the shop.' },
        payment_profile_id: { ...id, common: true, readFrom: 'payment_profile', note: 'Routes card payments.' },
        campaign_id: { ...id, common: true, readFrom: 'campaign.id' },
        site_shop_id: { ...id, readFrom: 'site_shop.id', note: 'Shop platform.' },
        shipping_methods: { type: 'array', note: 'A mapping; its shape is not documented.' },
        offline_payment_methods: { type: 'array', note: 'A mapping; its shape is not documented.' },
      }),
      further: { enabled: flag },
      preview: {
        show: 'name=shop url=address',
        says: ['Card payments of the shop may be routed differently.'],
      },
      rules: [
        'The payment profile routes the card payments of the shop.',
        'Validate again after changing the address.',
      ],
      example: 'user-shops edit XoQauuefDaR2V3jjxWxT --payment-profile-id TFxvTVDoJZZn9n9xTNxG',
    },
    validate: {
      summary: 'Check the connection to a shop',
      risk: 'write',
      body: unseenBody,
      rules: [
        'Calls the shop and checks its plugin; changes nothing as far as is known.',
        'Run it after every change of credentials, address or plugin.',
      ],
    },
    fix: {
      summary: 'Repair the plugin settings in a connected shop',
      risk: 'money',
      body: unseenBody,
      preview: {
        show: 'name=shop url=address',
        says: ['It writes into the settings of the connected shop.'],
      },
      rules: ['Writes into the connected shop.', 'Only after `validate` failed, and once; then validate again.'],
    },
  },
} as const satisfies FamilySpec;
