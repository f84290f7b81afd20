import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { orElse, usage } from '../errors/errors.js';
import type { World } from '../world.js';

/** A folder with more entries than this is too large to check for links before a command runs. */
const MOST_ENTRIES = 50_000;

/** A URL where a file is expected; at least two letters, since one is a drive. */
const ADDRESS = /^([a-z][a-z0-9+.-]+):\/\//i;

/** @throws CopsError `usage` (2) for a URL; repeats only its scheme, because the rest may hold a password */
export function refuseAddress(typed: string, option?: string): void {
  const scheme = ADDRESS.exec(typed)?.[1];
  if (scheme === undefined) return;
  const what = 'a file or folder of this machine';
  throw usage(
    `${option === undefined ? `The line wants ${what}` : `${option} takes ${what}`}, not an address (${scheme}://…).`,
    `For a file or folder with this name: ./${scheme}:…`,
  );
}

/**
 * The absolute path that a command-line argument names. Every such argument goes through here: this is what keeps a
 * command line that somebody else wrote (`World.confined`) inside its folders, links included.
 * @throws CopsError `usage` (2) for a path outside them, and for a URL
 */
export function typedPath(world: Pick<World, 'cwd' | 'confined'>, typed: string): string {
  refuseAddress(typed);
  const path = resolve(world.cwd, typed);
  const { confined } = world;
  if (confined === undefined) return path;
  const roots = confined.folders.map((folder) => realPlace(folder));
  const outside = () =>
    usage(`${JSON.stringify(typed)} leads outside the folder of this scenario.`, 'Its files belong next to it.');
  const real = realPlace(path);
  const root = roots.find((one) => isBelow(one, real));
  // Hidden files control other programs: a repository, an editor, a build.
  if (typed.includes('\0') || root === undefined || /(?:^|[/\\])\./.test(relative(root, real))) throw outside();
  if (leadsOut(path, roots, { left: MOST_ENTRIES })) throw outside();
  return path;
}

/** Whether a path is a folder or lies below it; neither may contain links. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Where a path really is, or would be: follows a link even to a target that does not exist yet. */
export function realPlace(path: string, hops = 40): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || hops === 0) return path;
    const target = orElse(() => readlinkSync(path), undefined);
    if (target !== undefined) return realPlace(resolve(realPlace(parent), target), hops - 1);
    return join(realPlace(parent), relative(parent, path));
  }
}

/** Whether a folder holds a link that leads outside all roots. A folder too large to check counts as if it did. */
function leadsOut(path: string, roots: readonly string[], budget: { left: number }): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts?.isDirectory()) return false;
  return readdirSync(path, { withFileTypes: true }).some((entry) => {
    budget.left--;
    if (budget.left < 0) return true;
    const below = join(path, entry.name);
    if (entry.isSymbolicLink()) return !roots.some((root) => isBelow(root, realPlace(below)));
    return entry.isDirectory() && leadsOut(below, roots, budget);
  });
}

/** True for an argument that names a database instead of a file. */
export function isPostgresAddress(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}
