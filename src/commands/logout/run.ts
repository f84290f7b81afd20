import type { Context } from '../../command/context.js';
import type { CommandInput, Done } from '../../command/run.js';
import { forgetSeen } from '../../completion/ids.js';
import { usage } from '../../errors/errors.js';
import type { Result } from '../../output/types.js';
import { SANDBOX } from '../../profiles/names.js';
import type { StoredProfile } from '../../profiles/types.js';
import { one, storedProfile, storeOf, withProfile } from '../profiles/input.js';
import { forgetUnused, nameInUse } from '../profiles/run.js';

export interface LogoutInput {
  readonly name?: string;
}

/**
 * `logout [name]`: forgets the keys of a profile, one of them with `--live` or `--test`; its address and settings
 * stay. The ids that were read with them, kept for completion, go as well. A key at the service itself stays valid.
 */
export async function logout(context: Context, input: LogoutInput): Promise<Result> {
  const store = storeOf(context);
  const name = input.name ?? (await nameInUse(context));
  if (name === SANDBOX) throw usage("The sandbox's keys are built in: there is nothing to forget.");
  const { mode } = context.options;
  const fields = mode === undefined ? (['test_key', 'live_key'] as const) : ([`${mode}_key`] as const);
  let before: StoredProfile = {};
  const after = await store.update((now) => {
    before = storedProfile(now, name);
    const rest: Record<string, unknown> = { ...before };
    for (const field of fields) delete rest[field];
    return withProfile(now, name, rest as StoredProfile);
  });
  await forgetUnused(context, before, storedProfile(after, name));
  forgetSeen(context, name, mode);
  const forgotten = fields.filter((field) => before[field] !== undefined);
  if (forgotten.length === 0) context.notes.note(`Profile ${name} had no key to forget.`);
  else context.notes.note('The service still takes them: switch a key off there when it may be known to others.');
  return one({ profile: name, forgotten });
}

export async function run(context: Context, { words: [name] }: CommandInput): Promise<Done> {
  return { result: await logout(context, { name }) };
}
