import { orElse, usage } from '../../base/errors/errors.js';
import { familyByCommand, loadFamily } from '../../catalogue/index.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { fieldPath, vocabularyOf } from '../../items/select/names.js';

/** The result of a step, bound to a name: its answer, and the item it is about. */
export interface Bound {
  readonly answer: Lossless;
  /** The family of the item, as in its path; undefined if the answer is not about an item. */
  readonly family: string | undefined;
  readonly id: string | undefined;
}

/** Reads the current state of an item. */
export type ItemReader = (family: string, id: string) => Lossless | undefined;

/** The names bound so far in a scenario; looks up a path in the answer, then in the current item. */
export class Bindings {
  readonly #names = new Map<string, Bound>();

  constructor(
    private readonly read: ItemReader,
    values: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>,
  ) {
    for (const [name, value] of Object.entries(values)) if (value !== undefined) this.#names.set(name, plainly(value));
  }

  /** Adds values under a name for the steps that share these bindings. */
  bindValues(name: string, value: Readonly<Record<string, unknown>>): void {
    this.#names.set(name, plainly(value));
  }

  /** Binds the output of a command line. */
  async bind(name: string, words: readonly string[], printed: string): Promise<void> {
    const answer = answerOf(printed);
    const family = familyByCommand(words.find((word) => !word.startsWith('-')) ?? '')?.name;
    this.#names.set(name, { answer, family, id: family === undefined ? undefined : await idOf(answer, family) });
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /**
   * The value at `name.path`. @throws CopsError `usage` for a name that nothing bound, or a path without a value
   */
  async valueOf(expression: string): Promise<Lossless> {
    const [, name = '', rest = ''] = /^\s*([A-Za-z]\w*)(?:\.?(.*?))?\s*$/s.exec(expression) ?? [];
    const bound = this.#names.get(name);
    if (bound === undefined)
      throw usage(
        `\${${expression}}: no step has bound ${name || 'that'}.`,
        `Bound are: ${[...this.#names.keys()].join(', ') || 'none'}.`,
      );
    const found = rest === '' ? bound.answer : await this.#inside(bound, rest);
    if (found === undefined || found === null) throw usage(`\${${expression}}: ${name} has no ${rest}.`);
    return found;
  }

  async #inside(bound: Bound, path: string): Promise<Lossless | undefined> {
    if (path === 'id' && bound.id !== undefined) return bound.id;
    const given = get(bound.answer, path);
    if (given !== undefined) return given;
    const { family: name, id } = bound;
    if (name === undefined || id === undefined) return undefined;
    const item = this.read(name, id);
    if (item === undefined) return undefined;
    const family = await loadFamily(name);
    const [operation] = family.operations;
    const known = operation ? fieldPath(vocabularyOf(family, operation), path, 'path') : path;
    return get(item, known) ?? get(item, path);
  }

  /** Fills all placeholders of a text: `${sale.id}`; `$${` stands for a literal `${`. */
  async fill(text: string): Promise<string> {
    const pieces: string[] = [];
    let last = 0;
    for (const match of text.matchAll(/\$(\$)?\{([^}]*)\}/g)) {
      pieces.push(text.slice(last, match.index));
      pieces.push(match[1] ? match[0].slice(1) : textOfValue(await this.valueOf(match[2] ?? '')));
      last = match.index + match[0].length;
    }
    return [...pieces, text.slice(last)].join('');
  }

  /** The same for every string inside a value; a string that is a single placeholder becomes the value itself. */
  async fillAll(value: unknown): Promise<unknown> {
    if (typeof value === 'string') {
      const [, only] = /^\$\{([^}]*)\}$/.exec(value) ?? [];
      return only === undefined ? this.fill(value) : unwrapped(await this.valueOf(only));
    }
    if (Array.isArray(value)) return Promise.all(value.map((one) => this.fillAll(one)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, one]) => [key, await this.fillAll(one)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
}

function plainly(value: object): Bound {
  return { answer: parseLossless(JSON.stringify(value)), family: undefined, id: undefined };
}

function answerOf(printed: string): Lossless {
  return orElse(() => parseLossless(printed), printed.trim());
}

/** The id of the item in an answer: its own id, else the only member named after the family (`sale_id`). */
async function idOf(answer: Lossless, family: string): Promise<string | undefined> {
  const own = plain(get(answer, 'id') ?? null);
  if (own !== undefined) return own;
  if (!(answer instanceof Map)) return undefined;
  const words = [family, family.replace(/ies$/, 'y'), family.replace(/s$/, '')].map((word) => `${word}_id`);
  const found = words.find((word) => typeof answer.get(word) === 'string');
  return found === undefined ? undefined : plain(answer.get(found) ?? null);
}

function textOfValue(value: Lossless): string {
  return plain(value) ?? JSON.stringify(unwrapped(value));
}

function unwrapped(value: Lossless): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, unwrapped(one)]));
  if (Array.isArray(value)) return value.map(unwrapped);
  return typeof value === 'object' && value !== null ? Number(plain(value)) : value;
}
