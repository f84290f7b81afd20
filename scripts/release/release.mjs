// npm run release: everything that is handed out, in `release/`. Needs Debian's dpkg-deb, strip and xz, and npm.
//   RELEASE_URL         where the files will lie; formula files name it (https://downloads.example.com/cops)
//   SOURCE_DATE_EPOCH   the time inside archives; else that of the last commit
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../chunks.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { bundleProgram } from './bundle.mjs';
import { buildDebian } from './debian.mjs';
import { buildExecutable } from './executables.mjs';
import { writeFormulas } from './formulas.mjs';
import { NODE_VERSION } from './nodes.mjs';
import { packPackage } from './package.mjs';

const output = path.join(root, 'release');
const cache = path.join(root, 'node_modules/.cache/release');
const work = path.join(cache, 'work');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const url = (process.env.RELEASE_URL ?? 'https://downloads.example.com/cops').replace(/\/$/, '');
const seconds = Number(process.env.SOURCE_DATE_EPOCH) || lastCommit();
const codeCache = process.env.RELEASE_CODE_CACHE !== '0';
/** File names of the executables; what cannot be built is left out and said. */
const NAMES = { 'linux-x64': 'cops-linux-x64', 'win-x64': 'cops-windows-x64.exe', 'macos-arm64': 'cops-macos-arm64' };

await release();

async function release() {
  rmSync(output, { recursive: true, force: true });
  rmSync(work, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  mkdirSync(work, { recursive: true });

  say(`cops ${version}, Node ${NODE_VERSION} inside`);
  const bundle = await bundleProgram(path.join(work, 'chunks'));
  const missing = [];
  for (const [platform, name] of Object.entries(NAMES)) {
    try {
      const { bytes } = await buildExecutable(platform, bundle, {
        cache,
        work,
        output: path.join(output, name),
        codeCache: codeCache && platform === 'linux-x64',
      });
      say(`${name}: ${megabytes(bytes)}${platform === 'linux-x64' ? '' : ', not signed'}`);
    } catch (error) {
      // The platform that this runs on must be there; the others depend on what npm has.
      if (platform === 'linux-x64') throw error;
      missing.push(`${name}: ${error.message}`);
    }
  }
  const man = path.join(work, 'man');
  node('scripts/generate-docs.mjs', '--man', man);
  const deb = buildDebian({
    version,
    executable: path.join(output, NAMES['linux-x64']),
    completions: path.join(root, 'completions'),
    man,
    work,
    output,
    seconds,
  });
  say(path.basename(deb));
  node('scripts/build.mjs');
  say(packPackage({ root, man, work, output }));
  const parts = writeBillOfMaterials(root, bundle.inputs, path.join(output, 'cops.cdx.json'), seconds);
  say(`cops.cdx.json: ${parts} packages and Node`);
  copyFileSync(path.join(root, 'scripts/release/install.sh'), path.join(output, 'install.sh'));
  const sums = writeSums();
  writeFormulas({ version, url, sums, names: NAMES, output });
  for (const line of missing) say(`MISSING ${line}`);
  say(`All in ${path.relative(process.cwd(), output) || '.'}/`);
}

/** SHA-256 of every file by name, and the file that `sha256sum --check` reads. */
function writeSums() {
  const sums = {};
  for (const name of readdirSync(output).sort()) {
    sums[name] = createHash('sha256')
      .update(readFileSync(path.join(output, name)))
      .digest('hex');
  }
  const lines = Object.entries(sums).map(([name, sum]) => `${sum}  ${name}\n`);
  writeFileSync(path.join(output, 'SHA256SUMS'), lines.join(''));
  return sums;
}

function lastCommit() {
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}

function node(script, ...args) {
  execFileSync(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function say(line) {
  console.log(line);
}
