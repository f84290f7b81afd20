// One executable per platform: Node with the bundled program inside (Node's single executable applications).
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../chunks.mjs';
import { recordCodeCache } from '../code-cache.mjs';
import { checkExecutable, signatureSlot } from './headers.mjs';
import { builderFor, injector, NODE_VERSIONS, nodeBinary } from './nodes.mjs';

/** The platform whose executable runs on the release machine. */
export const HERE = 'linux-x64';

/** Node finds a program in its executable under this name, if these words are followed by 1. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Builds the executable of a platform from a bundle (`bundleProgram`) and further assets (name: path).
 * The Linux one carries V8's code caches, which shorten its start; two builds then differ in those bytes alone.
 * `codeCache: false` leaves them out, and the bytes are the same at every build.
 */
export async function buildExecutable(platform, bundle, { cache, work, output, codeCache, assets }) {
  const builder = builderFor(platform, cache);
  const base = path.join(work, `node-${platform}`);
  copyFileSync(nodeBinary(platform, cache), base);
  chmodSync(base, 0o755);
  checkExecutable(platform, base);
  if (platform === HERE) execFileSync('strip', [base]);
  const folder = path.dirname(bundle.main);
  const caches = codeCache ? await codeCaches(builder, bundle) : [];
  const common = {
    main: bundle.main,
    assets: {
      ...Object.fromEntries([...bundle.assets, ...caches].map((name) => [name, path.join(folder, name)])),
      ...assets,
    },
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    useCodeCache: false,
    // Options of Node on the command line or in the environment belong to cops, not to Node.
    execArgvExtension: 'none',
  };
  await putInside(platform, common, { builder, base, cache, work, output });
  chmodSync(output, 0o755);
  checkExecutable(platform, output);
  return { file: output, bytes: statSync(output).size, signature: signatureSlot(output) };
}

/** Since Node 26, the builder puts the program into the executable itself. */
async function putInside(platform, common, { builder, base, cache, work, output }) {
  const config = path.join(work, `sea-${platform}.json`);
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
  const build = (option, rest) => {
    writeFileSync(config, JSON.stringify({ ...common, ...rest }));
    execFileSync(builder, [option, config], { cwd: work, env, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  if (Number(NODE_VERSIONS[platform].split('.')[0]) >= 26) {
    build('--build-sea', { output, executable: base });
    return;
  }
  const blob = path.join(work, `sea-${platform}.blob`);
  build('--experimental-sea-config', { output: blob });
  const { inject } = createRequire(import.meta.url)(injector(cache));
  await inject(base, RESOURCE, readFileSync(blob), { sentinelFuse: FUSE });
  copyFileSync(base, output);
}

/** Lets a Node of the executable's version compile the code that runs most; returns the files, next to the chunks. */
async function codeCaches(node, { main, assets }) {
  const folder = path.dirname(main);
  await recordCodeCache([node, path.join(root, 'scripts/release/record.cjs')], { CHUNKS: folder });
  return assets.map((name) => `${name}.cache`).filter((name) => existsSync(path.join(folder, name)));
}
