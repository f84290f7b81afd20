import { usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';

/** The built-in profile on the embedded service. */
export const SANDBOX = 'sandbox';
/** The name shown when key and base URL come from the environment and there is no profile. */
export const FROM_ENVIRONMENT = 'env';

/** @throws CopsError `usage` unless `name` can name a stored profile. */
export function checkProfileName(name: string): string {
  if (name === SANDBOX || name === FROM_ENVIRONMENT)
    throw usage(`The name ${name} is taken: ${name === SANDBOX ? 'that profile is built in' : 'it means no profile'}.`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) || name === '__proto__')
    throw usage(
      'A profile name starts with a letter or digit and has up to 64 letters, digits, dots, dashes and underscores.',
    );
  return name;
}

/** An unknown profile, with the nearest known one (exit code 2). */
export function unknownProfile(name: string, known: readonly string[], source?: string) {
  const shown = JSON.stringify(name.slice(0, 64));
  const from = source === undefined ? '' : ` (${source})`;
  return usage(
    `There is no profile ${shown}${from}.${didYouMean(name, known)}`,
    `Profiles here: ${[...known, SANDBOX].filter((each, at, all) => all.indexOf(each) === at).join(', ')}.`,
  );
}

/** True for an option with a placeholder in its name (`--yes$2`, `-$1`): nobody could tell what it becomes. */
export const hidesName = (word: string): boolean => /^-[^=]*\$[1-9]/.test(word);

/** Splits a template into arguments: spaces separate them, single and double quotes group them. */
export function splitTemplate(template: string): string[] {
  const words: string[] = [];
  for (const match of template.matchAll(/(?:"([^"]*)"|'([^']*)'|([^\s"']+))+/g)) {
    words.push(
      match[0].replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
    );
  }
  return words;
}
