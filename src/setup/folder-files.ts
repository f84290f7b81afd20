import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readThere } from '../base/files/read-file.js';
import { isBelow } from '../base/files/typed-path.js';
import { NumberText, type Tree } from '../items/json/tree.js';

/** A set-up file that must not be read, with the reason. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';

  /** @param code the system's error code, if it gave one */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** A size limit that no set-up file reaches. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file of a folder. A path that leads out of the folder is refused, because its content would be sent to the
 * service.
 * @throws UnfitFile for such a path, and for a file that is not regular, is too large or cannot be read
 */
export async function readWithin(root: string, file: string): Promise<Buffer> {
  try {
    const real = await realpath(join(root, file));
    if (!isBelow(await realpath(root), real)) throw new UnfitFile('is a link that leads out of the set-up');
    const facts = await stat(real);
    // Opening a pipe would block forever.
    if (!facts.isFile()) throw new UnfitFile('is not a regular file');
    if (facts.size > MAX_BYTES) throw new UnfitFile('is larger than 16 MB');
    return readThere(real);
  } catch (error) {
    if (error instanceof UnfitFile) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnfitFile(`cannot be read (${code ?? message})`, code);
  }
}

/** Texts that are the main content of their object: the file takes the object's name. */
const MAIN: Readonly<Record<string, string>> = {
  function_code: 'js',
  template_html: 'html',
  prompt: 'md',
  content: 'md',
};

/** File extensions of the other texts, by the end of the field's name. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/html$/, 'html'],
  [/code$/, 'js'],
  [/(?:instructions|message|description)$/, 'md'],
];

/** A single-line text shorter than this stays in the YAML file. */
const SHORT = 120;

/** Lists that get their own YAML file: graphs of nodes. */
const GRAPHS: ReadonlySet<string> = new Set(['flow', 'payment_flow']);

/**
 * The file next to the object's file `slug` that holds a value; undefined for a value that stays in the object's file.
 */
export function companionOf(slug: string, parts: readonly (string | number)[], value: Tree): string | undefined {
  const name = parts.at(-1);
  if (typeof name !== 'string' || value instanceof NumberText) return undefined;
  if (Array.isArray(value)) return GRAPHS.has(name) && value.length > 0 ? `${slug}.${name}.yaml` : undefined;
  if (typeof value !== 'string' || value === '' || !isText(value)) return undefined;
  const main = parts.length === 1 && Object.hasOwn(MAIN, name) ? MAIN[name] : undefined;
  const isCode = main === 'js' || main === 'html';
  if (!isCode && !(value.length > SHORT || value.includes('\n'))) return undefined;
  if (main !== undefined) return `${slug}.${main}`;
  const ending = ENDINGS.find(([pattern]) => pattern.test(name))?.[1] ?? 'txt';
  return `${slug}.${parts.join('.')}.${ending}`;
}

/** Whether a name is that of a file next to an object: `<slug>.<rest>`, never an object's own file. */
export function isCompanion(file: string): boolean {
  return file.split('.').length > 2 || !/\.ya?ml$/.test(file);
}

/** Whether a text survives being written to a file: half a surrogate pair or a leading byte order mark does not. */
function isText(text: string): boolean {
  return Buffer.from(text).toString() === text && !text.startsWith('\ufeff') && !text.includes('\0');
}

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The file name of an object: its key in lower case letters, digits and dashes. */
export function slugOf(key: string): string {
  const plain = key
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '');
  if (plain === '') return 'object';
  return RESERVED.test(plain) ? `${plain}-` : plain;
}
