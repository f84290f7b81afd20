import { Argument, Command, Option } from 'commander';
import { type Fault, usage } from '../../base/errors/errors.js';
import type { CommandInput, GlobalOptions } from '../../session/context/context.js';
import { GLOBAL_OPTIONS, type GlobalOption } from '../../session/context/global-options.js';
import type { CommandSpec, OptionSpec, SubcommandSpec } from '../../session/context/spec.js';
import { saidBy } from './argv.js';

/** The arguments and options of a command, as the parser reads them. */
export type ParsedInput = CommandInput<Record<string, unknown>>;

/** Fewest columns to which option descriptions are still wrapped, next to long option names. */
const NARROWEST_HELP = 20;

/** A program with only the global options; errors are thrown. */
export function emptyProgram(): Command {
  const program = new Command('cops');
  for (const { flags } of GLOBAL_OPTIONS) program.option(flags);
  program
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false)
    .configureHelp({ minWidthToWrap: NARROWEST_HELP })
    .helpCommand(false)
    .showSuggestionAfterError(true);
  return program;
}

/** Adds a command and its subcommands; `accept` receives what the line gives it. */
export function addCommand(program: Command, spec: CommandSpec, accept: (input: ParsedInput) => void): Command {
  const command = addLeaf(program, { ...spec, about: spec.description }, '', accept);
  if (spec.familyOptions) command.allowUnknownOption();
  if (spec.notes !== undefined) command.addHelpText('after', spec.notes);
  for (const below of spec.commands ?? []) addLeaf(command, below, below.name, accept);
  return command;
}

/** Adds an action of a family, nested under all but the last of its words. */
export function addAction(
  program: Command,
  family: { readonly command: string; readonly about: string },
  action: SubcommandSpec,
  accept: (input: ParsedInput) => void,
): Command {
  const words = action.name.split(' ');
  let parent = program.command(family.command).description(family.about);
  for (const word of words.slice(0, -1)) parent = parent.command(word);
  return addLeaf(parent, { ...action, name: words.at(-1) ?? action.name }, '', accept);
}

function addLeaf(
  parent: Command,
  spec: SubcommandSpec & Pick<CommandSpec, 'commands'>,
  subcommand: string,
  accept: (input: ParsedInput) => void,
): Command {
  const command = parent.command(spec.name).description(spec.about);
  if (spec.usage !== undefined) command.usage(spec.usage);
  if (spec.examples !== undefined)
    command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  cops ${line}`).join('\n')}`);
  const values = (spec.options ?? []).map(told).join('');
  if (values !== '') command.addHelpText('after', values);
  if (spec.lineFollows) command.allowUnknownOption();
  for (const { name, about } of spec.arguments ?? []) command.addArgument(new Argument(name, about));
  for (const option of spec.options ?? []) command.addOption(parserOption(option));
  const isGroup = spec.commands !== undefined && spec.arguments === undefined;
  if (isGroup) return command;
  return command.action(() => {
    accept({ subcommand, words: command.args, options: givenOptions(command), family: '' });
  });
}

/** The meanings of an option's values, where they are known. */
function told({ flags, values }: OptionSpec): string {
  const known = Array.isArray(values) ? values.filter((value) => Array.isArray(value)) : [];
  if (known.length === 0) return '';
  const width = Math.max(...known.map(([value]) => value.length));
  const lines = known.map(([value, about]) => `  ${value.padEnd(width)}  ${about}`);
  return `\n${flags} takes:\n${lines.join('\n')}`;
}

function parserOption({ flags, about, many, required, isHidden, sameAs }: OptionSpec): Option {
  const option = new Option(flags, about).makeOptionMandatory(required === true).hideHelp(isHidden === true);
  if (sameAs !== undefined) option.attributeName = () => sameAs.slice('--'.length);
  return many
    ? option.argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value])
    : option;
}

/** An option that takes one value, and the two that a line gives it; or a pair that contradicts itself. */
export interface SecondValue {
  /** The name at its second value, and at its first. */
  readonly option: string;
  readonly before: string;
  readonly values: readonly [first: string, second: string];
  /** Without a value of its own: `--enabled` after `--no-enabled`. */
  readonly isSwitch: boolean;
}

/**
 * Watches for options given a second, different value, of which the parser would keep the last without a word. The
 * returned list fills while the line is parsed.
 * @param aliased the words an alias gave, which come first: what is typed may replace them
 */
export function secondValues(program: Command, aliased: readonly string[]): readonly SecondValue[] {
  const found: SecondValue[] = [];
  const watch = (command: Command): void => {
    const given = new Map<string, { times: number; value?: string; typed: string }>();
    for (const option of command.options) {
      // It collects its values.
      if (option.parseArg) continue;
      const name = option.attributeName();
      const typed = option.long ?? option.flags;
      const same = aliased.length === 0 ? [] : command.options.filter((one) => one.attributeName() === name);
      const ofAlias = same.reduce((sum, one) => sum + saidBy(aliased, one).length, 0);
      command.on(`option:${option.name()}`, (said?: string | null) => {
        const value = said ?? typed;
        const before = given.get(name) ?? { times: 0, typed };
        const earlier = before.times === ofAlias ? undefined : before.value;
        if (earlier !== undefined && earlier !== value)
          found.push({
            option: typed,
            before: before.typed,
            values: [earlier, value],
            isSwitch: typeof said !== 'string',
          });
        given.set(name, { times: before.times + 1, value, typed });
      });
    }
    command.commands.forEach(watch);
  };
  watch(program);
  return found;
}

/**
 * Only options on the line: a doubled pair (`--enabled`, `--no-enabled`) defaults to true in the parser. If the parent
 * command has the same option, the parent takes it, wherever it is on the line.
 */
function givenOptions(command: Command): Record<string, unknown> {
  const above = command.parent?.parent ? command.parent : undefined;
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(command.opts())) given[name] = undefined;
  for (const option of command.options) given[option.attributeName()] = undefined;
  for (const name of Object.keys(given)) {
    const from = [command, above].find((one) => one?.getOptionValueSource(name) === 'cli');
    if (from) given[name] = from.getOptionValue(name);
    else delete given[name];
  }
  return given;
}

/**
 * The global options of a line, checked; throws one usage error that names every fault.
 * @param raw their values as the parser gives them
 */
export function globalOptions(raw: Readonly<Record<string, unknown>>): GlobalOptions {
  const faults: Fault[] = [];
  const { live, test, columns, ...read } = Object.fromEntries(
    GLOBAL_OPTIONS.map((option) => checkedValue(option, raw, faults)),
  );
  if (live && test) faults.push({ path: '--live', message: 'cannot be combined with --test' });
  const options = {
    ...read,
    mode: live ? 'live' : test ? 'test' : undefined,
    columns: (columns as string | undefined)
      ?.split(',')
      .map((column) => column.trim())
      .filter((column) => column !== ''),
    dryRun: read.dryRun || read.curl,
  } as GlobalOptions;
  const other = ['output', 'columns', 'query', 'raw'].find((name) => raw[name] !== undefined && raw[name] !== false);
  if (options.template !== undefined && other !== undefined)
    faults.push({ path: '--template', message: `cannot be combined with --${other}` });
  if (options.columns?.length === 0) faults.push({ path: '--columns', message: 'names no column' });
  if (faults.length === 1 && faults[0]) throw usage(`${faults[0].path}: ${faults[0].message}.`);
  if (faults.length > 1) throw usage('Several global options are invalid.', undefined, faults);
  return options;
}

/** The name and the checked value of a global option. */
function checkedValue(
  option: GlobalOption,
  raw: Readonly<Record<string, unknown>>,
  faults: Fault[],
): [string, unknown] {
  const { flags, number } = option;
  const parsed = new Option(flags);
  const name = parsed.attributeName();
  const given = raw[name];
  if (!flags.includes('<')) return [name, parsed.negate ? given !== false : given === true];
  if (typeof given !== 'string') return [name, number?.usual];
  const message = faultOf(given, option);
  if (message !== undefined) faults.push({ path: parsed.long ?? flags, message });
  return [name, number ? Number(given) : given];
}

function faultOf(given: string, { number, choices }: GlobalOption): string | undefined {
  if (choices && !choices.includes(given)) return `is ${choices.join(' or ')}`;
  if (!number) return undefined;
  const value = Number(given);
  const { low, high, whole } = number;
  const fine = /^\d+(\.\d+)?$/.test(given) && value >= low && value <= high && (!whole || Number.isInteger(value));
  return fine ? undefined : `"${given}" is not a ${whole ? 'whole ' : ''}number from ${low} to ${high}`;
}
