import { writeFileSync } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { orElse } from '../../base/errors/errors.js';
import { readOwnText } from '../../base/files/read-file.js';
import { makeFolder, replaceFile } from '../../base/files/replace-file.js';
import { recordText } from '../../items/secrets/redact.js';
import type { LedgerDeed } from './types.js';

/** The highest write that this machine has seen in a ledger. */
export interface SeenMark {
  readonly n: number;
  readonly id: string;
}

/** What this machine stores about ledgers. All of it may be missing: a CI runner has no disk. */
export class SeenLedgers {
  constructor(private readonly folder: string) {}

  /** The ledger found earlier at an address. */
  async ledgerAt(address: string): Promise<string | undefined> {
    const known = await this.#read(this.#addresses());
    const id = known?.[address];
    return typeof id === 'string' ? id : undefined;
  }

  async noteLedger(address: string, id: string): Promise<void> {
    const known = await this.#read(this.#addresses());
    await replaceFile(this.#addresses(), JSON.stringify({ ...known, [address]: id }));
  }

  async mark(ledger: string): Promise<SeenMark | undefined> {
    const mark = await this.#read(join(this.folder, ledger, 'seen.json'));
    return Number.isSafeInteger(mark?.n) && typeof mark?.id === 'string'
      ? { n: Number(mark.n), id: mark.id }
      : undefined;
  }

  /** Stores the higher of this mark and the stored one. */
  async keepMark(ledger: string, mark: SeenMark): Promise<void> {
    const before = await this.mark(ledger);
    if (before && before.n >= mark.n) return;
    await replaceFile(join(this.folder, ledger, 'seen.json'), JSON.stringify(mark));
  }

  /** Stores an end that the ledger does not have yet. @throws CopsError local (11) without a disk */
  async keepEnd(ledger: string, end: LedgerDeed): Promise<void> {
    await replaceFile(join(this.#ends(ledger), `${String(end.once)}.json`), recordText(end));
  }

  /** Stores ends synchronously; returns false if it cannot. A truncated file counts as none. */
  keepAtOnce(ledger: string, ends: readonly LedgerDeed[]): boolean {
    return orElse(() => {
      makeFolder(this.#ends(ledger));
      writeFileSync(join(this.#ends(ledger), `${String(ends[0]?.once)}.json`), recordText(ends), { mode: 0o600 });
      return true;
    }, false);
  }

  /** Ends that the ledger does not have yet, each with a function that forgets it. */
  async keptEnds(ledger: string): Promise<readonly { readonly ends: readonly unknown[]; forget(): Promise<void> }[]> {
    const folder = this.#ends(ledger);
    const names = await readdir(folder).catch(() => []);
    const found: { ends: readonly unknown[]; forget(): Promise<void> }[] = [];
    for (const name of names.filter((one) => one.endsWith('.json'))) {
      const path = join(folder, name);
      const kept = await this.#read(path);
      if (kept) found.push({ ends: [kept].flat(), forget: () => unlink(path).catch(() => undefined) });
    }
    return found;
  }

  readonly #addresses = (): string => join(this.folder, 'addresses.json');
  readonly #ends = (ledger: string): string => join(this.folder, ledger, 'ends');

  /** Undefined for a missing file; a damaged one counts as empty too, and is rewritten. */
  async #read(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      const value: unknown = JSON.parse(readOwnText(path));
      return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
    } catch {
      return undefined;
    }
  }
}
