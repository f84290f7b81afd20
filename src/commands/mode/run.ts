import type { Context } from '../../command/context.js';
import type { CommandInput, Done } from '../../command/run.js';
import { usage } from '../../errors/errors.js';
import type { Result } from '../../output/types.js';
import { SANDBOX } from '../../profiles/names.js';
import { resolveDefaults } from '../../profiles/resolve.js';
import { checkSetting } from '../../profiles/values.js';
import { one, storedProfile, storeOf, withProfile } from '../profiles/input.js';

export interface ModeInput {
  /** The new mode; without it the one in use is shown. */
  readonly mode?: string;
}

/** `mode [test|live]`: the mode that the profile begins with. */
export async function mode(context: Context, input: ModeInput): Promise<Result> {
  const { options, world, notes } = context;
  const store = storeOf(context);
  const defaults = resolveDefaults({ store, options, env: world.env, zone: world.zone });
  const name = defaults.name.value;
  if (input.mode === undefined) return one({ profile: name, mode: defaults.mode.value, source: defaults.mode.source });
  const chosen = checkSetting('mode', input.mode, 'the mode given');
  const before = store.read();
  if (!Object.hasOwn(before.profiles, name) && name !== SANDBOX)
    throw usage('There is no profile whose mode could be set.', 'Say --live, --test or COPS_MODE.');
  const after = await store.update((now) => withProfile(now, name, { ...storedProfile(now, name), mode: chosen }));
  const key = storedProfile(after, name)[`${chosen}_key`];
  if (name !== SANDBOX && key === undefined)
    notes.warn(`Profile ${name} has no ${chosen} key yet: \`cops profiles edit ${name} --${chosen}-key <ref>\`.`);
  const { source } = resolveDefaults({ store, options, env: world.env, zone: world.zone }).mode;
  if (!source.startsWith('profile ')) notes.warn(`For now ${source} goes before the profile's mode.`);
  return one({ profile: name, mode: chosen, source: `profile ${name}` });
}

export async function run(context: Context, { words: [chosen] }: CommandInput): Promise<Done> {
  return { result: await mode(context, { mode: chosen }) };
}
