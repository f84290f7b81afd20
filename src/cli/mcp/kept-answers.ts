import { stopped } from '../../base/errors/errors.js';
import { randomBytes } from '../../base/random.js';

/** A part of a kept answer. */
export interface KeptPart {
  readonly uri: string;
  readonly text: string;
}

const MOST_KEPT = 20;
const PATTERN = /^cops:\/\/results\/(\d+)\/(\d+)$/;

/** Answers larger than one message: kept for this connection, read in parts, the oldest dropped first. */
export class Results {
  readonly #kept = new Map<number, readonly string[]>();
  #last = 0;

  /** @param partBytes the size limit of one part */
  constructor(private readonly partBytes: number) {}

  /** Keeps lines (one item each) and returns the addresses of the parts. A line longer than a part spans several. */
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

/** A string in pieces of at most that many bytes; never cuts a character. */
function pieces(text: string, bytes: number): string[] {
  const all = Buffer.from(text);
  const found: string[] = [];
  for (let from = 0; from < all.length; ) {
    let to = Math.min(from + bytes, all.length);
    // Bytes 10xxxxxx continue a character.
    while (to < all.length && ((all[to] ?? 0) & 0xc0) === 0x80) to -= 1;
    found.push(all.toString('utf8', from, to));
    from = to;
  }
  return found;
}

/** How long a prepared write may be committed, milliseconds. */
export const TOKEN_LIFE_MS = 600_000;
const MOST_OPEN = 1000;

/** What a token stands for. */
export interface Held<T> {
  readonly value: T;
  /** The item it applies to: a commit voids all other tokens of that item. */
  readonly item: string;
  readonly until: number;
  /** Set while a person is asked: the name the answer must use. */
  asked?: string;
}

/** Tokens of prepared writes: known only to this process, valid once. */
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
   * Returns what a token stands for and uses it up. All other tokens of its item become void: two simultaneous commits
   * must not both be sent.
   * @throws CopsError stopped (12) for a token that is not open
   */
  take(token: string): Held<T> {
    const held = this.#open.get(token);
    this.#open.delete(token);
    if (held) this.#void(held.item);
    if (!held || held.until <= this.now())
      throw stopped('this token is not valid: it was never issued, is used or void, or is older than ten minutes');
    return held;
  }

  /** Puts a token back while a person is asked. */
  ask(token: string, held: Held<T>): string {
    held.asked = `confirm_${randomBytes(12).toString('hex')}`;
    this.#open.set(token, held);
    return held.asked;
  }

  /** Runs work one after the other: each sees what those before it did to an item. */
  inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #void(item: string): void {
    for (const [token, held] of this.#open) if (held.item === item) this.#open.delete(token);
  }
}
