/** The right to be sent, for a number of rows at once; the others wait, and have it in their order. */
export class SendSlots {
  readonly #waiting: (() => void)[] = [];
  /** Called when a row was sent and none waits to be next. */
  onIdle: () => void = () => undefined;

  /** @param free how many may be sent at once */
  constructor(private free: number) {}

  async take(): Promise<void> {
    if (this.free-- > 0) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    this.free++;
    const next = this.#waiting.shift();
    if (next) next();
    else this.onIdle();
  }

  /** Lets all go on at once: nothing is sent any more. */
  open(): void {
    this.free = Number.POSITIVE_INFINITY;
    for (const next of this.#waiting.splice(0)) next();
  }
}
