import type { Command } from 'commander';
import { familyByCommand, findOperation, loadFamily } from '../catalogue/index.js';
import type { Operation } from '../catalogue/types.js';
import type { Job } from '../command/done.js';
import { unknownAction } from '../commands/operation/options.js';
import { usage } from '../errors/errors.js';
import { filterOptions } from '../request/query.js';
import { collect } from './collect.js';

/** An action of a family that is no operation of the service: `check` of a file, `tail` of a list. */
export interface ExtraAction {
  readonly family: string;
  readonly action: 'check' | 'tail';
  /** The action with its positional words. */
  readonly signature: string;
  readonly summary: string;
}

const CHECKED = ['ai_assistants', 'customer_portals', 'functions', 'shipping_profiles', 'subscription_profiles'];
const TAILED = ['api_calls', 'site_events', 'site_logs'];

export const EXTRA_ACTIONS: readonly ExtraAction[] = [
  ...CHECKED.map(
    (family): ExtraAction => ({
      family,
      action: 'check',
      signature: 'check <file>',
      summary: 'Check a file against the schema and the documented rules; nothing is sent',
    }),
  ),
  ...TAILED.map(
    (family): ExtraAction => ({
      family,
      action: 'tail',
      signature: 'tail',
      summary: 'Show new items as they come, until Ctrl-C',
    }),
  ),
];

/** The further action that words name, if they name one. */
export function extraAction(family: string, word: string | undefined): ExtraAction | undefined {
  return EXTRA_ACTIONS.find((extra) => extra.family === family && extra.action === word?.toLowerCase());
}

/** The further actions of a family. */
export function extrasOf(family: string): ExtraAction[] {
  return EXTRA_ACTIONS.filter((extra) => extra.family === family);
}

/**
 * Adds the further action that words name to the program, and tells the words that it goes by.
 * @throws CopsError `usage` when the family has no such action
 */
export async function addExtraOf(
  program: Command,
  words: readonly string[],
  accept: (job: Job) => void,
): Promise<{ readonly command: string; readonly action: string }> {
  const entry = familyByCommand(words[0] ?? '');
  if (!entry) throw usage(`There is no family "${words[0]}".`, 'cops --help lists them all.');
  const extra = extraAction(entry.name, words[1]);
  if (!extra) throw unknownAction(entry, words.slice(1), await loadFamily(entry.name));
  await addExtra(program, extra, accept);
  return { command: entry.command, action: extra.action };
}

/** Help of a further action, from its own definition. */
export async function extraHelp(program: Command, extra: ExtraAction): Promise<string> {
  const leaf = await addExtra(program, extra, () => {});
  return `${leaf.helpInformation()}\n`;
}

/** Adds a further action to the program. */
export async function addExtra(program: Command, extra: ExtraAction, accept: (job: Job) => void): Promise<Command> {
  const top = program.command(extra.family.replaceAll('_', '-'));
  const leaf = top.command(extra.action).description(`${extra.summary}.`);
  if (extra.action === 'check') {
    leaf
      .argument('<file>', 'JSON, or YAML by file ending; - for standard input')
      .option('--edit', 'check the file as the changes of an edit, not as a whole definition')
      .action((file: string, options) => {
        accept(async (context) =>
          (await import('../commands/check-file.js')).checkFile(context, extra.family, file, options),
        );
      });
    return leaf;
  }
  const operation = findOperation(await loadFamily(extra.family), 'list') as Operation;
  const filters = filterOptions(operation);
  leaf
    .option('--interval <seconds>', 'pause between two looks (default 5)')
    .option('--since <span>', 'begin this long ago instead of now: 30m, 1h, 2d');
  for (const { option, field } of filters) {
    const flag = field.type === 'boolean' ? `--${option}` : `--${option} <value>`;
    const text = field.enum?.join(', ') ?? '';
    if (field.many || field.metadata) leaf.option(flag, text, collect);
    else leaf.option(flag, text);
  }
  leaf.action((options: Record<string, unknown>) => {
    const values = Object.fromEntries(
      filters.map(({ option, name }) => [
        name,
        options[option.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())],
      ]),
    ) as Record<string, string | readonly string[] | undefined>;
    accept(async (context) => (await import('../commands/tail.js')).tail(context, extra.family, values, options));
  });
  return leaf;
}
