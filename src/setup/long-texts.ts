import { NumberText, type Tree } from '../items/json/tree.js';

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
