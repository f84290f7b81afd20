import { writeGiven } from '../../account/given-target.js';
import { readOwnFile } from '../../base/files/read-file.js';
import { type Piece, replacePieces } from '../../base/text/replace-pieces.js';
import type { Correction, CorrectionPlace } from './expectations.js';

/** The value found, in place of an expectation in a file. */
export interface FileCorrection extends Correction {
  readonly file: string;
}

/**
 * Writes found values into the files one by one; comments and layout stay.
 * @returns the number of values written
 */
export async function writeCorrections(corrections: readonly FileCorrection[]): Promise<number> {
  const { parseDocument } = await import('yaml');
  let written = 0;
  for (const file of new Set(corrections.map((one) => one.file))) {
    const text = readOwnFile(file)?.toString('utf8') ?? '';
    const document = parseDocument(text, { prettyErrors: false });
    const rangeOf = (place: CorrectionPlace) =>
      (document.getIn(place, true) as { range?: readonly [number, number, number] } | undefined)?.range;
    const pieces = new Map<number, Piece>();
    for (const { file: of, place, yaml } of corrections) {
      const range = of === file ? rangeOf(place) : undefined;
      if (range) pieces.set(range[0], { start: range[0], end: range[1], text: yaml });
    }
    const changed = replacePieces(text, [...pieces.values()]);
    if (changed !== text) await writeGiven({ path: file, typed: file, option: '--update', own: undefined }, changed);
    written += pieces.size;
  }
  return written;
}
