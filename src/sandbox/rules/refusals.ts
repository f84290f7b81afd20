import type { Value } from '../store/item-values.js';

/** A refusal of the service; its fields become the body, in the form of service.md#errors. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    message: string,
    readonly fields: Value,
    /** Whether the work done so far stays (a declined payment leaves its record). */
    readonly keep = false,
  ) {
    super(message);
  }
}

/** service.md#errors, generic error: `error_code` with every status except 402 and 404. reading: api-errors */
function generic(status: number, message: string, errorCode = 'E0001', more: Value = {}): Refusal {
  return new Refusal(status, message, { code: 0, error_code: errorCode, message, result: 'error', ...more });
}

/** HTTP 400: the request cannot be carried out. */
export function invalid(message: string, errorCode?: string, more?: Value): Refusal {
  return generic(400, message, errorCode, more);
}

/**
 * service.md#errors: refuses a node of an assistant's flow. The spec does not say which of E0959 and E0958 means what;
 * here E0959 is for settings, E0958 for connections. reading: flow-codes
 * @param place the place in the node, such as `outputs.output_1.connections[0]` or `time_value`
 */
export function nodeRefused(nodeId: unknown, place: string, explanation: string): Refusal {
  return invalid('The flow was rejected.', /^(?:in|out)puts\b/.test(place) ? 'E0958' : 'E0959', {
    node_id: typeof nodeId === 'string' ? nodeId : '',
    invalid_setting: place,
    explanation,
  });
}

/** service.md#errors, not found: HTTP 404 with `code`, `message` and `result`. */
export function notFound(message: string): Refusal {
  return new Refusal(404, message, { code: 0, message, result: 'error' });
}

/**
 * service.md#permissions: the key is missing, unknown, disabled, or lacks the permission. reading: missing-permission
 */
export function unauthorised(message: string): Refusal {
  return generic(401, message);
}

/** The data is being recreated: as with any 429, nothing was done and the call can be repeated. */
export function resetting(): Refusal {
  return generic(429, 'The sandbox is being reset; try again when it is done.');
}

export function wrongMethod(method: string): Refusal {
  return generic(405, `The HTTP method ${method} is not allowed here; only GET and POST are.`);
}

/** Any unforeseen error. */
export function unexpected(error: unknown): Refusal {
  return generic(500, `Unexpected error: ${error instanceof Error ? error.message : String(error)}`);
}

/** service.md#errors, E0208: refused before processing, without a call id. */
export function notJson(message: string): Refusal {
  return invalid(message, 'E0208', { api_call_id: null, api_call_processed: false, valid_json: false });
}

/** service.md#errors: a failed payment, codes 2 (declined), 3 (gateway error), 4 (held). Its records stay. */
export function paymentFailed(code: 2 | 3 | 4, message: string, raw: Value): Refusal {
  return new Refusal(402, message, { code, message, gateway_raw_response: raw, result: 'error' }, true);
}

/** service.md#errors, code 5: fraud. */
export function fraudDetected(message: string, ids: readonly string[], details: Value): Refusal {
  const found = { fraud_detected: true, fraud_detection_created: ids, fraud_detection_response: details };
  return new Refusal(402, message, { code: 5, message, ...found, result: 'error' }, true);
}
