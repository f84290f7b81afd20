// npm run bench sync: a first sync of one list into a mirror against a bare undici loop that only saves the same bodies,
// the two in turn, on the server of the export bench. Processor time of whole processes, and peak memory. BENCH_ITEMS and
// BENCH_ROUNDS change it; BENCH_PROFILE=<folder> keeps a processor profile there and prints where the time goes.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured, median, served } from './measured.mjs';
import { sayProfile } from './profile.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const TO = Math.floor(Date.now() / 1000) - 3600;
const ITEMS_A_DAY = 126;
const items = Number(process.env.BENCH_ITEMS ?? 50_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const profiles = process.env.BENCH_PROFILE;
const GOAL = { processor: 5, megabytes: 160 };
const say = (text) => process.stdout.write(`${text}\n`);

export default async function sync() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cops-bench-'));
  const from = TO - Math.ceil(items / ITEMS_A_DAY) * 86_400;
  const server = await served('export-server.mjs', items, from, TO, 0, 1, 0);
  const file = path.join(folder, 'm.sqlite');
  const env = {
    COPS_API_KEY: 'test-key',
    COPS_BASE_URL: server.url,
    COPS_MODE: 'test',
    COPS_CONFIG_DIR: path.join(folder, 'config'),
    COPS_DATA_DIR: path.join(folder, 'data'),
  };
  const words = [
    path.join(here, '../bin/cops.js'),
    'sync',
    file,
    'subscription-renewals',
    '--from',
    String(from),
    '-q',
  ];
  const first = (flags = []) => {
    rmSync(file, { force: true });
    return measured(process.execPath, [...flags, ...words], env);
  };
  try {
    // Builds every page, so that the server does nothing but answer.
    await first();
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      const loop = await measured(process.execPath, [
        path.join(here, 'export-loop.mjs'),
        server.url,
        path.join(folder, 'loop'),
        '8',
      ]);
      const mine = await first();
      runs.push({ loop, mine });
      say(`  loop ${shown(loop)}; sync ${shown(mine)}`);
    }
    const ratio = median(runs.map(({ loop, mine }) => mine.cpu / loop.cpu)).toFixed(2);
    const peak = Math.max(...runs.map(({ mine }) => mine.megabytes));
    const size = Math.round(statSync(file).size / 1e6);
    say(
      `first sync of ${items} items: processor ${ratio} times the loop (goal ${GOAL.processor}), ` +
        `${peak} MB (goal ${GOAL.megabytes}); the file ${size} MB`,
    );
    const again = await measured(process.execPath, words, env);
    say(`a second one: ${shown(again)}`);
    if (profiles) {
      const into = path.resolve(profiles, 'sync');
      rmSync(into, { recursive: true, force: true });
      mkdirSync(into, { recursive: true });
      await first(['--cpu-prof', `--cpu-prof-dir=${into}`]);
      sayProfile('sync', into, say);
    }
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function shown({ cpu, seconds, megabytes }) {
  return `${cpu.toFixed(2)} s of processor, ${seconds.toFixed(2)} s, ${megabytes} MB`;
}
