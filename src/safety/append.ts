import { close, fdatasync, fstat, open, write } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { local } from '../errors/errors.js';
import { syncFolder } from './files.js';

/** A file that only grows. Passed in so that a test can lose what was not synced. */
export interface AppendFile {
  /** Appends in one system call; resolves to the number of bytes that were taken. */
  write(bytes: Buffer): Promise<number>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

const openFd = promisify(open);
const statFd = promisify(fstat);
const writeFd = promisify(write);
const syncFd = promisify(fdatasync);
const closeFd = promisify(close);

/** Opens (or makes, mode 0600, its name durable) a file for appending. */
export async function openAppendFile(path: string): Promise<AppendFile> {
  // A plain descriptor: it may stay open to the end of the process without a warning.
  const fd = await openFd(path, 'a', 0o600);
  const { size } = await statFd(fd);
  if (size === 0) await syncFolder(dirname(path));
  return {
    write: async (bytes) => (await writeFd(fd, bytes)).bytesWritten,
    datasync: () => syncFd(fd),
    close: () => closeFd(fd),
  };
}

interface Waiting {
  readonly line: string;
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends lines with group commit: whatever is asked for while a write or sync is under way goes out together
 * as one system call and at most one sync, so durability costs one disk turn for all writers together.
 */
export class Appender {
  readonly #file: AppendFile;
  readonly #path: string;
  readonly #startFresh: boolean;
  #waiting: Waiting[] = [];
  #pumping: Promise<void> | undefined;
  #failed: unknown;
  #unsynced = false;
  /** Bytes written by this appender. */
  written = 0;

  /**
   * With `startFresh` every group begins with a line feed, so that a line torn by another process that was
   * killed never swallows one of ours; readers skip the blank lines.
   */
  constructor(file: AppendFile, path: string, startFresh: boolean) {
    this.#file = file;
    this.#path = path;
    this.#startFresh = startFresh;
  }

  /**
   * Resolves when the line is with the operating system, or on the disk with `durable`.
   * @throws CopsError local (11), for this and every later line: after a failed write nothing may go on as if it
   * were recorded.
   */
  append(line: string, durable: boolean): Promise<void> {
    if (this.#failed !== undefined) return Promise.reject(this.#failed);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, durable, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  /** Writes out what waits, syncs, closes. */
  async close(): Promise<void> {
    await this.#pumping;
    const failed = this.#failed;
    // A late line must not reach whatever file gets this descriptor next.
    this.#failed ??= local(`${this.#path} is closed`);
    try {
      if (this.#unsynced && failed === undefined) await this.#file.datasync();
    } finally {
      await this.#file.close();
    }
  }

  async #pump(): Promise<void> {
    // One turn of the event loop gathers what is asked for at the same time.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(group);
        for (const one of group) if (!one.durable) one.resolve();
        if (group.some((one) => one.durable)) {
          await this.#file.datasync();
          this.#unsynced = false;
          for (const one of group) if (one.durable) one.resolve();
        }
      } catch (cause) {
        this.#failed ??= local(`cannot write ${this.#path}: ${(cause as Error).message}`, undefined, cause);
        for (const one of [...group, ...this.#waiting]) one.reject(this.#failed);
        this.#waiting = [];
      }
    }
    this.#pumping = undefined;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    let text = this.#startFresh ? '\n' : '';
    for (const one of group) text += `${one.line}\n`;
    const bytes = Buffer.from(text);
    this.#unsynced = true;
    const taken = await this.#file.write(bytes);
    this.written += taken;
    if (taken !== bytes.length) throw new Error('the disk took only a part of a line');
  }
}
