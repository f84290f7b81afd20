import { existsSync } from 'node:fs';
import { stopped, usage, Would } from '../../../base/errors/errors.js';
import { isoTime } from '../../../base/time/units.js';
import type { SavedSandbox } from '../../../sandbox/serve/index.js';
import type { Context, Done } from '../../../session/context/context.js';
import { type Opener, withSandbox } from '../../../session/context/opened-sandbox.js';
import { listOf, one } from '../../../session/context/run.js';

type Needs = Opener & Pick<Context, 'notes' | 'prompter' | 'configDir'>;

const ACTIONS = ['save', 'restore', 'list', 'remove'];

/** `cops sandbox snapshot save|restore|list|remove`: the whole service under a name; works while it serves. */
export async function sandboxSnapshot(context: Needs, action: string, name: string | undefined): Promise<Done> {
  const { dataDir, options } = context;
  if (!ACTIONS.includes(action))
    throw usage(`sandbox snapshot takes ${ACTIONS.join(', ')}, not ${JSON.stringify(action)}.`);
  const sandbox = await import('../../../sandbox/serve/index.js');
  if (action === 'list')
    return { result: listOf(sandbox.listSnapshots(dataDir).map(shown), ['name', 'saved', 'bytes', 'file']) };
  if (name === undefined) throw usage(`sandbox snapshot ${action} needs a name.`, 'cops sandbox snapshot list');
  const file = sandbox.snapshotFile(dataDir, name);
  const isThere = existsSync(file);
  if (action === 'save') {
    if (options.dryRun)
      throw new Would(`save the sandbox to ${file}${isThere ? ', replacing the existing snapshot' : ''}`);
    if (isThere) await agreed(context, `The snapshot ${name} is replaced: ${file}`, `${name} is unchanged`);
    return withSandbox(context, async (opened) => ({
      result: one(shown(await sandbox.saveSnapshot(opened, dataDir, name))),
    }));
  }
  sandbox.existingSnapshot(dataDir, name);
  if (action === 'remove') {
    if (options.dryRun) throw new Would(`remove ${file}`);
    await agreed(context, `The snapshot ${name} is removed: ${file}`, `${name} is unchanged`);
    sandbox.removeSnapshot(dataDir, name);
    return { result: one({ name, removed: true }) };
  }
  if (options.dryRun) throw new Would(`restore the sandbox from ${file}; everything since would be lost`);
  await agreed(
    context,
    `All later changes in the sandbox are lost; it is restored to ${name}.`,
    'the sandbox is unchanged',
  );
  const restored = async (now: number): Promise<Done> => {
    await (await import('../../../data/mirror/outdated-mirrors.js')).forgetSandbox(context);
    return { result: one({ name, restored: true, now: isoTime(Math.floor(now / 1000)) }) };
  };
  const now = await sandbox.copySnapshot(dataDir, name, context.world.now());
  if (now !== undefined) return restored(now);
  return withSandbox(context, async (opened) => {
    await sandbox.restoreSnapshot(opened, dataDir, name);
    return restored(opened.now());
  });
}

/** Asks a person; a script that names the snapshot has decided already. */
async function agreed({ notes, prompter, options }: Needs, what: string, kept: string): Promise<void> {
  const asks = await prompter();
  if (options.yes || !asks.canPrompt()) return;
  notes.warn(what);
  if (!(await asks.confirm())) throw stopped(`Not confirmed: ${kept}.`);
}

function shown({ name, file, bytes, savedAt }: SavedSandbox): object {
  return { name, saved: isoTime(savedAt), bytes, file };
}
