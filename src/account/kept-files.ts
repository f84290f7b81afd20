import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A kind of file that cops keeps in its own folders, recognised by name. */
export interface KeptKind {
  readonly in: 'config' | 'data';
  /** Subfolders, from the top; `*` matches any one name. */
  readonly below: readonly string[];
  readonly name: RegExp;
  /** How the kind is listed: a file, or a folder with a slash. */
  readonly label: string;
  readonly what: string;
  /** Whether it may be deleted by hand, and what that costs. */
  readonly delete: 'yes' | 'no';
  readonly without: string;
}

const FLAG = String.raw`(?:\.(?:lock-|wait-\d+_)\d+-[0-9a-z.]+-[0-9a-z]+-[0-9a-f]{8})?`;
const DATABASE = String.raw`\.sqlite(?:-wal|-shm|-journal)?`;

type Told = Omit<KeptKind, 'in' | 'below' | 'name'>;

const kept = (place: KeptKind['in'], below: string, name: RegExp | string, told: Told): KeptKind => ({
  in: place,
  below: below === '' ? [] : below.split('/'),
  name: typeof name === 'string' ? new RegExp(`^${name}${FLAG}$`) : name,
  ...told,
});
const told = (label: string, what: string, may: KeptKind['delete'], without: string): Told => ({
  label,
  what,
  delete: may,
  without,
});

/** Every kind, in the order in which they are listed. */
export const KEPT_KINDS: readonly KeptKind[] = [
  kept(
    'config',
    '',
    'config\\.json',
    told('config.json', 'profiles, filed keys and aliases', 'no', 'every profile is set up again'),
  ),
  kept(
    'config',
    '',
    'policy(?:\\.yaml)?',
    told('policy.yaml', 'limits on writes', 'no', 'nothing limits what is written from here'),
  ),
  kept(
    'config',
    'history',
    /^\d{4}-\d{2}(?:\.\d+)?\.jsonl$/,
    told('history/', 'the history of writes', 'no', 'a write of unknown outcome could be sent again'),
  ),
  kept(
    'config',
    '',
    'proofs\\.json',
    told(
      'proofs.json',
      'what showed the mode of keys',
      'yes',
      'each key is guarded as live until an item shows its mode',
    ),
  ),
  kept(
    'config',
    '',
    'first-days\\.json',
    told('first-days.json', 'first days of accounts', 'yes', 'they are looked up again'),
  ),
  kept('config', 'queries', /^[\w-]+\.sql$/, told('queries/', 'kept queries', 'no', 'they are written anew')),
  kept(
    'config',
    'columns',
    '[\\w%.-]+\\.json',
    told('columns/', 'columns of the files that reconcile reads', 'yes', 'reconcile asks for them again'),
  ),
  kept(
    'config',
    'openapi',
    /^[\w%.-]+\.json$/,
    told('openapi/', 'pulled descriptions', 'yes', 'openapi pull brings them again'),
  ),
  kept(
    'data',
    '',
    new RegExp(`^sandbox${DATABASE}$`),
    told('sandbox.sqlite', 'the sandbox', 'yes', 'it is laid out anew, without what was done in it'),
  ),
  kept(
    'data',
    'snapshots',
    new RegExp(`^[\\w.-]+${DATABASE}$`),
    told('snapshots/', 'saved states of the sandbox', 'yes', 'they cannot be restored'),
  ),
  kept(
    'data',
    'journals',
    '\\d{4}[\\w-]*\\.journal(?:\\.rows|\\.plan\\.json)?',
    told('journals/', 'journals of runs, and the plans of set-ups', 'no', 'what is not finished cannot be resumed'),
  ),
  kept(
    'data',
    'runs',
    '[0-9a-f]{24}(?:\\.begun)?',
    told('runs/', 'locks and marks of runs', 'no', 'a run could be begun twice'),
  ),
  kept(
    'data',
    '',
    /^policy-mark\.json$/,
    told('policy-mark.json', 'the mark of limited writes', 'no', 'limits may stop writes until it is settled'),
  ),
  kept(
    'data',
    'mirrors',
    `[\\w%.-]+\\.(?:sqlite(?:-wal|-shm|-journal)?|last)`,
    told('mirrors/', 'mirrors of accounts', 'yes', 'they are read anew, without what they knew of earlier days'),
  ),
  kept(
    'data',
    'closes/*',
    /^(?:[\w.-]+\.sqlite|locks\.jsonl)$/,
    told('closes/', 'locked months of report close', 'no', 'locked months are open again'),
  ),
  kept(
    'data',
    'setup',
    '[\\w.-]+\\.(?:json|key)',
    told('setup/', 'states of set-ups', 'no', 'a plan no longer knows what it made itself'),
  ),
  kept(
    'data',
    'events',
    `[\\w%.-]+(?:${DATABASE})?`,
    told('events/', 'events that were forwarded', 'no', 'events may be forwarded twice'),
  ),
  kept(
    'data',
    'team',
    /^addresses\.json$/,
    told('team/', "what was seen of a team's ledger", 'no', 'a ledger that was replaced is not noticed'),
  ),
  kept('data', 'team/*', /^seen\.json$/, told('team/', "what was seen of a team's ledger", 'no', '')),
  kept(
    'data',
    'ids/*',
    /^[a-z_]+\.json$/,
    told('ids/', 'ids kept for completion', 'yes', 'completion offers them again once lists showed them'),
  ),
  kept(
    'data',
    'schemas/*',
    '[\\w-]+\\.json',
    told('schemas/', 'columns that exports learnt', 'yes', 'exports learn them again'),
  ),
  kept('data', 'pace', '\\w+\\.pace', told('pace/', 'the pace that the service allows', 'yes', 'it is learnt again')),
  kept('data', '', /^sql-history$/, told('sql-history', 'queries that were typed', 'yes', 'none can be recalled')),
  kept(
    'data',
    '',
    /^update-check\.json$/,
    told('update-check.json', 'the last look for a newer version', 'yes', 'it looks again'),
  ),
];

export interface OwnFile {
  readonly path: string;
  readonly bytes: number;
  readonly what: string;
  /** How its kind is listed. */
  readonly label: string;
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
  const look = async (place: KeptKind['in'], folder: string, below: readonly string[]): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    found.unshift(folder);
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      const path = join(folder, entry.name);
      const inside = [...below, entry.name];
      const own = entry.isFile()
        ? KEPT_KINDS.find((kept) => kept.in === place && fits(kept.below, below) && kept.name.test(entry.name))
        : undefined;
      if (own) files.push({ path, bytes: (await lstat(path)).size, what: own.what, label: own.label });
      else if (
        entry.isDirectory() &&
        KEPT_KINDS.some((kept) => kept.in === place && fits(kept.below.slice(0, inside.length), inside))
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
