import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Processes } from '../files/processes.js';
import { type Entry, mergeEntry } from './entries.js';
import { isClosed, type Line, listSegments, openLines, readTail } from './segments.js';

/** Whose writes are compared: those of one profile, and those made with one key under whatever name. */
export interface Whose {
  readonly profile: string;
  /** Fingerprint of the API key. */
  readonly fingerprint?: string;
}

/** True for a write of that profile or with that key: a profile may be renamed, and two may hold one key. */
export function isOf(entry: Pick<Entry, 'profile' | 'credential'>, whose: Whose): boolean {
  return entry.profile === whose.profile || entry.credential === whose.fingerprint;
}

const STILL_MS = 1_000;

/**
 * The open writes of all processes, kept up with while they are written: what came since the last look is read and
 * nothing is read twice, so that each row of a long run can be compared.
 */
export class RepeatWatch {
  readonly #offsets = new Map<string, number>();
  readonly #byId = new Map<string, Line[]>();
  readonly #byTag = new Map<string, Set<string>>();
  #names: readonly string[] = [];
  /** When the folder had changed last as `#names` was listed, milliseconds. */
  #listedAt = Number.NaN;
  #reading: Promise<void> | undefined;
  #queued: Promise<void> | undefined;

  constructor(
    private readonly folder: string,
    private readonly whose: Whose,
    /** The run's own journal, whose rows its own state guards. */
    private readonly ownJournal: string | undefined,
    private readonly processes: () => Processes,
    private readonly now: () => number,
  ) {}

  /**
   * Another open write with this tag, as of now. To be asked once the own intent `except` is in the file: of two that
   * begin together at least one sees the other.
   */
  async find(tag: string, except: string): Promise<Entry | undefined> {
    await this.#refresh();
    for (const id of this.#byTag.get(tag) ?? []) {
      if (id === except) continue;
      const entry = mergeEntry(this.#byId.get(id) ?? [], this.processes(), this.now());
      if (entry && isOf(entry, this.whose) && (this.ownJournal === undefined || entry.journal !== this.ownJournal))
        return entry;
    }
    return undefined;
  }

  /** A look that began before the asking may have missed what was asked about: the next one serves all who wait. */
  #refresh(): Promise<void> {
    if (!this.#reading) {
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined;
      });
      return this.#reading;
    }
    this.#queued ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        return this.#refresh();
      });
    return this.#queued;
  }

  async #read(): Promise<void> {
    const { mtimeMs } = await stat(this.folder);
    if (mtimeMs !== this.#listedAt) {
      this.#names = await listSegments(this.folder);
      // A file made in the same tick of the file system's clock would leave the time as it is: only a folder that
      // has been still for a while is trusted to tell.
      this.#listedAt = this.now() - mtimeMs > STILL_MS ? mtimeMs : Number.NaN;
    }
    const names = this.#names;
    for (const name of names) {
      const path = join(this.folder, name);
      const before = this.#offsets.get(name);
      if (before === undefined && name !== names.at(-1)) {
        // A full segment has a summary; what is appended to it while that is read is read once more.
        const { size } = await stat(path);
        for (const line of await openLines(this.folder, name, false)) this.#take(line);
        this.#offsets.set(name, size);
        continue;
      }
      const { lines, to } = await readTail(path, before ?? 0);
      for (const line of lines) this.#take(line);
      this.#offsets.set(name, to);
    }
  }

  #take(line: Line): void {
    const known = this.#byId.get(line.id);
    if (known) known.push(line);
    else if (line.type === 'intent') this.#byId.set(line.id, [line]);
    const lines = this.#byId.get(line.id);
    if (!lines) return;
    const ids = this.#byTag.get(line.like) ?? new Set();
    if (isClosed(lines)) {
      this.#byId.delete(line.id);
      ids.delete(line.id);
    } else ids.add(line.id);
    if (ids.size > 0) this.#byTag.set(line.like, ids);
    else this.#byTag.delete(line.like);
  }
}
