import { each } from '../../catalogue/fields.js';
import { wordList } from '../../catalogue/references.js';
import type { Family, Operation } from '../../catalogue/types.js';
import type { Value } from '../store/item-values.js';
import { keptAs } from '../store/kinds.js';
import { FORM_SCHEMAS } from './description-fields.js';
import { itemName } from './description-items.js';

export function json(schema: Value): Value {
  return { 'application/json': { schema } };
}

const ref = (name: string): Value => ({ $ref: `#/components/schemas/${name}` });

/** The answer of a successful operation (service.md#envelopes). */
export function answerOf(family: Family, operation: Operation): Value {
  const { list, action, answerId, method } = operation;
  const item = ref(itemName(keptAs(operation.path, family.name)));
  if (list) {
    const results = { type: 'array', items: list.style === 'search' ? ref('search_hit') : item };
    return { allOf: [ref('success'), ref('page'), { type: 'object', required: ['results'], properties: { results } }] };
  }
  if (method === 'GET' && action.split(' ').at(-1) === 'get') return { allOf: [ref('success'), item] };
  if (method === 'GET') return { allOf: [ref('success'), { type: 'object', additionalProperties: true }] };
  const properties: Value = { result: { type: 'string' } };
  if (answerId) properties[answerId] = { type: 'string' };
  return { allOf: [ref('success'), { type: 'object', properties, additionalProperties: true }] };
}

/** The answers of a failed operation, by status. */
export function errorsOf(operation: Operation): Value {
  const answer = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    '400': answer('refused'),
    '401': answer('unauthorised'),
    '402': operation.risk === 'money' ? answer('payment_failed') : undefined,
    // Also where the body names the item to look up (service.md#errors: the requested entity).
    '404': /\{/.test(operation.path) || namesItem(operation) ? answer('not_found') : undefined,
    '429': answer('too_many'),
    '500': answer('unexpected'),
  };
}

/** Operations whose body names an item that is looked up like one in a path (`requireItem`). */
function namesItem({ body }: Operation): boolean {
  return NAMING.some((name) => name in (body?.fields ?? {}));
}

const NAMING: readonly string[] = wordList(
  'item_id item_value ai_thread_id email_template_id transaction_id site_third_party_integration',
);

const error = (description: string, schema = 'error'): Value => ({ description, content: json(ref(schema)) });

/** service.md#errors. */
export const ERRORS: Value = {
  refused: { ...error('The request is invalid; nothing was done.'), 'x-readings': ['api-errors'] },
  unauthorised: {
    ...error('The key is missing, unknown, disabled, or lacks the permission.'),
    'x-readings': ['missing-permission', 'estimate-permission'],
  },
  payment_failed: error('The payment was declined, held or refused as fraud; its record stays.', 'payment_error'),
  not_found: error('What the path names does not exist in this mode.'),
  too_many: error('Too many requests; nothing was done.'),
  unexpected: error('Something unexpected happened; it is unknown whether the work was done.'),
};

const PAGE: Value = {
  type: 'object',
  required: ['current_count', 'current_page', 'results', 'total_count', 'total_pages'],
  properties: {
    ...each({ type: 'integer' }, 'current_count current_page'),
    results: { type: 'array', items: { type: 'object' } },
    ...each({ type: 'integer' }, 'total_count total_pages'),
  },
};

const FAILURE: Value = {
  type: 'object',
  required: ['code', 'message', 'result'],
  properties: {
    api_call_id: { type: ['string', 'null'] },
    api_call_unix: { type: 'integer' },
    code: { type: 'integer', enum: [0, 2, 3, 4, 5] },
    error_code: { type: 'string', pattern: '^E[0-9]{4}$' },
    ...each({ type: 'string' }, 'message result'),
    ...each({ type: 'boolean' }, 'api_call_processed valid_json'),
  },
};

/** The envelopes of service.md#envelopes and service.md#errors, and the hits of a search. */
export const ENVELOPES: Value = {
  success: {
    type: 'object',
    required: ['api_call_id', 'api_call_unix', 'code'],
    properties: {
      api_call_id: { type: 'string', ...FORM_SCHEMAS.id },
      api_call_unix: { type: 'integer' },
      code: { type: 'integer', enum: [1] },
    },
  },
  page: PAGE,
  error: FAILURE,
  payment_error: {
    allOf: [
      ref('error'),
      {
        type: 'object',
        properties: {
          gateway_raw_response: { type: 'object', additionalProperties: true },
          fraud_detected: { type: 'boolean' },
          fraud_detection_created: { type: 'array', items: { type: 'string' } },
          fraud_detection_response: { type: 'object', additionalProperties: true },
        },
      },
    ],
  },
  search_hit: {
    type: 'object',
    required: ['item_type', 'id', 'score', 'highlights'],
    properties: {
      ...each({ type: 'string' }, 'item_type id'),
      created_date_unix: { type: 'integer' },
      ...each({ type: 'string' }, 'first_name last_name email name customer_id'),
      score: { type: 'number' },
      highlights: { type: 'object', additionalProperties: { type: 'string' } },
    },
    additionalProperties: true,
    'x-readings': ['search-words'],
  },
};
