import type { FamilySpec } from '../conventions.js';
import { closedBody, flag, object, openObject } from '../fields.js';

export default {
  name: 'sentinel',
  summary: 'Checks before payments: firewall and visitor check.',
  columns:
    'enabled tracking_visitor_validator.enabled=visitor_check:flag tracking_visitor_validator.reject_non_existing=rejects_unknown:flag',
  nature: 'set-up',
  item: {
    enabled: flag,
    tracking_visitor_validator: openObject({ enabled: flag, reject_non_existing: flag }),
  },
  operations: {
    get: {
      path: '/sentinel',
      operationId: 'GetSentinelSettings',
      summary: 'Show the sentinel settings',
      evidence: 'convention',
    },
    edit: {
      path: '/sentinel',
      operationId: 'EditSentinelSettings',
      summary: 'Change the sentinel settings',
      risk: 'money',
      body: closedBody({
        enabled: { ...flag, common: true, note: 'Off: visitor check and firewall are both ignored.' },
        tracking_visitor_validator: {
          ...object({
            enabled: flag,
            reject_non_existing: { ...flag, note: 'Reject unknown or missing visitor ids.' },
          }),
          note: 'Visitor check.',
        },
      }),
      preview: {
        show: 'enabled tracking_visitor_validator.enabled=visitor_check',
        says: ['It takes effect immediately on which payments are refused.'],
      },
      rules: [
        'With the visitor check on and no DNS tracking, every purchase without a visitor id counts as fraud.',
        'There is also a firewall object; its fields are not documented.',
      ],
      example: 'sentinel edit -d tracking_visitor_validator.enabled=false',
      answerId: undefined,
    },
  },
} as const satisfies FamilySpec;
