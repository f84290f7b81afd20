import type { FamilySpec } from '../conventions.js';
import {
  closedBody,
  completeBody,
  each,
  flag,
  id,
  ids,
  namedObject,
  object,
  openObject,
  text,
  texts,
  unix,
} from '../fields.js';
import type { Field } from '../types.js';

const mail = object({
  from: { ...text, required: true },
  from_name: { ...text, required: true },
  subject: { ...text, required: true },
  html: { ...text, required: true, note: 'Holds the shortcode {{email_code}}.' },
  to_cc: { ...texts, required: true },
  to_bcc: { ...texts, required: true },
});

/** Writable settings of a portal (service.md#customer-portals). */
const settings = {
  name: { ...text, common: true, note: 'Unique among portals.' },
  description: text,
  enabled: { ...flag, common: true },
  tracking_domain: {
    ...id,
    common: true,
    readFrom: 'tracking_domain.id',
    ready: 'initialize-ssl',
    note: 'Needs active SSL.',
  },
  recaptcha: {
    ...object({ site_key: { ...text, required: true }, secret_key: { ...text, required: true, secret: true } }),
    note: 'For the domain of the tracking domain.',
  },
  display_name: { ...text, common: true, note: 'The portal shows its name when blank.' },
  footer_html: text,
  smtp_profile: { ...id, common: true, readFrom: 'smtp_profile.id' },
  customer_emails: object({ customer_account_confirm_email: mail, customer_account_password_reset: mail }),
  customer_filters: {
    ...object({ campaign: ids, third_party_shop: ids }),
    note: 'A customer matches one entry of each list that is not empty; both empty lets everyone in.',
  },
  customer_permissions: object({
    ...each(
      flag,
      'contact_modify credit_card_add credit_card_remove credit_card_set_default shipping_modify_ship_to subscription_renew subscription_activate subscription_suspend subscription_cancel trial_expire trial_cancel salvage_transaction_process',
    ),
  }),
  create_non_existing_customer: { ...flag, note: 'Lets unknown people register; false is recommended.' },
  create_non_existing_customer_campaign: { ...id, readFrom: 'create_non_existing_customer_campaign.id' },
} as const satisfies Record<string, Field>;

export default {
  name: 'customer_portals',
  summary: 'Self-service portals for customers.',
  columns: 'id name enabled display_name portal_urls.main=address created_date_unix',
  exampleId: 'pRYac79TwENMVSnXZSdB',
  nature: 'set-up',
  keys: [{ field: 'name', unique: true, source: 'service.md#customer-portals' }],
  left: {
    logo: 'uploaded in the pages of the service',
  },
  shape: 'spec',
  item: {
    ...settings,
    id,
    tracking_domain: openObject({ id, name: text, domain_name: text }),
    recaptcha: openObject({ site_key: text, secret_key: { ...text, secret: true } }),
    logo: { ...text, format: 'url' },
    portal_urls: openObject({ main: text, register: text, login: text, account: text }),
    smtp_profile: namedObject,
    create_non_existing_customer_campaign: namedObject,
    created_date_unix: unix,
    updated_date_unix: unix,
  },
  operations: {
    list: { evidence: 'spec' },
    get: {},
    create: {
      body: closedBody({
        ...settings,
        tracking_domain: { ...settings.tracking_domain, required: true },
        recaptcha: { ...settings.recaptcha, required: true },
        smtp_profile: { ...settings.smtp_profile, required: true },
      }),
      checks: ['customer-portal'],
      rules: [
        'The SMTP profile, the tracking domain with SSL and the captcha keys must exist beforehand.',
        'Fields after `recaptcha` are those of the edit.',
      ],
      example: 'customer-portals create --body @portal.json',
    },
    edit: {
      body: completeBody(settings),
      checks: ['customer-portal'],
      rules: ['E-mail texts must hold the shortcode `{{email_code}}`.'],
      example: 'customer-portals edit pRYac79TwENMVSnXZSdB -d customer_permissions.subscription_cancel=false',
      evidence: 'spec',
    },
    delete: { evidence: 'convention' },
  },
} as const satisfies FamilySpec;
