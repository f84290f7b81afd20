import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { orLocal } from '../base/errors/errors.js';
import { whileLocked } from '../base/files/lock.js';
import { readOwnFile } from '../base/files/read-file.js';
import { replaceFile } from '../base/files/replace-file.js';
import { randomBytes } from '../base/random.js';
import { type Base, baseOf } from './compare-object.js';
import type { Environment, Remote } from './types.js';

/** The state of one environment as this machine knows it: a cache of ids, and what was last applied or pulled. */
export interface SetupState {
  readonly ids: Record<string, string>;
  readonly base: Record<string, Base>;
  /** Objects that this folder created, pulled or imported: only these are ever deleted. */
  readonly own: Record<string, true>;
  /** Keyed hashes of the secrets that were last sent, by object and field. */
  readonly secrets: Record<string, string>;
  /** The journal of an apply that has not finished. */
  open?: string | undefined;
}

export function emptyState(): SetupState {
  return { ids: {}, base: {}, own: {}, secrets: {} };
}

/** Where states are kept: a folder, and the environment they describe. */
export interface StatePlace {
  readonly folder: string;
  readonly environment: Pick<Environment, 'profile' | 'mode' | 'base_url'>;
}

export function statePath({ folder, environment }: StatePlace): string {
  const name = `${environment.profile}-${environment.mode}`.replace(/[^A-Za-z0-9._-]/g, '_');
  return join(folder, `${name}.json`);
}

/** The recorded state of this service, or an empty one. @throws CopsError local (11) for a file that cannot be read */
export async function readState(place: StatePlace): Promise<SetupState> {
  const path = statePath(place);
  const text = orLocal(() => readOwnFile(path)?.toString('utf8'), `cannot read ${path}`);
  if (text === undefined) return emptyState();
  const hint = 'You can delete it: ids are then looked up again, and differences count as drift.';
  return orLocal(
    () => {
      const value = JSON.parse(text) as Partial<SetupState> & { version?: number; base_url?: string };
      if (value.version !== 1) throw new SyntaxError('its version is unknown');
      if (value.base_url !== place.environment.base_url) return emptyState();
      const { ids, base, own, secrets, open } = value;
      return { ids: { ...ids }, base: { ...base }, own: { ...own }, secrets: { ...secrets }, open };
    },
    `${path} is damaged`,
    hint,
  );
}

export async function writeState(place: StatePlace, state: SetupState): Promise<void> {
  const sorted = <Value>(record: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
  const { ids, base, own, secrets, open } = state;
  const document = {
    version: 1,
    ...place.environment,
    open,
    ids: sorted(ids),
    base: sorted(base),
    own: sorted(own),
    secrets: sorted(secrets),
  };
  await replaceFile(statePath(place), `${JSON.stringify(document, undefined, 1)}\n`);
}

/** Records an object on which files and service now agree. */
export function recordAgreed(state: SetupState, remote: Remote, isOwn: boolean): void {
  state.ids[remote.address] = remote.id;
  state.base[remote.address] = baseOf(remote.shape);
  if (isOwn) state.own[remote.address] = true;
}

export function forget(state: SetupState, address: string): void {
  for (const record of [state.ids, state.base, state.own] as Record<string, unknown>[]) delete record[address];
  for (const name of Object.keys(state.secrets)) if (name.startsWith(`${address}#`)) delete state.secrets[name];
}

const newKey = () => randomBytes(32).toString('hex');

/** If several processes create the key at once, one of them does, and all hash with it. */
async function keptKey(path: string, known: () => string | undefined): Promise<string> {
  return whileLocked(path, { what: 'The key of the marks of secrets' }, async () => {
    const key = known() ?? newKey();
    await replaceFile(path, key);
    return key;
  });
}

/**
 * The key for hashing secrets, created on first use and stored apart from the states, which may be shared. It is stored
 * only together with a first hash: a plan needs nothing to be stored.
 */
export async function secretMarks(dataDir: string, isKept: boolean): Promise<(secret: string) => string> {
  const path = join(dataDir, 'setup', 'secret-marks.key');
  const known = () => readOwnFile(path)?.toString('utf8');
  const key = known() ?? (isKept ? await keptKey(path, known) : newKey());
  return (secret) => createHmac('sha256', key).update(secret).digest('hex').slice(0, 20);
}
