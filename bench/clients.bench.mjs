// npm run bench clients: Node's own agent against undici's ways to ask, 32 connections and 20 ms latency, the pages
// parsed before the next request leaves ("first"), after it ("later") or not at all ("none"). BENCH_ROUNDS changes it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, served } from './measured.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const FROM = 1_735_689_600;
const PAGES = 2000;
const CLIENTS = ['agent', 'request', 'request, pipelining 4', 'dispatch', 'dispatch, client a lane', 'fetch'];

export default async function bench() {
  const { url, stop } = await served('export-server.mjs', PAGES * 25, FROM, FROM + 80 * 86_400, 20, 1);
  try {
    const query = (page) => `/x?date_start=${FROM}&date_end=${FROM + 80 * 86_400}&limit=25&page=${page}`;
    for (let page = 1; page <= PAGES; page++) await (await fetch(url + query(page))).arrayBuffer();
    for (const parse of ['first', 'later', 'none']) {
      const found = new Map(CLIENTS.map((name) => [name, []]));
      for (let round = 0; round < rounds; round++) {
        for (const name of CLIENTS) {
          const run = [path.join(here, 'clients-run.mjs'), url, name, '32', parse];
          const { stdout, stderr, status } = spawnSync(process.execPath, run, { encoding: 'utf8' });
          if (status !== 0) throw new Error(stderr);
          found.get(name).push(JSON.parse(stdout));
        }
      }
      for (const [name, runs] of found) {
        const rate = median(runs.map((run) => run.rate)).toFixed(0);
        const cpu = median(runs.map((run) => run.cpu)).toFixed(2);
        process.stdout.write(
          `parsed ${parse.padEnd(5)} ${name.padEnd(24)} ${rate.padStart(5)} pages/s, ${cpu} ms of CPU a page\n`,
        );
      }
    }
  } finally {
    stop();
  }
}
