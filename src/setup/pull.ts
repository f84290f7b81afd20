import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orLocal } from '../base/errors/errors.js';
import { readOwnFile, readOwnText } from '../base/files/read-file.js';
import { makeFolder } from '../base/files/replace-file.js';
import { isBelow } from '../base/files/typed-path.js';
import { inParallel } from '../base/in-parallel.js';
import { copy, isObject, sameTree, type Tree, type TreeObject } from '../items/json/tree.js';
import { isRefObject, withoutSecrets } from './compare-object.js';
import { companionOf, slugOf } from './folder-files.js';
import { hashOf } from './hash.js';
import type { FileObject, Folder, Remote } from './types.js';
import { escaped, isSecretVariable, secretsIn } from './variables.js';
import { YamlWriter } from './yaml-write.js';

export interface PullOptions {
  readonly folder: Folder;
  readonly objects: readonly Remote[];
  /** Families that were read whole: only their files can be orphans. */
  readonly wanted: ReadonlySet<string>;
  readonly prune: boolean;
  /** Whether a field of a file has changed since it was last pulled or applied. */
  readonly isOwnChange: (file: FileObject, field: string) => boolean;
  /** The fields that the service shows and no write takes, kept under `_unmanaged`. */
  readonly unmanaged?: ((remote: Remote) => TreeObject) | undefined;
}

/** Files that are written in parallel. */
const AT_ONCE = 16;

/**
 * Writes objects to their files; leaves a file untouched that already says the same. `replaced`: files whose unapplied
 * changes were replaced. `orphans`: files whose object does not exist in the service.
 */
export async function writeObjects(options: PullOptions) {
  const { folder, objects, prune, wanted } = options;
  const files = new ObjectFiles(await YamlWriter.open(), folder.path);
  const slugs = await takenSlugs(folder);
  const pinned = [...folder.objects.values()];
  const result = { written: [] as string[], unchanged: 0, removed: [] as string[], replaced: [] as string[] };
  const plan = [...objects]
    .sort((a, b) => (a.address < b.address ? -1 : 1))
    .map((remote) => {
      const file =
        folder.objects.get(remote.address) ??
        pinned.find((one) => one.managed === remote.managed && one.pinned === remote.id);
      return { remote, file, path: file?.file ?? freshPath(slugs, remote) };
    });
  await inParallel(plan, AT_ONCE, async ({ remote, file, path }) => {
    if (file && ownChanges(options, file, remote)) result.replaced.push(path);
    const changed = file
      ? await files.change(file, remote)
      : await files.begin(path, remote, options.unmanaged?.(remote) ?? {});
    if (changed) result.written.push(path);
    else result.unchanged++;
  });
  result.replaced.sort();
  result.written.sort();
  const known = new Set(objects.map(({ address }) => address));
  const orphans = [...folder.objects.values()].filter(
    (file) =>
      wanted.has(file.managed.name) && !known.has(file.address) && !objects.some((remote) => remote.id === file.pinned),
  );
  if (prune) for (const file of orphans) result.removed.push(...(await removeObject(folder.path, file)));
  return { ...result, orphans: prune ? [] : orphans.map(({ file }) => file) };
}

function ownChanges(options: PullOptions, file: FileObject, remote: Remote): boolean {
  return Object.entries(file.shape).some(
    ([name, value]) =>
      !sameTree(withoutSecrets(value), remote.shape[name]) &&
      !isSecretVariable(value) &&
      options.isOwnChange(file, name),
  );
}

/** File names in use, by family. */
async function takenSlugs(folder: Folder): Promise<Map<string, Set<string>>> {
  const taken = new Map<string, Set<string>>();
  for (const name of folder.families) {
    const files = await readdir(join(folder.path, name)).catch(() => []);
    // A companion file that no object names was left behind by a deleted object.
    const used = files.filter((file) => /^[^.]+\.ya?ml$/.test(file) || folder.named.has(`${name}/${file}`));
    taken.set(name, new Set(used.map((file) => file.split('.')[0] ?? '')));
  }
  return taken;
}

function freshPath(taken: Map<string, Set<string>>, remote: Remote): string {
  const { name } = remote.managed;
  const used = taken.get(name) ?? new Set<string>();
  taken.set(name, used);
  const plain = slugOf(remote.key);
  const slug = used.has(plain) ? `${plain}-${hashOf(remote.key).slice(0, 6)}` : plain;
  used.add(slug);
  return `${name}/${slug}.yaml`;
}

/** Writes objects to their files below a folder, and nowhere else. */
class ObjectFiles {
  constructor(
    private readonly writer: YamlWriter,
    private readonly root: string,
  ) {}

  async begin(path: string, remote: Remote, unmanaged: TreeObject): Promise<boolean> {
    const { name, keyField } = remote.managed;
    const texts = new Map<string, string>();
    const shape = this.#written(remote.shape, slugIn(path), [], texts) as TreeObject;
    const head = `# yaml-language-server: $schema=../.cops/schema/${name}.json\n`;
    if (Object.keys(unmanaged).length > 0) shape._unmanaged = unmanaged;
    const text = this.writer.fresh(shape, head, keyField ? [keyField, 'name'] : []);
    for (const [file, content] of texts) await this.#put(join(name, file), content);
    return this.#put(path, text);
  }

  async change({ shape: meant, file, managed }: FileObject, remote: Remote): Promise<boolean> {
    const wanted = keepSecrets(remote.shape, meant) as TreeObject;
    if (sameTree(meant, wanted)) return false;
    const texts = new Map<string, string>();
    const text = readOwnText(join(this.root, file));
    const next = this.writer.changed(text, meant, wanted, (name, value) =>
      this.#written(value, slugIn(file), [name], texts),
    );
    for (const [name, content] of texts) await this.#put(join(managed.name, name), content);
    return (await this.#put(file, next)) || texts.size > 0;
  }

  /**
   * A value as its file holds it: long texts moved to separate files, dollars doubled where they would mean something.
   */
  #written(value: Tree, slug: string, parts: readonly (string | number)[], texts: Map<string, string>): Tree {
    const file = companionOf(slug, parts, value);
    if (file !== undefined) {
      const inner = Array.isArray(value) ? value.map((one) => this.#written(one, slug, ['', ''], new Map())) : value;
      texts.set(file, typeof inner === 'string' ? escaped(inner) : this.writer.fresh(inner, ''));
      return { file };
    }
    if (typeof value === 'string') return isSecretVariable(value) ? value : escaped(value);
    if (Array.isArray(value)) return value.map((one, index) => this.#written(one, slug, [...parts, index], texts));
    if (!isObject(value) || isRefObject(value)) return copy(value);
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([name, member]) => [name, this.#written(member, slug, [...parts, name], texts)]),
    );
  }

  async #put(file: string, text: string): Promise<boolean> {
    const path = join(this.root, file);
    return await orLocal(
      async () => {
        const before = await fileOrNothing(path);
        if (before === text) return false;
        const folder = dirname(path);
        if (!existsSync(folder)) makeFolder(folder, 0o755);
        // A file behind a link is not part of this set-up.
        const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
        if (isLink || !isBelow(realpathSync.native(this.root), realpathSync.native(folder)))
          throw new Error('it is a link that leads elsewhere');
        await writeFile(path, text, { mode: 0o644 });
        return true;
      },
      `cannot write ${path}`,
      'Free some space, then pull again.',
    );
  }
}

function slugIn(path: string): string {
  return (path.split('/')[1] ?? path).replace(/\.ya?ml$/, '');
}

/** The service's value plus the secrets that the file names, which no read shows. */
function keepSecrets(found: Tree | undefined, meant: Tree | undefined): Tree {
  if (isSecretVariable(meant)) return meant;
  if (Array.isArray(meant) && (found === undefined || Array.isArray(found))) {
    if (found === undefined) return meant;
    return found.map((one, index) => keepSecrets(one, twinOf(one, meant, index)));
  }
  if (isObject(meant) && !isRefObject(meant) && (found === undefined || isObject(found))) {
    const merged: TreeObject = { ...((found ?? {}) as TreeObject) };
    for (const [name, value] of Object.entries(meant))
      if (secretsIn(value).length > 0) merged[name] = keepSecrets(merged[name], value);
    return merged;
  }
  return found ?? null;
}

function twinOf(one: Tree, list: readonly Tree[], index: number): Tree | undefined {
  if (!isObject(one)) return list[index];
  return list.find((other) => isObject(other) && other.name === one.name && other.id === one.id);
}

/** Deletes an object's file and the texts next to it. */
async function removeObject(folder: string, file: FileObject): Promise<readonly string[]> {
  const slug = slugIn(file.file);
  const beside = (await readdir(join(folder, file.managed.name))).filter(
    (name) => name !== `${slug}.yaml` && name.startsWith(`${slug}.`),
  );
  const all = [file.file, ...beside.map((name) => `${file.managed.name}/${name}`)];
  for (const path of all) await rm(join(folder, path), { force: true });
  return all;
}

/**
 * The text of a file; undefined where none exists. @throws NoFile for a pipe or a device, which is not written either
 */
async function fileOrNothing(path: string): Promise<string | undefined> {
  // A link is checked below, wherever it leads.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  return readOwnFile(path)?.toString('utf8');
}
