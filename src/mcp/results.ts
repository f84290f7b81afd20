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

  constructor(private readonly partChars: number) {}

  /** Keeps lines (one item each); tells the addresses of the parts. */
  keep(lines: readonly string[]): readonly string[] {
    const parts: string[] = [];
    let part = '';
    for (const line of lines) {
      if (part !== '' && part.length + line.length + 1 > this.partChars) {
        parts.push(part);
        part = '';
      }
      part += `${line}\n`;
    }
    if (part !== '') parts.push(part);
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
