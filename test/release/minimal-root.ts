/** Programs in a minimal root of Debian's libraries, without a shell or a network. Needs root and mmdebstrap. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fetchLibraries } from '../../scripts/release/image.mjs';

/** What runs in a root, and as whom. */
export interface Hosted {
  /** Path of the root. */
  readonly root: string;
  readonly args: readonly string[];
  readonly user: { readonly uid: number; readonly gid: number };
  /** Folders of the outside that keep their path inside; written to only where the user may. */
  readonly shared: readonly string[];
  /** Folders inside that only the user may read. */
  readonly own?: readonly string[];
}

/**
 * Writes a program to `file` that runs `args` and its own arguments in a root, which is read-only, in namespaces of
 * its own.
 */
export function hostProgram(file: string, { root, args, user, shared, own = [] }: Hosted): string {
  const script = `#!/bin/sh
set -e
root='${root}'
mount --bind "$root" "$root"
mount --options remount,bind,ro "$root"
mount --types tmpfs tmpfs "$root/tmp"
${own.map((one) => `mount --types tmpfs --options uid=${user.uid},gid=${user.gid},mode=700 tmpfs "$root${one}"`).join('\n')}
mount --types proc proc "$root/proc"
mount --rbind /dev "$root/dev"
${shared.map((one) => `mkdir --parents "$root${one}"\nmount --bind '${one}' "$root${one}"`).join('\n')}
exec chroot --userspec=${user.uid}:${user.gid} "$root" ${args.join(' ')} "$@"
`;
  const inside = `${file}-inside`;
  for (const [name, text] of [
    [inside, script],
    [file, `#!/bin/sh\nexec unshare --mount --pid --fork --net '${inside}' "$@"\n`],
  ] as const) {
    writeFileSync(name, text);
    chmodSync(name, 0o755);
  }
  return file;
}

/** Unpacks a minimal root below `folder`: what a Node needs, and no program. */
export function unpackMinimalRoot(folder: string): string {
  const root = path.join(folder, 'root');
  for (const name of ['dev', 'proc', 'tmp', 'etc']) mkdirSync(path.join(root, name), { recursive: true });
  const { archive } = fetchLibraries({ work: folder, seconds: 0, packages: ['libatomic1'] });
  execFileSync('tar', [
    '-xf',
    archive,
    '-C',
    root,
    '--no-same-owner',
    '--wildcards',
    './lib',
    './lib64',
    './usr/lib/*',
  ]);
  return root;
}
