import { Writable } from 'node:stream';
import type { Column } from '../../../src/catalogue/types.js';
import { Item } from '../../../src/items/json/item-json.js';
import type { Format } from '../../../src/screen/output-formats.js';
import { render } from '../../../src/screen/render.js';
import type { Out, Result, ScreenSettings } from '../../../src/screen/types.js';

/** A stream that keeps what it is given. */
export class Memory extends Writable {
  readonly chunks: Buffer[] = [];

  constructor(readonly delayMs = 0) {
    super({ highWaterMark: 16 * 1024 });
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.chunks.push(Buffer.from(chunk));
    if (this.delayMs > 0) setTimeout(done, this.delayMs);
    else done();
  }
}

/** Fails with a system error after so many bytes. */
export class Failing extends Writable {
  bytes = 0;

  constructor(
    readonly code: string,
    readonly after = 0,
  ) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.bytes += chunk.length;
    done(this.bytes > this.after ? Object.assign(new Error(`write ${this.code}`), { code: this.code }) : null);
  }
}

export async function* stream(raws: Iterable<string>, failure?: Error): AsyncGenerator<Item> {
  for (const raw of raws) yield new Item(raw);
  if (failure) throw failure;
}

export const COLUMNS = [
  { path: 'id' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
  { path: 'status', as: 'status' },
  { path: 'amount', as: 'money' },
  { path: 'customer.email', title: 'email' },
] as const;

export function list(raws: Iterable<string>, failure?: Error, columns: readonly Column[] = COLUMNS): Result {
  return { shape: 'list', items: stream(raws, failure), columns, idField: 'id' };
}

export function one(raw: string): Result {
  return { shape: 'one', item: new Item(raw), columns: COLUMNS, idField: 'id' };
}

export interface Shown {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Renders into memory: what standard output got, and what was said beside it. */
export async function show(
  result: Result,
  format: Format,
  settings: Partial<ScreenSettings> = {},
  out: Partial<Out> = {},
): Promise<Shown> {
  const stdout = new Memory();
  const notes: string[] = [];
  await render(
    result,
    { format, wide: false, raw: false, tz: 'Europe/Berlin', ...settings },
    { stdout, color: false, width: 100, interactive: false, note: (text) => notes.push(text), ...out },
  );
  return { text: stdout.text, notes };
}
