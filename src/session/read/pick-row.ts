import { usage } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import type { Item } from '../../items/json/item-json.js';
import { hideCards } from '../../items/secrets/redact.js';
import { rowLines } from '../../screen/row-lines.js';
import { accountLine, PLAIN } from '../../screen/style.js';
import type { Result } from '../../screen/types.js';
import type { Context, Done, PickedLine } from '../context/context.js';
import { DEFAULTS } from '../context/spec.js';
import type { OperationInput } from '../operation/spec.js';

/** Options of a list whose rows are not items to choose from. */
const NO_ITEMS = { count: '--count', groupBy: '--group-by', having: '--having', sum: '--sum' } as const;

/** Asks for one of several rows and returns its value; `of` says what they are. */
export type AskRow = (of: string, choices: readonly PickedLine[]) => Promise<string>;

/**
 * The one who asks for a row, before anything is read.
 * @param instead what to do where nobody sits at a terminal
 * @throws CopsError usage (2) there, and for a choice of nothing
 */
export async function openPicking(context: Context, instead: Text): Promise<AskRow> {
  const prompter = await context.prompter();
  if (!prompter.canPrompt())
    throw usage(
      `cops ${context.command} needs a person at a terminal: standard input and standard error must be terminals, without --no-input and CI.`,
      instead,
    );
  return async (of, choices) => {
    context.notes.progressDone();
    if (choices.length === 0) throw usage('There is nothing to choose from.');
    const whose = accountLine((await context.profile()).account, PLAIN);
    const chosen = await prompter.pick(`Which one? (${[of, whose].filter(Boolean).join('; ')})`, choices);
    if (chosen === undefined) throw usage('None was chosen.');
    return chosen;
  };
}

/** Lets a person choose one row of a list; returns its id. */
export async function pickRow(
  context: Context,
  input: OperationInput,
  list: (asked: OperationInput) => Promise<Done>,
): Promise<string> {
  const { family, operation, options, words } = input;
  const name = family.name.replaceAll('_', '-');
  const ask = await openPicking(
    context,
    say`In a script ${cops`${name} ${operation.action.split(' ')} ${words} -o ids`} gives the ids; --where narrows them.`,
  );
  for (const [option, flag] of Object.entries(NO_ITEMS))
    if (options[option] !== undefined) throw usage(`${flag} shows no items to choose from: leave it out.`);
  const isCut = options.limit === undefined && options.all !== true && options.page === undefined;
  const limit = isCut ? { limit: String(DEFAULTS.terminalItems) } : {};
  const done = await list({ ...input, options: { ...options, ...limit, pick: undefined } });
  const choices = await choicesOf(context, done.result);
  context.notes.progressDone();
  const fault = await done.finish?.();
  // A person who chooses sees what is there: reports an incomplete list, but does not refuse.
  if (fault) context.notes.warn(fault.message);
  return ask(name, choices);
}

async function choicesOf(context: Context, result: Result): Promise<readonly PickedLine[]> {
  if (result.shape !== 'list') throw usage('There is nothing to choose from.');
  const items: Item[] = [];
  for await (const item of result.items) items.push(item);
  const known = [...result.columns, ...(result.asked ?? [])];
  const columns = context.options.columns?.map((typed) => {
    const path = result.fieldCalled?.(typed) ?? typed;
    return known.find((column) => column.path === path || column.title === path) ?? { path };
  });
  const own = known.filter(({ path }) => path !== result.idField);
  const { tz } = await context.settings();
  const lines = await rowLines(items, [{ path: result.idField }, ...(columns ?? own)], tz);
  return lines.map((line, at) => ({ value: String(items[at]?.field(result.idField)), name: hideCards(line) }));
}
