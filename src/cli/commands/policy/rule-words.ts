import { writesOf } from '../../../account/policy/verbs.js';
import { usage } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { familyByCommand, operationNamed } from '../../../catalogue/index.js';
import type { Context } from '../../../session/context/context.js';
import { familyAction } from '../../actions/index.js';

type Lists = 'profiles' | 'operations' | 'only' | 'most' | 'mostADay' | 'neverOn' | 'who' | 'modes' | 'alone';
type Texts = 'name' | 'writesAnHour' | 'hours';

/** The options that make up one rule. */
export interface AddOptions
  extends Readonly<Partial<Record<Lists, readonly string[]>>>,
    Readonly<Partial<Record<Texts, string>>> {
  /** True if no value follows the option. */
  readonly never?: readonly string[] | true | undefined;
  readonly reason?: boolean;
}

/**
 * The options for a rule given in words: `refunds over 100 USD`, `subscriptions cancel`. A note states them.
 * @throws CopsError usage (2) if the line also has options for the same things
 */
export function spokenRule(context: Context, words: readonly string[], options: AddOptions): AddOptions {
  if (words.length === 0) return options;
  const [, what = '', amount, currency] = SPOKEN.exec(words.join(' ')) ?? [];
  const isSaid = [options.operations, options.only, options.never, options.most, options.mostADay].some(
    (one) => one !== undefined,
  );
  if (isSaid || what === '') throw usage(`cops policy add: give the rule in words or with options, not both.`);
  if (familyByCommand(writesMeant(what)[0]?.split(' ')[0] ?? '') === undefined)
    throw usage(
      `cops policy add: "${what}" is not a family or operation.`,
      say`For example: ${cops`policy add refunds over 100 USD`}`,
    );
  const read = amount === undefined ? { never: [what] } : { operations: [what], most: [`${amount} ${currency}`] };
  const line = amount === undefined ? ['--never', what] : ['--operations', what, '--most', `${amount} ${currency}`];
  context.notes.note(say`This is read as ${cops`policy add ${line}`}.`);
  return { ...options, ...read };
}

const SPOKEN =
  /^(?:no |never )?(.+?)(?:,? (?:(?:of )?(?:over|above|beyond|more than|up to|at most)|>) ?(\d+(?:\.\d+)?) ?([a-z]{3}))?$/i;

/**
 * `--never all`, or `--never` alone beside a mode or a person: only nothing may be written.
 * @throws CopsError usage (2) for `--operations X --never`, which means that X must never be written, and for `--never`
 *   without anything that says where
 */
export function neverAll(options: AddOptions): AddOptions {
  const { operations = [], only, profiles, modes, who, neverOn, hours } = options;
  if ((neverOn ?? hours) !== undefined && options.never !== undefined)
    throw usage(
      'cops policy add: --never forbids at every time, so --never-on and --hours beside it would limit all other writes.',
      say`Write it as: ${cops`policy add ${scopeWords({ profiles, modes, who, neverOn, hours, operations: wordsIn(options.never) })}`}`,
    );
  const named = options.never !== true;
  if (named && !wordsIn(options.never).some((word) => /^(all|everything|\*)$/i.test(word))) return options;
  if (operations.length === 0 && only === undefined && (named || profiles || modes || who))
    return { ...options, never: undefined, only: [] };
  const meant = operations.length === 0 ? ['all'] : operations;
  const line = cops`policy add ${scopeWords({ profiles, modes, who })} --never ${meant.join(', ')}`;
  throw usage(
    named
      ? 'cops policy add: --never all stands alone: it is about every write.'
      : 'cops policy add: --never says what is never written, and nothing follows it.',
    operations.length === 0
      ? say`For example: ${cops`policy add --never "subscriptions cancel"`}, or all writes: ${line}`
      : say`Write it as: ${line}`,
  );
}

/** The words of an option, which commas separate too. */
export const wordsIn = (typed: readonly string[] | true | undefined): string[] =>
  typed === undefined || typed === true ? [] : typed.flatMap((text) => text.split(',')).map((one) => one.trim());

/** The writes that a rule is about, when they are allowed, and what alone may be written, as words of a line. */
export const scopeWords = (options: AddOptions): string[] => [
  // A rule that allows no writes at all was typed this way.
  ...(options.only?.length === 0 ? ['--never'] : []),
  ...asTyped(options, ['only', 'operations', 'profiles', 'who', 'modes', 'neverOn', 'hours']),
];

const asTyped = (options: AddOptions, names: readonly (keyof AddOptions)[]): string[] =>
  names.flatMap((name) => {
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return [options[name] ?? []].flat().flatMap((text) => (text === true ? [option] : [option, String(text)]));
  });

/**
 * The operations that a word of a rule means.
 * @throws CopsError usage (2) for an action that writes as another operation, which is what a rule judges
 */
export function writesMeant(typed: string): string[] {
  const word = typed.trim().replace(/^refunds$/, 'refund');
  const [head = '', action] = word.split(/\s+/);
  const entry = familyByCommand(head);
  const by = entry && familyAction(entry.name, action)?.writes;
  if (entry && by) {
    const written = by.map((one) => (one.includes(' ') ? one : `${entry.command} ${one}`));
    throw usage(
      `cops policy add: ${word} is written as ${written.join(' or ')}, and a rule judges the operation, not its fields.`,
      say`To forbid all of that: ${cops`policy add --never ${written.join(', ')}`}`,
    );
  }
  const found = writesOf(word);
  return found.length > 0 ? found : [word];
}

/** Says which operations a verb means, and what the writes that `--only` allows also do to other items. */
export async function tellVerbs({ notes }: Context, options: AddOptions, name: string): Promise<void> {
  for (const limit of ['operations', 'only', 'never'] as const) {
    const words = wordsIn(options[limit]);
    for (const word of words) {
      const taken = writesMeant(word);
      if (taken.length === 1 && taken[0] === word) continue;
      notes.note(`"${word}" means ${taken.length > MOST_TOLD ? `${taken.length} operations` : taken.join(', ')}.`);
      if (limit !== 'only') continue;
      for (const wide of taken) {
        const { entails } = (await operationNamed(wide))?.operation ?? {};
        if (!entails) continue;
        const only = [words.filter((one) => one !== word), taken.filter((one) => one !== wide)].flat();
        const narrower = [...scopeWords({ ...options, only: [only.join(', ')] }), ...limitOptions(options)];
        notes.warn(
          say`${wide} also does ${entails.join(' and ')}, and this rule allows that. Without ${wide}: ${cops`policy remove ${name}`} && ${cops`policy add ${narrower}`}`,
        );
      }
    }
  }
}

/** Most operations of an action that a note names. */
const MOST_TOLD = 8;

/** The typed options that limit amounts, writes per hour and how writes are made, or forbid some of them. */
export const limitOptions = (options: AddOptions): string[] =>
  asTyped(options, ['most', 'mostADay', 'writesAnHour', 'reason', 'alone', 'never']);
