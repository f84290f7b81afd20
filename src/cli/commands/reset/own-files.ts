import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A kind of file that cops keeps in its own folders, recognised by name. */
interface Kept {
  readonly in: 'config' | 'data';
  /** Subfolders, from the top; `*` matches any one name. */
  readonly below: readonly string[];
  readonly name: RegExp;
  readonly what: string;
}

const FLAG = String.raw`(?:\.(?:lock-|wait-\d+_)\d+-[0-9a-z.]+-[0-9a-z]+-[0-9a-f]{8})?`;

const KEPT: readonly Kept[] = [
  { in: 'config', below: [], name: new RegExp(`^config\\.json${FLAG}$`), what: 'profiles, filed keys and aliases' },
  { in: 'config', below: [], name: new RegExp(`^proofs\\.json${FLAG}$`), what: 'what showed the mode of keys' },
  { in: 'config', below: ['history'], name: /^\d{4}-\d{2}(?:\.\d+)?\.jsonl$/, what: 'the history of writes' },
  { in: 'config', below: [], name: new RegExp(`^policy(?:\\.yaml)?${FLAG}$`), what: 'limits on writes' },
  { in: 'config', below: [], name: new RegExp(`^first-days\\.json${FLAG}$`), what: 'first days of accounts' },
  { in: 'config', below: ['queries'], name: /^[\w-]+\.sql$/, what: 'kept queries' },
  { in: 'config', below: ['openapi'], name: /^[\w%.-]+\.json$/, what: 'pulled descriptions' },
  { in: 'data', below: [], name: /^sandbox\.sqlite(?:-wal|-shm|-journal)?$/, what: 'the sandbox' },
  {
    in: 'data',
    below: ['mirrors'],
    name: new RegExp(`^[\\w%.-]+\\.(?:sqlite(?:-wal|-shm|-journal)?|last)${FLAG}$`),
    what: 'mirrors of accounts',
  },
  { in: 'data', below: ['setup'], name: new RegExp(`^[\\w.-]+\\.(?:json|key)${FLAG}$`), what: 'states of set-ups' },
  { in: 'data', below: [], name: /^policy-mark\.json$/, what: 'the mark of limited writes' },
  { in: 'data', below: [], name: /^update-check\.json$/, what: 'the last look for a newer version' },
  { in: 'data', below: [], name: /^sql-history$/, what: 'queries that were typed' },
  { in: 'data', below: ['ids', '*'], name: /^[a-z_]+\.json$/, what: 'ids kept for completion' },
  {
    in: 'data',
    below: ['schemas', '*'],
    name: new RegExp(`^[\\w-]+\\.json${FLAG}$`),
    what: 'columns that exports learnt',
  },
  {
    in: 'data',
    below: ['journals'],
    name: new RegExp(`^\\d{4}[\\w-]*\\.journal(?:\\.rows|\\.plan\\.json)?${FLAG}$`),
    what: 'journals of runs, and the plans of set-ups',
  },
  {
    in: 'data',
    below: ['runs'],
    name: new RegExp(`^[0-9a-f]{24}(?:\\.begun)?${FLAG}$`),
    what: 'locks and marks of runs',
  },
];

export interface OwnFile {
  readonly path: string;
  readonly bytes: number;
  readonly what: string;
}

export interface Holdings {
  readonly files: readonly OwnFile[];
  /** Folders that hold the files, deepest first: removed once empty. */
  readonly folders: readonly string[];
  /** Other contents of the folders, which stay. */
  readonly others: readonly string[];
}

/** Which contents of the two folders belong to cops. Links and files with any other name do not. */
export async function holdingsOf(folders: { readonly config: string; readonly data: string }): Promise<Holdings> {
  const files: OwnFile[] = [];
  const others: string[] = [];
  const found: string[] = [];
  const look = async (place: Kept['in'], folder: string, below: readonly string[]): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    found.unshift(folder);
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      const path = join(folder, entry.name);
      const inside = [...below, entry.name];
      const own = entry.isFile()
        ? KEPT.find((kept) => kept.in === place && fits(kept.below, below) && kept.name.test(entry.name))
        : undefined;
      if (own) files.push({ path, bytes: (await lstat(path)).size, what: own.what });
      else if (
        entry.isDirectory() &&
        KEPT.some((kept) => kept.in === place && fits(kept.below.slice(0, inside.length), inside))
      )
        await look(place, path, inside);
      else others.push(path);
    }
  };
  await look('config', folders.config, []);
  if (folders.data !== folders.config) await look('data', folders.data, []);
  return { files, folders: found, others };
}

function fits(pattern: readonly string[], names: readonly string[]): boolean {
  return pattern.length === names.length && pattern.every((part, at) => part === '*' || part === names[at]);
}
