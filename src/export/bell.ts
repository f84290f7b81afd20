/** Something happened: wakes everyone who waits, once. */
export class Bell {
  #wake: (() => void) | undefined;
  #next: Promise<void> | undefined;

  wait(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#next;
  }

  ring(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    this.#next = undefined;
    wake?.();
  }
}
