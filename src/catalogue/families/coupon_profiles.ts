import type { FamilySpec } from '../conventions.js';
import { assumedHead, integer, namedItem, unseenBody } from '../fields.js';

export default {
  name: 'coupon_profiles',
  summary: 'Rules and limits of coupons.',
  columns: ['id', 'name', 'enabled', 'description', 'created_date_unix'],
  exampleId: 'v4bkqNg8VwvmmNJZC8YW',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  item: namedItem,
  operations: [
    { action: 'list', operationId: '', list: { style: 'paged' }, evidence: 'convention' },
    { action: 'get', operationId: '', evidence: 'convention' },
    {
      action: 'create',
      operationId: '',
      risk: 'money',
      body: unseenBody,
      assumed: assumedHead,
      further: { max_uses: { ...integer, min: 0 } },
      noOther: true,
      rules: ['The body fields are not documented: any field is passed on with a note.'],
      example: 'coupon-profiles create -d name="Once for each customer"',
      evidence: 'convention',
    },
    {
      action: 'edit',
      operationId: '',
      risk: 'money',
      body: unseenBody,
      assumed: assumedHead,
      further: { max_uses: { ...integer, min: 0 } },
      noOther: true,
      allRules: [
        'The body fields are not documented: any field is passed on with a note.',
        'Built from the naming convention; it is not documented.',
      ],
      example: 'coupon-profiles edit v4bkqNg8VwvmmNJZC8YW -d enabled:=false',
      evidence: 'convention',
    },
    {
      action: 'delete',
      operationId: '',
      body: unseenBody,
      rules: ['Its effect on its coupons is not documented.'],
      evidence: 'convention',
    },
  ],
} as const satisfies FamilySpec;
