// Writes the pictures in docs/pictures from real runs of the program on the sandbox; their test compares them.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { status } = spawnSync('npx', ['vitest', 'run', 'test/docs/pictures.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, COPS_UPDATE_GOLDEN: '1' },
});
process.exitCode = status ?? 1;
