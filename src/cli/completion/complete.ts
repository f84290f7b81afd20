import { configFolder, dataFolder, type Glance, glanceAt, profileAndMode } from '../../account/profiles/glance.js';
import { idCacheWanted, readIds, type SeenId } from '../../account/seen-ids/ids.js';
import type { World } from '../../base/world.js';
import { allPlugins } from '../plugins/find-plugins.js';
import { FILES } from './answer.js';
import { candidatesAt } from './complete-engine.js';
import type { Facts } from './complete-options.js';
import { formatAnswer, formatForBash, quoteForPowerShell, readBashLine, unquoted } from './format.js';

/**
 * Answers a shell that asks what can follow on its line: `__complete <shell> <index> <word>...` with the program's name
 * as the first word, or `__complete bash line <type> <width> <breaks> <line up to the cursor>`. Errors stay silent: a
 * Tab has nowhere to show them.
 */
export async function complete(world: World): Promise<string> {
  try {
    return await answer(world, world.argv.slice(1));
  } catch {
    return 'words\n';
  }
}

async function answer(world: World, [shell = '', at = '', ...rest]: readonly string[]): Promise<string> {
  const facts = factsOf(world);
  if (shell === 'bash' && at === 'line') {
    const [type, width, breaks = '', text = ''] = rest;
    const line = readBashLine(text, breaks);
    const found = line.redirect ? FILES : await candidatesAt(line.words.slice(1), line.current, facts);
    return formatForBash(found, line, { type: Number(type), width: Number(width) || 80 });
  }
  const index = Number(at);
  const typed = rest[index] ?? '';
  const current = shell === 'fish' || shell === 'powershell' ? unquoted(typed) : typed;
  const found = await candidatesAt(rest.slice(1, index), current, facts);
  return formatAnswer(found, current, shell === 'powershell' ? quoteForPowerShell : undefined);
}

/** What completion knows about this user, read on demand. */
function factsOf(world: World): Facts {
  const { env, cwd } = world;
  let read: Glance | undefined;
  const configuration = (): Glance => {
    read ??= glanceAt(configFolder({ env, cwd }));
    return read;
  };
  return {
    configuration,
    plugins: () => allPlugins(env),
    seen(family, said): SeenId[] {
      const place = profileAndMode(configuration(), env, said);
      if (!place || !idCacheWanted(env) || !configuration().of(place.profile).idCache) return [];
      return readIds({ dataDir: dataFolder({ env, cwd }), ...place }, family);
    },
  };
}
