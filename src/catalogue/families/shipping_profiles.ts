import type { FamilySpec } from '../conventions.js';
import { array, country, flag, id, integer, money, number, object, text, unix, unseenBody } from '../fields.js';
import type { Field } from '../types.js';

const comparisons = ['equal_to', 'greater_than', 'greater_than_equal_to', 'less_than', 'less_than_equal_to'] as const;
const enabled = { ...flag, required: true } as const satisfies Field;

const qualifiers = {
  products: array(
    object({
      id: { ...id, required: true },
      enabled,
      quantity_rule: { ...text, required: true, enum: ['any', ...comparisons] },
      quantity_value: { ...integer, required: true, note: 'Unused when the rule is any.' },
    }),
  ),
  product_groups: array(object({ id: { ...id, required: true }, enabled })),
  countries: array(object({ iso_code: { ...country, required: true }, enabled })),
  revenue_rules: array(
    object({
      enabled,
      source: { ...text, required: true, enum: ['total_amount', 'transaction_amount', 'shippable_products'] },
      rule: { ...text, required: true, enum: comparisons },
      rule_value: { ...number, required: true },
    }),
  ),
} as const satisfies Record<string, Field>;

/** Rates of a shipping profile (service.md#shipping-rates). */
const rates = {
  ...array(
    object({
      rate: { ...money, required: true, note: 'The shipping charge.' },
      provider: { ...id, required: true, note: 'Site shipping provider.' },
      provider_method: { ...id, refers: [], required: true, note: 'Method of that provider.' },
      qualifiers: { ...object(qualifiers), required: true, note: 'At least one enabled element among the four lists.' },
    }),
  ),
  minItems: 1,
} as const satisfies Field;

export default {
  name: 'shipping_profiles',
  summary: 'Shipping charges and their conditions.',
  columns: 'id name enabled description created_date_unix',
  exampleId: '39zmbn7rmuhGxMFF5Dp5',
  nature: 'set-up',
  risk: 'money',
  item: { id, name: text, description: text, enabled: flag, rates, created_date_unix: unix, updated_date_unix: unix },
  operations: {
    list: { evidence: 'convention' },
    get: {},
    create: {
      body: {
        complete: true,
        fields: {
          name: { ...text, required: true, common: true },
          description: text,
          enabled: { ...flag, common: true },
          rates,
        },
      },
      checks: ['shipping-rates'],
      rules: [
        'A rate needs at least one enabled qualifier; an empty list requires nothing.',
        'Changes what customers pay for shipping.',
        'Renewals and trial expirations of shippable products always need a matching enabled rate.',
      ],
      example:
        'shipping-profiles create --name "Standard" -d rates[0].rate=4.90 -d rates[0].provider=tSNiPTrn5cRVGyAhpDSv -d rates[0].provider_method=5KMDL9SU3qTLJcbE8GqP -d rates[0].qualifiers.countries[0].iso_code=USA -d rates[0].qualifiers.countries[0].enabled=true',
      evidence: 'spec',
    },
    edit: {
      body: {
        asCreate: true,
        fields: {
          rates: { ...rates, note: 'Send the full array: it is not documented whether it replaces or merges.' },
        },
      },
      checks: ['shipping-rates'],
      rules: [
        'Affects checkout, trial ends and renewals at once.',
        'It is not documented whether `rates` replaces or merges: send the full array.',
      ],
      example: 'shipping-profiles edit 39zmbn7rmuhGxMFF5Dp5 --no-enabled',
    },
    delete: {
      operationId: '',
      body: unseenBody,
      rules: ['Its effect on subscription profiles that use it is not documented.'],
      evidence: 'convention',
    },
  },
} as const satisfies FamilySpec;
