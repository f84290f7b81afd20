/** A part of a kept answer. */
export interface KeptPart {
  readonly uri: string;
  readonly text: string;
}

const MOST_KEPT = 20;
const PATTERN = /^cops:\/\/results\/(\d+)\/(\d+)$/;

/** Answers that are larger than one message: kept for this connection, read in parts, the oldest forgotten first. */
export class Results {
  readonly #kept = new Map<number, readonly string[]>();
  #last = 0;

  /** @param partBytes the most that one part holds */
  constructor(private readonly partBytes: number) {}

  /** Keeps lines (one item each); tells the addresses of the parts. A line that is longer than a part goes over several. */
  keep(lines: readonly string[]): readonly string[] {
    const parts: string[] = [];
    let part: string[] = [];
    let size = 0;
    const close = (): void => {
      if (part.length > 0) parts.push(part.join(''));
      part = [];
      size = 0;
    };
    for (const line of lines) {
      const text = `${line}\n`;
      const bytes = Buffer.byteLength(text);
      if (size + bytes > this.partBytes) close();
      if (bytes > this.partBytes) parts.push(...pieces(text, this.partBytes));
      else {
        part.push(text);
        size += bytes;
      }
    }
    close();
    this.#last += 1;
    this.#kept.set(this.#last, parts);
    for (const old of this.#kept.keys()) if (this.#kept.size > MOST_KEPT) this.#kept.delete(old);
    return parts.map((_, index) => `cops://results/${this.#last}/${index + 1}`);
  }

  read(uri: string): KeptPart | undefined {
    const [, result, part] = PATTERN.exec(uri) ?? [];
    const text = this.#kept.get(Number(result))?.[Number(part) - 1];
    return text === undefined ? undefined : { uri, text };
  }

  list(): readonly string[] {
    return [...this.#kept].flatMap(([result, parts]) =>
      parts.map((_, index) => `cops://results/${result}/${index + 1}`),
    );
  }
}

/** A text in pieces of at most so many bytes; no character is cut. */
function pieces(text: string, bytes: number): string[] {
  const all = Buffer.from(text);
  const found: string[] = [];
  for (let from = 0; from < all.length; ) {
    let to = Math.min(from + bytes, all.length);
    // Bytes 10xxxxxx go on with a character.
    while (to < all.length && ((all[to] ?? 0) & 0xc0) === 0x80) to -= 1;
    found.push(all.toString('utf8', from, to));
    from = to;
  }
  return found;
}
