import { holdsKey } from '../../account/profiles/command.js';
import { hidesName, splitTemplate } from '../../account/profiles/profile-names.js';
import { usage } from '../../base/errors/errors.js';
import { canonicalAction, familyByCommand } from '../../catalogue/index.js';
import { synonymOf } from '../../catalogue/synonyms.js';
import { holdsCard } from '../../items/secrets/redact.js';
import type { Context } from '../../session/context/context.js';
import { confirms } from '../../session/context/global-options.js';
import { storeOf } from '../../session/context/key-input.js';
import { familyAction } from '../actions/index.js';
import { commandSpec } from '../commands/index.js';
import { findPlugin } from '../plugins/find-plugins.js';
import { wordsOf } from './argv.js';

const LONGEST_ALIAS = 2000;

/** Stores an alias; returns the line it stands for. @throws CopsError `usage` for an invalid alias */
export async function setAlias(context: Context, word: string, line: string): Promise<string> {
  const template = aliasTemplate(context, word, line);
  await storeOf(context).update((now) => ({ ...now, aliases: { ...now.aliases, [word]: template } }));
  return template;
}

/** The line that an alias stands for, checked. @throws CopsError `usage` */
export function aliasTemplate({ world, configDir, notes }: Context, word: string, line: string): string {
  const template = checkAlias(word, line);
  const plugin = findPlugin(word, world.env);
  if (plugin) notes.warn(`This alias hides the plugin ${plugin.file}.`);
  const lost = lostWord(splitTemplate(template), world.env);
  if (lost !== undefined) notes.warn(`"${lost}" is not a command, so the alias ${word} cannot run.`);
  if (holdsKey(template, world.env, configDir))
    throw usage('An alias cannot hold an API key: profiles store keys (cops login).');
  return template;
}

/** The first words of a template if they are no command, plugin, family or action of that family. */
function lostWord(template: readonly string[], env: Context['world']['env']): string | undefined {
  const [head = '', ...more] = wordsOf(template);
  const entry = familyByCommand(synonymOf('command', head)?.means ?? head);
  const [action = ''] = more;
  if (/\$\d/.test(`${head}${action}`) || (!entry && commandSpec(head)) || findPlugin(head, env)) return undefined;
  const isAction =
    entry && (canonicalAction(entry, more) || familyAction(entry.name, action) || synonymOf('action', action));
  if (isAction || (entry ? action === '' : synonymOf('command', head))) return undefined;
  return entry ? `${head} ${action}` : head;
}

/** @throws CopsError `usage` for an unknown alias */
export async function unsetAlias(context: Context, word: string): Promise<void> {
  await storeOf(context).update((now) => {
    if (!Object.hasOwn(now.aliases, word)) throw usage(`There is no alias ${JSON.stringify(word.slice(0, 64))}.`);
    const { [word]: _gone, ...aliases } = now.aliases;
    return { ...now, aliases };
  });
}

/** An alias is a template of arguments: no shell, one line, and it hides no built-in command. */
function checkAlias(word: string, template: string): string {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(word))
    throw usage('An alias is a word of lower-case letters, digits and dashes that begins with a letter.');
  if (commandSpec(word) !== undefined || familyByCommand(word) !== undefined)
    throw usage(`${word} is already a command.`);
  const text = template.trim().replace(/^cops\s+/, '');
  if (text.startsWith('!'))
    throw usage('An alias cannot run another program, but a program cops-NAME on the PATH runs as cops NAME.');
  if (text === '') throw usage('An alias needs the words it stands for, such as "subscriptions list --last 7d".');
  if (text.length > LONGEST_ALIAS || /[\x00-\x1f\x7f]/.test(text))
    throw usage(`An alias stands for one command of at most ${LONGEST_ALIAS} characters.`);
  if (holdsCard(text)) throw usage('An alias cannot hold a card number.');
  const words = splitTemplate(text);
  const consent = words.find(confirms);
  if (consent !== undefined)
    throw usage(`An alias cannot hold ${consent}: it would confirm something nobody sees. Give it with each use.`);
  const hidden = words.find(hidesName);
  if (hidden !== undefined)
    throw usage(`An alias cannot hold ${hidden}: write out the option's name; only its value may be a placeholder.`);
  return text;
}
