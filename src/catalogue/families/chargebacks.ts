import type { FamilySpec } from '../conventions.js';
import { anyObject, customerId, dateTime, id, ids, metadata, money, namedObject, paidItem, text } from '../fields.js';

export default {
  name: 'chargebacks',
  summary: 'Disputed card payments.',
  columns: [
    'id',
    'status',
    'amount',
    { path: 'case_number', title: 'case', whole: true },
    { path: 'reason_code', title: 'reason', whole: true },
    'arn',
    'customer.email',
    'created_date_unix',
  ],
  exampleId: 'bhGXTtq3pGRk5z4zH6Hv',
  nature: 'event',
  keys: [
    { field: 'case_number', unique: false, source: 'nothing says that it is' },
    { field: 'arn', unique: false, source: 'nothing says that it is' },
  ],
  item: {
    ...paidItem,
    status: text,
    amount: money,
    case_number: text,
    reason_code: text,
    arn: text,
    transaction_id: id,
  },
  assumed: { third_party_shop: namedObject, sales: ids, transactions: ids },
  operations: [
    {
      action: 'list',
      list: { style: 'windowed', spanDays: 90 },
      query: {
        customer_id: {
          ...customerId,
          note: 'Named by the specification for lists that support it; not seen on this one.',
        },
      },
      example: 'chargebacks list --last 30d',
    },
    { action: 'get', related: ['customer', 'sales', 'transactions'] },
    {
      action: 'create',
      risk: 'money',
      body: {
        closed: true,
        fields: {
          transaction_id: { ...id, common: true, note: 'The disputed card transaction.' },
          gateway_transaction_id: { ...text, common: true, note: 'Only when transaction_id is absent.' },
          amount: { ...money, common: true },
          arn: { ...text, note: 'Acquirer reference.' },
          case_number: text,
          reason_code: text,
          third_party_integration_id: id,
          third_party_chargeback_id: text,
          third_party_order_id: text,
          chargeback_date: { ...dateTime, note: 'When the issuer or customer opened it.' },
        },
      },
      further: { received_date: dateTime, metadata, representment: anyObject },
      noOther: true,
      checks: ['chargeback-source'],
      rules: [
        'Give exactly one of `transaction_id` and `gateway_transaction_id`.',
        'Past chargebacks feed the refusals of the firewall.',
      ],
      example: 'chargebacks create --transaction-id SzX5jjMQkBorFDPqrWBd --amount 49.99 --case-number C-1001',
    },
    {
      action: 'edit',
      body: {
        fields: {
          amount: { ...money, common: true },
          arn: text,
          case_number: text,
          reason_code: text,
          representment: { ...anyObject, note: 'Initiated, completed and outcome; inner names not seen.' },
        },
      },
      further: {
        third_party_integration_id: id,
        third_party_chargeback_id: text,
        third_party_order_id: text,
        chargeback_date: dateTime,
        received_date: dateTime,
        metadata,
      },
      noOther: true,
      rules: ['Representment drives the reports of fought, won and lost.'],
      example: 'chargebacks edit bhGXTtq3pGRk5z4zH6Hv --case-number C-1002',
    },
    {
      action: 'search',
      rules: ['Looks in id, first six, last four, case number, arn, third-party and gateway ids, metadata values.'],
      example: 'chargebacks search C-1001',
    },
  ],
} as const satisfies FamilySpec;
