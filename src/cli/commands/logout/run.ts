import { SANDBOX } from '../../../account/profiles/profile-names.js';
import type { StoredProfile } from '../../../account/profiles/types.js';
import { forgetSeen } from '../../../account/seen-ids/ids.js';
import { usage } from '../../../base/errors/errors.js';
import {
  forgetUnused,
  KEY_FIELDS,
  nameInUse,
  storedProfile,
  storeOf,
  withProfile,
} from '../../../session/context/key-input.js';
import { record, shownAs } from '../../../session/context/run.js';

/**
 * `logout [name]`: removes the keys of one or both modes. Address and settings stay, and the service still accepts the
 * key.
 */
export const run = shownAs(async (context, { words: [given] }) => {
  const store = storeOf(context);
  const name = given ?? (await nameInUse(context));
  if (name === SANDBOX) throw usage("The sandbox's keys are built in: there is nothing to forget.");
  const { mode } = context.options;
  const fields = mode === undefined ? KEY_FIELDS : ([`${mode}_key`] as const);
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
  else context.notes.note('The service still accepts them: disable a key there if others may know it.');
  return record({ profile: name, forgotten });
});
