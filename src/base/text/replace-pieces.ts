/** A piece of a text, by its offsets, and what stands there instead. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text with pieces of it replaced; they do not overlap. */
export function replacePieces(text: string, pieces: readonly Piece[]): string {
  return pieces
    .toSorted((one, other) => other.start - one.start)
    .reduce((all, piece) => all.slice(0, piece.start) + piece.text + all.slice(piece.end), text);
}
