// One client of the clients bench, a process of its own: asks for every page with so many connections, parses it if told
// to, and prints pages a second.
import http from 'node:http';
import { Client, Pool, setGlobalDispatcher, fetch as undiciFetch } from 'undici';

const [url, name, connections, parse] = process.argv.slice(2);
const lanes = Number(connections);
const headers = { 'x-api-key': 'test-key' };

function viaAgent() {
  const agent = new http.Agent({ keepAlive: true, maxSockets: lanes });
  const get = (path) =>
    new Promise((resolve, reject) => {
      http
        .get(url + path, { agent, headers }, (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () => resolve(Buffer.concat(chunks)));
        })
        .on('error', reject);
    });
  return { get, close: () => agent.destroy() };
}

function viaRequest(options) {
  const pool = new Pool(url, { connections: lanes, ...options });
  const get = async (path) => {
    const { body } = await pool.request({ path, method: 'GET', headers });
    return Buffer.from(await body.arrayBuffer());
  };
  return { get, close: () => pool.close() };
}

function dispatched(dispatcher, path) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    dispatcher.dispatch(
      { path, method: 'GET', headers },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

function viaDispatch(options) {
  const pool = new Pool(url, { connections: lanes, ...options });
  return { get: (path) => dispatched(pool, path), close: () => pool.close() };
}

/** Each lane has a connection of its own: nothing is picked. */
function viaClients() {
  const clients = Array.from({ length: lanes }, () => new Client(url, { headersTimeout: 0, bodyTimeout: 0 }));
  return {
    get: (path, lane) => dispatched(clients[lane], path),
    close: () => Promise.all(clients.map((client) => client.close())),
  };
}

function viaFetch() {
  const pool = new Pool(url, { connections: lanes });
  setGlobalDispatcher(pool);
  const get = async (path) => Buffer.from(await (await undiciFetch(url + path, { headers })).arrayBuffer());
  return { get, close: () => pool.close() };
}

const CLIENTS = {
  agent: viaAgent,
  request: () => viaRequest({}),
  'request, pipelining 4': () => viaRequest({ pipelining: 4 }),
  dispatch: () => viaDispatch({}),
  'dispatch, no timers': () => viaDispatch({ headersTimeout: 0, bodyTimeout: 0 }),
  'dispatch, client a lane': viaClients,
  fetch: viaFetch,
};

const asked = await (await fetch(`${url}/asked`)).json();
const { get, close } = CLIENTS[name]();
const work = (body) => {
  if (parse === 'first' || parse === 'later') JSON.parse(body.toString());
};
let next = 0;
const lane = async (_, index) => {
  let working = Promise.resolve();
  while (next < asked.length) {
    const body = await get(asked[next++], index);
    if (parse !== 'later') work(body);
    else {
      // The next request leaves before this page is parsed.
      await working;
      working = new Promise((resolve) => setImmediate(() => resolve(work(body))));
    }
  }
  await working;
};
const began = performance.now();
await Promise.all(Array.from({ length: lanes }, lane));
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage();
process.stdout.write(
  `${JSON.stringify({ rate: asked.length / seconds, cpu: (user + system) / 1e3 / asked.length })}\n`,
);
await close();
