/**
 * One item of the service: its exact JSON text, and the parsed value for logic only. What is printed comes
 * from `raw`, so digits and strings leave as they came.
 */
export class Item {
  #value: unknown;
  #parsed = false;

  constructor(
    /** The exact JSON text. */
    readonly raw: string,
  ) {}

  /** An item made here (a local record), not read from the service. */
  static of(value: unknown): Item {
    return new Item(JSON.stringify(value));
  }

  /** The value as plain JavaScript; numbers may have lost digits, so never print from it. */
  get value(): unknown {
    if (!this.#parsed) {
      this.#value = JSON.parse(this.raw);
      this.#parsed = true;
    }
    return this.#value;
  }

  /** A top-level field of the value, or undefined. */
  field(name: string): unknown {
    const value = this.value;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }
}

/** Values that are here already, one after another, as the items of a result. */
export async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

/** Local records as the items of a result. */
export async function* itemsOf(records: Iterable<unknown>): AsyncGenerator<Item> {
  for (const record of records) yield Item.of(record);
}
