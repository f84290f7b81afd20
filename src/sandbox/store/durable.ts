import { type FileHandle, open } from 'node:fs/promises';
import type { Database } from '../../base/database/types.js';

/** Waits until commits have reached the disk. */
export interface Durable {
  /**
   * Resolves when everything committed before is on the disk. `isChange`: something has been committed since the last
   * call. Without it, waits only for the changes that a read may have seen.
   * @throws the system's error when the disk does not accept it.
   */
  settled(isChange: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * Lets a database commit without waiting for the disk. The wait happens separately: other requests proceed meanwhile,
 * and simultaneous commits share one wait.
 */
export function durableLog(database: Database): Durable | undefined {
  const [mode] = database.prepare('PRAGMA journal_mode').all()[0] ?? [];
  if (mode !== 'wal') {
    // On a file system without support for the log, each commit waits.
    database.exec('PRAGMA synchronous = FULL');
    return undefined;
  }
  return new LogFile(`${database.file}-wal`);
}

/** The write-ahead log next to a database; it stays the same file as long as the database is open. */
class LogFile implements Durable {
  #file: FileHandle | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(private readonly path: string) {}

  settled(isChange: boolean): Promise<void> {
    if (!isChange) return this.#next ?? this.#running ?? Promise.resolve();
    if (!this.#running) return this.#start();
    // The sync in progress may have begun before the commit.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  async close(): Promise<void> {
    await this.settled(false).catch(() => {});
    await this.#file?.close();
    this.#file = undefined;
  }

  #start(): Promise<void> {
    const running = this.#sync().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #sync(): Promise<void> {
    this.#file ??= await open(this.path, 'r+');
    await this.#file.datasync();
  }
}
