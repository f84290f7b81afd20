import type { Cell, Database } from '../../base/database/types.js';
import { PERMISSIONS } from '../../catalogue/permissions.js';
import { SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../serve/embedded-keys.js';
import { newId } from '../store/seeded-ids.js';

/** An API account of the sandbox: its key's permissions, and the mode whose items it sees (service.md#permissions). */
export interface ApiAccount {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly live: boolean;
  readonly enabled: boolean;
  /** Permission names of service.md#permissions; absent for a key that may do everything. */
  readonly permissions?: readonly string[];
}

/** A test key that may only read: every change is refused with 401. */
export const SANDBOX_READ_KEY = 'sandbox_test_key_that_may_only_read';
/** A disabled test key: 401 for every call (service.md#permissions). */
export const SANDBOX_DISABLED_KEY = 'sandbox_test_key_that_is_disabled';

const READ_PERMISSIONS = Object.keys(PERMISSIONS)
  .filter((resource) => resource !== 'note')
  .map((resource) => `${resource}:retrieve`);

export const ACCOUNTS: readonly ApiAccount[] = [
  { id: 'SandboxTestAccount01', name: 'Sandbox test', key: SANDBOX_TEST_KEY, live: false, enabled: true },
  { id: 'SandboxLiveAccount01', name: 'Sandbox live', key: SANDBOX_LIVE_KEY, live: true, enabled: true },
  {
    id: 'SandboxReadAccount01',
    name: 'Sandbox test, read-only',
    key: SANDBOX_READ_KEY,
    live: false,
    enabled: true,
    permissions: READ_PERMISSIONS,
  },
  {
    id: 'SandboxOffAccount001',
    name: 'Sandbox test, disabled',
    key: SANDBOX_DISABLED_KEY,
    live: false,
    enabled: false,
  },
];

const COLUMNS = 'id, name, key, live, enabled, permissions';

function accountIn([id, name, key, live, enabled, permissions]: Cell[]): ApiAccount {
  return {
    id: String(id),
    name: String(name),
    key: String(key),
    live: live === 1,
    enabled: enabled === 1,
    ...(permissions === null ? {} : { permissions: JSON.parse(String(permissions)) as string[] }),
  };
}

/**
 * The account of a key. Added keys are looked up on every call, because they may be disabled while the sandbox serves.
 */
export function accountOf(database: Database, key: string): ApiAccount | undefined {
  const own = ACCOUNTS.find((account) => account.key === key);
  if (own) return own;
  const row = database.prepare(`SELECT ${COLUMNS} FROM accounts WHERE key = ?`).get(key);
  return row && accountIn(row);
}

/** The sandbox's own keys, then the added ones, oldest first. */
export function listAccounts(database: Database): ApiAccount[] {
  const added = database.prepare(`SELECT ${COLUMNS} FROM accounts ORDER BY created, id`).all();
  return [...ACCOUNTS, ...added.map(accountIn)];
}

/** Makes a key. It opens only the sandbox, so it can be shown again at any time. */
export function addAccount(
  database: Database,
  facts: { name: string; live: boolean; permissions: readonly string[] | undefined; now: number },
): ApiAccount {
  const id = newId();
  const { name, live, permissions, now } = facts;
  const key = `sandbox-key-no-secret-${newId()}-${live ? 'live' : 'test'}`;
  database.transaction(() => {
    database
      .prepare('INSERT INTO accounts (id, name, key, live, enabled, permissions, created) VALUES (?, ?, ?, ?, 1, ?, ?)')
      .run(id, name, key, live ? 1 : 0, permissions ? JSON.stringify(permissions) : null, now);
  });
  return { id, name, key, live, enabled: true, permissions };
}

/**
 * Enables or disables an added key, found by its id, its name or the key itself.
 * @returns the accounts after the change: empty if no key matches, several if they share the name.
 */
export function switchAccount(database: Database, word: string, enabled: boolean): ApiAccount[] {
  return database.transaction(() => {
    const found = database
      .prepare(`SELECT ${COLUMNS} FROM accounts WHERE id = ? OR key = ? OR name = ?`)
      .all(word, word, word)
      .map(accountIn);
    if (found.length === 1)
      database.prepare('UPDATE accounts SET enabled = ? WHERE id = ?').run(enabled ? 1 : 0, found[0]?.id as string);
    return found.map((account) => ({ ...account, enabled: found.length === 1 ? enabled : account.enabled }));
  });
}

const KNOWN_PERMISSIONS: readonly string[] = Object.entries(PERMISSIONS).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}:${action}`),
);

/**
 * Reads typed permissions: `invoice:create`, `invoice:*`, `*:retrieve`, `none`.
 * @returns their names (service.md#permissions), or a sentence about the fault.
 */
export function readPermissions(words: readonly string[]): string[] | string {
  const names = new Set<string>();
  for (const word of words.flatMap((one) => one.split(',')).map((one) => one.trim())) {
    if (word === 'none' || word === '') continue;
    const [resource, action] = word.split(':');
    const found = KNOWN_PERMISSIONS.filter((name) => {
      const [one, other] = name.split(':');
      return (resource === '*' || resource === one) && (action === '*' || action === other);
    });
    if (found.length === 0)
      return `There is no permission ${JSON.stringify(word)}; use one of ${KNOWN_PERMISSIONS.join(', ')}.`;
    for (const name of found) names.add(name);
  }
  return [...names].sort();
}
