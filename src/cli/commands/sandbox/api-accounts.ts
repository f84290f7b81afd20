import { usage, wrongOption } from '../../../base/errors/errors.js';
import type { Context, Done } from '../../../session/context/context.js';
import { type Opener, sayTried, withSandbox } from '../../../session/context/opened-sandbox.js';
import { listOf, one } from '../../../session/context/run.js';
import type { SandboxCommandOptions } from './spec.js';

type Needs = Opener & Pick<Context, 'notes'>;

const ACTIONS = ['list', 'add', 'disable', 'enable'];

/**
 * `cops sandbox keys [list|add|disable|enable]`; works while the sandbox serves, since it looks keys up at every call.
 */
export async function sandboxKeys(
  context: Needs,
  action: string,
  word: string | undefined,
  options: SandboxCommandOptions,
): Promise<Done> {
  if (!ACTIONS.includes(action))
    throw usage(`sandbox keys takes ${ACTIONS.join(', ')}, not ${JSON.stringify(action)}.`, 'cops sandbox keys list');
  const sandbox = await import('../../../sandbox/serve/index.js');
  const { shownAccount } = sandbox;
  const permissions = options.permission && sandbox.readPermissions(options.permission);
  if (typeof permissions === 'string') throw wrongOption('--permission', `${permissions}`);
  return withSandbox(context, ({ database, now }) => {
    if (action === 'list') {
      const accounts = sandbox.listAccounts(database).map(shownAccount);
      return { result: listOf(accounts, ['name', 'mode', 'enabled', 'key', 'permissions', 'id'], 'id') };
    }
    sayTried(context);
    if (action === 'add') {
      const { name = word ?? 'added' } = options;
      const facts = { name, live: context.options.mode === 'live', permissions, now: Math.floor(now() / 1000) };
      return { result: one(shownAccount(sandbox.addAccount(database, facts))) };
    }
    if (word === undefined) throw usage(`sandbox keys ${action} needs a key.`, 'cops sandbox keys list shows them.');
    const found = sandbox.switchAccount(database, word, action === 'enable');
    if (found.length > 1)
      throw usage(
        `${found.length} keys have the name ${JSON.stringify(word)}.`,
        'Name one by its id: cops sandbox keys list',
      );
    if (!found[0])
      throw usage(
        `No added key has the name ${JSON.stringify(word)}.`,
        'cops sandbox keys list shows them; the built-in keys cannot be changed.',
      );
    return { result: one(shownAccount(found[0])) };
  });
}
