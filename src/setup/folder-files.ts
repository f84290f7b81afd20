import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { NumberText, type Tree } from '../items/json/tree.js';

/** A file of a set-up that is not read, with the reason. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';

  /** @param code of the system, where it said no */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** More than any file of a set-up has. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file of a folder. What leads out of the folder is not read: its content would be sent to the service.
 * @throws UnfitFile for that, for what is no regular file, is too large, or cannot be read
 */
export async function readWithin(root: string, file: string): Promise<Buffer> {
  try {
    const real = await realpath(join(root, file));
    if (!isWithin(await realpath(root), real)) throw new UnfitFile('is a link that leads out of the set-up');
    const facts = await stat(real);
    // A pipe would be waited for without end.
    if (!facts.isFile()) throw new UnfitFile('is no regular file');
    if (facts.size > MAX_BYTES) throw new UnfitFile('is larger than 16 MB');
    return await readFile(real);
  } catch (error) {
    if (error instanceof UnfitFile) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnfitFile(`cannot be read (${code ?? message})`, code);
  }
}

/** Whether a path is below a folder; both as the system resolves them. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Texts that are the body of their object: their file has the object's name. */
const MAIN: Readonly<Record<string, string>> = {
  function_code: 'js',
  template_html: 'html',
  prompt: 'md',
  content: 'md',
};

/** Endings of the other texts, by the end of their name. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/html$/, 'html'],
  [/code$/, 'js'],
  [/(?:instructions|message|description)$/, 'md'],
];

/** Texts shorter than this and of one line stay in the YAML file. */
const SHORT = 120;

/** Lists that get a YAML file of their own: graphs of nodes. */
const GRAPHS: ReadonlySet<string> = new Set(['flow', 'payment_flow']);

/** The file that holds a value beside the object's file `slug`; undefined for a value that stays in it. */
export function companionOf(slug: string, parts: readonly (string | number)[], value: Tree): string | undefined {
  const name = parts.at(-1);
  if (typeof name !== 'string' || value instanceof NumberText) return undefined;
  if (Array.isArray(value)) return GRAPHS.has(name) && value.length > 0 ? `${slug}.${name}.yaml` : undefined;
  if (typeof value !== 'string' || value === '' || !isText(value)) return undefined;
  const main = parts.length === 1 && Object.hasOwn(MAIN, name) ? MAIN[name] : undefined;
  const isCode = main === 'js' || main === 'html';
  if (!isCode && !isLong(value)) return undefined;
  if (main !== undefined) return `${slug}.${main}`;
  const ending = ENDINGS.find(([pattern]) => pattern.test(name))?.[1] ?? 'txt';
  return `${slug}.${parts.join('.')}.${ending}`;
}

/** A name of a file beside an object: `<slug>.<rest>`, never an object itself. */
export function isCompanion(file: string): boolean {
  return file.split('.').length > 2 || !/\.ya?ml$/.test(file);
}

function isLong(text: string): boolean {
  return text.length > SHORT || text.includes('\n');
}

/** Whether the text survives a file: half a surrogate pair or a leading byte order mark would not. */
function isText(text: string): boolean {
  return Buffer.from(text).toString() === text && !text.startsWith('\ufeff') && !text.includes('\0');
}

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The name of an object's file: its key in small letters, digits and dashes. */
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
