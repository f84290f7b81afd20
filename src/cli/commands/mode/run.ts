import { SANDBOX } from '../../../account/profiles/profile-names.js';
import { resolveDefaults } from '../../../account/profiles/resolve.js';
import { checkSetting } from '../../../account/profiles/setting-checks.js';
import { usage } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { storedProfile, storeOf, withProfile } from '../../../session/context/key-input.js';
import { record, shownAs } from '../../../session/context/run.js';

/** `mode [test|live]`: sets the profile's default mode; without an argument, shows it. */
export const run = shownAs(async (context, { words: [given] }) => {
  const { options, world, notes } = context;
  const store = storeOf(context);
  const defaults = resolveDefaults({ store, options, env: world.env, zone: world.zone });
  const name = defaults.name.value;
  if (given === undefined) return record({ profile: name, mode: defaults.mode.value, source: defaults.mode.source });
  const chosen = checkSetting('mode', given, 'the mode given');
  const before = store.read();
  if (!Object.hasOwn(before.profiles, name) && name !== SANDBOX)
    throw usage('There is no profile to set a mode for.', 'Use --live, --test or COPS_MODE.');
  const after = await store.update((now) => withProfile(now, name, { ...storedProfile(now, name), mode: chosen }));
  const key = storedProfile(after, name)[`${chosen}_key`];
  if (name !== SANDBOX && key === undefined)
    notes.warn(
      say`Profile ${name} has no ${chosen} key yet: \`${cops`profiles edit ${name} --${chosen}-key <ref>`}\`.`,
    );
  const { source } = resolveDefaults({ store, options, env: world.env, zone: world.zone }).mode;
  if (!source.startsWith('profile ')) notes.warn(`For now ${source} overrides the profile's mode.`);
  return record({ profile: name, mode: chosen, source: `profile ${name}` });
});
