import { configFolder, glanceAt } from '../../account/profiles/glance.js';
import { hidesName, splitTemplate } from '../../account/profiles/profile-names.js';
import { usage } from '../../base/errors/errors.js';
import type { World } from '../../base/world.js';
import { confirms } from '../../session/context/global-options.js';
import { wordPositions } from './argv.js';

const LONGEST_TEMPLATE = 100;

/**
 * Expands a first word that the configuration defines as an alias into its template: arguments only, no shell. `$1` to
 * `$9` in a template take the arguments that follow; the other typed words come after it.
 */
export async function expandAlias(world: World) {
  const typed = { argv: world.argv, aliased: [] };
  const [first] = wordPositions(world.argv);
  const word = first === undefined ? undefined : world.argv[first];
  if (first === undefined || word === undefined || !/^[a-z][a-z0-9-]*$/i.test(word)) return typed;
  const { aliases } = glanceAt(configFolder({ env: world.env, cwd: world.cwd }));
  // A command's own word is never an alias, even in a hand-edited file.
  const taken = Object.keys(aliases).length > 0 && (await isCommandWord(word));
  const template = !taken && Object.hasOwn(aliases, word) ? aliases[word] : undefined;
  if (template === undefined) return typed;
  const words = splitTemplate(template);
  // A confirmation covers only what its giver sees on the line, never something hidden in an alias.
  const consent = words.find(confirms);
  if (consent !== undefined)
    throw usage(
      `The alias "${word}" holds ${consent}, which confirms something nobody sees: remove it and give it with each use.`,
    );
  const hidden = words.find(hidesName);
  if (hidden !== undefined)
    throw usage(
      `The alias "${word}" holds ${hidden}: write out the option's name; only its value may be a placeholder.`,
    );
  const rest = world.argv.slice(first + 1);
  const [aliased, others] = fill(word, words, rest);
  const argv = [...aliased, ...others];
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return { argv: argv.toSpliced(end, 0, ...world.argv.slice(0, first)), aliased };
}

async function isCommandWord(word: string): Promise<boolean> {
  const [{ familyByCommand }, { commandSpec }] = await Promise.all([
    import('../../catalogue/index.js'),
    import('../commands/index.js'),
  ]);
  return familyByCommand(word) !== undefined || commandSpec(word) !== undefined;
}

/** Fills in the template's placeholders; also returns the typed words that no placeholder takes. */
function fill(
  name: string,
  template: readonly string[],
  rest: readonly string[],
): [aliased: readonly string[], others: readonly string[]] {
  if (template.length > LONGEST_TEMPLATE) throw usage(`The alias "${name}" is too long.`);
  // Help on an alias needs no values for its placeholders.
  const help = rest.filter((word) => HELP.includes(word));
  if (help.length > 0) return [template, help];
  const places = template.flatMap((word) => [...word.matchAll(PLACE)].map((match) => Number(match[1])));
  const used = Math.max(0, ...places);
  if (used > rest.length) {
    throw usage(
      `The alias "${name}" needs ${used} ${used === 1 ? 'word' : 'words'} after it.`,
      `It stands for: cops ${template.join(' ')}`,
    );
  }
  const filled = template.map((word) => {
    const full = word.replace(PLACE, (_, digit: string) => rest[Number(digit) - 1] ?? '');
    // A word typed whole is visible to the user; one assembled only here is not.
    if (confirms(full) && !/^\$[1-9]$/.test(word))
      throw usage(`The alias "${name}" expands ${word} to ${full}: write that out with each use.`);
    return full;
  });
  return [filled, rest.slice(used)];
}

const PLACE = /\$([1-9])/g;
const HELP = ['-h', '--help', '--help-all'];
