import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from 'yaml';
import { writeGiven } from '../account/given-target.js';
import { usage, Would } from '../base/errors/errors.js';
import { readOwnText } from '../base/files/read-file.js';
import { type Piece, replacePieces } from '../base/text/replace-pieces.js';
import type { Context, Done } from '../session/context/context.js';
import { listOf } from '../session/context/run.js';
import { addressOf, loadFamilies, partsOfAddress } from './families.js';
import { checkedFolder } from './make-plan.js';
import type { FileObject } from './types.js';

/** The changes of a rename to one file. */
interface RenamedFile {
  readonly file: string;
  readonly text: string;
  readonly places: number;
}

/**
 * `cops setup rename <folder> <family> <old> <new>`: changes the object and every reference to it, value by value; the
 * files keep their comments and layout. The next apply renames it in the service, by its `_was`.
 * @throws CopsError `usage` for a name that does not exist, or that another object has
 */
export async function renameObject(context: Context, path: string, words: readonly string[]): Promise<Done> {
  const [word = '', old = '', name = ''] = words;
  const families = await loadFamilies();
  const family = [word, `${word}s`].map((one) => one.replaceAll('_', '-')).find((one) => families.managed.has(one));
  if (family === undefined) throw usage(`A set-up cannot hold ${word}.`, 'cops setup graph shows what it can hold.');
  const folder = await checkedFolder(context, path, families);
  const object = folder.objects.get(addressOf(family, old));
  if (!object) throw usage(`There is no ${family}/${old} in ${path}.`);
  if (name.trim() === '' || /\p{Cc}/u.test(name)) throw usage(`${JSON.stringify(name)} is not a name.`);
  const twin = folder.objects.get(addressOf(family, name));
  if (twin) throw usage(`${family}/${name} already exists: ${twin.file}.`);
  const changed: RenamedFile[] = [];
  for (const file of await yamlFiles(path, [...folder.families])) {
    const read = readOwnText(join(path, file));
    const pieces = await piecesOf(read, object, file === object.file, name);
    if (pieces.length > 0) changed.push({ file, text: replacePieces(read, pieces), places: pieces.length });
  }
  const rows = changed.map(({ file, places }) => ({ file, places }));
  if (context.options.dryRun) throw new Would(`rename ${object.address} in ${rows.map(({ file }) => file).join(', ')}`);
  for (const { file, text } of changed) {
    const place = join(path, file);
    await writeGiven({ path: place, typed: file, option: 'setup rename', own: context }, text);
  }
  await checkedFolder(context, path, families);
  return { result: listOf(rows, ['file', 'places']) };
}

async function yamlFiles(path: string, families: readonly string[]): Promise<string[]> {
  const all = families.map(async (name) => {
    const entries = await readdir(join(path, name), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() && /\.ya?ml$/i.test(entry.name) ? `${name}/${entry.name}` : []));
  });
  return (await Promise.all(all)).flat().sort();
}

type Offsets = readonly [start: number, valueEnd: number, nodeEnd: number];

/** The references to an object in a file; in its own file also its name and its former name. */
async function piecesOf(text: string, object: FileObject, isOwn: boolean, name: string): Promise<Piece[]> {
  const yaml = await import('yaml');
  const document = yaml.parseDocument(text, { prettyErrors: false });
  const { managed, key } = object;
  const pieces: Piece[] = [];
  const replace = (range: Offsets | null | undefined, value: string) => {
    if (range) pieces.push({ start: range[0], end: range[1], text: value });
  };
  yaml.visit(document, {
    Pair(_at, { key: named, value }) {
      if (!yaml.isScalar(named) || named.value !== 'ref' || !yaml.isScalar(value)) return;
      const to = typeof value.value === 'string' ? partsOfAddress(value.value) : undefined;
      if (to?.name === managed.name && to.key === key) replace(value.range, scalarText(addressOf(managed.name, name)));
    },
  });
  if (isOwn && yaml.isMap(document.contents) && managed.keyField !== undefined) {
    const node = document.contents.get(managed.keyField, true) as { range?: Offsets } | undefined;
    replace(node?.range, scalarText(name));
    const start = wasPlace(document);
    if (start !== undefined) pieces.push({ start, end: start, text: `_was: ${scalarText(key)}\n` });
  }
  return pieces;
}

/** Where to write the old name; undefined in a file that already identifies its object. */
function wasPlace({ contents }: Document): number | undefined {
  const items = (contents as { items?: { key?: { value?: unknown; range?: Offsets } }[] }).items ?? [];
  const isKnown = items.some(({ key }) => key?.value === '_was' || key?.value === '_id');
  return isKnown ? undefined : items[0]?.key?.range?.[0];
}

/** A string as a single-line YAML scalar: quoted where it could be read as something else. */
function scalarText(text: string): string {
  return /^[A-Za-z][\w/ .-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text) && !/\s$/.test(text)
    ? text
    : JSON.stringify(text);
}
