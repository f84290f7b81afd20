import { close, constants, fdatasync, fstat, open, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { local } from '../../base/errors/errors.js';
import { kindOf, NoFile } from '../../base/files/read-file.js';
import { syncFolder } from '../../base/files/replace-file.js';

/** A file that only grows. Passed in so that a test can lose what was not synced. */
export interface AppendFile {
  /**
   * Appends in one system call and returns the number of bytes written. It only fills the system's cache, which
   * is faster than waking a thread; nothing in this process can run between it and the next step.
   */
  write(bytes: Buffer): number;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

const openFd = promisify(open);
const statFd = promisify(fstat);
const syncFd = promisify(fdatasync);
const closeFd = promisify(close);
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
const APPENDING = O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0);

/** Opens a file for appending, or creates it with mode 0600 and a durable name. */
export async function openAppendFile(path: string): Promise<AppendFile> {
  // A plain descriptor: it may stay open until the process ends without a warning.
  // Nor does it wait if a pipe is there instead.
  const fd = await openFd(path, APPENDING, 0o600);
  const facts = await statFd(fd);
  if (!facts.isFile()) {
    await closeFd(fd);
    throw new NoFile(`it ${kindOf(facts)}`);
  }
  const { size } = facts;
  if (size === 0) await syncFolder(dirname(path));
  return {
    write: (bytes) => writeSync(fd, bytes),
    datasync: () => syncFd(fd),
    close: () => closeFd(fd),
  };
}

/** Lines that are written together. */
class Group {
  text = '';
  durable = false;
  readonly written = new Signal();
  readonly synced = new Signal();

  fail(error: unknown): this {
    this.written.reject(error);
    this.synced.reject(error);
    return this;
  }
}

/** A promise that its owner settles, and that may reject without a listener. */
class Signal {
  resolve!: () => void;
  reject!: (error: unknown) => void;
  readonly promise = new Promise<void>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });

  constructor() {
    this.promise.catch(() => undefined);
  }
}

/**
 * Appends lines with group commit: all lines requested in one turn of the event loop, or while a sync is running,
 * are written together in one system call and at most one sync, so all writers share the cost of one disk turn.
 */
export class Appender {
  #group = new Group();
  #pumping: Promise<void> | undefined;
  #failed: unknown;
  #unsynced = false;
  /** Bytes that this appender has written. */
  written = 0;
  /** System calls used to write them. */
  writes = 0;

  /** With `startFresh` every group begins with a line feed, so a line torn by another process swallows none. */
  constructor(
    private readonly file: AppendFile,
    private readonly path: string,
    private readonly startFresh: boolean,
  ) {}

  /**
   * Resolves once the operating system has the line, or with `durable` once it is on disk.
   * @throws CopsError local (11), for this and every later line: after a failed write nothing may continue as if it
   * were recorded.
   */
  append(line: string, durable: boolean): Promise<void> {
    const { written, synced } = this.#add(line, durable);
    return durable ? synced.promise : written.promise;
  }

  /** The same for a durable line, with a separate promise for each of the two moments. */
  appendInSteps(line: string): { readonly written: Promise<void>; readonly synced: Promise<void> } {
    const { written, synced } = this.#add(line, true);
    return { written: written.promise, synced: synced.promise };
  }

  #add(line: string, durable: boolean): Group {
    if (this.#failed !== undefined) return new Group().fail(this.#failed);
    const group = this.#group;
    group.text += `${line}\n`;
    group.durable ||= durable;
    this.#pumping ??= this.#pump();
    return group;
  }

  /** Resolves once all that was written is on disk. */
  async sync(): Promise<void> {
    await this.#pumping;
    if (this.#unsynced) await this.file.datasync();
    this.#unsynced = false;
  }

  /** Writes pending lines, syncs and closes. */
  async close(): Promise<void> {
    await this.#pumping;
    const failed = this.#failed;
    // A late line must not reach the next file that gets this descriptor.
    this.#failed ??= local(`${this.path} is closed`);
    try {
      if (this.#unsynced && failed === undefined) await this.file.datasync();
    } finally {
      await this.file.close();
    }
  }

  async #pump(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#group.text !== '') {
      const group = this.#group;
      this.#group = new Group();
      try {
        this.#write(group.text);
        group.written.resolve();
        if (group.durable) {
          await this.file.datasync();
          this.#unsynced = false;
          group.synced.resolve();
        }
      } catch (cause) {
        this.#failed ??= local(
          `cannot write ${this.path}: ${(cause as Error).message}`,
          'Free some space there: nothing is sent without its record.',
          cause,
        );
        for (const one of [group, this.#group]) one.fail(this.#failed);
        this.#group = new Group();
      }
    }
    this.#pumping = undefined;
  }

  #write(text: string): void {
    const bytes = Buffer.from(this.startFresh ? `\n${text}` : text);
    this.#unsynced = true;
    const taken = this.file.write(bytes);
    this.written += taken;
    this.writes += 1;
    if (taken !== bytes.length) throw new Error('the disk is full, or the file has reached its size limit');
  }
}
