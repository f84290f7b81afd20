// Node itself, from npm: one package per platform, pinned by version and checksum in `nodes.json`.
//
// Linux and Windows use 24: its executable needs only glibc 2.28, libstdc++ and libgcc, while 25 and 26 also need
// libatomic, which minimal systems lack; stripped, it is 109 MB, 26 is 116. For Macs, npm has no recent 24.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const PINNED = JSON.parse(readFileSync(new URL('./nodes.json', import.meta.url), 'utf8'));

/** Version of the Node inside the executable of each platform. */
export const NODE_VERSIONS = Object.fromEntries(
  Object.entries(PINNED.platforms).map(([platform, { version }]) => [platform, version]),
);

/**
 * Path of Node's executable for a platform, fetched into `cache` if missing.
 * @throws when the package is unavailable, or is not the pinned one.
 */
export function nodeBinary(platform, cache) {
  return pinnedFile(PINNED.platforms[platform], cache);
}

/** Path of a Node for this machine whose output the Node of `platform` can read: both have the same version. */
export function builderFor(platform, cache) {
  return pinnedFile(PINNED.builders[PINNED.platforms[platform].version], cache);
}

/** Path of the module that injects a program into an executable, for builders that cannot. */
export function injector(cache) {
  return pinnedFile(PINNED.inject, cache);
}

/** Text of Node's licence, including those of its libraries, from its package. */
export function nodeLicence(platform, cache) {
  const { name, version, integrity } = PINNED.builders[PINNED.platforms[platform].version];
  return readFileSync(pinnedFile({ name, version, integrity, file: 'LICENSE' }, cache), 'utf8');
}

function pinnedFile({ name, version, file, integrity }, cache) {
  const folder = path.join(cache, `${name}-${version}`);
  const target = path.join(folder, 'package', file);
  if (existsSync(target)) return target;
  // Unpacked next to its place, and moved there once it is complete and matches the pinned checksum.
  const fresh = `${folder}.new-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', fresh, `${name}@${version}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const tarball = path.join(fresh, `${name}-${version}.tgz`);
    const sum = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (sum !== integrity) throw new Error(`${name}@${version} has the checksum ${sum}, not the pinned ${integrity}`);
    execFileSync('tar', ['xzf', tarball, '-C', fresh]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return target;
}
