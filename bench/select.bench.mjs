// npm run bench select: at most 1,000 rows of a million in ten shapes (to one, to many, without, group, sort), out of a
// current mirror: time of whole lines, and peak memory of the process that was started (the query runs in another one, with the
// cache of its engine). BENCH_ROWS changes the size, BENCH_PROFILE=<folder> keeps a
// processor profile of each.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { measured } from './measured.mjs';

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), '../bin/cops.js');
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const profiles = process.env.BENCH_PROFILE;
const GOAL = { seconds: 2, megabytes: 250 };
const FAMILIES = 'customers subscriptions subscription-renewals transactions pending-refunds';

/** Each gives at most 1,000 rows. */
const SHAPES = [
  ['one by its id', 'select * from subscription_renewals where id = (select id from subscription_renewals limit 1)'],
  [
    'a day',
    'select id, amount from subscription_renewals where created_date_unix between :day and :day + 86399 limit 1000',
  ],
  [
    'to one: its subscription',
    'select r.id, s.status from subscription_renewals r join subscriptions s on s.id = r.subscription_id where r.created_date_unix > :day limit 1000',
  ],
  [
    'to one, chosen by it',
    "select r.id from subscription_renewals r join customers c on c.id = r.customer_id where c.country = 'USA' and r.created_date_unix > :day limit 1000",
  ],
  [
    'to many: with refunds',
    'select id from subscription_renewals where id in (select source_id from pending_refunds) limit 1000',
  ],
  [
    'to many: by count',
    'select subscription_id, count(*) as n from subscription_renewals group by 1 having n > 3 order by n desc limit 1000',
  ],
  [
    'without',
    'select id from subscription_renewals r where created_date_unix > :day and not exists (select 1 from pending_refunds f where f.source_id = r.id) limit 1000',
  ],
  [
    'group',
    'select customer_country, iso_currency, count(*) as n from subscription_renewals group by 1, 2 order by n desc limit 1000',
  ],
  [
    'sort by time',
    'select id, created_date_unix from subscription_renewals order by created_date_unix desc limit 1000',
  ],
  ['sort by amount', 'select id, amount from subscription_renewals order by amount_minor desc limit 1000'],
];

export default async function select() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const file = path.join(home, 'm.sqlite');
  const env = { PATH: process.env.PATH, HOME: home, COPS_CONFIG_DIR: `${home}/config`, COPS_DATA_DIR: `${home}/data` };
  const cops = (...words) => {
    const ran = spawnSync(process.execPath, [program, ...words], { env, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (ran.status !== 0)
      throw new Error(`cops ${words.join(' ')} ended with ${ran.status}: ${ran.stderr.slice(-500)}`);
  };
  try {
    cops('sandbox', 'reset', '--size', 'small', '-q');
    cops('-p', 'sandbox', '-q', 'sync', file, ...FAMILIES.split(' '));
    const { rows, day } = multiply(file);
    console.log(`${rows} renewals`);
    for (const [shape, query] of SHAPES) {
      const flags = profiles ? profileFlags(shape) : [];
      const words = ['-p', 'sandbox', 'sql', query.replaceAll(':day', String(day)), '--mirror', file, '-o', 'json'];
      const { seconds, megabytes } = await measured(process.execPath, [...flags, program, ...words], env);
      const isKept = seconds <= GOAL.seconds && megabytes <= GOAL.megabytes;
      console.log(
        `${shape.padEnd(26)} ${seconds.toFixed(2)} s (goal ${GOAL.seconds}), ${megabytes} MB (goal ${GOAL.megabytes}) ${isKept ? 'kept' : 'MISSED'}`,
      );
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function profileFlags(shape) {
  mkdirSync(profiles, { recursive: true });
  return ['--cpu-prof', `--cpu-prof-name=${path.join(profiles, `${shape.replaceAll(/\W+/g, '-')}.cpuprofile`)}`];
}

/** Copies renewals under other ids and at other times until there are enough; gives a day of the last months. */
function multiply(file) {
  const database = new Libsql(file);
  const table = 'raw_subscription_renewals';
  const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  const rest = columns.map(({ name }) => `"${name}"`).filter((name) => name !== '"id"');
  const count = () => database.prepare(`SELECT count(*) AS n FROM ${table}`).get().n;
  const first = count();
  for (let round = 0; count() > 0 && count() < ROWS; round++) {
    const moved = rest.map((name) => (name === '"created_date_unix"' ? `${name} - ${(round + 1) * 7919}` : name));
    const left = ROWS - count();
    database.exec(`INSERT INTO ${table} (id, ${rest}) SELECT id || '-${round}', ${moved} FROM ${table} LIMIT ${left}`);
  }
  const rows = count();
  const { day } = database.prepare(`SELECT max(created_date_unix) - 86400 AS day FROM ${table}`).get();
  database.close();
  if (first === 0) throw new Error('The sandbox has no renewals.');
  return { rows, day };
}
