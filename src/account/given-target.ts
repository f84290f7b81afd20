import { closeSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { type CopsError, local, orElse, usage } from '../base/errors/errors.js';
import { kindOf, WHY } from '../base/files/read-file.js';
import { replaceFile } from '../base/files/replace-file.js';
import { realPlace, refuseAddress, typedPath } from '../base/files/typed-path.js';
import type { Text } from '../base/text/command-line.js';
import type { World } from '../base/world.js';
import { holdingsOf, type KeptFolders, keptKindAt, type OwnFile } from './kept-files.js';

/** A file or folder that the command line names for writing: `--html`, `--out`, the target of a sync. */
export interface GivenTarget {
  /** Absolute. */
  readonly path: string;
  /** As it was typed. */
  readonly typed: string;
  /** The option, or the command that takes the path as an argument: `--out`. */
  readonly option: string;
  /** True for a folder, which is created if missing. */
  readonly isFolder?: boolean;
  /** The folders of cops' own files, which no target may replace; undefined if the file was checked earlier. */
  readonly own: KeptFolders | undefined;
  /** The one kind of cops' own files that this option may name: `journals/`. */
  readonly mayBe?: string;
  /** Makes the error for an unsuitable target; `local` (11) by default. */
  readonly error?: (message: string, hint?: Text) => CopsError;
}

type Place = KeptFolders & { readonly world: Pick<World, 'cwd' | 'confined'> };

/** The page that `--html` names. */
export function pageTarget(own: Place, typed: string): GivenTarget {
  return { path: typedPath(own.world, typed), typed, option: '--html', own };
}

/** The file that `--journal` names. */
export function journalTarget(own: Place, typed: string): GivenTarget {
  return { path: typedPath(own.world, typed), typed, option: '--journal', own, mayBe: JOURNALS };
}

/**
 * Checks that a target can be written: a regular file or nothing yet, in an existing folder, and none of cops' own files.
 * Follows a link to its file.
 * @throws CopsError `usage` (2) for a URL, an empty name, `-` and a file that cops keeps for itself; `local` (11) for a
 *   folder, a pipe, a device, a dangling link, and a parent folder that does not exist (it is never created unasked)
 */
export async function checkTarget(target: GivenTarget): Promise<void> {
  const { path, typed, option, isFolder = false, error: errorOf = local } = target;
  refuseAddress(typed, option);
  if (typed === '' || typed === '-')
    throw usage(`${option} wants the name of a file.`, typed && 'For a file with this name: ./-');
  await refuseOwn(target);
  const fault = (why: string, hint?: Text) => errorOf(`${option}: ${path} ${why}: nothing was written.`, hint);
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts) {
      if (isFolder ? !facts.isDirectory() : !facts.isFile())
        throw fault(facts.isFile() ? 'is a file, not a folder' : kindOf(facts), 'Name a file, existing or new.');
      return;
    }
    if (lstatSync(path, { throwIfNoEntry: false })) throw fault('is a link to nothing');
    const folder = dirname(path);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw local(`${option}: there is no folder ${folder}: nothing was written.`, 'Make it first.');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw local(`${option}: ${path} cannot be written: ${WHY[code] ?? code}.`, undefined, error);
  }
}

/**
 * Writes a file that the command line names. Every such write goes through here: checked, atomic, private to its owner.
 * Replaces the file a link points to and keeps the link.
 * @throws CopsError as `checkTarget`; `local` (11) where the write fails, which leaves the old file as it was
 */
export async function writeGiven(target: GivenTarget, text: string | Uint8Array): Promise<void> {
  await checkTarget(target);
  const path = await realpath(target.path).catch(() => target.path);
  await replaceFile(path, text, (cause) => {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    return local(`${target.option}: ${target.path} cannot be written: ${WHY[code] ?? message}.`, undefined, cause);
  });
}

async function refuseOwn({ path, option, own, mayBe }: GivenTarget): Promise<void> {
  if (!own) return;
  const kind = await ownKind(own, path);
  const isJournal = kind === undefined && mayBe !== JOURNALS && holdsJournal(path);
  if (!isJournal && (kind === undefined || kind.label === mayBe)) return;
  const what = kind?.what ?? 'the journal of a run';
  throw usage(
    `${option}: ${path} is a file that cops keeps for itself (${what}): nothing was written.`,
    'Name another file.',
  );
}

/** The kind of own file at a path: by its location, or by the file itself, which may be a hard link. */
async function ownKind(own: KeptFolders, path: string): Promise<Pick<OwnFile, 'what' | 'label'> | undefined> {
  const real = realPlace(path);
  const places = { config: own.configDir, data: own.dataDir };
  for (const place of ['config', 'data'] as const) {
    const kind = keptKindAt(place, relative(realPlace(places[place]), real).split(sep));
    if (kind) return kind;
  }
  const facts = factsOf(path);
  if (!facts?.isFile()) return undefined;
  const { files } = await holdingsOf(own);
  return files.find((file) => {
    const other = factsOf(file.path);
    return other?.dev === facts.dev && other.ino === facts.ino;
  });
}

function factsOf(path: string) {
  return orElse(() => statSync(path, { bigint: true, throwIfNoEntry: false }), undefined);
}

const JOURNALS = 'journals/';
const JOURNAL_START = '{"type":"header","version":';

/** A journal may be anywhere; its first line identifies it. */
function holdsJournal(path: string): boolean {
  if (!factsOf(path)?.isFile()) return false;
  const start = Buffer.alloc(JOURNAL_START.length);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, start, 0, start.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return start.toString('latin1') === JOURNAL_START;
}
