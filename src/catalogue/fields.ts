import { type WordsIn, wordList } from './references.js';
import type { Body, Field, QueryField } from './types.js';

/* Groups of fields that several families share. Plain data, like the families themselves. */

/** An object with these members, and no others. */
export const object = (fields: NonNullable<Field['fields']>): Field => ({ type: 'object', fields });
/** An object that may have other members besides. */
export const openObject = (fields: NonNullable<Field['fields']>): Field => ({ type: 'object', open: true, fields });
export const array = (items: Field): Field => ({ type: 'array', items });
/** Fields of the same kind, by their names. */
export const each = <Names extends string, const Kind>(kind: Kind, names: Names) =>
  Object.fromEntries(wordList(names).map((name) => [name, kind])) as Record<WordsIn<Names>, Kind>;

export const text = { type: 'string' } as const satisfies Field;
export const integer = { type: 'integer' } as const satisfies Field;
export const number = { type: 'number' } as const satisfies Field;
/** An amount in the currency of the item. */
export const money = { type: 'number', means: 'money' } as const satisfies Field;
/** A fraction, of a hundred or of one, as the service writes it. */
export const share = { type: 'number', means: 'share' } as const satisfies Field;
/** A month as printed on cards, `12/28`: the card is valid to its end. */
export const month = { type: 'string', means: 'month' } as const satisfies Field;
/** A number written as a string: `07`. */
export const digits = { type: 'string', means: 'count' } as const satisfies Field;
/** A length of time in whole days. */
export const days = { type: 'integer', means: 'span', unit: 'd' } as const satisfies Field;
export const milliseconds = { type: 'integer', means: 'span', unit: 'ms' } as const satisfies Field;
/** The state of an item. */
export const status = { type: 'string', means: 'status' } as const satisfies Field;
export const flag = { type: 'boolean' } as const satisfies Field;
export const unix = { type: 'integer', format: 'unix' } as const satisfies Field;
export const id = { type: 'string', format: 'id' } as const satisfies Field;
export const ids = array(id);
export const texts = array(text);
export const email = { type: 'string', format: 'email' } as const satisfies Field;
export const country = { type: 'string', format: 'country' } as const satisfies Field;
export const currency = { type: 'string', format: 'currency' } as const satisfies Field;
export const dateTime = { type: 'string', format: 'date-time' } as const satisfies Field;
/** A value of undocumented shape. */
export const anything = { type: 'any' } as const satisfies Field;
export const anyObject = { type: 'object', open: true } as const satisfies Field;

/** An `{id, name}` object, as reads show a related item. */
export const namedObject = openObject({ id, name: text });

/** Metadata pairs, both written and read (service.md#envelopes). */
export const metadata = array(
  object({
    name: { type: 'string', required: true, minLength: 1, maxLength: 100 },
    value: { type: 'string', required: true, minLength: 1, maxLength: 255 },
  }),
);

/** Address and contact of a customer, all optional (service.md#new-customers). */
export const contact = {
  first_name: text,
  last_name: text,
  address_line_1: { ...text, beside: ['address_line_2'] },
  address_line_2: text,
  city: { ...text, beside: ['state', 'zip', 'country'] },
  state: { ...text, beside: ['city', 'zip', 'country'] },
  zip: { ...text, beside: ['city', 'state', 'country'] },
  country: { ...country, beside: ['address_line_1', 'address_line_2', 'city', 'state', 'zip'] },
  company: text,
  email,
  phone: text,
} as const satisfies Record<string, Field>;

/** The same, with the three fields that a new customer needs (service.md#new-customers). */
export const newContact = {
  ...contact,
  first_name: { ...text, required: true },
  last_name: { ...text, required: true },
  email: { ...email, required: true },
} as const satisfies Record<string, Field>;

/** Card data (service.md#new-customers). The number and the code never come from the command line. */
export const creditCard = object({
  card_number: { type: 'string', format: 'digits', secret: true },
  exp_month: { type: 'integer', min: 1, max: 12 },
  exp_year: { type: 'integer', min: 0, max: 99, note: 'Two digits.' },
  card_code: { type: 'string', format: 'digits', secret: true },
});

/** Card data of a sale. A 3-D Secure part exists, but its shape was never seen. */
export const saleCard = { ...creditCard, fields: { ...creditCard.fields, three_ds: anything }, open: true } as const;

/** A contact in a body that requires none of its fields. */
export const address = object(contact);

/**
 * The fields of an order. The documentation of a sale breaks off before most of them, so these names are our
 * assumption.
 */
export const order = {
  campaign: { ...text, nameOk: true, note: 'Id or name of a campaign.' },
  iso_currency: currency,
  ip_address: text,
  payment_type: { ...text, enum: ['credit_card', 'wallet', 'offline_payment', 'check_direct'] },
  payment_profile: id,
  credit_card: saleCard,
  wallet_transaction_id: { ...text, refers: [] },
  customer_id: id,
  customer: object({ ...contact, email: { ...email, required: true } }),
  bill_to: address,
  ship_to: address,
  products: {
    ...array({
      ...object({
        id: { ...id, required: true },
        quantity: { ...integer, min: 1, default: 1 },
        price: money,
      }),
      refers: ['products'],
    }),
    minItems: 1,
  },
  shipping_amount: money,
  shipping_profile: { ...id, emptyOk: true },
  tax_amount: money,
  discount_amount: money,
  coupon_code: text,
  metadata,
} as const satisfies Record<string, Field>;

/** Values for the declared arguments of a function or template, by name. */
export const argumentValues = array(object({ name: { ...text, required: true }, value: anything }));

/** Arguments that a function or template declares (service.md#other-items). */
export const argumentNames = array(object({ name: { ...text, required: true }, description: text }));

/** Credential values as declared by a site-level entry; stored encrypted. */
export const credentialFields = {
  ...array(object({ id: { ...text, required: true }, value: { ...text, required: true, secret: true } })),
  unread: true,
  note: 'One entry per credential field of the site-level entry; prefer a secure form.',
} as const satisfies Field;

/** A third-party service that the service can connect to, as its list and a connection to it show it. */
export const siteIntegration = {
  id,
  name: text,
  description: text,
  integration_type: { ...text, enum: ['ai', 'ai_voice', 'offline_payment', 'tax', 'shipping'] },
  third_party_credentials: openObject({
    id: text,
    name: text,
    description: text,
    fields: array(openObject({ id: text, name: text, required: flag })),
  }),
  third_party_options: array(
    openObject({
      id: text,
      name: text,
      description: text,
      required: flag,
      fields: array(
        openObject({
          id: text,
          name: text,
          field_type: { ...text, enum: ['select', 'input'] },
          required: flag,
          select_settings: openObject({ third_party_asset: flag, options: texts, multiple: flag }),
        }),
      ),
    }),
  ),
} as const satisfies Record<string, Field>;

/** Kinds of item that an automation can run for. */
export const runItemTypes = wordList(
  'sale customer product_sale shipping subscription subscription_renewal salvage_transaction transaction chargeback fraud_detection',
);

/** Fields that nearly every setup item has (service.md#envelopes), where nothing says that a write takes them. */
export const assumedHead = { name: text, description: text, enabled: flag } as const satisfies Record<string, Field>;

/** A body that takes these fields and no others, as far as its schema was seen. */
export const closedBody = (fields: Body['fields']) => ({ closed: true, fields }) as const;
/** The same, where the whole schema was seen. */
export const completeBody = (fields: Body['fields']) => ({ closed: true, complete: true, fields }) as const;
/** A body of which only these fields were seen. */
export const partlySeenBody = (fields: Body['fields']) => ({ fields }) as const;
/** A body that is known to be an empty object. */
export const emptyBody = completeBody({});
/** An undocumented body: any field is passed on, with a note. */
export const unseenBody = { closed: false, complete: false, fields: {} } as const satisfies Body;

export const refundAmount = {
  ...money,
  common: true,
  note: 'Part to refund, above zero: 10.00, or 50% if nothing has been refunded yet; without it, everything is refunded.',
} as const satisfies Field;
export const refundedOffsite = {
  ...flag,
  default: false,
  note: 'True records the refund without asking the gateway to pay back.',
} as const satisfies Field;

/** An embedded customer as reads show it (service.md#customers). */
export const customer = openObject({
  id,
  enabled: flag,
  blocked: flag,
  internal_id: text,
  ...contact,
  metadata,
  created_date_unix: unix,
  updated_date_unix: unix,
});

/** A delivery address as reads show it (service.md#payments). */
export const shipTo = { ...openObject(contact), copies: 'customers' } as const satisfies Field;

/** The amounts of a payment record (service.md#payments). */
export const amounts = {
  ...each(
    money,
    'amount amount_original_total amount_total amount_gross amount_net amount_fees amount_captured amount_settled amount_remaining amount_refunded',
  ),
} as const satisfies Record<string, Field>;

/** The lists in which a paid item names related items (service.md#payments). */
export const relatives = {
  ...each(
    ids,
    'sales product_sales shipping tax discounts trials subscriptions subscription_renewals invoices transactions ai_threads ai_assistants wallet_transactions offline_payments check_directs salvage_transactions',
  ),
} as const satisfies Record<string, Field>;

/** Fields that nearly every item has (service.md#envelopes). */
export const itemHead = { id, created_date_unix: unix, updated_date_unix: unix } as const satisfies Record<
  string,
  Field
>;
/** The same for a setup family. */
export const namedItem = { ...itemHead, ...assumedHead } as const satisfies Record<string, Field>;
/** An item that is a payment; each family adds its amounts and state. */
export const paidItem = {
  ...itemHead,
  iso_currency: currency,
  live_mode: flag,
  campaign_id: id,
  campaign_name: text,
  customer,
} as const satisfies Record<string, Field>;

/** A reference to the item concerned, by kind and id. */
export const aboutSomeItem = {
  item_type: text,
  item_id: {
    ...id,
    refers: wordList(
      'sales customers product_sales shipping subscriptions subscription_renewals salvage_transactions transactions chargebacks fraud_detections',
    ),
    refersBy: { field: 'item_type' },
  },
} as const satisfies Record<string, Field>;

/** The products bought, as a sale and its shipment show them. */
export const soldProducts = array(openObject({ id, name: text, quantity: integer }));

/** The owner of an item about a payment. */
export const assumedOwner = {
  campaign_id: id,
  third_party_shop: namedObject,
  customer_id: id,
} as const satisfies Record<string, Field>;

/** Other references that items about a payment hold, as a renewal does. */
export const assumedOfPayment = {
  ...assumedOwner,
  ...relatives,
} as const satisfies Record<string, Field>;

/** Query parameters that several lists share (service.md#lists). */
export const campaignFilter = { type: 'string', many: true, format: 'id' } as const satisfies QueryField;
export const shopFilter = { type: 'string', many: true, format: 'id', note: 'User shop id.' } as const;
export const currencyFilter = { type: 'string', many: true, format: 'currency' } as const satisfies QueryField;
export const metadataFilter = { type: 'string', many: true, metadata: true } as const satisfies QueryField;
export const customerId = { type: 'string', format: 'id' } as const satisfies QueryField;
export const unseenCustomerId = {
  ...customerId,
  note: 'Named by the specification for lists that support it; not documented for this one.',
} as const satisfies QueryField;
export const idFilter = { type: 'string', many: true, format: 'id' } as const satisfies QueryField;
export const searchTerm = { type: 'string', required: true, positional: true } as const satisfies QueryField;

/** The item fields that the question before a refund shows. */
export const refundPreview = {
  show: 'amount_original_total=original amount_total=total amount_refunded=already_refunded iso_currency customer.id customer.first_name=first_name customer.last_name=last_name customer.email',
  refund: true,
} as const;

/** The refund of one item of an order. */
export const refund = {
  risk: 'money',
  body: completeBody({ amount: refundAmount }),
  preview: { ...refundPreview, says: ['The resulting pending refund cannot be cancelled or reversed.'] },
  checks: ['refund-amount'],
  acceptedOnly: true,
} as const;
export const refundRules = [
  'Creates a pending refund, which cannot be cancelled or reversed.',
  'Success means accepted, not paid back.',
  'A body is sent in any case: without `amount` everything is refunded.',
] as const;

/** The item fields that the question before a deletion shows, if present. */
export const deletePreview = {
  show: 'name title subject coupon_code=code description enabled',
  says: ['A deleted item cannot be restored.'],
} as const;
