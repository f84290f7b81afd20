import { FAMILY_INDEX } from '../catalogue/index.js';
import { GLOBAL_OPTIONS } from '../command/global-options.js';
import { COMMANDS } from '../commands/index.js';

const WIDTH = 78;

/**
 * Help of the bare program, from the prebuilt index alone. Short first: families and global options by their names,
 * and what to do next at the end, where a small terminal still shows it. `all` says what each is for.
 */
export function rootHelp(all = false): string {
  const lines = [
    'cops runs an online sales business over the Commerce Operations REST API.',
    '',
    'Usage: cops [global options] <family> <action> [<id>...] [options]',
    '       cops <command> [options]',
    '',
    'Commands',
    ...COMMANDS.map(({ name, about }) => row(name, about)),
    '',
    ...(all ? everything() : names()),
    '',
    'Start here',
    row('cops login', 'file a profile with its keys', 44),
    row('cops -p sandbox subscriptions list', 'try it on the service inside cops, no account needed', 44),
    row('cops subscriptions --help', 'the actions of a family', 44),
    row('cops subscriptions cancel --help', 'one action: its fields, risk and an example', 44),
    row('cops subscriptions cancel ID --dry-run', 'the request that would be sent', 44),
    '  cops help dates|filters|output|profiles|live|scripting|quoting|bulk-runs|exports|exit-codes',
    '',
  ];
  return lines.join('\n');
}

function names(): string[] {
  const flags = GLOBAL_OPTIONS.map((option) => option.flags.replace(', ', '|'));
  return [
    'Families (cops --help-all says what each is for)',
    ...wrapped(FAMILY_INDEX.map((entry) => entry.command)),
    '',
    'Global options, anywhere on the line (explained by --help-all)',
    ...wrapped([...flags, '-h|--help', '-V|--version']),
  ];
}

function everything(): string[] {
  return [
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

/** Words in lines of at most `WIDTH` columns. */
function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line.length + 2 + word.length > WIDTH) {
      lines.push(line);
      line = '';
    }
    line += `  ${word}`;
  }
  return [...lines, line];
}
