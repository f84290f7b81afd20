// A list service of its own that allows a number of requests a second, for the pace bench. It prints its port, and at
// the end of its standard input a line for each request: when it came (milliseconds), 1 if it was served, 0 if refused,
// and how many were in flight.
import { createServer } from 'node:http';

const [rate, limit, says, latency] = process.argv.slice(2);
const allowed = Number(rate);
const SECOND = 1000;
/** Each tells whether a request that comes now is served. */
const LIMITS = {
  none: () => () => true,
  // A bucket that holds one second's worth and fills all the time.
  bucket() {
    let tokens = allowed;
    let filled = performance.now();
    return (now) => {
      tokens = Math.min(allowed, tokens + ((now - filled) * allowed) / SECOND);
      filled = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    };
  },
  // So many in each second of the clock.
  fixed() {
    let second = -1;
    let count = 0;
    return (now) => {
      if (Math.floor(now / SECOND) !== second) {
        second = Math.floor(now / SECOND);
        count = 0;
      }
      return ++count <= allowed;
    };
  },
  // So many in the second before each request.
  sliding() {
    const served = [];
    return (now) => {
      while (served[0] <= now - SECOND) served.shift();
      if (served.length >= allowed) return false;
      served.push(now);
      return true;
    };
  },
};

const mayPass = LIMITS[limit]();
const log = [];
let inFlight = 0;
const PAGE = 25;
const TOTAL = 4000;

function page(number) {
  const first = (number - 1) * PAGE;
  const rows = Array.from({ length: PAGE }, (_, i) => `{"id":"${String(first + i).padStart(20, 'r')}"}`);
  return `{"code":1,"current_count":${PAGE},"current_page":${number},"results":[${rows.join(',')}],"total_count":${TOTAL},"total_pages":${TOTAL / PAGE}}`;
}

const server = createServer((request, response) => {
  const now = performance.now();
  inFlight += 1;
  const passes = mayPass(now);
  log.push([Math.round(now), passes ? 1 : 0, inFlight]);
  const answer = () => {
    inFlight -= 1;
    response.setHeader('content-type', 'application/json');
    if (passes) response.end(page(Number(new URL(request.url, 'http://x').searchParams.get('page'))));
    else {
      response.statusCode = 429;
      if (says === 'retry-after') response.setHeader('retry-after', '1');
      response.end('{"code":0,"message":"Too many requests"}');
    }
  };
  if (Number(latency) > 0) setTimeout(answer, Number(latency));
  else answer();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume().on('end', () => {
  process.stdout.write(`${JSON.stringify(log)}\n`, () => {
    server.close();
    server.closeAllConnections();
  });
});
