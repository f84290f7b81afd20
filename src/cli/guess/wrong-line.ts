import { proxyTold } from '../../account/profiles/settings.js';
import { type CopsError, type Fault, usage } from '../../base/errors/errors.js';
import { copsLine, say, type Text } from '../../base/text/command-line.js';
import { typedFields } from '../../catalogue/body-fields.js';
import type { FamilyIndexEntry } from '../../catalogue/index.js';
import type { Family, FamilyOperation, Operation } from '../../catalogue/types.js';
import { isObject, type Tree, type TreeObject } from '../../items/json/tree.js';
import type { Context } from '../../session/context/context.js';
import { type Reworded, saidOnLine, wordsOf } from '../parser/argv.js';
import type { OptionPlace } from './as-condition.js';
import { postponedTogether } from './postpone-many.js';
import type { TwiceGiven } from './second-value.js';

export { postponedTogether };

interface TypedLine {
  readonly argv: readonly string[];
}

/** A line that cannot run, by where it failed. */
export type WrongLine =
  /** It begins with `report`: a list may follow. */
  | (TypedLine & { readonly failed: 'report' })
  /** An option is where the action of a family belongs. */
  | (TypedLine & { readonly failed: 'action'; readonly entry: FamilyIndexEntry })
  /** Its words name no command, no family, or no action of one. */
  | (TypedLine & {
      readonly failed: 'words';
      readonly entry: FamilyIndexEntry | undefined;
      readonly family: Pick<Family, 'instead' | 'operations'> | undefined;
      /** True for a request for help: no other line is run in its place. */
      readonly isHelp?: boolean;
    })
  | (OptionPlace & { readonly failed: 'option' })
  /** An option that takes one value has two, on a line that takes the options in `known`. */
  | (TwiceGiven & { readonly failed: 'twice' })
  /** The command takes fewer words. */
  | (TypedLine & { readonly failed: 'surplus'; readonly command: string })
  /** A value follows the id of a write without its option. */
  | (TypedLine & { readonly failed: 'value'; readonly value: string; readonly operation: Operation })
  /** The command has no action of that name. */
  | (TypedLine & { readonly failed: 'subcommand'; readonly command: string; readonly typed: string })
  /** `-o` names something that is not an output format. */
  | (TypedLine & { readonly failed: 'format'; readonly format: string })
  /** Names of `-d` are not fields of the body. */
  | (TypedLine & { readonly failed: 'fields'; readonly operation: Operation })
  /** There is no help for a word. */
  | { readonly failed: 'topic'; readonly word: string; readonly names: readonly string[] };

/** The answer to a wrong line; empty if nothing is known. */
export interface WrongLineAnswer {
  /** The line in our words, to run instead. */
  readonly meant?: Reworded | undefined;
  readonly refusal?: CopsError | undefined;
  /** What a refusal proposes: lines, or a sentence. */
  readonly hint?: Text | undefined;
  /** The most likely intended word. */
  readonly word?: string | undefined;
}

/** The one entry to this folder: takes the failed line and returns the intended one, or the text of a refusal. */
export async function answerWrongLine(wrong: WrongLine): Promise<WrongLineAnswer> {
  switch (wrong.failed) {
    case 'report':
      return { meant: await (await import('./read-as.js')).reportAsList(wrong.argv) };
    case 'action':
      return { hint: await (await import('./action-missing.js')).withAction(wrong.argv, wrong.entry) };
    case 'words': {
      const meant = wrong.isHelp ? undefined : await (await import('./read-as.js')).readAs(wrong.argv);
      if (meant) return { meant };
      const { unknownWord } = await import('./unknown-word.js');
      return { refusal: await unknownWord(wrong.argv, wrong.entry, wrong.family) };
    }
    case 'option': {
      const { optionHint, reworded } = await import('./suggest.js');
      const meant = reworded(wrong);
      if (meant) return { meant };
      const many = postponedTogether(wrong.argv);
      if (many) return { hint: many };
      if (PROXY.test(wrong.option)) return { hint: await proxyHint(wrong) };
      // The options of a list choose among items: no card covers that.
      if (wrong.operation?.list) return { hint: optionHint(wrong) };
      const { cardHint, CARDS_OF_FAMILIES } = await import('./card-hint.js');
      const { fieldsWith } = await import('./field-option.js');
      const name = wrong.option.replace(/^-+|=.*/gs, '').replaceAll('-', '_');
      // A field of a similar name says more than a card for any family.
      const isField = wrong.operation !== undefined && fieldsWith(wrong.operation, name).length > 0;
      return { hint: cardHint(wrong.argv, wrong.option, isField ? CARDS_OF_FAMILIES : undefined) ?? optionHint(wrong) };
    }
    case 'twice':
      return { refusal: (await import('./second-value.js')).secondValueRefused(wrong) };
    case 'surplus': {
      const together = postponedTogether(wrong.argv);
      if (together) return { hint: together };
      return { hint: (await import('./card-hint.js')).surplusHint(wrong.argv, wrong.command) };
    }
    case 'value':
      return { meant: (await import('./read-as.js')).valueAsOption(wrong) };
    case 'subcommand':
      return { hint: (await import('./suggest.js')).ownActionHint(wrong.argv, wrong.command, wrong.typed) };
    case 'fields': {
      const { withFieldsMeant } = await import('./fields-meant.js');
      // Every option of the line is known: it was parsed.
      const known = wrong.argv.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/s, ''));
      return { hint: withFieldsMeant({ ...wrong, known }) };
    }
    case 'format':
      return { refusal: await (await import('./file-hint.js')).fileFormatRefusal(wrong.argv, wrong.format) };
    case 'topic': {
      const meaning = (await import('./suggest.js')).meaningOf('command', wrong.word, wrong.names);
      return { word: meaning?.real, hint: meaning?.says };
    }
  }
}

const PROXY = /^--?(?:https?-?|no-?)?proxy\b/;
const isProxy = (word: string): boolean => PROXY.test(word);

async function proxyHint(place: OptionPlace): Promise<Text> {
  const { apart } = await import('./as-condition.js');
  const [head, action, name] = wordsOf(place.argv);
  const profile = head === 'profiles' ? name : saidOnLine(place.argv, '--profile');
  let rest = place.argv;
  let value: string | undefined;
  for (let option = rest.find(isProxy); option !== undefined; option = rest.find(isProxy)) {
    const typed = apart({ argv: rest, option });
    if (!option.startsWith('--no')) value = typed.value;
    rest = typed.instead([]);
  }
  // An edit of nothing is refused.
  const isWhole = head === 'profiles' && (action !== 'edit' || rest.some((word) => word.startsWith('--')));
  return proxyTold(value, profile, isWhole ? copsLine(rest) : undefined);
}

/** @throws CopsError usage (2) with a whole line if a name of `-d` is not a field but means one */
export async function refuseStrange(
  { world, command }: Pick<Context, 'world' | 'command'>,
  operation: Operation,
): Promise<void> {
  const { hint } = await answerWrongLine({ failed: 'fields', argv: world.argv, operation });
  if (hint === undefined) return;
  const says = `cops ${command}: the body has no such field: nothing was sent.`;
  throw usage(says, say`${hint} --no-validate sends it anyway.`);
}

/** A body field that asks for something the service cannot do, and what to do instead. */
interface LackingField {
  readonly path: string;
  readonly hint: Text;
}

/**
 * The fields of a body that ask for something the service cannot do. The service would ignore them and still perform the
 * action.
 * @param words after the action: ids, or names in their place
 */
export async function lackingFields(
  of: FamilyOperation,
  body: TreeObject,
  words: readonly string[] = [],
): Promise<readonly LackingField[]> {
  const known = typedFields(of.operation);
  const unknown = Object.keys(body).filter((name) => name !== 'idempotency_key' && !Object.hasOwn(known, name));
  if (unknown.length === 0) return [];
  const { lackHint } = await import('./card-hint.js');
  return unknown.flatMap((name) =>
    pathsOf(name, body[name]).flatMap((path) => {
      const hint = lackHint(of, path, words);
      return hint === undefined ? [] : [{ path, hint }];
    }),
  );
}

/** The same as faults, for a body that was not typed as a line. */
export async function lackingFaults(of: FamilyOperation, body: TreeObject): Promise<readonly Fault[]> {
  const fields = await lackingFields(of, body);
  return fields.map(({ path, hint }) => ({ path, message: `is not a field: ${hint}` }));
}

/** A name, or the names within its object. */
function pathsOf(name: string, value: Tree | undefined): string[] {
  if (!isObject(value)) return [name];
  return Object.keys(value).flatMap((part) => pathsOf(`${name}.${part}`, value[part]));
}
