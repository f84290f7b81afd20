import { usage, wrongOption } from '../base/errors/errors.js';
import { didYouMean } from '../base/errors/nearest.js';
import type { Item } from '../items/json/item-json.js';
import { leafPaths, parseLossless } from '../items/json/lossless.js';
import { cellText, Picker } from '../items/json/pick-values.js';
import { fieldsOfItems } from '../items/select/names.js';

/** A parsed template: texts around the values at paths, with one more text than paths. */
export type Template = ReturnType<typeof parseTemplate>;

const PATH = /^[\w$-]+(?:\[\d+\])*(?:\.[\w$-]+(?:\[\d+\])*)*$/;

/**
 * Parses a `--template`. It supports paths in double braces, `\n` and `\t`, and nothing else.
 *
 * @throws CopsError `usage` for unclosed braces and for an invalid path
 */
export function parseTemplate(text: string) {
  const parts = text.split('{{');
  const texts = [unescaped(parts[0] ?? '')];
  const paths: string[] = [];
  for (const part of parts.slice(1)) {
    const end = part.indexOf('}}');
    const path = part.slice(0, end).trim();
    if (end < 0)
      throw wrongOption('--template', `"{{${part}" is not closed.`, 'A value is a path in braces: {{customer.email}}');
    if (!PATH.test(path))
      throw wrongOption(
        '--template',
        `"${path}" is not a path.`,
        'It supports only paths, such as {{customer.email}}, and no logic.',
      );
    paths.push(path);
    texts.push(unescaped(part.slice(end + 2)));
  }
  if (paths.length === 0)
    throw usage('--template names no value.', 'For example: --template "{{id}} {{customer.email}}"');
  return { texts, paths };
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([nt\\])/g, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? '\\');
}

/** Fills a template for each item, and tracks which of its paths never matched. */
export class Filler {
  readonly #picker: Picker;
  readonly #unseen: Set<string>;
  readonly #known: Set<string>;

  /** @param known paths that items may have although none shows them */
  constructor(
    private readonly template: Template,
    known: readonly string[],
  ) {
    this.#picker = new Picker(template.paths);
    this.#known = new Set(known);
    this.#unseen = new Set(template.paths.filter((path) => !this.#known.has(path)));
  }

  /** The text for one item, with a line end; digits as received, a missing value as an empty string. */
  fill(item: Item): string {
    const found = this.#picker.pick(item.raw);
    let text = this.template.texts[0] ?? '';
    for (const [index, path] of this.template.paths.entries()) {
      const value = found[index];
      if (value !== undefined) this.#unseen.delete(path);
      text += `${cellText(value)}${this.template.texts[index + 1] ?? ''}`;
    }
    if (this.#unseen.size > 0) for (const path of leafPaths(parseLossless(item.raw))) this.#known.add(path);
    return text.endsWith('\n') ? text : `${text}\n`;
  }

  /** Whether a path remains that no item has shown and that is not otherwise known. */
  get isOpen(): boolean {
    return this.#unseen.size > 0;
  }

  /** The error for paths that no item has and that are not otherwise known; undefined if there are none. */
  fault(list: string | undefined): Error | undefined {
    const [first] = this.#unseen;
    if (first === undefined) return undefined;
    const known = [...this.#known];
    return wrongOption(
      '--template',
      `no item has ${[...this.#unseen].map((path) => `"${path}"`).join(', ')}, and no field of this list is called so.${didYouMean(first, known)}`,
      fieldsOfItems(first, known, list),
    );
  }
}
