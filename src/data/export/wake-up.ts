/** Something happened: wakes everyone who waits, once. */
export class WakeUp {
  #wake: (() => void) | undefined;
  #next: Promise<void> | undefined;

  wait(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#next;
  }

  wake(): void {
    const resolve = this.#wake;
    this.#wake = undefined;
    this.#next = undefined;
    resolve?.();
  }
}
