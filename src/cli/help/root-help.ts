import { GROUPS, groupedFamilies } from '../../catalogue/help-groups.js';
import { FAMILY_INDEX, familyByCommand } from '../../catalogue/index.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';
import { COMMANDS, commandSpec } from '../commands/index.js';
import { allPlugins, type Plugin } from '../plugins/find-plugins.js';

/** Commands by purpose, most used first; a command in no group goes to the last. */
const COMMAND_GROUPS: readonly (readonly [title: string, commands: readonly string[], about: string])[] = [
  ['look-up', ['find', 'why', 'timeline', 'changes', 'open', 'pick'], 'who and what'],
  ['figures', ['report', 'overview', 'export', 'sync', 'sql', 'reconcile'], 'money and files'],
  ['safety', ['bulk', 'history', 'policy', 'team'], 'bulk and limits'],
  ['set-ups', ['setup', 'test', 'sandbox', 'events'], 'test to live'],
  ['accounts', ['login', 'logout', 'whoami', 'profiles', 'mode', 'config', 'alias'], 'keys and modes'],
  ['programs', ['api', 'openapi', 'mcp', 'agent', 'commands', 'completion'], 'scripts and AI'],
  ['more', [], 'help and upkeep'],
];
/** Widths of the titles, of the lines to type and of the names of commands, in columns. */
const LABEL = 14;
const LEFT = 37;
const NAMES = 48;

/**
 * Help of the bare program, from the prebuilt index alone: short enough that a screen of 24 rows also shows the line typed
 * before it and the prompt after it. `all` explains each command, family, action and option.
 */
export function rootHelp(all = false, env: Readonly<Record<string, string | undefined>> = {}): string {
  // A plugin with the name of a command or family is never reached.
  const plugins = allPlugins(env).filter(({ name }) => !commandSpec(name) && !familyByCommand(name));
  const lines = [
    'cops runs an online sales business over the Commerce Operations REST API.',
    row('cops login', 'store a profile with its keys', LEFT),
    row('cops -p sandbox subscriptions list', 'try it here, without an account', LEFT),
    row('cops <family> <action> [<id>...]', 'sales list --last 30d, customers get ID', LEFT),
    row('cops <family> --help', 'its actions; an action has examples too', LEFT),
    row('cops help <group or topic>', 'money, look-up, dates, filters, ...', LEFT),
    ...(all ? everything(plugins) : groups(plugins)),
  ];
  return `${lines.join('\n')}\n`;
}

function groups(plugins: readonly Plugin[]): string[] {
  return [
    '',
    'Families',
    ...GROUPS.map(([title, , about]) => row(title, about, LABEL)),
    'Commands',
    ...groupedCommands().map(([title, commands, about]) =>
      row(title, `${commands.join(' ').padEnd(NAMES)}${about}`, LABEL),
    ),
    ...(plugins.length === 0 ? [] : [row('plugins', plugins.map(({ name }) => name).join('  '), LABEL)]),
    'Options         -p NAME  --live  -o FORMAT  --dry-run  --yes  --help-all',
  ];
}

function groupedCommands(): typeof COMMAND_GROUPS {
  const names = COMMANDS.map(({ name }) => name);
  const placed = new Set(COMMAND_GROUPS.flatMap(([, commands]) => commands));
  return COMMAND_GROUPS.map(([title, commands, about]) => [
    title,
    title === 'more' ? names.filter((name) => !placed.has(name)) : commands.filter((name) => names.includes(name)),
    about,
  ]);
}

/** The purpose of each family or command in a group; undefined for a word that is not a group. */
export function groupText(title: string): string | undefined {
  const families = groupedFamilies(FAMILY_INDEX.map(({ name }) => name)).find(([one]) => one === title);
  if (families) {
    const [, names, about] = families;
    const rows = FAMILY_INDEX.filter(({ name }) => names.includes(name)).sort(
      (a, b) => names.indexOf(a.name) - names.indexOf(b.name),
    );
    return [about, '', ...rows.map(({ command, summary }) => row(command, summary, 34)), ''].join('\n');
  }
  const commands = groupedCommands().find(([one]) => one === title)?.[1];
  if (!commands) return undefined;
  const rows = commands.flatMap((one) => COMMANDS.filter(({ name }) => name === one));
  return `${rows.map(({ name, about }) => row(name, about)).join('\n')}\n`;
}

/** The groups of families and commands that `cops help` accepts. */
export const GROUP_TITLES: readonly string[] = [...GROUPS, ...COMMAND_GROUPS].map(([title]) => title);

const everything = (plugins: readonly Plugin[]): string[] => [
  '',
  'Commands',
  ...COMMANDS.map(({ name, about }) => row(name, about)),
  ...(plugins.length === 0 ? [] : ['', 'Plugins', ...plugins.map(({ name, file }) => row(name, file))]),
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

const row = (name: string, text: string, width = 18): string => `  ${name.padEnd(width)}${text}`.trimEnd();
