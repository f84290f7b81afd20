import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type CopsError, local, stopped } from '../../base/errors/errors.js';
import { openThere, readOwnFile } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import { realPlace } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import { listSegments } from './segments.js';

/** The size and checksum of the first part of a segment. */
interface Extent {
  readonly size: number;
  readonly crc: number;
  /** Which file it was and when it last changed; absent if it was changing at that time. */
  readonly state?: string | undefined;
}

const PIECE = 1024 * 1024;
/** The start of every line in a segment; a line torn by a crash keeps only part of it, or zeros. */
const LINE_START = '{"type":"';

/**
 * How far each segment of a history had come, kept outside its folder: a history that was removed, renamed, cut,
 * converted or restored no longer matches, and would not tell of a write whose outcome is unknown. Segments only grow, so
 * a mark of an earlier moment is weaker, never wrong: processes need no lock to keep one. A segment that has not been
 * touched since is not read again: whatever replaces its bytes also changes the file or its times.
 */
export class HistoryMark {
  readonly #path: string;
  /** What this process has read of each segment. */
  readonly #read = new Map<string, Extent>();

  constructor(
    private readonly folder: string,
    dataDir: string,
  ) {
    const name = createHash('sha256').update(realPlace(folder)).digest('hex').slice(0, 24);
    this.#path = join(dataDir, 'marks', `${name}.json`);
  }

  /**
   * Compares the segments, from a month on if given, with the mark.
   * @throws CopsError stopped (12) if they do not match, or if a segment without a mark is not a history
   */
  async check(from = ''): Promise<void> {
    const marks = this.#marks();
    for (const [name, mark] of Object.entries(marks)) if (name.slice(0, 7) >= from) this.#compare(name, mark);
    for (const name of await listSegments(this.folder)) {
      if (name.slice(0, 7) < from || marks[name] || this.#read.has(name)) continue;
      this.#refuseForeign(name);
    }
  }

  /** Records the current extent of the history, which must already be on disk. */
  async take(): Promise<void> {
    const segments: Record<string, Extent> = {};
    for (const name of await listSegments(this.folder)) {
      const { size, state } = stateOf(statSync(join(this.folder, name), { bigint: true }));
      segments[name] = { ...this.#upTo(name, size), state };
    }
    await replaceFile(this.#path, JSON.stringify({ version: 1, segments }));
  }

  #marks(): Readonly<Record<string, Extent>> {
    let bytes: Buffer | undefined;
    try {
      bytes = readOwnFile(this.#path);
    } catch (cause) {
      throw local(`cannot read ${this.#path}: ${(cause as Error).message}`, undefined, cause);
    }
    if (bytes === undefined) return {};
    try {
      const { segments } = JSON.parse(bytes.toString('utf8')) as { segments: Record<string, Extent> };
      for (const { size, crc } of Object.values(segments)) {
        if (!Number.isSafeInteger(size) || !Number.isSafeInteger(crc)) throw new TypeError('no mark');
      }
      return segments;
    } catch {
      throw this.#fault(`${this.#path}, the mark of the history, is damaged`);
    }
  }

  /** @param inTheWay the file to move away once the operator knows which writes were done */
  #fault(what: string, inTheWay = this.#path): CopsError {
    return stopped(
      `${what}: it may lack a write of unknown outcome, so nothing is sent`,
      say`Nothing was sent. Put the file back as it was. If you cannot: ${cops`history list`} shows what can be read, the list of api-calls what the service did; once you know which writes were done, move ${inTheWay} away, and writes go on.`,
    );
  }

  #compare(name: string, mark: Extent): void {
    const path = join(this.folder, name);
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (facts === undefined) throw this.#fault(`the history ${path} is missing`);
    const { size, state } = stateOf(facts);
    if (size < mark.size) throw this.#fault(`the history ${path} is shorter than it was`);
    const known = this.#read.get(name);
    if (known && known.size >= mark.size) return;
    if (state !== undefined && state === mark.state && size === mark.size) {
      this.#read.set(name, { size, crc: mark.crc });
      return;
    }
    if (this.#upTo(name, mark.size).crc !== mark.crc) throw this.#fault(`the history ${path} was changed`);
  }

  /** Refuses a segment without a mark if its lines are not ours, except lines torn by a crash. */
  #refuseForeign(name: string): void {
    const path = join(this.folder, name);
    const text = readOwnFile(path)?.toString('latin1') ?? '';
    for (const line of text.split('\n')) {
      const own = line.replace(/\0+$/, '').slice(0, LINE_START.length);
      if (!LINE_START.startsWith(own)) throw this.#fault(`the history ${path} is damaged`, path);
    }
  }

  /** The checksum of the first bytes; continues where the last reading stopped. */
  #upTo(name: string, size: number): Extent {
    const known = this.#read.get(name);
    let { size: at, crc } = known && known.size <= size ? known : { size: 0, crc: 0 };
    const bytes = Buffer.alloc(Math.min(PIECE, size - at));
    const fd = openThere(join(this.folder, name));
    try {
      while (at < size) {
        const got = readSync(fd, bytes, 0, Math.min(bytes.length, size - at), at);
        if (got === 0) break;
        crc = crc32(bytes.subarray(0, got), crc);
        at += got;
      }
    } finally {
      closeSync(fd);
    }
    const extent = { size: at, crc };
    this.#read.set(name, extent);
    return extent;
  }
}

/** Some file systems store times in steps of two seconds, within which a change would not show. */
const REST_MS = 2000;

/** A segment's size, and its state unless it has just changed. Only the newest segment still grows. */
function stateOf(facts: BigIntStats): { readonly size: number; readonly state: string | undefined } {
  const { size, ino, ctimeMs, ctimeNs, mtimeNs } = facts;
  const rests = Number(ctimeMs) < Date.now() - REST_MS;
  return { size: Number(size), state: rests ? `${ino} ${ctimeNs} ${mtimeNs}` : undefined };
}
