import { FAMILY_INDEX } from '../catalogue/index.js';
import { BUILTINS } from './builtins.js';
import { GLOBAL_OPTIONS } from './globals.js';

/** Help of the bare program: short, from the prebuilt index alone. `all` adds every family's actions. */
export function rootHelp(all = false): string {
  const lines = [
    'cops runs an online sales business over the Commerce Operations REST API.',
    '',
    'Usage: cops [global options] <family> <action> [<id>...] [options]',
    '       cops <command> [options]',
    '',
    'Start here',
    '  cops login                           file a profile with its keys',
    '  cops -p sandbox subscriptions list   try it on the embedded service, no account needed',
    '  cops help dates|filters|output|profiles|live|scripting|quoting|bulk-runs|exports|exit-codes',
    '',
    'Commands',
    ...BUILTINS.filter((entry) => !entry.hidden).map((entry) => row(entry.name, entry.summary)),
    '',
    'Families',
    ...FAMILY_INDEX.flatMap((entry) => [
      row(entry.command, entry.summary),
      ...(all ? entry.actions.map((action) => `    ${action.action.padEnd(28)}  ${action.summary}`) : []),
    ]),
    '',
    'Global options',
    ...GLOBAL_OPTIONS.map((option) => row(option.flags, option.description, 26)),
    row('-h, --help', 'help for a family, an action or a command', 26),
    row('-V, --version', 'print the version', 26),
    '',
    'Examples',
    '  cops subscriptions list --last 200d',
    '  cops subscriptions cancel SUBSCRIPTION_ID --dry-run',
    '  cops export subscription-renewals --from 2026-01-01 --to 2026-06-30 --out renewals.jsonl',
    '',
  ];
  return `${lines.join('\n')}`;
}

function row(name: string, text: string, width = 32): string {
  return `  ${name.padEnd(width)}  ${text}`;
}
