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
  /** Whether it is safe to delete by hand. */
  readonly delete: 'yes' | 'no';
  /** What happens if it is deleted. */
  readonly loss: string;
}

const FLAG = String.raw`(?:\.(?:lock-|wait-\d+_)\d+-[0-9a-z.]+-[0-9a-z]+-[0-9a-f]{8})?`;
const DATABASE = String.raw`\.sqlite(?:-wal|-shm|-journal)?`;

type Kind = readonly [
  folder: string,
  name: RegExp | string,
  what: string,
  mayDelete: KeptKind['delete'],
  loss: string,
  label?: string,
];

/** A name given as text may be followed by the mark of a lock. What has a folder of its own is listed under that. */
const KINDS: readonly Kind[] = [
  [
    'config',
    'config\\.json',
    'profiles, stored keys and aliases',
    'no',
    'every profile must be set up again',
    'config.json',
  ],
  ['config', 'policy(?:\\.yaml)?', 'limits on writes', 'no', 'writes from here have no limits', 'policy.yaml'],
  [
    'config/history',
    /^\d{4}-\d{2}(?:\.\d+)?\.jsonl(?:\.open)?$/,
    'the history of writes',
    'no',
    'a write of unknown outcome could be sent again',
  ],
  [
    'config',
    'proofs\\.json',
    'which keys have proven their mode',
    'yes',
    'each key is treated as live until an item shows its mode',
    'proofs.json',
  ],
  ['config', 'first-days\\.json', 'first days of accounts', 'yes', 'they are looked up again', 'first-days.json'],
  ['config/queries', /^[\w-]+\.sql$/, 'saved queries', 'no', 'you must write them again'],
  [
    'config/columns',
    '[\\w%.-]+\\.json',
    'column names of the files that reconcile reads',
    'yes',
    'reconcile asks for them again',
  ],
  ['config/openapi', /^[\w%.-]+\.json$/, 'downloaded API descriptions', 'yes', 'openapi pull downloads them again'],
  [
    'data',
    new RegExp(`^sandbox${DATABASE}$`),
    'the sandbox',
    'yes',
    'it is created again, and your changes in it are lost',
    'sandbox.sqlite',
  ],
  [
    'data/snapshots',
    new RegExp(`^[\\w.-]+${DATABASE}$`),
    'saved states of the sandbox',
    'yes',
    'they can no longer be restored',
  ],
  [
    'data/journals',
    '\\d{4}[\\w-]*\\.journal(?:\\.rows|\\.plan\\.json)?',
    'journals of runs and plans of set-ups',
    'no',
    'unfinished runs cannot be resumed',
  ],
  ['data/runs', '[0-9a-f]{24}(?:\\.begun)?', 'locks and marks of runs', 'no', 'a run could start twice'],
  [
    'data/marks',
    /^[0-9a-f]{24}\.json$/,
    'how far the history of writes had come',
    'no',
    'lost lines of the history go unnoticed',
  ],
  [
    'data/mirrors',
    `[\\w%.-]+\\.(?:sqlite(?:-wal|-shm|-journal)?|last)`,
    'mirrors of accounts',
    'yes',
    'the next sync reads everything again; what they recorded about the past is lost',
  ],
  [
    'data/closes/*',
    /^(?:[\w.-]+\.sqlite|locks\.jsonl)$/,
    'months locked by report close',
    'no',
    'locked months are open again',
  ],
  [
    'data/setup',
    '[\\w.-]+\\.(?:json|key)',
    'states of set-ups',
    'no',
    'a plan no longer knows which objects it created',
  ],
  ['data/events', `[\\w%.-]+(?:${DATABASE})?`, 'forwarded events', 'no', 'events may be forwarded twice'],
  [
    'data/team',
    /^addresses\.json$/,
    "what this machine has seen of the team's ledger",
    'no',
    'a replaced ledger goes unnoticed',
  ],
  [
    'data/team/*',
    /^seen\.json$/,
    "what this machine has seen of the team's ledger",
    'no',
    'a replaced ledger goes unnoticed',
  ],
  [
    'data/ids/*',
    /^[a-z_]+\.json$/,
    'ids for completion',
    'yes',
    'completion offers ids again once lists have shown them',
  ],
  ['data/schemas/*', '[\\w-]+\\.json', 'columns that exports have learnt', 'yes', 'exports learn them again'],
  ['data/pace', '\\w+\\.pace', 'the request rate that the service allows', 'yes', 'it is learnt again'],
  ['data', /^sql-history$/, 'queries typed in cops sql', 'yes', 'the arrow keys no longer recall them', 'sql-history'],
  [
    'data',
    /^update-check\.json$/,
    'when cops last looked for a newer version',
    'yes',
    'it looks again',
    'update-check.json',
  ],
];

/** Every kind, in the order in which they are listed. */
export const KEPT_KINDS: readonly KeptKind[] = KINDS.map(([folder, name, what, mayDelete, loss, own]) => {
  const [place, ...below] = folder.split('/');
  const label = own ?? `${below[0]}/`;
  const pattern = typeof name === 'string' ? new RegExp(`^${name}${FLAG}$`) : name;
  return { in: place as KeptKind['in'], below, name: pattern, label, what, delete: mayDelete, loss };
});

export interface OwnFile {
  readonly path: string;
  readonly bytes: number;
  readonly what: string;
  /** How its kind is listed. */
  readonly label: string;
}

/** The two folders of cops. */
export interface KeptFolders {
  readonly configDir: string;
  readonly dataDir: string;
}

/**
 * `folders`: folders that hold the files, deepest first: removed once empty. `others`: other contents of the folders,
 * which stay.
 */
export type Holdings = Awaited<ReturnType<typeof holdingsOf>>;

/** Which contents of the two folders belong to cops. Links and files with any other name do not. */
export async function holdingsOf({ configDir, dataDir }: KeptFolders) {
  const files: OwnFile[] = [];
  const others: string[] = [];
  const found: string[] = [];
  const look = async (place: KeptKind['in'], folder: string, below: readonly string[]): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    found.unshift(folder);
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      const path = join(folder, entry.name);
      const inside = [...below, entry.name];
      const kind = entry.isFile() ? keptKindAt(place, inside) : undefined;
      if (kind) files.push({ path, bytes: (await lstat(path)).size, what: kind.what, label: kind.label });
      else if (
        entry.isDirectory() &&
        KEPT_KINDS.some((kept) => kept.in === place && fits(kept.below.slice(0, inside.length), inside))
      )
        await look(place, path, inside);
      else others.push(path);
    }
  };
  await look('config', configDir, []);
  if (dataDir !== configDir) await look('data', dataDir, []);
  return { files, folders: found, others };
}

/** The kind of a file by its place below one of the two folders. */
export function keptKindAt(place: KeptKind['in'], names: readonly string[]): KeptKind | undefined {
  const below = names.slice(0, -1);
  const name = names.at(-1) ?? '';
  return KEPT_KINDS.find((kept) => kept.in === place && fits(kept.below, below) && kept.name.test(name));
}

function fits(pattern: readonly string[], names: readonly string[]): boolean {
  return pattern.length === names.length && pattern.every((part, at) => part === '*' || part === names[at]);
}
