import { randomBytes } from 'node:crypto';
import { stopped } from '../../base/errors/errors.js';

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

/** How long what was prepared may be committed, milliseconds. */
export const TOKEN_LIFE_MS = 600_000;
const MOST_OPEN = 1000;

/** What a token stands for. */
export interface Held<T> {
  readonly value: T;
  /** The items that it is for: a commit voids every other token of theirs. */
  readonly item: string;
  readonly until: number;
  /** Set while a person is asked: the name under which the answer must come. */
  asked?: string;
}

/** Tokens of prepared writes: known only to this process, for one use. */
export class Tokens<T> {
  readonly #open = new Map<string, Held<T>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly now: () => number) {}

  issue(value: T, item: string): string {
    for (const [token, held] of this.#open) if (held.until <= this.now()) this.#open.delete(token);
    if (this.#open.size >= MOST_OPEN) throw stopped('too many writes are prepared: commit them or wait ten minutes');
    const token = randomBytes(24).toString('base64url');
    this.#open.set(token, { value, item, until: this.now() + TOKEN_LIFE_MS });
    return token;
  }

  /**
   * What a token stands for; from here on it is used up, and all other tokens of its item are void: two that come at
   * once must not both be sent.
   * @throws CopsError stopped (12) for one that is not open
   */
  take(token: string): Held<T> {
    const held = this.#open.get(token);
    this.#open.delete(token);
    if (held) this.#void(held.item);
    if (!held || held.until <= this.now()) {
      throw stopped(
        'this token is not open: it was never given out, was used, was voided, or is older than ten minutes',
      );
    }
    return held;
  }

  /** Puts a token back while a person is asked. */
  ask(token: string, held: Held<T>): string {
    held.asked = `confirm_${randomBytes(12).toString('hex')}`;
    this.#open.set(token, held);
    return held.asked;
  }

  /** One after the other: what looks at an item sees what those before it did. */
  inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #void(item: string): void {
    for (const [token, held] of this.#open) if (held.item === item) this.#open.delete(token);
  }
}
