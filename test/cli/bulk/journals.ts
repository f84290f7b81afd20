import type { JournalHeader, JournalLine } from '../../../src/account/journal/journal-lines.js';
import { sealed, seedOf } from '../../../src/account/journal/seal.js';

/** The lines of a journal without their numbers and checksums. */
export function linesOf(text: string): JournalLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { n: _number, crc: _crc, ...own } = JSON.parse(line) as JournalLine & { n?: number; crc?: string };
      return own as JournalLine;
    });
}

/** A journal of these lines as whoever wrote it by hand would seal it. */
export function resealed(lines: readonly JournalLine[]): string {
  const seed = seedOf(lines[0] as JournalHeader);
  return lines.map((line, index) => `${sealed(line, index + 1, index === 0 ? 0 : seed)}\n`).join('');
}

/** The same as the first version wrote it: neither numbers nor checksums. */
export function asVersion1(lines: readonly JournalLine[]): string {
  const [header, ...rest] = lines;
  return [{ ...header, version: 1 }, ...rest].map((line) => `${JSON.stringify(line)}\n`).join('');
}
