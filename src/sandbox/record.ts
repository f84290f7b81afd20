import type { Account } from './accounts.js';
import { singular } from './kinds.js';
import type { Route } from './routes.js';
import type { Incoming } from './service.js';
import type { Store } from './store.js';
import type { Value } from './text.js';

const LONGEST = 4000;
const SECRET = /"(card_number|card_code|secret_key|password|api_key|client_secret)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/g;

interface Facts {
  readonly store: Store;
  readonly account: Account;
  readonly now: number;
  readonly callId: string;
  readonly request: Incoming;
  readonly route: Route | undefined;
  readonly status: number;
  readonly text: string;
}

/** Files the call itself, to be read by `api_calls`: card data is masked, answers of reads are not kept. */
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
    related_ids: route?.ids ?? [],
    raw_request: request.method === 'GET' ? queryText(request) : mask(request.body ?? ''),
    raw_response: reading ? '' : mask(facts.text),
  };
  facts.store.insert('api_calls', item, { live: account.live });
}

function queryText(request: Incoming): string {
  return request.query
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .slice(0, LONGEST);
}

function mask(text: string): string {
  return text.replace(SECRET, '"$1":"***"').slice(0, LONGEST);
}
