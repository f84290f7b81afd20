import type { FamilySpec } from '../conventions.js';
import {
  dateTime,
  flag,
  id,
  ids,
  metadata,
  metadataFilter,
  namedObject,
  paidItem,
  text,
  unseenBody,
} from '../fields.js';

export default {
  name: 'fraud_detections',
  summary: 'Payments found to be fraudulent.',
  columns: ['id', 'source_id', 'case_number', 'arn', 'customer.email', 'created_date_unix'],
  exampleId: '4jvQrTH9iAVreppgcKCB',
  nature: 'event',
  keys: [
    { field: 'case_number', unique: false, source: 'nothing says that it is' },
    { field: 'arn', unique: false, source: 'nothing says that it is' },
  ],
  item: {
    ...paidItem,
    source_id: {
      ...text,
      refers: ['api_calls', 'sales', 'transactions', 'wallet_transactions', 'check_directs', 'offline_payments'],
    },
    case_number: text,
    arn: text,
  },
  assumed: {
    source_type: text,
    source_id: {
      ...text,
      refers: ['api_calls', 'sales', 'transactions', 'wallet_transactions', 'check_directs', 'offline_payments'],
      refersBy: { field: 'source_type' },
    },
    third_party_shop: namedObject,
    sales: ids,
    transactions: ids,
  },
  operations: [
    {
      action: 'list',
      list: { style: 'windowed', spanDays: 90 },
      query: {
        method_filter: {
          type: 'string',
          many: true,
          enum: ['sale_create', 'subscription_renew', 'trial_expire', 'salvage_transaction_process'],
          note: 'Kind of payment attempt behind it.',
        },
        metadata_filter: metadataFilter,
      },
      rules: ['Further filters exist that were not seen.'],
      example: 'fraud-detections list --last 30d',
    },
    { action: 'get', evidence: 'convention' },
    {
      action: 'create',
      summary: 'Record a fraud detection, and void its sale on request',
      risk: 'irreversible',
      moves: 'nothing',
      body: {
        closed: true,
        fields: {
          source_id: {
            ...id,
            refers: ['api_calls', 'sales', 'transactions', 'wallet_transactions', 'check_directs', 'offline_payments'],
            common: true,
            note: 'API call, sale, transaction, wallet transaction, check or offline payment.',
          },
          void_sale: {
            ...flag,
            common: true,
            default: false,
            brings: { operation: 'sales void', risk: 'irreversible', on: 'source_id' },
            note: 'Only with a sale as source: refunds everything, without return.',
          },
          flag_similar_sale: {
            ...flag,
            common: true,
            default: false,
            brings: { operation: 'sales add-fraud-alert', risk: 'write' },
            note: 'Puts fraud alerts on similar sales.',
          },
          arn: text,
          event_date: dateTime,
          fraud_detection_date: dateTime,
          case_number: text,
          third_party_integration_id: id,
          third_party_fraud_detection_id: text,
          third_party_order_id: text,
        },
      },
      further: { metadata },
      noOther: true,
      preview: {
        show: [],
        says: ['Further payment attempts of the buyer are refused.'],
      },
      rules: [
        'With `void_sale` the whole sale is refunded and cannot be brought back.',
        'Needs an originating API call, found through `source_id`.',
      ],
      example: 'fraud-detections create --source-id eeGo2d9U7mrWv4XWv3Ne --void-sale --flag-similar-sale',
    },
    {
      action: 'edit',
      risk: 'money',
      body: unseenBody,
      assumed: { arn: text, case_number: text, event_date: dateTime, false_positive: flag },
      further: {
        fraud_detection_date: dateTime,
        third_party_integration_id: id,
        third_party_fraud_detection_id: text,
        third_party_order_id: text,
        metadata,
      },
      noOther: true,
      allRules: [
        'No field of this body was seen; presumably it marks false positives.',
        'The body fields were not seen: any field is passed on with a note.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'fraud-detections edit 4jvQrTH9iAVreppgcKCB -d false_positive:=true',
      evidence: 'convention',
    },
    { action: 'search', example: 'fraud-detections search jane@example.com', evidence: 'convention' },
  ],
} as const satisfies FamilySpec;
