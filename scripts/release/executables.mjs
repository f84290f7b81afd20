// One executable a platform: Node with the bundled program inside it (Node's single executable applications).
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeBinary } from './nodes.mjs';

/**
 * Builds the executable of a platform from a bundle.
 * The Linux one carries V8's code cache, which halves its start; two builds then differ in those bytes alone.
 * `codeCache: false` leaves it out, and the bytes are the same at every build.
 */
export function buildExecutable(platform, bundle, { cache, work, output, codeCache }) {
  const host = nodeBinary('linux-x64', cache);
  const base = path.join(work, `node-${platform}`);
  copyFileSync(nodeBinary(platform, cache), base);
  chmodSync(base, 0o755);
  if (platform === 'linux-x64') execFileSync('strip', [base]);
  const config = path.join(work, `sea-${platform}.json`);
  writeFileSync(
    config,
    JSON.stringify({
      main: bundle,
      output,
      executable: base,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: codeCache,
      // Options of Node on the command line or in the environment belong to cops, not to Node.
      execArgvExtension: 'none',
    }),
  );
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
  execFileSync(host, ['--build-sea', config], { cwd: work, env, stdio: ['ignore', 'ignore', 'inherit'] });
  chmodSync(output, 0o755);
  return { file: output, bytes: statSync(output).size };
}
