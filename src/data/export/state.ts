import { local } from '../../base/errors/errors.js';
import { readOwnFile } from '../../base/files/read-file.js';
import type { Schema } from '../../items/schema/types.js';
import { onFile, sha256Of, writeAtomically } from './files.js';
import type { Settings } from './settings.js';
import type { Manifest } from './types.js';

/** `plan.json` of a running export: what it is, frozen when it began. */
export interface Plan {
  readonly plan: 1;
  readonly settings: Settings;
  readonly range: Manifest['range'];
  readonly windows: readonly (readonly [number, number] | null)[];
  readonly started: string;
  /** What was there before: bytes of the target that stay, for `--since-last` on a file of records. */
  readonly base_bytes: number;
  /** Digest of the manifest that this run goes on from. */
  readonly base: string | null;
  /** Windows of that manifest whose files are replaced. */
  readonly replaced: readonly string[];
  /** Files of a folder that go when this run ends. */
  readonly remove: readonly string[];
  /** 1, and one more each time that an export goes on from its manifest. */
  readonly round: number;
  /** Nothing of what was there before stays. */
  readonly anew: boolean;
}

type Sealed<T> = T & { readonly digest: string };

/** The settled columns of a running export; undefined before they are settled. */
export async function readSettled(path: string): Promise<Schema | undefined> {
  const record = await readSealed<{ readonly fields: Schema }>(path, 'schema', 'The columns of the running export');
  return record?.fields;
}

export async function writeSettled(path: string, fields: Schema): Promise<void> {
  await writeSealed(path, { schema: 1, fields });
}

/** The record as JSON with a digest of itself, so that a change by hand is noticed. */
export function seal(record: object): string {
  return `${JSON.stringify({ ...record, digest: digestOf(record) }, null, 1)}\n`;
}

export function digestOf(record: object): string {
  const { digest: _, ...rest } = record as Record<string, unknown>;
  return sha256Of(JSON.stringify(rest));
}

export async function readPlan(path: string): Promise<Plan | undefined> {
  return readSealed<Plan>(path, 'plan', 'The plan of the running export');
}

export async function readManifest(path: string): Promise<Sealed<Manifest> | undefined> {
  return readSealed<Manifest>(path, 'manifest', 'The manifest');
}

export async function writeSealed(path: string, record: object): Promise<void> {
  await writeAtomically(path, seal(record));
}

async function readSealed<T extends object>(path: string, kind: string, what: string): Promise<Sealed<T> | undefined> {
  const text = await onFile(path, 'read', async () => readOwnFile(path)?.toString('utf8'));
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(what, path, 'it is not valid JSON', error);
  }
  const record = value as Record<string, unknown>;
  if (typeof value !== 'object' || value === null || record[kind] !== 1) {
    throw damaged(what, path, 'it is of another kind or version');
  }
  if (record.digest !== digestOf(record)) throw damaged(what, path, 'it was changed since it was written');
  return value as Sealed<T>;
}

function damaged(what: string, path: string, why: string, cause?: unknown) {
  return local(
    `${what} cannot be used: ${why} (${path}).`,
    'Put the original back, or begin anew with --restart.',
    cause,
  );
}
