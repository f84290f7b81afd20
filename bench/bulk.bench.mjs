// npm run bench bulk: 10,000 writes on loopback at concurrency 16, the program against a bare loop, whole processes;
// then the peak of memory at 10,000 and 100,000 rows, and how long 5,000 rows take that name people as a spreadsheet does.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured, median } from './measured.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));
const ROWS = Number(process.env.BENCH_ITEMS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONCURRENCY = '16';
const LEAST = 0.8;
/** Rows of a spreadsheet, the renewals of a sandbox that has more people than that, and the seconds they may take. */
const [NAMED, RENEWALS, MOST_SECONDS] = [5_000, 70_000, 30];

/** Runs `work` with a server of the bench and what starts the program and the loop on it. */
async function onServer(work) {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const server = spawn(process.execPath, [path.join(folder, 'bulk-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${String((await once(server.stdout, 'data'))[0]).trim()}`;
    const env = {
      ...process.env,
      COPS_CONFIG_DIR: path.join(home, 'config'),
      COPS_DATA_DIR: path.join(home, 'data'),
      COPS_BASE_URL: url,
      COPS_API_KEY: 'test-key-of-the-bench',
      COPS_MODE: 'test',
    };
    const idsFile = (rows) => {
      const file = path.join(home, `ids-${rows}.txt`);
      writeFileSync(
        file,
        `${Array.from({ length: rows }, (_, row) => `row${String(row).padStart(17, '0')}`).join('\n')}\n`,
      );
      return file;
    };
    let run = 0;
    const bulk = (ids) => [
      path.join(folder, '../bin/cops.js'),
      ...['bulk', 'subscriptions', 'suspend', '--ids', ids, '--concurrency', CONCURRENCY],
      ...['--journal', path.join(home, `run-${++run}.journal`), '--quiet', '--yes'],
    ];

    const ours = (ids) => measured(process.execPath, bulk(ids), env);
    const bare = (ids) =>
      measured(
        process.execPath,
        [path.join(folder, 'bulk-loop.mjs'), url, ids, path.join(home, `bare-${++run}`), CONCURRENCY],
        env,
      );
    return await work({ idsFile, ours, bare });
  } finally {
    server.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The loop and the program in turns of one run. */
async function turns({ idsFile, ours, bare }, rows, rounds, each = () => {}) {
  const ids = idsFile(rows);
  const pairs = [];
  for (let round = 0; round < rounds; round++) {
    const [theirs, mine] = [await bare(ids), await ours(ids)];
    pairs.push({ rate: theirs.seconds / mine.seconds, cpu: mine.cpu / theirs.cpu });
    each(`bare ${Math.round(rows / theirs.seconds)}/s, cops ${Math.round(rows / mine.seconds)}/s`, pairs.at(-1));
  }
  return { rate: median(pairs.map(({ rate }) => rate)), cpu: median(pairs.map(({ cpu }) => cpu)) };
}

/** Medians of `rounds` turns: our `rate` by the loop's, and our `cpu`, the processor time, by the loop's. */
export const bulkRatios = (rows, rounds) => onServer((at) => turns(at, rows, rounds));

/**
 * A spreadsheet of complaints: semicolons, blank lines, decimal commas, addresses in every spelling, order numbers, people
 * who stand in two rows, and one whom nobody knows.
 */
function messyRows(people, orders) {
  const lines = ['Kunde-Nr;E-Mail Address ;Complaint text;Betrag'];
  for (let at = 0; at < NAMED; at++) {
    if (at % 97 === 0) lines.push('', ';;;');
    const one = people[at % 50 === 49 ? at - 40 : at];
    const { email } = one;
    const spelled = [email, ` ${email.toUpperCase()} `, `"mailto:${email}"`, one.internal_id, `"A B <${email}>"`][
      at % 5
    ];
    const word = at === NAMED / 2 ? 'nobody@example.com' : at % 25 === 7 ? orders[at].internal_id : spelled;
    lines.push(`${at + 1};${word};Parcel ${at} was late;${at % 90},50`);
  }
  return lines.join('\r\n');
}

/** Looks up the names of a spreadsheet on the embedded service: the time of all and the requests. */
function nameRows() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const env = { ...process.env, COPS_CONFIG_DIR: path.join(home, 'config'), COPS_DATA_DIR: path.join(home, 'data') };
  const cops = (...words) =>
    spawnSync(process.execPath, [path.join(folder, '../bin/cops.js'), ...words], {
      ...{ env, encoding: 'utf8', maxBuffer: 1 << 30 },
    });
  const rowsOf = (...words) =>
    cops('-p', 'sandbox', ...words, '--all-time', '--all', '-q', '-o', 'jsonl')
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  try {
    cops('sandbox', 'reset', '--size', String(RENEWALS), '-q');
    const people = rowsOf('customers', 'list');
    const shared = new Set();
    const seen = new Set();
    for (const { email } of people) (seen.has(email) ? shared : seen).add(email);
    const orders = rowsOf('sales', 'list').filter((sale) => sale.internal_id);
    const file = path.join(home, 'complaints.csv');
    writeFileSync(
      file,
      messyRows(
        people.filter(({ email }) => !shared.has(email)),
        orders,
      ),
    );
    const began = performance.now();
    const note = ['bulk', 'customers', 'note', '--input', file, '-d', 'text={Complaint text}', '--skip-unresolved'];
    const ran = cops('-p', 'sandbox', ...note, '--dry-run', '-v', '--log-format', 'json');
    const seconds = (performance.now() - began) / 1000;
    if (ran.status !== 10) throw new Error(ran.stderr.slice(-500));
    const requests = ran.stderr.match(/"path":/g).length;
    return { seconds, requests, people: people.length, orders: orders.length };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export default () =>
  onServer(async (at) => {
    const said = ({ rate, cpu }) => `ratio ${rate.toFixed(2)}, processor time ${cpu.toFixed(2)}`;
    const medians = await turns(at, ROWS, ROUNDS, (figures, one) => console.log(`${figures}, ${said(one)}`));
    console.log(`medians: ${said(medians)} (a ratio of at least ${LEAST} is asked)`);
    if (medians.rate < LEAST) process.exitCode = 1;
    const few = await at.ours(at.idsFile(10_000));
    const many = await at.ours(at.idsFile(100_000));
    console.log(`memory: ${few.megabytes} MB at 10,000 rows, ${many.megabytes} MB at 100,000 (goal: flat)`);
    const { seconds, requests, people, orders } = nameRows();
    console.log(
      `names of ${NAMED} rows among ${people} people and ${orders} orders: ${seconds.toFixed(1)} s (at most ${MOST_SECONDS} s), ${requests} requests`,
    );
    if (seconds > MOST_SECONDS) process.exitCode = 1;
  });
