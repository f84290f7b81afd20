import { groupedFamilies } from '../../catalogue/help-groups.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';
import { COMMANDS } from '../commands/index.js';

const WIDTH = 79;
/** Most rows of the short form. */
const ROWS = 34;
/** What is typed most. */
const FIRST: readonly string[] = [
  'find',
  'why',
  'timeline',
  'report',
  'export',
  'sync',
  'sql',
  'bulk',
  'history',
  'setup',
];
/** Columns of the titles, and of what to type first. */
const LABEL = 12;
const LEFT = 37;

/**
 * Help of the bare program, from the prebuilt index alone: one screen of 34 rows, families by what people come for.
 * `all` says what each command, family, action and option is for.
 */
export function rootHelp(all = false): string {
  const lines = [
    'cops runs an online sales business over the Commerce Operations REST API.',
    '',
    row('cops login', 'file a profile with its keys', LEFT),
    row('cops -p sandbox subscriptions list', 'try it here, without an account', LEFT),
    row('cops <family> <action> [<id>...]', 'sales list --last 30d, customers get ID', LEFT),
    row('cops <family> --help', 'its actions; an action has examples too', LEFT),
    row('cops help <topic>', 'dates, filters, output, live, help, ...', LEFT),
    ...(all ? everything() : groups()),
  ];
  // A screen that would be longer than it may be gives up its empty rows first.
  const shown = all || lines.length <= ROWS ? lines : lines.filter((line) => line !== '');
  return `${shown.join('\n')}\n`;
}

function groups(): string[] {
  const named = groupedFamilies(FAMILY_INDEX.map((entry) => entry.name));
  const rows = named.flatMap(([title, families]) =>
    labelled(
      title,
      families.map((name) => name.replaceAll('_', '-')),
    ),
  );
  const names = COMMANDS.map(({ name }) => name);
  const commands = labelled('This tool', [...FIRST, ...names.filter((name) => !FIRST.includes(name))]);
  const flags = '-p NAME  --live  -o FORMAT  --query  --dry-run  --yes  --help-all';
  return ['', ...rows, ...commands, '', `${'Options'.padEnd(LABEL)}${flags}`];
}

/** A title with words behind it, in lines of at most `WIDTH` columns. */
function labelled(title: string, words: readonly string[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && LABEL + line.length + 2 + word.length > WIDTH) {
      lines.push(line);
      line = '';
    }
    line += `${line === '' ? '' : '  '}${word}`;
  }
  lines.push(line);
  return lines.map((text, index) => `${(index === 0 ? title : '').padEnd(LABEL)}${text}`);
}

function everything(): string[] {
  return [
    '',
    'Commands',
    ...COMMANDS.map(({ name, about }) => row(name, about)),
    '',
    'Families',
    ...FAMILY_INDEX.flatMap((entry) => [
      row(entry.command, entry.summary, 34),
      ...entry.actions.map((action) => `    ${action.action.padEnd(28)}  ${action.summary}`),
    ]),
    '',
    'Global options',
    ...GLOBAL_OPTIONS.map((option) => row(option.flags, option.about, 28)),
    row('-h, --help', 'help for a family, an action or a command', 28),
    row('-V, --version', 'print the version', 28),
  ];
}

function row(name: string, text: string, width = 18): string {
  return `  ${name.padEnd(width)}${text}`.trimEnd();
}
