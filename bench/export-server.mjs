// An independent list service for the export bench, a process of its own: `items from to latency keep [wide]`. Rows lie in
// the whole range, now denser, now thinner; every page is built once and kept as bytes (unless `keep` is 0), so that
// answering costs as little as a server can.
import { createServer } from 'node:http';
import { itemText } from './export-items.mjs';

const [items, from, to, latency, keep, wide] = process.argv.slice(2).map(Number);
const pages = new Map();
const asked = new Set();
// A tenth around the even density, twelve times over the range.
const times = Float64Array.from({ length: items }, (_, i) => {
  const share = (i + 0.5) / items;
  return Math.floor(from + (to - from) * (share + Math.sin(share * 24 * Math.PI) / (240 * Math.PI)));
});

/** The place of the first item that is not before the moment. */
function first(unix) {
  let low = 0;
  let high = items;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < unix) low = middle + 1;
    else high = middle;
  }
  return low;
}
const last = (unix) => first(unix + 1) - 1;

function build(query) {
  const start = first(Number(query.get('date_start')));
  const end = last(Number(query.get('date_end')));
  const limit = Number(query.get('limit'));
  const page = Number(query.get('page'));
  const total = Math.max(0, end - start + 1);
  const rows = [];
  for (let i = start + (page - 1) * limit; i <= Math.min(end, start + page * limit - 1); i++) {
    rows.push(itemText(i, items, times[i], wide === 1));
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
