/** Keeps the requests of one process below what the service allows. */
export interface Pacer {
  /** Resolves when the next request may be sent; rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<void>;
  /** A request was refused with 429; `retryAfterMs` is what the service asked for. */
  throttled(retryAfterMs: number | undefined): void;
  /** A request ended in any other way. */
  answered(): void;
}
