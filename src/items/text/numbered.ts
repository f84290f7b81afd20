import { group } from './width.js';

/** `1 item`, `2,000 items`. */
export const counted = (count: number, word: string): string => `${group(count)} ${word}${count === 1 ? '' : 's'}`;

/** The first few of many names, and how many more there are. */
export function someOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}
