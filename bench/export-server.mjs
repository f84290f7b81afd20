// An independent list service for the export bench, a process of its own. Rows lie evenly in the range; every page is
// built once and kept as bytes (unless --fly), so that answering costs as little as a server can.
import { createServer } from 'node:http';

const [items, from, to, latency, keep] = process.argv.slice(2).map(Number);
const step = (to - from) / items;
const pages = new Map();
const asked = new Set();
const filler = `"created_date_unix":1735689600,"updated_date_unix":1735689600,"amount":10.00,"amount_original_total":49.90,"amount_total":49.90,"amount_gross":49.90,"amount_net":48.40,"amount_fees":1.50,"amount_refunded":0.00,"iso_currency":"USD","live_mode":false,"campaign_id":"camp0000000000000001","campaign_name":"Spring \\"Sale\\"","payment_type":{"id":"credit_card","name":"Credit card"},"product":{"id":"prod0000000000000001","name":"Product é","quantity":1,"price":49.90,"is_subscription":true,"is_trial":false,"internal_id":"int-1","sku":"SKU-1"},"is_overdue":false,"subscription_id":"subs0000000000000001","metadata":[{"name":"source","value":"line 1\\nline 2"}],"customer":{"id":"cust0000000000000001","first_name":"Ann","last_name":"O'Neil","email":"ann@example.com","country":"USA"},"sales":["sale0000000000000001"]`;

const first = (unix) => Math.max(0, Math.ceil((unix - from) / step - 0.5));
const last = (unix) => Math.min(items - 1, Math.floor((unix - from) / step - 0.5));

function build(query) {
  const start = first(Number(query.get('date_start')));
  const end = last(Number(query.get('date_end')));
  const limit = Number(query.get('limit'));
  const page = Number(query.get('page'));
  const total = Math.max(0, end - start + 1);
  const rows = [];
  for (let i = start + (page - 1) * limit; i <= Math.min(end, start + page * limit - 1); i++) {
    rows.push(`{"id":"${String(i).padStart(20, 'r')}",${filler}}`);
  }
  return Buffer.from(
    `{"api_call_id":"callcallcallcallcall","api_call_unix":${to + 1},"code":1,"current_count":${rows.length},"current_page":${page},"results":[${rows.join(',')}],"total_count":${total},"total_pages":${Math.ceil(total / limit)}}`,
  );
}

const server = createServer((request, response) => {
  if (request.url === '/asked') {
    response.end(JSON.stringify([...asked]));
    return;
  }
  let body = pages.get(request.url);
  if (!body) {
    body = build(new URL(request.url, 'http://x').searchParams);
    if (keep) {
      pages.set(request.url, body);
      asked.add(request.url);
    }
  }
  const answer = () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  };
  if (latency > 0) setTimeout(answer, latency);
  else answer();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
