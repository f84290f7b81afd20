import { randomBytes } from 'node:crypto';
import { stopped } from '../../base/errors/errors.js';

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
