// One executable a platform: Node with the bundled program inside it (Node's single executable applications).
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../chunks.mjs';
import { recordCodeCache } from '../code-cache.mjs';
import { nodeBinary } from './nodes.mjs';

/**
 * Builds the executable of a platform from a bundle (`bundleProgram`).
 * The Linux one carries V8's code caches, which shorten its start; two builds then differ in those bytes alone.
 * `codeCache: false` leaves them out, and the bytes are the same at every build.
 */
export async function buildExecutable(platform, bundle, { cache, work, output, codeCache }) {
  const host = nodeBinary('linux-x64', cache);
  const base = path.join(work, `node-${platform}`);
  copyFileSync(nodeBinary(platform, cache), base);
  chmodSync(base, 0o755);
  if (platform === 'linux-x64') execFileSync('strip', [base]);
  const folder = path.dirname(bundle.main);
  const caches = codeCache ? await codeCaches(host, bundle) : [];
  const config = path.join(work, `sea-${platform}.json`);
  writeFileSync(
    config,
    JSON.stringify({
      main: bundle.main,
      assets: Object.fromEntries([...bundle.assets, ...caches].map((name) => [name, path.join(folder, name)])),
      output,
      executable: base,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      // Options of Node on the command line or in the environment belong to cops, not to Node.
      execArgvExtension: 'none',
    }),
  );
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
  execFileSync(host, ['--build-sea', config], { cwd: work, env, stdio: ['ignore', 'ignore', 'inherit'] });
  chmodSync(output, 0o755);
  return { file: output, bytes: statSync(output).size };
}

/** Has a Node of the executable's own version compile what people run most; tells the files, beside the chunks. */
async function codeCaches(node, { main, assets }) {
  const folder = path.dirname(main);
  await recordCodeCache([node, path.join(root, 'scripts/release/record.cjs')], { CHUNKS: folder });
  return assets.map((name) => `${name}.cache`).filter((name) => existsSync(path.join(folder, name)));
}
