// Node itself, from npm: one package a platform, pinned by version and checksum in `nodes.json`.
//
// Linux and Windows have 24: its executable needs glibc 2.28, libstdc++ and libgcc alone, where 25 and 26 need libatomic
// too, which minimal systems lack; stripped it has 109 MB, 26 has 116. For Macs npm has no late 24.
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
 * Path of Node's executable for a platform, fetched into `cache` when it is not there yet.
 * @throws when the package cannot be had, or is not the one that was pinned.
 */
export function nodeBinary(platform, cache) {
  return pinnedFile(PINNED.platforms[platform], cache);
}

/** Path of a Node for this machine that makes what the Node of `platform` reads: both are of one version. */
export function builderFor(platform, cache) {
  return pinnedFile(PINNED.builders[PINNED.platforms[platform].version], cache);
}

/** Path of the module that puts a program into an executable, for builders that cannot. */
export function injector(cache) {
  return pinnedFile(PINNED.inject, cache);
}

/** Text of Node's own licence with those of the libraries in it, as its package has it. */
export function nodeLicence(platform, cache) {
  const { name, version, integrity } = PINNED.builders[PINNED.platforms[platform].version];
  return readFileSync(pinnedFile({ name, version, integrity, file: 'LICENSE' }, cache), 'utf8');
}

function pinnedFile({ name, version, file, integrity }, cache) {
  const folder = path.join(cache, `${name}-${version}`);
  const target = path.join(folder, 'package', file);
  if (existsSync(target)) return target;
  // Unpacked beside and moved when it is whole and the one that was pinned.
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
