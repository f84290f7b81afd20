import { usage } from '../../base/errors/errors.js';
import type { World } from '../../base/world.js';
import { singularOf } from '../../catalogue/conventions.js';
import { examplesOf } from '../../catalogue/examples.js';
import {
  FAMILY_INDEX,
  familyByCommand,
  filterOptions,
  loadFamily,
  operationMeant,
  pathParameters,
} from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { bodyRemark, describeFields } from '../../items/checks/describe-fault.js';
import { typedOptions } from '../../service/request/operation-options.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';
import type { SubcommandSpec } from '../../session/context/spec.js';
import { manyIds, operationOptions, ownFilterSpecs } from '../../session/operation/spec.js';
import { familyAction, familyActions } from '../actions/index.js';
import { dashed, wordPositions } from '../parser/argv.js';
import type { Plugin } from '../plugins/find-plugins.js';

const FIELDS_SHOWN_FIRST = 12;

/** The help the words ask for: the program's, a topic's, a command's, a family's or an action's. */
export async function helpText(
  words: readonly string[],
  all: boolean,
  topicFirst = false,
  env: World['env'] = {},
): Promise<string> {
  const [head] = words;
  if (head === undefined) {
    const { rootHelp } = await import('./root-help.js');
    return rootHelp(all, env);
  }
  const entry = familyByCommand(head);
  if (entry) {
    const family = await loadFamily(entry.name);
    if (words.length === 1) return familyHelp(family, all);
    const further = familyAction(entry.name, words[1]);
    if (further) return (await import('./command-help.js')).familyActionHelp(entry.name, further);
    const meant = await operationMeant(words);
    if (meant) return operationHelp(family, meant.operation, all);
    const group = groupHelp(family, words.slice(1));
    if (group) return group;
    const { answerWrongLine } = await import('../guess/wrong-line.js');
    throw (await answerWrongLine({ failed: 'words', argv: words, entry, family, isHelp: true })).refusal;
  }
  const { COMMANDS, commandSpec } = await import('../commands/index.js');
  const spec = commandSpec(dashed(head));
  if (topicFirst && spec && words.length === 1) {
    const text = (await import('./help-topics.js')).topic(spec.name);
    if (text) return `${text}\nIts commands and options: cops ${spec.name} --help\n`;
  }
  if (spec && spec.name !== 'help') return (await import('./command-help.js')).commandHelp(spec, words.slice(1));
  const { topic, topicAbout, topicList, TOPICS } = await import('./help-topics.js');
  const { groupText, GROUP_TITLES } = await import('./root-help.js');
  if (spec || /^topics?$/.test(dashed(head))) return topicList(GROUP_TITLES);
  const text = topic(dashed(head)) ?? groupText(dashed(head)) ?? optionText(dashed(head));
  if (text) return text;
  const names = [
    ...COMMANDS.map((command) => command.name),
    ...FAMILY_INDEX.map((f) => f.command),
    ...Object.keys(TOPICS),
    ...GROUP_TITLES,
  ];
  const options = GLOBAL_OPTIONS.flatMap(({ flags }) => /--([\w-]+)/.exec(flags)?.[1] ?? []);
  const { synonymOf } = await import('../../catalogue/synonyms.js');
  const option = synonymOf('command', head) ? undefined : synonymOf('option', singularOf(dashed(head)))?.means;
  const typed = [words.join(''), head, option ?? ''].map(inOneWord);
  const same = [...names, ...options].find((name) => name !== head && typed.includes(inOneWord(name)));
  if (same !== undefined) return helpText([same], all, true, env);
  const one = [head.replace(/s$/, ''), head.replace(/es$/, '')].find((word) => commandSpec(dashed(word)));
  if (one !== undefined) return helpText([one], all, topicFirst, env);
  const subject = topicAbout([dashed(head), ...(synonymOf('command', head)?.words ?? [])]);
  if (subject !== undefined) return subject;
  const { answerWrongLine } = await import('../guess/wrong-line.js');
  const { word, hint } = await answerWrongLine({ failed: 'topic', word: head, names });
  const near = word === undefined ? '' : `Did you mean "cops help ${word}"?`;
  throw usage(
    `There is no help for "${head}".`,
    [near, hint].filter(Boolean).join(' ') ||
      helpOnAction(dashed(head)) ||
      `Topics: ${Object.keys(TOPICS).join(', ')}. Groups: ${GROUP_TITLES.join(', ')}.`,
  );
}

/** A word without hyphens, underscores or spaces, so that `look-up`, `look up` and `lookup` are the same. */
const inOneWord = (word: string): string => word.toLowerCase().replaceAll(/[\s_-]/g, '');

/** The help of an option that every command takes. */
function optionText(word: string): string | undefined {
  const option = GLOBAL_OPTIONS.find(({ flags }) => flags.split(/[ ,]+/).includes(`--${word}`));
  return option && `Any command takes it\n\n${row(option.flags, option.about, option.flags.length)}\n`;
}

/** Says where to find help on an action that several families share; empty if the word is not an action. */
function helpOnAction(word: string): string {
  const having = FAMILY_INDEX.filter(({ actions }) => actions.some(({ action }) => action === word));
  if (having.length === 0 || having.length > MOST_FAMILIES) return '';
  return `It is an action: ${having.map(({ command }) => `cops ${command} ${word} --help`).join(', ')}`;
}

/** The most families to list for one action. */
const MOST_FAMILIES = 8;

/** Help of a family: its actions. */
export function familyHelp(family: Family, all: boolean): string {
  const command = family.name.replaceAll('_', '-');
  // Ids are omitted here: one screen of 80 columns holds the actions of any family.
  const rows = [
    ...family.operations.map((one) => [withoutIds(one), one.summary] as const),
    ...familyActions(family.name).map((one) => [wholeName(one), one.about] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length), 10);
  const lines = [
    `${family.summary}`,
    '',
    `Usage: cops ${command} <action> [<id>...] [options]`,
    '',
    'Actions',
    ...rows.map(([name, text]) => row(name, text, width)),
    '',
  ];
  if (all) lines.push(...family.operations.flatMap((operation) => [operationHelp(family, operation, true), '']));
  else lines.push(`Fields and examples of one: cops ${command} ${family.operations[0]?.action ?? 'list'} --help`, '');
  return lines.join('\n');
}

function groupHelp(family: Family, words: readonly string[]): string | undefined {
  const start = `${words.map(dashed).join(' ')} `;
  const operations = family.operations.filter((operation) => operation.action.startsWith(start));
  if (operations.length === 0) return undefined;
  const command = family.name.replaceAll('_', '-');
  const width = Math.max(...operations.map((operation) => withoutIds(operation).length));
  return [
    `Usage: cops ${command} ${start}<action> [<id>...] [options]`,
    '',
    'Actions',
    ...operations.map((operation) => row(withoutIds(operation), operation.summary, width)),
    '',
  ].join('\n');
}

/** An action with its positional words except ids. */
const withoutIds = (operation: Operation): string =>
  signature(operation)
    .replaceAll(/ <\w*_id>(\.\.\.)?/g, '')
    .trimEnd();

/** A command with its positional words: `check <file>`. */
export const wholeName = (spec: SubcommandSpec): string =>
  [spec.name, ...(spec.arguments ?? []).map((argument) => argument.name)].join(' ');

/** An action with its positional words: `payment-methods set-default <customer_id> <payment_method_id>`. */
export function signature(operation: Operation): string {
  const ids = pathParameters(operation).map((name) => `<${name}>`);
  const several = operation.list === undefined && ids.length === 1 ? ['...'] : [];
  const text = [
    ...Object.entries(operation.query ?? {})
      .filter(([, field]) => field.positional)
      .map(([name]) => `<${name === 'search_term' ? 'term' : name}>`),
    ...(operation.positionalBody === undefined ? [] : [`<${operation.positionalBody} | @file | ->`]),
  ];
  return [operation.action, `${ids.join(' ')}${several.join('')}`, ...text].filter((part) => part !== '').join(' ');
}

const RISKS: Readonly<Record<Operation['risk'], string>> = {
  read: 'reads only',
  write: 'creates or changes something; no money moves',
  money: 'moves money, or changes future charges; asks first in live mode',
  irreversible: 'cannot be undone; in live mode you must type the id',
};

/** Everything about one operation: purpose, arguments, fields, risk, permission, rules, example. */
export function operationHelp(family: Family, operation: Operation, all: boolean): string {
  const command = `cops ${family.name.replaceAll('_', '-')} ${signature(operation)}`;
  const lines = [operation.summary, '', `Usage: ${command} [options]`, ''];
  lines.push('Examples', ...examplesOf(family, operation).map((line) => `  cops ${line}`), '');
  if (manyIds(operation)) lines.push('Several ids, or - to read them from standard input, make one bulk run.', '');
  lines.push(...filterRows(operation), ...ownFilterRows(family, operation), ...fieldRows(operation, all));
  const own = operationOptions(family, operation).map((option) => ({ flags: option.flags, text: option.about }));
  if (own.length > 0) lines.push('Options', ...own.map((option) => row(option.flags, option.text)), '');
  lines.push('Facts');
  lines.push(row('request', `${operation.method} ${operation.path}`));
  lines.push(row('risk', `${operation.risk}: ${RISKS[operation.risk]}`));
  if (operation.permission) lines.push(row('permission', operation.permission));
  if (operation.list?.spanDays)
    lines.push(row('window', `at most ${operation.list.spanDays} days; longer ranges are cut`));
  lines.push(row('evidence', evidence(operation)), '');
  if (operation.rules.length > 0) lines.push('Rules', ...operation.rules.map((rule) => hung('  - ', rule)), '');
  if (all) lines.push('Global options', ...GLOBAL_OPTIONS.map((option) => row(option.flags, option.about)), '');
  else lines.push('Global options and every field: --help-all', '');
  return lines.join('\n');
}

/** Filters the service does not have: cops reads all items of the range for them. */
function ownFilterRows(family: Family, operation: Operation): string[] {
  const filters = ownFilterSpecs(family, operation);
  if (filters.length === 0) return [];
  return [
    'Filtered here, after reading (the service has no such filter)',
    ...filters.map(({ flags, about }) =>
      row(flags, about.replace('; filtered here, after reading', '; repeat for more')),
    ),
    '',
  ];
}

function filterRows(operation: Operation): string[] {
  const filters = filterOptions(operation);
  if (filters.length === 0) return [];
  return [
    'Filters of the service',
    ...filters.map(({ option, field }) => {
      const value = field.metadata
        ? '<name[=value]>'
        : field.format === 'id'
          ? '<id>'
          : field.type === 'boolean'
            ? ''
            : '<value>';
      const notes = [
        field.many || field.metadata ? 'repeat for more' : 'one value',
        field.enum?.join(', '),
        field.note,
      ];
      return row(`--${option} ${value}`.trim(), notes.filter(Boolean).join('; '));
    }),
    '',
  ];
}

function fieldRows(operation: Operation, all: boolean): string[] {
  if (operation.method !== 'POST') return [];
  const rows = describeFields(operation);
  const remark = bodyRemark(operation);
  if (rows.length === 0) return remark ? ['Body', `  ${remark}`, ''] : [];
  const shown = all ? rows : rows.slice(0, FIELDS_SHOWN_FIRST);
  const options = new Map(typedOptions(operation).map((option) => [option.field, option.flag]));
  const lines = [`Body fields (-d path=value${options.size > 0 ? ', or the option in brackets' : ''})`];
  const nameOf = (path: string): string => (options.has(path) ? `${path} (--${options.get(path)})` : path);
  const width = Math.min(46, Math.max(30, ...shown.map((field) => nameOf(field.path).length)));
  for (const field of shown) {
    const facts = [
      field.required ? 'required' : '',
      field.limits,
      field.values.length > 0 ? field.values.join(' | ') : '',
      field.note,
    ];
    lines.push(row(nameOf(field.path), [field.type, ...facts].filter((fact) => fact !== '').join('; '), width));
  }
  if (shown.length < rows.length)
    lines.push(`  ... ${rows.length - shown.length} more: --help-all, or --skeleton for a template`);
  if (remark) lines.push(`  ${remark}`);
  return [...lines, ''];
}

function evidence(operation: Operation): string {
  if (operation.evidence === 'spec') return 'the service description shows it';
  if (operation.evidence === 'published') return 'a published page shows it';
  return 'from the naming convention only: details may differ';
}

const row = (name: string, text: string, width = 30): string => hung(`  ${name.padEnd(width)}  `, text).trimEnd();

/** Width of a help page, columns. */
const PAGE = 80;

/** Text after a label, wrapped to the page with a hanging indent. */
function hung(before: string, text: string): string {
  const indent = Math.min(before.length, PAGE / 2);
  const lines: string[] = [];
  let line = before;
  let isFresh = true;
  for (const word of text.split(' ')) {
    if (!isFresh && line.length + 1 + word.length > PAGE) {
      lines.push(line);
      line = ' '.repeat(indent);
      isFresh = true;
    }
    line += isFresh ? word : ` ${word}`;
    isFresh = false;
  }
  return [...lines, line].join('\n');
}

/** A family's line loads no command. */
async function isKnown(word: string): Promise<boolean> {
  if (word === 'help' || familyByCommand(word)) return true;
  return (await import('../commands/index.js')).commandSpec(dashed(word)) !== undefined;
}

const pluginOf = async (name: string, env: World['env']): Promise<Plugin | undefined> =>
  (await import('../plugins/find-plugins.js')).findPlugin(name, env);

/** The help (or version) text a line asks for; undefined when it asks for none. */
export async function helpAsked(
  argv: readonly string[],
  world: Pick<World, 'env' | 'cwd' | 'version'>,
): Promise<string | undefined> {
  const end = argv.indexOf('--');
  const before = end < 0 ? argv : argv.slice(0, end);
  const positions = wordPositions(before);
  const words = positions.map((at) => before[at] ?? '');
  // A plugin handles help itself, from the words after its name.
  const plugin = words[0] === undefined || (await isKnown(words[0])) ? undefined : await pluginOf(words[0], world.env);
  if (plugin) return undefined;
  if (before.includes('--version') || before.includes('-V')) return `${world.version}\n`;
  const all = before.includes('--help-all');
  const asked = all || before.includes('--help') || before.includes('-h');
  if (!asked && words[0] !== 'help') return undefined;
  const about = words[0] === 'help' ? words.slice(1) : words;
  try {
    return await helpText(about, all, words[0] === 'help', world.env);
  } catch (error) {
    // A description pulled from the service may have operations that the catalogue lacks.
    const { pulledPart } = await import('../program/pulled.js');
    const entry = familyByCommand(about[0] ?? '');
    const family = entry ? await loadFamily(entry.name) : undefined;
    const found = pulledPart({ argv, env: world.env, cwd: world.cwd }, about, family);
    if (found?.operation) return operationHelp(found.family, found.operation, all);
    if (found && about.length === 1) return familyHelp(found.family, all);
    const named = await pluginOf(about[0] ?? '', world.env);
    if (named) return `cops ${named.name} is a plugin: ${named.file}\nIts own help: cops ${named.name} --help\n`;
    throw error;
  }
}

const USUAL_COLUMNS = 80;

/** Help at the width of a terminal: paragraphs reflowed, rows of two columns wrapped within the second. */
export async function fittedHelp(text: string, world: Pick<World, 'stdout'>): Promise<string> {
  const lines = text.split('\n');
  const isWider = (columns: number) => lines.some(({ length }) => length > columns);
  // Opening standard output takes longer than most help.
  if (!isWider(USUAL_COLUMNS) || world.stdout.isTTY !== true || !isWider(world.stdout.columns)) return text;
  const { columns } = world.stdout;
  const { wrapProse, wrapWords } = await import('../../items/text/width.js');
  const fitted = (line: string): string => {
    if (line.startsWith('Usage:')) return line;
    const [row, first = '', gap = '', rest = ''] = /^( *\S.*?)( {2,})(\S.*)$/.exec(line) ?? [];
    if (line.length <= columns || row === undefined) return wrapProse(line, columns);
    const at = first.length + gap.length;
    const isRow = at <= columns / 2;
    const indent = ' '.repeat(isRow ? at : 6);
    const parts = wrapWords(rest, columns - indent.length, { width: (part) => part.length });
    return (isRow ? first + gap : `${wrapProse(first, columns)}\n${indent}`) + parts.join(`\n${indent}`);
  };
  const paragraphs = text.replace(/^(\S.*)\n(?=\S)/gm, (whole, line: string) =>
    / {2}/.test(line) ? whole : `${line} `,
  );
  return paragraphs.split('\n').map(fitted).join('\n');
}
