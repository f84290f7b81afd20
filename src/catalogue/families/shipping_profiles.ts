import { country, deletePreview, flag, id, integer, number, text, unix, unseenBody } from '../fields.js';
import type { Family, Field } from '../types.js';

const comparisons = ['equal_to', 'greater_than', 'greater_than_equal_to', 'less_than', 'less_than_equal_to'] as const;
const enabled = { ...flag, required: true } as const satisfies Field;

const qualifiers = {
  products: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        id: { ...id, required: true },
        enabled,
        quantity_rule: { ...text, required: true, enum: ['any', ...comparisons] },
        quantity_value: { ...integer, required: true, note: 'Unused when the rule is any.' },
      },
    },
  },
  product_groups: { type: 'array', items: { type: 'object', fields: { id: { ...id, required: true }, enabled } } },
  countries: {
    type: 'array',
    items: { type: 'object', fields: { iso_code: { ...country, required: true }, enabled } },
  },
  revenue_rules: {
    type: 'array',
    items: {
      type: 'object',
      fields: {
        enabled,
        source: { ...text, required: true, enum: ['total_amount', 'transaction_amount', 'shippable_products'] },
        rule: { ...text, required: true, enum: comparisons },
        rule_value: { ...number, required: true },
      },
    },
  },
} as const satisfies Record<string, Field>;

/** Rates of a shipping profile (spec 4.11). */
const rates = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    fields: {
      rate: { ...number, required: true, note: 'The shipping charge.' },
      provider: { ...id, required: true, note: 'Site shipping provider.' },
      provider_method: { ...id, refers: [], required: true, note: 'Method of that provider.' },
      qualifiers: {
        type: 'object',
        required: true,
        fields: qualifiers,
        note: 'At least one enabled element among the four lists.',
      },
    },
  },
} as const satisfies Field;

export default {
  name: 'shipping_profiles',
  summary: 'Shipping charges and their conditions.',
  columns: [
    { path: 'id' },
    { path: 'name' },
    { path: 'enabled', as: 'flag' },
    { path: 'description' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  item: { id, name: text, description: text, enabled: flag, rates, created_date_unix: unix, updated_date_unix: unix },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/shipping_profiles',
      operationId: 'GetShippingProfiles',
      summary: 'List shipping profiles',
      risk: 'read',
      list: { style: 'paged' },
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'shipping-profiles list --limit 50',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/shipping_profiles/{shipping_profile_id}',
      operationId: 'GetShippingProfile',
      summary: 'Show one shipping profile',
      risk: 'read',
      rules: [],
      example: 'shipping-profiles get 39zmbn7rmuhGxMFF5Dp5',
      evidence: 'published',
    },
    {
      action: 'create',
      method: 'POST',
      path: '/shipping_profiles',
      operationId: 'CreateShippingProfile',
      summary: 'Create a shipping profile',
      risk: 'money',
      body: {
        closed: false,
        complete: true,
        fields: {
          name: { ...text, required: true, common: true },
          description: text,
          enabled: { ...flag, common: true },
          rates,
        },
      },
      answerId: 'shipping_profile_id',
      checks: ['shipping-rates'],
      rules: [
        'A rate needs at least one enabled qualifier; an empty list asks for nothing.',
        'Changes what customers pay for shipping.',
        'Renewals and trial expirations of shippable products always need a matching enabled rate.',
      ],
      example:
        'shipping-profiles create --name "Standard" -d rates[0].rate=4.90 -d rates[0].provider=tSNiPTrn5cRVGyAhpDSv -d rates[0].provider_method=5KMDL9SU3qTLJcbE8GqP -d rates[0].qualifiers.countries[0].iso_code=USA -d rates[0].qualifiers.countries[0].enabled=true',
      evidence: 'spec',
    },
    {
      action: 'edit',
      method: 'POST',
      path: '/shipping_profiles/{shipping_profile_id}',
      operationId: 'EditShippingProfile',
      summary: 'Edit a shipping profile',
      risk: 'money',
      body: {
        closed: false,
        complete: false,
        fields: {
          name: { ...text, common: true },
          description: text,
          enabled: { ...flag, common: true },
          rates: { ...rates, note: 'Send the full array: whether it replaces or merges was not seen.' },
        },
      },
      answerId: 'shipping_profile_id',
      checks: ['shipping-rates'],
      rules: [
        'Send only what changes.',
        'Affects checkout, trial ends and renewals at once.',
        'Whether a sent `rates` array replaces or merges was not seen: send the full array.',
        'Further body fields exist that were not seen.',
      ],
      example: 'shipping-profiles edit 39zmbn7rmuhGxMFF5Dp5 --no-enabled',
      evidence: 'published',
    },
    {
      action: 'delete',
      method: 'POST',
      path: '/shipping_profiles/{shipping_profile_id}/delete',
      operationId: '',
      summary: 'Delete a shipping profile',
      risk: 'irreversible',
      body: unseenBody,
      answerId: 'shipping_profile_id',
      preview: deletePreview,
      rules: [
        'Deletion cannot be undone.',
        'What happens to subscription profiles that use it was not seen.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'shipping-profiles delete 39zmbn7rmuhGxMFF5Dp5',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;
