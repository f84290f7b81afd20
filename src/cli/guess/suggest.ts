import { nearest, slipsBetween } from '../../base/errors/nearest.js';
import {
  type CommandLine,
  cops,
  copsLine,
  joinedTexts,
  say,
  shellWord,
  type Text,
} from '../../base/text/command-line.js';
import { singularOf } from '../../catalogue/conventions.js';
import {
  canonicalAction,
  FAMILY_INDEX,
  type FamilyIndexEntry,
  familyByCommand,
  loadFamily,
} from '../../catalogue/index.js';
import {
  actionOfCommand,
  NO_ACTIONS,
  SYNONYMS,
  type Synonym,
  synonymOf,
  type WordPlace,
} from '../../catalogue/synonyms.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { filterSpecs, ownFilterSpecs } from '../../session/operation/spec.js';
import { familyAction, familyActions } from '../actions/index.js';
import { COMMANDS, commandSpec } from '../commands/index.js';
import { dashed, type Reworded, takesWord, wordPositions, wordsOf } from '../parser/argv.js';
import { apart, asCondition, type OptionPlace, withFigure } from './as-condition.js';
import { filledByForm } from './card-hint.js';
import { asField, asListField, fieldNamed, fieldsTold, fieldsWith } from './field-option.js';
import { withFieldsMeant } from './fields-meant.js';
import { fileHint, namesRows } from './file-hint.js';
import { filledIn } from './filled-in.js';
import { pasted, placed, type WordChange } from './pasted.js';
import { rangelessHint, withoutAllTime } from './rangeless.js';
import { turnedLine } from './turned-line.js';

/** A meaning of an unknown word: a real word, or a synonym that leads to one or to a sentence. */
export interface Meaning {
  readonly real?: string | undefined;
  readonly says?: Text | undefined;
  /** The option that the line with the real word also needs. */
  readonly needs?: string | undefined;
}

/**
 * The likeliest meaning of a word in its place. A correctly spelled synonym wins; among misspellings the nearest wins,
 * and a real word beats an equally near synonym.
 * @param fits false for a synonym that leads nowhere here
 */
export function meaningOf(
  place: WordPlace,
  word: string,
  real: readonly string[],
  fits: (means: string) => boolean = () => true,
): Meaning | undefined {
  const spoken = dashed(word).replace(/^-+/, '');
  const exact = synonymOf(place, spoken);
  const meant = exact && meaningOfSynonym(exact, fits);
  if (meant) return meant;
  // An abbreviation means the shortest name.
  const names = [...real].sort((a, b) => a.length - b.length);
  const known = new Map<string, Synonym | undefined>(names.map((name) => [name, undefined]));
  for (const synonym of SYNONYMS[place]) {
    if (synonym.exact || !meaningOfSynonym(synonym, fits)) continue;
    // A whole word is not an abbreviation of a longer one: settings is not settings-store, and add is not address.
    const isOther = (one: string): boolean => one.startsWith(spoken) && one.length > spoken.length + 2;
    for (const one of synonym.words) if (!known.has(one) && !isOther(one)) known.set(one, synonym);
  }
  const [near] = nearest(spoken, known.keys());
  if (near === undefined) return undefined;
  const synonym = known.get(near);
  // Two slips in a short word make another word: an amount is no account.
  if (synonym && spoken.length < 8 && !near.startsWith(spoken) && slipsBetween(spoken, near, 2) > 1) return undefined;
  return synonym ? meaningOfSynonym(synonym, fits) : { real: near };
}

function meaningOfSynonym(synonym: Synonym, fits: (means: string) => boolean): Meaning | undefined {
  const targets = [synonym.means, ...(synonym.or ?? [])].filter((means) => means !== undefined);
  const found = targets.find(fits);
  if (found !== undefined && found !== synonym.means) return { real: found };
  if (found !== undefined) return { real: found, says: synonym.says, needs: synonym.needs };
  const { says, otherwise } = synonym;
  const alone = otherwise ?? (targets.length === 0 ? says : undefined);
  return alone === undefined ? undefined : { says: alone };
}

/** The answer to an unknown word. */
export interface Hint {
  readonly text: Text;
  /** The complete line that it leads to, word for word. */
  readonly meant?: readonly string[];
}

/** The hint for a first word that is neither a family nor a command. */
export function headHint(argv: readonly string[]): Hint {
  const positions = wordPositions(argv);
  const [at = 0] = positions;
  const word = dashed(argv[at] ?? '');
  const names = [...COMMANDS.map(({ name }) => name), ...FAMILY_INDEX.map(({ command }) => command)];
  const synonym = synonymOf('command', word);
  const sameButNumber = synonym ? undefined : names.find((name) => singularOf(name) === singularOf(word));
  const meaning =
    (sameButNumber === undefined ? undefined : { real: sameButNumber }) ??
    (synonym ? undefined : actionFirst(argv, positions)) ??
    meaningOf('command', word, names);
  const [, asked = ''] = positions.map((one) => argv[one] ?? '');
  const isOfNothing =
    meaning?.real === 'help' && asked !== '' && !familyByCommand(asked) && !commandSpec(dashed(asked));
  if (isOfNothing) return { text: say`${cops`--help`} lists all commands.` };
  if (meaning?.real !== undefined) return leading(meaning, argv, headChanges(argv, positions, meaning.real));
  if (meaning) return { text: said(meaning) };
  // For a word like `profiles` that matches nothing of ours: names of which it is a part.
  const part = word.replace(/s$/, '');
  const parts = names.filter((name) => name.split('-').some((each) => each.replace(/s$/, '') === part));
  if (parts.length === 0) return { text: say`${cops`--help`} lists all commands.` };
  return {
    text: say`Did you mean ${joinedTexts(
      parts.map((name) => say`"${copsLine([name])}"`),
      ' or ',
    )}?`,
  };
}

/** Actions that nearly every family has: at the start of a line they do not identify a family. */
const EVERYWHERE: readonly string[] = ['list', 'create', 'edit', 'delete', 'search', 'enable', 'disable', 'void'];

/** The meaning of a line whose action precedes its family, or has none: `cancel subscriptions ID`, `cancel ID`. */
function actionFirst(argv: readonly string[], positions: readonly number[]): Meaning | undefined {
  const [word = '', second] = positions.map((at) => dashed(argv[at] ?? ''));
  const action = synonymOf('action', word)?.means ?? word;
  const named = second === undefined ? undefined : familyByCommand(second);
  if (named) return actionsOf(named).includes(action) ? { real: `${named.command} ${action}` } : undefined;
  if (action === 'get') return { real: 'find' };
  const having = FAMILY_INDEX.filter((entry) => actionsOf(entry).includes(action)).map(({ command }) => command);
  const [home, other] = having.includes('subscriptions') ? ['subscriptions'] : having;
  if (home === undefined) return undefined;
  if (other === undefined && !EVERYWHERE.includes(action)) return { real: `${home} ${action}` };
  return {
    says: say`An action comes after its family: ${cops`<family> ${action.split(' ')}`}. Families are listed by ${cops`--help`}.`,
  };
}

/**
 * The complete line if its first unknown word is a correctly spelled synonym; undefined otherwise.
 * @param entry the family, if the first word names one: the unknown word is then its action
 */
export function meantLine(argv: readonly string[], entry: FamilyIndexEntry | undefined): string[] | undefined {
  const positions = wordPositions(argv);
  const at = positions[entry ? 1 : 0];
  const synonym = at === undefined ? undefined : synonymOf(entry ? 'action' : 'command', dashed(argv[at] ?? ''));
  const actions = entry ? actionsOf(entry) : [];
  const real = synonym && meaningOfSynonym(synonym, (means) => !entry || actions.includes(means))?.real;
  if (at === undefined || real === undefined) return undefined;
  return changed(argv, entry ? new Map([[at, real]]) : headChanges(argv, positions, real));
}

/** The line with words replaced, each by one or more others. */
const changed = (argv: readonly string[], changes: ReadonlyMap<number, WordChange>): string[] =>
  argv.flatMap((word, index) => {
    const change = changes.get(index);
    return change === undefined ? [word] : typeof change === 'string' ? change.split(' ').filter(Boolean) : change;
  });

/** The replacements for the first word, and for an action that the family calls something else. */
function headChanges(argv: readonly string[], positions: readonly number[], means: string): Map<number, string> {
  const words = means.split(' ');
  const [head = 0, second] = positions;
  const spoken = second === undefined ? undefined : argv[second];
  // `watch sales` means `sales tail`: the action belongs to the family after it.
  const named = spoken === undefined ? undefined : familyByCommand(spoken);
  const repeats = words.length > 1 && named !== undefined;
  const [family = '', ...action] = words;
  if (repeats && familyByCommand(family) && actionsOf(named).includes(action.join(' ')))
    means = [named.command, ...action].join(' ');
  const entry = familyByCommand(words[0] ?? '');
  const changes = new Map<number, string>([[head, means]]);
  const own = commandSpec(means)?.commands?.map(({ name }) => name);
  // A command with actions needs one of them.
  if (own && second === undefined)
    changes.set(head, `${means} ${['list', 'status', 'show'].find((one) => own.includes(one)) ?? '--help'}`);
  if (entry && words.length === 1) {
    if (spoken === undefined || second === undefined) changes.set(head, `${means} ${standardAction(entry)}`);
    else if (!canonicalAction(entry, wordsOf(argv).slice(1)) && !familyAction(entry.name, spoken)) {
      const action = actionMeaning(entry, spoken)?.real;
      if (action !== undefined) changes.set(second, action);
    }
  }
  // The name of a command already says what it does: `api-keys create` leads to the list of profiles.
  const isVerb = words.length > 1 && Object.hasOwn(CANNOT, spoken ?? '');
  if ((repeats || isVerb) && second !== undefined) changes.set(second, '');
  return changes;
}

const standardAction = ({ actions }: FamilyIndexEntry): string =>
  (actions.find(({ action }) => action === 'list') ?? actions[0])?.action ?? '--help';

export function actionsOf(entry: FamilyIndexEntry): string[] {
  return [...entry.actions.map(({ action }) => action), ...familyActions(entry.name).map(({ name }) => name)];
}

const actionMeaning = (entry: FamilyIndexEntry, word: string, actions = actionsOf(entry)): Meaning | undefined =>
  meaningOf('action', word, actions, (means) => actions.includes(means));

/** Actions that people expect everywhere, and the wording for a family that lacks them. */
const CANNOT: Readonly<Record<string, string>> = {
  list: 'be listed',
  get: 'be shown individually',
  create: 'be created',
  edit: 'be edited',
  delete: 'be deleted',
  search: 'be searched',
  enable: 'be enabled',
  disable: 'be disabled',
  refund: 'be refunded',
  cancel: 'be cancelled',
};

/**
 * The hint for a word that is not an action of a family: what to do instead if the catalogue knows it, the intended
 * action, or that there is no such thing here.
 */
export function actionHint(
  argv: readonly string[],
  entry: FamilyIndexEntry,
  instead: Readonly<Record<string, Text>> = {},
  theirs?: Theirs,
): Hint {
  const positions = wordPositions(argv);
  const words = positions.slice(1).map((at) => dashed(argv[at] ?? ''));
  const [first = ''] = words;
  const group = actionsOf(entry).filter((action) => action.startsWith(`${first} `));
  const actions = group.length > 0 ? group.map((action) => action.slice(first.length + 1)) : actionsOf(entry);
  const at = positions[group.length > 0 ? 2 : 1];
  const listed = `Actions: ${actions.join(', ')}.`;
  if (at === undefined) return { text: listed };
  const word = dashed(argv[at] ?? '');
  const usual = synonymOf('action', word)?.means ?? word;
  const known = [word, usual].find((one) => Object.hasOwn(instead, one) && group.length === 0);
  if (known !== undefined) {
    const who = argv[positions[2] ?? -1] ?? '';
    const ofId =
      instead[looksLikeId(who) ? `${known} <id>` : /^#?[A-Za-z]{0,4}-?\d+$/.test(who) ? `${known} <number>` : ''];
    return { text: filledIn(filledByForm(ofId ?? instead[known] ?? listed, argv), argv, undefined) };
  }
  if (theirs && group.length === 0) {
    const changes = new Map<number, WordChange>([
      [positions[0] ?? 0, theirs.head],
      [at, theirs.action],
    ]);
    if (positions[2] !== undefined) changes.set(positions[2], theirs.who);
    return leading(theirs, argv, changes);
  }
  const meaning = actionMeaning(entry, word, actions);
  // An action on one item is not a list, and leads to none.
  const isOfOne =
    group.length === 0 && positions.includes(at + 1) && /^(?:list|create|tail)$/.test(meaning?.real ?? '');
  if (meaning?.real !== undefined && !isOfOne) {
    const whole = { ...meaning, says: meaning.says && filledIn(meaning.says, argv, undefined) };
    const [option = ''] = meaning.needs?.split(' ') ?? [];
    const needed = argv.some((one) => one.replace(/=.*/s, '') === option) ? undefined : meaning.needs;
    return leading(whole, argv, new Map([[at, meaning.real]]), needed);
  }
  if (meaning?.says && meaning.real === undefined) return { text: filledIn(meaning.says, argv, undefined) };
  const cannot = Object.hasOwn(CANNOT, usual) ? CANNOT[usual] : undefined;
  if (cannot === undefined || group.length > 0) return { text: listed };
  const things = entry.command.replaceAll('-', ' ');
  return { text: `Not here: ${things} cannot ${cannot} through this interface. ${listed}` };
}

/** The hint for an unknown action of one of our own commands; undefined if there is none. */
export function ownActionHint(argv: readonly string[], command: string, typed: string): Text | undefined {
  const none = Object.hasOwn(NO_ACTIONS, command) ? NO_ACTIONS[command]?.[typed] : undefined;
  if (none !== undefined) return none;
  const meant = actionOfCommand(command, typed);
  const at = argv.indexOf(typed, argv.indexOf(command) + 1);
  return meant === undefined ? undefined : said({}, pasted(argv, new Map([[at, meant]])));
}

/** What replaces the typed words in a line about something that belongs to a customer. */
interface Theirs extends Pick<Meaning, 'says'> {
  readonly head: string;
  readonly action: string;
  readonly who: readonly string[];
}

/**
 * What a line means that has a family where the action belongs: `customers orders WHO` means the sales of that customer,
 * `customers metadata WHO` a field of the customer.
 */
export async function listOfTheirs(argv: readonly string[]): Promise<Theirs | undefined> {
  const [, word = '', who] = wordsOf(argv);
  const named = familyByCommand(dashed(word)) ?? familyByCommand(synonymOf('command', dashed(word))?.means ?? '');
  if (!named || named.command === 'customers') return undefined;
  const { command: head } = named;
  const family = await loadFamily(named.name);
  // For a family without a list, `list` also leads to where its items are shown.
  const isListed = family.operations.some(({ action }) => action === 'list');
  if (isListed ? listsOfPeople(family) : actionsOf(named).includes('create'))
    return { head, action: 'list', who: ['--customer', who ?? ''] };
  const { item = {} } = await loadFamily('customers');
  const isField = Object.hasOwn(item, family.name);
  if (isField && who !== undefined) return { head: 'customers', action: 'get', who: [who, '--columns', family.name] };
  const says = 'That belongs to the account, not to one customer.';
  return { head, action: standardAction(named), who: [], ...(!isField && { says }) };
}

/** Short options of other tools. */
const SHORT: Readonly<Record<string, string>> = { '-n': '--limit', '-f': '--format', '-j': '--json', '-l': '--limit' };

/** Options that decide where a line goes and whether it asks: no typing error is ever read as one of these. */
const GUARDS: ReadonlySet<string> = new Set(['live', 'test', 'yes', 'no-strict-ids']);

/** The hint for an unknown option; undefined if there is none. */
export function optionHint(place: OptionPlace): Text | undefined {
  const { argv, known, operation } = place;
  const { at, typed, joined, value } = apart(place);
  const name = SHORT[typed] ?? typed;
  const file = fileHint(argv, at, value, operation);
  if (file !== undefined) return file;
  const figured = withFigure(place, synonymOf('option', name)?.figure);
  if (figured !== undefined) return say`Did you mean "${figured}"?`;
  const turned = turnedLine(argv);
  if (turned?.isHint)
    return say`Did you mean "${pasted(turned.argv)}"? A suspension does not end automatically: activate ends it.`;
  if (typed === '--no-range' && operation?.list?.style === 'windowed')
    return say`The service requires dates for this list. The complete list: ${pasted(argv, new Map([[at, '--all-time']]))}`;
  if (known.includes(typed) && at >= 0) return say`Did you mean "${pasted(actionBehind(argv, operation))}"?`;
  const rangeless = rangelessHint(place, pasted);
  if (rangeless !== undefined) return rangeless;
  const spoken = name.replace(/^-+/, '').replaceAll('-', '_');
  const parts = operation ? fieldsWith(operation, spoken) : [];
  const field = operation && (fieldNamed(operation, spoken) ?? (parts.length === 1 ? parts[0] : undefined));
  const meaning = meaningOf(
    'option',
    name,
    known.map((one) => one.replace(/^--/, '')).filter((one) => !GUARDS.has(one)),
    (means) => fits(means, known),
  );
  const exact = synonymOf('option', name);
  const isOurs = exact !== undefined && meaning !== undefined && !exact.reads;
  const isPost = operation?.method === 'POST';
  const whole = isPost && !isOurs ? withFieldsMeant({ argv, known, operation }) : undefined;
  if (whole || (isPost && exact?.reads)) return whole;
  if (field !== undefined && !isPost && !(exact && meaning)) {
    const given = value === undefined || value.startsWith('-') ? '<value>' : value;
    const changes = new Map([
      [at, '-d'],
      [at + 1, `${field}=${given}`],
    ]);
    const line = joined === undefined && given !== '<value>' ? pasted(argv, changes) : undefined;
    return line === undefined ? `Did you mean -d ${field}=${shellWord(given)}?` : say`Did you mean "${line}"?`;
  }
  if (parts.length > 1) return `Fields with that name: ${parts.slice(0, 5).join(', ')}. Set them with -d name=value.`;
  // A sentence about an option that the line does not take is useless.
  const isAbout =
    typeof meaning?.says !== 'string' || (meaning.says.match(/--[a-z-]+/g) ?? []).every((one) => known.includes(one));
  if (!meaning || (meaning.real === undefined && !isAbout)) return fieldsTold(place);
  if (meaning.real === undefined)
    return filledIn(meaning.says ?? '', argv, value, { isOfPeople: listsOfPeople(place.family) });
  const ours = meaning.real.replaceAll('{}', '<when>');
  const real = ours.startsWith('-') ? ours : `--${ours}`;
  // An option that takes a value is incomplete without one.
  if (at < 0 || (value === undefined && !real.includes(' ') && takesWord(real))) return `Did you mean ${real}?`;
  const spelled = joined === undefined ? real : [...real.split(' '), joined];
  return said(meaning, pasted(argv, new Map([[at, spelled]])));
}

/** Whether the list of a family can be limited to one customer. */
function listsOfPeople(family: Family | undefined): boolean {
  const list = family?.operations.find(({ action }) => action === 'list');
  if (!family || !list) return false;
  return [...filterSpecs(list), ...ownFilterSpecs(family, list)].some(({ flags }) => flags.startsWith('--customer '));
}

/** The line with the words of its action directly after the family. */
function actionBehind(argv: readonly string[], operation: Operation | undefined): string[] {
  const [head = 0, ...others] = wordPositions(argv);
  const moved = others.slice(0, operation?.action.split(' ').length);
  const rest = argv.filter((_word, index) => !moved.includes(index));
  return rest.toSpliced(head + 1, 0, ...moved.map((index) => argv[index] ?? ''));
}

function fits(means: string, known: readonly string[]): boolean {
  const [option = ''] = means.split(/[ =]/);
  if (option === '-o') return known.includes('--output');
  if (option === '-d') return known.includes('--data');
  return known.includes(option);
}

/** The hint that leads to the line with words replaced, followed by what it needs. */
function leading(
  meaning: Meaning,
  argv: readonly string[],
  changes: ReadonlyMap<number, WordChange>,
  needed?: string,
): Hint {
  const line = pasted(argv, changes).and(...(needed?.split(' ') ?? []).map(placed));
  return { text: said(meaning, line), meant: changed(argv, changes) };
}

const said = ({ says }: Meaning, line?: CommandLine): Text =>
  joinedTexts([line && say`Did you mean "${line}"?`, says], ' ');

/**
 * The line with an unknown option that means exactly the same as one of ours put in our words (`--since` is `--from`);
 * undefined if no such meaning is known.
 */
export function reworded(place: OptionPlace): Reworded | undefined {
  const { argv, known } = place;
  const { at, typed, joined, value, isFilled, instead } = apart(place);
  // For a command that takes rows, any option that names a file of rows is `--input`.
  if (known.includes('--input') && isFilled && namesRows(typed, value))
    return { argv: instead(['--input', value ?? '']), note: `${typed} is read as --input.` };
  // On a single write, a file of rows is not an output format: it calls for bulk.
  if (place.operation?.method === 'POST' && namesRows(typed, value)) return undefined;
  const everything = withoutAllTime(place);
  if (everything) return everything;
  const synonym = synonymOf('option', typed);
  const entry = familyByCommand(place.family?.name ?? '');
  const verb = wordPositions(argv)[1];
  if (synonym?.acts && place.operation?.action === 'list' && entry && actionsOf(entry).includes(synonym.acts) && verb)
    return {
      argv: argv.flatMap((word, index) => (index === at ? [] : [index === verb ? (synonym.acts ?? '') : word])),
      note: `list ${typed} is read as ${synonym.acts}.`,
    };
  const listed = synonym?.field === undefined ? undefined : asListField(place, synonym);
  if (listed) return listed;
  if (!synonym?.same || !synonym.means || at < 0 || !typed.startsWith('--') || !fits(synonym.means, known))
    return place.operation?.list ? asCondition(place) : asField(place);
  const { means } = synonym;
  const rest = argv.slice(at + 1);
  if (!means.includes('{}')) {
    const words = [...means.split(' '), ...(joined === undefined ? [] : [joined])];
    return {
      argv: [...argv.slice(0, at), ...words, ...rest],
      note: `${typed} is read as ${means}.`,
      option: { typed, means },
    };
  }
  // Its meaning uses the value in several places.
  if (value === undefined) return undefined;
  const words = means.split(' ').map((word) => word.replaceAll('{}', () => value));
  const behind = joined === undefined ? rest.slice(1) : rest;
  return { argv: [...argv.slice(0, at), ...words, ...behind], note: `${argv[at]} is read as ${words.join(' ')}.` };
}
