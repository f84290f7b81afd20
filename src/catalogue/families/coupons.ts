import { cops, say } from '../../base/text/command-line.js';
import type { FamilySpec } from '../conventions.js';
import { anything, flag, id, integer, namedObject, number, text, unix, unseenBody } from '../fields.js';
import type { Field } from '../types.js';

/** As reads show them; it is not documented which of them a write takes. */
const assumed = {
  coupon_code: { ...text, format: 'code' },
  enabled: flag,
  coupon_profile: { ...id, readFrom: 'coupon_profile.id', asked: true },
  discount_type: { ...text, enum: ['percent', 'amount'], called: ['type', 'kind'] },
  discount_value: {
    ...number,
    called: [
      'discount',
      'value',
      'off',
      'percent',
      'percent off',
      'percentage',
      'pct',
      'amount',
      'amount off',
      'fixed',
    ],
    implies: {
      percent: 'discount_type=percent',
      'percent off': 'discount_type=percent',
      percentage: 'discount_type=percent',
      pct: 'discount_type=percent',
      amount: 'discount_type=amount',
      'amount off': 'discount_type=amount',
      fixed: 'discount_type=amount',
    },
  },
  start_date_unix: unix,
  end_date_unix: unix,
} as const satisfies Record<string, Field>;

/** Other names for them, and the limit of uses. */
const further = {
  code: { ...text, format: 'code' },
  name: text,
  start_date: { ...anything, format: 'unix', refers: [], called: ['starts', 'start', 'from', 'valid from'] },
  end_date: {
    ...anything,
    format: 'unix',
    refers: [],
    called: ['expires', 'expires at', 'expiry', 'expiry date', 'valid until', 'until', 'expiration', 'ends'],
  },
  max_uses: {
    ...integer,
    min: 0,
    called: ['limit', 'uses', 'usage limit', 'max', 'redemptions', 'max redemptions', 'use limit'],
  },
} as const satisfies Record<string, Field>;

export default {
  name: 'coupons',
  summary: 'Coupons and their codes.',
  columns:
    'id coupon_code=code enabled discount_type=discount discount_value=value num_use=used start_date_unix=starts:time end_date_unix=ends:time',
  exampleId: 'kNGwTdhqtJX7MW2nxJSJ',
  nature: 'set-up',
  risk: 'money',
  instead: {
    sales: say`A sale does not name its coupon: num_use counts its uses, and a discount has the name that customers see: ${cops`discounts list --all-time --group-by name`}`,
  },
  due: { path: 'end_date_unix', says: 'end', while: { path: 'enabled', values: ['true'] } },
  keys: [{ field: 'coupon_code', unique: true, source: 'published page: unique over all coupons there ever were' }],
  item: {
    id,
    coupon_code: text,
    enabled: flag,
    start_date_unix: unix,
    end_date_unix: unix,
    discount_type: { ...text, enum: ['percent', 'amount'] },
    discount_value: number,
    num_use: { ...number, called: ['uses', 'used', 'times used'] },
  },
  assumed: { coupon_profile: namedObject },
  evidence: 'convention',
  operations: {
    list: { operationId: '' },
    get: { operationId: '' },
    create: {
      operationId: '',
      body: unseenBody,
      assumed,
      further,
      noOther: true,
      rules: [
        'A code is letters and digits without spaces, unique over all coupons there ever were.',
        'Needs a coupon profile.',
      ],
      example: 'coupons create -d coupon_code=SPRING10 -d coupon_profile=v4bkqNg8VwvmmNJZC8YW',
    },
    edit: {
      operationId: '',
      body: unseenBody,
      example: 'coupons edit kNGwTdhqtJX7MW2nxJSJ -d enabled:=false',
    },
    validate: {
      method: 'GET',
      path: '/coupons/validate',
      operationId: 'ValidateCouponCode',
      summary: 'Check whether a coupon code can be used',
      risk: 'read',
      query: { coupon_code: { type: 'string', required: true, positional: true } },
      rules: ['A usable code returns its coupon, any other an error with the reason.', 'Spends no use.'],
      example: 'coupons validate SAVE10',
      answerId: undefined,
      evidence: 'published',
    },
    delete: { operationId: '', body: unseenBody, rules: ['The code stays taken.'] },
  },
} as const satisfies FamilySpec;
