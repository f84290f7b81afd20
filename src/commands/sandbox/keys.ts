import type { Column } from '../../catalogue/types.js';
import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { usage } from '../../errors/errors.js';
import { Item } from '../../json/item.js';

type Needs = Pick<Context, 'world' | 'dataDir' | 'options'>;

export interface KeyOptions {
  readonly name?: string;
  /** `<resource>:<action>` of spec 5.4, `*` for either half, `none`. */
  readonly permission?: readonly string[];
}

const COLUMNS: readonly Column[] = ['name', 'mode', 'enabled', 'key', 'permissions', 'id'].map((path) => ({ path }));

async function* inTurn(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const ACTIONS = ['list', 'add', 'disable', 'enable'];

/** `cops sandbox keys [list|add|disable|enable]`: also while the sandbox serves, which looks keys up at every call. */
export async function sandboxKeys(
  context: Needs,
  action: string,
  word: string | undefined,
  options: KeyOptions,
): Promise<Done> {
  if (!ACTIONS.includes(action))
    throw usage(`sandbox keys takes ${ACTIONS.join(', ')}, not ${JSON.stringify(action)}.`, 'cops sandbox keys list');
  const { openStore, listAccounts, addAccount, switchAccount, shownAccount, readPermissions } = await import(
    '../../sandbox/index.js'
  );
  const permissions = options.permission && readPermissions(options.permission);
  if (typeof permissions === 'string') throw usage(`--permission: ${permissions}`);
  const opened = await openStore({ dataDir: context.dataDir, now: () => context.world.now() });
  try {
    if (action === 'list') {
      const accounts = listAccounts(opened.database).map((account) => Item.of(shownAccount(account)));
      return { result: { shape: 'list', items: inTurn(accounts), columns: COLUMNS, idField: 'id' } };
    }
    if (action === 'add') {
      const { name = word ?? 'added' } = options;
      const facts = { name, live: context.options.mode === 'live', permissions, now: Math.floor(opened.now() / 1000) };
      return { result: { shape: 'one', item: Item.of(shownAccount(addAccount(opened.database, facts))) } };
    }
    if (word === undefined) throw usage(`sandbox keys ${action} needs a key.`, 'cops sandbox keys list shows them.');
    const found = switchAccount(opened.database, word, action === 'enable');
    if (found.length > 1)
      throw usage(
        `${found.length} keys are called ${JSON.stringify(word)}.`,
        'Name one by its id: cops sandbox keys list',
      );
    if (!found[0])
      throw usage(
        `No added key is called ${JSON.stringify(word)}.`,
        "cops sandbox keys list shows them; the sandbox's own keys stay as they are.",
      );
    return { result: { shape: 'one', item: Item.of(shownAccount(found[0])) } };
  } finally {
    opened.database.close();
  }
}
