// npm run release: builds everything to distribute, in `release/`. Needs Debian's dpkg-deb, strip, xz, mmdebstrap and
// umoci, and npm.
//   RELEASE_URL         where the files will lie; formula files name it (https://downloads.example.com/cops)
//   RELEASE_SNAPSHOT    the moment of Debian's archive whose libraries the image takes (20261101T000000Z); else today's
//   SOURCE_DATE_EPOCH   the time inside archives; else that of the last commit
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../chunks.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { bundleProgram } from './bundle.mjs';
import { buildDebian } from './debian.mjs';
import { buildExecutable, HERE } from './executables.mjs';
import { writeFormulas } from './formulas.mjs';
import { buildImage } from './image.mjs';
import { NODE_VERSIONS, nodeLicence } from './nodes.mjs';
import { noticesOf } from './notices.mjs';
import { packPackage } from './package.mjs';
import { writeSchemas } from './schemas.mjs';
import { packShare } from './share.mjs';

const output = path.join(root, 'release');
const cache = path.join(root, 'node_modules/.cache/release');
const work = path.join(cache, 'work');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const url = (process.env.RELEASE_URL ?? 'https://downloads.example.com/cops').replace(/\/$/, '');
const seconds = Number(process.env.SOURCE_DATE_EPOCH) || lastCommit();
const codeCache = process.env.RELEASE_CODE_CACHE !== '0';
/** File names of the executables; those that cannot be built are left out, with a message. */
const NAMES = {
  'linux-x64': 'cops-linux-x64',
  'linux-arm64': 'cops-linux-arm64',
  'win-x64': 'cops-windows-x64.exe',
  'macos-arm64': 'cops-macos-arm64',
  'macos-x64': 'cops-macos-x64',
};

await release();

async function release() {
  rmSync(output, { recursive: true, force: true });
  rmSync(work, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  mkdirSync(work, { recursive: true });

  say(`cops ${version}`);
  const bundle = await bundleProgram(path.join(work, 'chunks'));
  const engine = [`Node.js ${NODE_VERSIONS[HERE]}, with its libraries`, nodeLicence(HERE, cache)];
  const notices = noticesOf(root, bundle.inputs, [engine]);
  const noticesFile = path.join(output, 'THIRD-PARTY-NOTICES');
  writeFileSync(noticesFile, notices);
  const missing = [];
  const names = {};
  for (const [platform, name] of Object.entries(NAMES)) {
    try {
      const { bytes, signature } = await buildExecutable(platform, bundle, {
        cache,
        work,
        output: path.join(output, name),
        codeCache: codeCache && platform === HERE,
        assets: { 'THIRD-PARTY-NOTICES': noticesFile },
      });
      names[platform] = name;
      const untried = platform === HERE ? '' : `, not tried here, not signed (slot: ${signature})`;
      say(`${name}: ${megabytes(bytes)}, Node ${NODE_VERSIONS[platform]} inside${untried}`);
    } catch (error) {
      // The platform of this machine is required; the others depend on npm.
      if (platform === HERE) throw error;
      missing.push(`${name}: ${error.message}`);
    }
  }
  const man = path.join(work, 'man');
  node('scripts/generate-docs.mjs', '--man', man);
  const deb = buildDebian({
    version,
    executable: path.join(output, NAMES[HERE]),
    completions: path.join(root, 'completions'),
    man,
    notices,
    work,
    output,
    seconds,
  });
  say(path.basename(deb));
  const image = buildImage({
    version,
    executable: path.join(output, NAMES[HERE]),
    notices,
    work,
    output,
    seconds,
    snapshot: process.env.RELEASE_SNAPSHOT,
  });
  say(`${image.files.join(', ')}: with ${image.packages.join(', ')}`);
  node('scripts/build.mjs');
  say(packPackage({ root, man, notices: noticesOf(root, bundle.inputs), work, output }));
  say(packShare({ man, completions: path.join(root, 'completions'), notices, work, output, seconds }));
  const parts = writeBillOfMaterials(root, bundle.inputs, path.join(output, 'cops.cdx.json'), { seconds, cache });
  say(`cops.cdx.json: ${parts} packages and Node`);
  for (const name of ['install.sh', 'install.ps1']) {
    copyFileSync(path.join(root, 'scripts/release', name), path.join(output, name));
  }
  const sums = writeSums();
  const schemas = writeSchemas({ run: (words) => capture('bin/cops.js', words), url, work, output });
  say(`schemas/: ${schemas}`);
  writeFormulas({ version, url, sums, names, output });
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

/** The output of a script, without the builder's own configuration. */
function capture(script, words) {
  const folder = path.join(work, 'home');
  const env = { PATH: process.env.PATH, HOME: folder, COPS_CONFIG_DIR: folder, COPS_DATA_DIR: folder };
  const stdio = ['ignore', 'pipe', 'inherit'];
  return execFileSync(process.execPath, [path.join(root, script), ...words], { env, encoding: 'utf8', stdio });
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function say(line) {
  console.log(line);
}
