import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { closing } from '../../../base/errors/errors.js';
import { onceFree, syncFolder } from '../../../base/files/replace-file.js';
import type { Family } from '../../../catalogue/types.js';
import { sameSchema } from '../../../items/schema/learn.js';
import type { Schema } from '../../../items/schema/types.js';
import { changedSince, isUnchanged, makeTargetFolder, onFile } from '../files.js';
import { withLate } from '../late-fields.js';
import type { Segment, WindowRecord } from '../types.js';
import type { Window } from '../window.js';
import { encoded, headerBytes, segmentOf } from './line-file.js';
import { writeParquet } from './parquet.js';
import { type Encoder, type Lines, NewFile, type Sink, type Written } from './sink.js';

export interface FolderOptions {
  /** Where the files wait until all of them are written. */
  readonly path: string;
  readonly family: Family;
  /** The columns of the first window. */
  readonly schema: Schema;
  /** Undefined for Parquet. */
  readonly encoder: ((schema: Schema) => Promise<Encoder>) | undefined;
  readonly gzip: boolean;
  readonly ending: string;
  /** Distinguishes the files of this run from those of earlier runs: empty for the first. */
  readonly round: string;
}

/** A file per window, below `date=2026-01/`: the UTC month of the window. Windows without items have none. */
export class FolderSink implements Sink {
  readonly position = 0;
  readonly #touched = new Set<string>();
  #schema: Schema;

  constructor(readonly options: FolderOptions) {
    this.#schema = options.schema;
  }

  async open(_position: number, done: readonly WindowRecord[]): Promise<void> {
    await makeTargetFolder(this.options.path);
    for (const { file, bytes, sha256 } of done) {
      if (file === undefined) continue;
      const path = join(this.options.path, file);
      const handle = await open(path, 'r').catch(() => undefined);
      if (!handle || !(await isUnchanged(handle, { bytes, sha256 }))) throw changedSince(path);
    }
  }

  async write(window: Window, lines: Lines): Promise<Written> {
    const file = this.#name(window);
    const path = join(this.options.path, file);
    const temporary = join(this.options.path, 'unfinished');
    const source = lines[Symbol.asyncIterator]();
    const first = await next(source);
    if (first === undefined) return segmentOf(Buffer.alloc(0));
    const all = (async function* () {
      yield first;
      yield* { [Symbol.asyncIterator]: () => source };
    })();
    let written = await this.#file(temporary, all);
    const wider = withLate(this.#schema, written.late ?? []);
    const widened = !sameSchema(wider, this.#schema);
    if (widened) {
      // A new field: this file and later ones have a column for it.
      this.#schema = wider;
      written = await this.#file(temporary, lines);
    }
    await makeTargetFolder(dirname(path));
    await onFile(path, 'write', () => onceFree(() => rename(temporary, path)));
    this.#touched.add(dirname(path));
    return { ...written, file, schema: widened ? wider : undefined };
  }

  async #file(path: string, lines: Lines): Promise<Segment & Pick<Written, 'late'>> {
    const { encoder } = this.options;
    return encoder ? this.#lines(path, lines, await encoder(this.#schema)) : writeParquet(path, lines, this.#schema);
  }

  #lines(path: string, lines: Lines, encoder: Encoder): Promise<Segment & Pick<Written, 'late'>> {
    const { gzip } = this.options;
    return onFile(path, 'write', async () => {
      return closing(await NewFile.create(path), async (file) => {
        await file.write([await headerBytes(encoder, gzip)]);
        for await (const group of encoded(lines, encoder, gzip)) await file.write(group);
        return { ...(await file.finish()), late: encoder.late?.() };
      });
    });
  }

  async sync(): Promise<void> {
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const folder of touched) await syncFolder(folder);
  }

  async close(): Promise<void> {}

  #name(window: Window): string {
    const { family, ending, round } = this.options;
    if (window.range === null) return `${family.name}${round}${ending}`;
    const { from, to } = window.range;
    // If the service excludes the end of a range, a window ends a second late: in the next month after a whole one.
    const month = new Date((to - 1) * 1000).toISOString().slice(0, 7);
    return join(`date=${month}`, `${family.name}-${stamp(from)}-${stamp(to)}${round}${ending}`);
  }
}

/** The first non-empty group. */
async function next(source: AsyncIterator<readonly Buffer[]>): Promise<readonly Buffer[] | undefined> {
  for (;;) {
    const { value, done } = await source.next();
    if (done) return undefined;
    if (value.some((chunk) => chunk.length > 0)) return value;
  }
}

/** `20260131T235959Z`. */
function stamp(unix: number): string {
  return new Date(unix * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
}
