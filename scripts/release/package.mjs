// The npm package, packed from a separate folder: the checkout's manifest has a build script, and npm would warn
// everyone who installs it that the script does not run.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The parts of the checkout's manifest that only builders need. */
const OF_THE_BUILD = ['scripts', 'devDependencies', 'overrides', 'allowScripts'];

/**
 * Packs the build in `root`, with the man pages from the folder `man` and all notices, into `output`.
 * @returns the file name of the package.
 */
export function packPackage({ root, man, notices, work, output }) {
  const folder = path.join(work, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const name of ['bin', 'dist', 'completions', 'README.md']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  cpSync(man, path.join(folder, 'man'), { recursive: true });
  writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES'), notices);
  for (const field of OF_THE_BUILD) delete manifest[field];
  manifest.files.push('THIRD-PARTY-NOTICES');
  manifest.man = readdirSync(man)
    .sort()
    .map((page) => `man/${page}`);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', output];
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
