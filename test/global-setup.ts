import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The tests drive the built program: it is built once before they run unless the caller just did. */
export default function setup(): void {
  const root = path.resolve(import.meta.dirname, '..');
  if (process.env.COPS_SKIP_BUILD === '1' && existsSync(path.join(root, 'dist/main.js'))) return;
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
}
