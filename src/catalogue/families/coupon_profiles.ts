import type { FamilySpec } from '../conventions.js';
import { assumedHead, integer, namedItem, unseenBody } from '../fields.js';

export default {
  name: 'coupon_profiles',
  summary: 'Rules and limits of coupons.',
  columns: 'id name enabled description created_date_unix',
  exampleId: 'v4bkqNg8VwvmmNJZC8YW',
  nature: 'set-up',
  risk: 'money',
  item: namedItem,
  evidence: 'convention',
  operations: {
    list: { operationId: '' },
    get: { operationId: '' },
    create: {
      operationId: '',
      body: unseenBody,
      assumed: assumedHead,
      further: { max_uses: { ...integer, min: 0 } },
      noOther: true,
      example: 'coupon-profiles create -d name="Once for each customer"',
    },
    edit: {
      operationId: '',
      body: unseenBody,
      example: 'coupon-profiles edit v4bkqNg8VwvmmNJZC8YW -d enabled:=false',
    },
    delete: { operationId: '', body: unseenBody, rules: ['Its effect on its coupons is not documented.'] },
  },
} as const satisfies FamilySpec;
