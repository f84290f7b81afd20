/** A piece of a string, by its offsets, and its replacement. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The string with pieces of it replaced; they must not overlap. */
export const replacePieces = (text: string, pieces: readonly Piece[]): string =>
  pieces
    .toSorted((one, other) => other.start - one.start)
    .reduce((all, piece) => all.slice(0, piece.start) + piece.text + all.slice(piece.end), text);
