/** Times as RFC 3339 text in UTC; a time that is asked for again, as in a run of many rows, is made once. */
export class IsoClock {
  #at = Number.NaN;
  #text = '';

  /** @param ms unix milliseconds */
  of(ms: number): string {
    if (ms !== this.#at) {
      this.#text = new Date(ms).toISOString();
      this.#at = ms;
    }
    return this.#text;
  }
}
