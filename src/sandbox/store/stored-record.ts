import type { Field } from '../../catalogue/types.js';
import type { ApiAccount } from '../rules/accounts.js';
import type { Incoming } from '../serve/messages.js';
import type { Route } from '../serve/routes.js';
import type { ItemStore } from './item-store.js';
import type { Value } from './item-values.js';
import { singular } from './kinds.js';

const LONGEST = 4000;
/** Names that hold secrets anywhere, even in bodies whose schema is not fully known. */
const SECRET = /"(card_number|card_code|secret_key|password|api_key|client_secret)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/g;

interface Facts {
  readonly store: ItemStore;
  readonly account: ApiAccount;
  readonly now: number;
  readonly callId: string;
  readonly request: Incoming;
  readonly route: Route | undefined;
  readonly status: number;
  readonly text: string;
}

/** Records the call for `api_calls`: card data is masked, answers of reads are not kept. */
export function recordCall(facts: Facts): void {
  const { account, request, route, now } = facts;
  const reading = request.method === 'GET' && facts.status === 200;
  const head = reading ? { code: 1 } : (JSON.parse(facts.text) as Value);
  const item: Value = {
    id: facts.callId,
    created_date_unix: now,
    live_mode: account.live,
    type: route ? singular(route.family.name) : null,
    method: route ? route.operation.action : null,
    http_method: request.method,
    path: request.path,
    http_status: facts.status,
    response_code: head.code ?? null,
    error_code: head.error_code ?? null,
    api_account: { id: account.id, name: account.name },
    ip_address: request.ip ?? '127.0.0.1',
    source: 'direct',
    related_ids: [...new Set([...(route?.ids ?? []), ...idsIn(head)])],
    raw_request: request.method === 'GET' ? queryText(request) : maskBody(request.body ?? '', route),
    raw_response: reading ? '' : mask(facts.text),
  };
  facts.store.insert('api_calls', item, { live: account.live });
}

/** The ids that a call made or changed, from its answer. */
function idsIn(answer: Value): string[] {
  return Object.entries(answer).flatMap(([name, value]) => {
    if (name === 'api_call_id') return [];
    if (typeof value === 'string') return name.endsWith('_id') ? [value] : [];
    return name === 'pending_refund' || name === 'fraud_detection_created' ? (value as string[]) : [];
  });
}

function queryText(request: Incoming): string {
  return request.query
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .slice(0, LONGEST);
}

/** A body without the values that the catalogue calls secret. */
function maskBody(text: string, route: Route | undefined): string {
  const fields = route?.operation.body?.fields;
  if (!fields || text === '') return mask(text);
  try {
    return mask(JSON.stringify(withoutSecrets(JSON.parse(text), { type: 'object', fields })));
  } catch {
    return mask(text);
  }
}

function withoutSecrets(value: unknown, field: Field | undefined): unknown {
  if (field?.secret) return '***';
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, field?.items));
  if (typeof value !== 'object' || value === null || !field?.fields) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner, field.fields?.[name])]),
  );
}

function mask(text: string): string {
  return text.replace(SECRET, '"$1":"***"').slice(0, LONGEST);
}
