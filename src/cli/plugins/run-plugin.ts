import { childEnvironment } from '../../account/profiles/command.js';
import { SANDBOX } from '../../account/profiles/profile-names.js';
import { resolveDefaults } from '../../account/profiles/resolve.js';
import { openStore } from '../../account/profiles/store.js';
import { local, usage } from '../../base/errors/errors.js';
import type { Context, Done } from '../../session/context/context.js';
import { noCurl, noDryRun } from '../../session/context/run.js';
import type { Plugin } from './find-plugins.js';

/**
 * Runs a plugin with the words after its name, as typed. It gets profile, mode and base URL through the environment;
 * keys and passwords of ours are removed from it unless the configuration trusts the plugin, and the commands of ours
 * that it starts read no stored key then. Its exit code becomes the line's.
 */
export async function runPlugin(context: Context, { name, file }: Plugin, args: readonly string[]): Promise<Done> {
  const { world, configDir, options } = context;
  if (world.confined) throw usage(`cops ${name} is a plugin, and scenarios cannot run plugins.`);
  if (options.curl) throw noCurl(name);
  if (options.dryRun) throw noDryRun(name);
  if (!world.runProgram) throw usage(`cops ${name} is a plugin, and no other program can be started here.`);
  const { plugins } = openStore(configDir).read();
  // A plugin that an untrusted one starts is not trusted either.
  const { COPS_PLUGIN: without = plugins?.trusted?.includes(name) ? undefined : name } = world.env;
  const isTrusted = without === undefined;
  const own = isTrusted ? world.env : childEnvironment(world.env, configDir);
  try {
    if (world.env.COPS_API_KEY?.trim() && own.COPS_API_KEY === undefined)
      context.notes.note(`The key in COPS_API_KEY is not passed on to ${name}, which is not in plugins.trusted.`);
    const exitCode = await world.runProgram(file, args, { ...own, ...saidOf(context, own), COPS_PLUGIN: without });
    return { result: { shape: 'nothing' }, exitCode };
  } catch (cause) {
    throw local(`The plugin ${file} cannot be started: ${(cause as Error).message}`, undefined, cause);
  }
}

/**
 * The line's profile, mode and address, where known, as the plugin's environment resolves them: a mode assumed for a key
 * that is withheld must not apply to the profile's own key.
 */
function saidOf({ world, configDir, options }: Context, env: typeof world.env): Record<string, string> {
  const store = openStore(configDir);
  const { profiles } = store.read();
  const known = knownOf({ store, options, env, zone: world.zone });
  if (known === undefined) return {};
  const { name, mode } = known;
  const stored = Object.hasOwn(profiles, name) ? profiles[name]?.base_url : undefined;
  const baseUrl = options.baseUrl ?? env.COPS_BASE_URL ?? stored;
  return {
    // A key from the environment has no profile, so there is no name to pass on.
    ...(Object.hasOwn(profiles, name) || name === SANDBOX ? { COPS_PROFILE: name } : {}),
    COPS_MODE: mode,
    ...(baseUrl === undefined ? {} : { COPS_BASE_URL: baseUrl }),
  };
}

/** Undefined where no profile exists or none is chosen: a plugin may not need one. */
function knownOf(
  input: Parameters<typeof resolveDefaults>[0],
): { readonly name: string; readonly mode: string } | undefined {
  try {
    const { name, mode } = resolveDefaults(input);
    return { name: name.value, mode: mode.value };
  } catch (error) {
    if (input.options.profile !== undefined) throw error;
    return undefined;
  }
}
