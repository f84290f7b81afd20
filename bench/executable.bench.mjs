// npm run bench executable: the start of what `npm run release` made for Linux against the bare Node of the same version,
// the two in turn, medians of many pairs. BENCH_ROUNDS changes how often.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../scripts/chunks.mjs';
import { nodeBinary } from '../scripts/release/nodes.mjs';
import { median } from './measured.mjs';

const PROGRAM = path.join(root, 'release/cops-linux-x64');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
const LINES = [
  [['--version'], 1.5],
  [['--help'], 1.5],
  [['subscriptions', 'cancel', '--help']],
  [['-p', 'sandbox', 'customers', 'list', '--limit', '1', '--last', '1d']],
];

export default function bench() {
  if (!existsSync(PROGRAM)) {
    console.log('There is no executable to measure: npm run release');
    return;
  }
  const bare = [nodeBinary('linux-x64', path.join(root, 'node_modules/.cache/release')), '-e', '0'];
  const folder = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const env = { PATH: process.env.PATH, HOME: folder, COPS_CONFIG_DIR: folder, COPS_DATA_DIR: folder };
  try {
    for (const [words, budget] of LINES) {
      const pairs = [];
      for (let round = -2; round < ROUNDS; round++) {
        const pair = { bare: timed(bare, env), ours: timed([PROGRAM, ...words], env) };
        if (round >= 0) pairs.push(pair);
      }
      const ratio = median(pairs.map(({ bare, ours }) => ours / bare));
      const verdict = budget === undefined ? '' : ` (at most ${budget})`;
      const ours = median(pairs.map((pair) => pair.ours));
      console.log(`${words.join(' ')}: ${ratio.toFixed(2)} times bare Node${verdict}, ${ours.toFixed(1)} ms`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of one run. */
function timed([program, ...words], env) {
  const began = performance.now();
  const { status } = spawnSync(program, words, { env, stdio: 'ignore' });
  const wall = performance.now() - began;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`);
  return wall;
}
