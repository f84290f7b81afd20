import { type CopsError, usage } from '../../base/errors/errors.js';
import { joinedTexts, say, type Text } from '../../base/text/command-line.js';
import { typedFields } from '../../catalogue/body-fields.js';
import {
  canonicalAction,
  type FamilyIndexEntry,
  familyByCommand,
  findOperation,
  loadFamily,
  operationMeant,
} from '../../catalogue/index.js';
import { synonymOf } from '../../catalogue/synonyms.js';
import type { Family, Field } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';
import { narrowingFilters, operationSpec } from '../../session/operation/spec.js';
import { familyAction } from '../actions/index.js';
import { commandSpec } from '../commands/index.js';
import { dashed, wordPositions, wordsOf } from '../parser/argv.js';
import { withAction } from './action-missing.js';
import { apart } from './as-condition.js';
import { cardHint } from './card-hint.js';
import { pasted } from './pasted.js';
import { actionHint, actionsOf, type Hint, headHint, listOfTheirs, reworded } from './suggest.js';

/** The error for a line whose words name no family or command, or no action of a family. */
export async function unknownWord(
  argv: readonly string[],
  entry: FamilyIndexEntry | undefined,
  family: Pick<Family, 'instead' | 'operations'> | undefined,
): Promise<CopsError> {
  const theirs = entry?.command === 'customers' ? await listOfTheirs(argv) : undefined;
  const hintOf = (line: readonly string[]): Hint =>
    entry ? actionHint(line, entry, family?.instead, theirs) : headHint(line);
  const bare = await withActionOfWho(argv, entry);
  const hint = bare
    ? say`Did you mean "${pasted(bare)}"?`
    : ((await editMeant(argv, entry, family)) ?? cardHint(argv) ?? (await hintWithoutForeign(argv, hintOf)));
  const [head = '', word, second] = wordsOf(argv);
  if (!entry) return usage(`There is no family or command "${head}".`, hint);
  const isGroup = actionsOf(entry).some((action) => action.startsWith(`${dashed(word ?? '')} `));
  const command = isGroup ? `${entry.command} ${dashed(word ?? '')}` : entry.command;
  const typed = isGroup ? second : word;
  const what = typed === undefined ? 'an action is missing.' : `there is no action "${typed}".`;
  const whole = typed === undefined && !isGroup ? await withAction(argv, entry) : undefined;
  return usage(`cops ${command}: ${what}`, joinedTexts([whole, hint], ' '));
}

/** The field that an edit sets for an action of this name: `pause` for anything that can be enabled, `mark-shipped`. */
function setBy(word: string, fields: Readonly<Record<string, Field>>): string | undefined {
  const { means, or = [] } = synonymOf('action', word) ?? {};
  const usual = [word, means, ...or];
  if (fields.enabled !== undefined && usual.some((one) => one === 'enable' || one === 'activate'))
    return 'enabled=true';
  if (fields.enabled !== undefined && usual.some((one) => one === 'disable' || one === 'suspend'))
    return 'enabled=false';
  const state = /^(?:mark|set|flag)-(?:as-)?(.+)$/.exec(word)?.[1];
  const found = Object.entries(fields).find(([, field]) => state !== undefined && field.enum?.includes(state));
  return found && `${found[0]}=${state}`;
}

/** The edit that replaces an action the family lacks: `functions pause ID` is `functions edit ID -d enabled=false`. */
async function editMeant(
  argv: readonly string[],
  entry: FamilyIndexEntry | undefined,
  family: Pick<Family, 'instead' | 'operations'> | undefined,
): Promise<Text | undefined> {
  const edit = family?.operations.find(({ action }) => action === 'edit');
  const [, at, who, ...more] = wordPositions(argv);
  if (!entry || !edit || at === undefined || who === undefined) return undefined;
  const word = dashed(argv[at] ?? '');
  const { means, or = [] } = synonymOf('action', word) ?? {};
  if (Object.hasOwn(family?.instead ?? {}, word) || [means, ...or].some((one) => one && actionsOf(entry).includes(one)))
    return undefined;
  const set = setBy(word, typedFields(edit));
  // Further words are values of options that the edit does not have.
  if (set === undefined || more.some((one) => !(argv[one - 1] ?? '').startsWith('--'))) return undefined;
  const line = argv.map((one, index) => (index === at ? 'edit' : one));
  return say`Did you mean "${pasted([...(await withoutForeign(line, wordsOf(line))), '-d', set])}"?`;
}

/**
 * The intended line if an id or an address is in the place of an action: `sales ID` is `sales get ID`, `cards ADDRESS`
 * is `customer-cards list --customer ADDRESS`.
 */
async function withActionOfWho(
  argv: readonly string[],
  known: FamilyIndexEntry | undefined,
): Promise<string[] | undefined> {
  const [head = 0, at = 0, ...behind] = wordPositions(argv);
  const who = argv[at] ?? '';
  const entry = known ?? familyByCommand(synonymOf('command', dashed(argv[head] ?? ''))?.means ?? '');
  if (!entry || !(looksLikeId(who) || who.includes('@'))) return undefined;
  const [next = -1] = behind;
  const late = next < 0 ? '' : dashed(argv[next] ?? '');
  if (actionsOf(entry).includes(late))
    return argv.flatMap((word, index) =>
      index === head ? entry.command : index === at ? [late, who] : index === next ? [] : word,
    );
  const family = await loadFamily(entry.name);
  const list = findOperation(family, 'list');
  const ofCustomer = list && operationSpec(family, list).options?.some(({ flags }) => /^--customer\b/.test(flags));
  const isCustomer = family.name === 'customers';
  const action = looksLikeId(who)
    ? findOperation(family, 'get') && ['get', who]
    : (isCustomer && ['show', who]) || (ofCustomer && ['list', '--customer', who]);
  if (!action) return undefined;
  const line = argv.flatMap((word, index) => (index === head ? entry.command : index === at ? action : word));
  return [...(await withoutForeign(line, wordsOf(line)))];
}

/** The hint for a line; if it leads to an action, the hint for the line with only the options that action takes. */
async function hintWithoutForeign(argv: readonly string[], hintOf: (line: readonly string[]) => Hint): Promise<Text> {
  const { text, meant } = hintOf(argv);
  if (!meant) return text;
  return (await ofMissingAction(meant)) ?? hintOf(await withoutForeign(argv, wordsOf(meant))).text;
}

/** The answer to a line that leads to a family without such an action: `payments create`. */
async function ofMissingAction(meant: readonly string[]): Promise<Text | undefined> {
  const [head = '', ...words] = wordsOf(meant);
  const [word] = words;
  const entry = familyByCommand(head);
  if (!entry || word === undefined || canonicalAction(entry, words) || familyAction(entry.name, word)) return undefined;
  const { instead } = await loadFamily(entry.name);
  return say`They are called ${entry.command} here. ${actionHint(meant, entry, instead).text}`;
}

/**
 * The line without the options, and their values, that the intended command does not take: a hint must be ready to
 * paste.
 */
async function withoutForeign(argv: readonly string[], meant: readonly string[]): Promise<readonly string[]> {
  const place = await operationMeant(meant);
  const [head = '', second] = meant;
  const command = commandSpec(head);
  const action = familyAction(familyByCommand(head)?.name ?? '', second);
  const own = [action, command, command?.commands?.find(({ name }) => name === second)];
  const specs = (place ? [operationSpec(place.family, place.operation)] : own).filter((one) => one !== undefined);
  // Another command line after the command, and a family's options, are for the command itself to judge.
  if ((specs.length === 0 && head !== '') || command?.familyOptions || specs.some(({ lineFollows }) => lineFollows))
    return argv;
  const options = [...GLOBAL_OPTIONS, ...specs.flatMap((one) => one.options ?? [])];
  // An id needs no further distinction.
  const narrowing = place && argv.some(looksLikeId) ? narrowingFilters(place.family, place.operation) : [];
  const known = options
    .flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? [])
    .filter((flag) => !narrowing.some(({ option }) => flag === `--${option}`));
  const isForeign = (option: string): boolean =>
    /^--./.test(option) && !known.includes(option.replace(/=.*/s, '')) && !reworded({ argv, option, known, ...place });
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const foreign = argv.find((option, at) => at < end && isForeign(option));
  if (foreign === undefined) return argv;
  const { at, joined, value = '', instead } = apart({ argv, option: foreign });
  // The id or address that the line is about may follow a switch.
  const isWho = joined === undefined && (looksLikeId(value) || value.includes('@'));
  return withoutForeign(isWho ? argv.toSpliced(at, 1) : instead([]), meant);
}
