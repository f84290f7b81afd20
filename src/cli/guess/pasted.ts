import { type CommandLine, copsLine, type Placeholder, placeholder } from '../../base/text/command-line.js';
import { HIDDEN } from '../../session/context/lines.js';

/** The replacement for a word: words separated by blanks, or one argument each. */
export type WordChange = string | readonly string[];

/** One of our own words, which may contain a placeholder for a value of the user's. */
export const placed = (word: string): string | Placeholder => (/<[\w |-]+>/.test(word) ? placeholder(word) : word);

/** The complete line with words replaced (an empty replacement drops the word), quoted for a shell. */
export function pasted(argv: readonly string[], changes: ReadonlyMap<number, WordChange> = new Map()): CommandLine {
  const words = argv.flatMap((word, index): (string | Placeholder)[] => {
    const changed = changes.get(index);
    if (changed !== undefined)
      return (typeof changed !== 'string' ? changed : changed.includes('=') ? [changed] : changed.split(' '))
        .filter(Boolean)
        .map(placed);
    const before = argv[index - 1] ?? '';
    if (before.startsWith('-') && HIDDEN.test(before)) return [placeholder('...')];
    const [name = ''] = word.split('=');
    return [HIDDEN.test(name) && word.includes('=') ? placeholder(`${name}=...`) : word];
  });
  return copsLine(words);
}
