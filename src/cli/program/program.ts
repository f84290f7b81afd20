import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { configFolder } from '../../account/profiles/glance.js';
import { asTyped, CopsError, usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { cops, copsLine, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import type { World } from '../../base/world.js';
import { familyByCommand, loadFamily, operationMeant } from '../../catalogue/index.js';
import type { FamilyOperation, Operation } from '../../catalogue/types.js';
import type { Context, Job } from '../../session/context/context.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';
import { lineWithout } from '../../session/context/lines.js';
import { dryRunOf, noCurl, noDryRun } from '../../session/context/run.js';
import type { CommandSpec, FamilyActionSpec } from '../../session/context/spec.js';
import { type OperationInput, operationInput, operationSpec, wordTooMany } from '../../session/operation/spec.js';
import type { WrongLine, WrongLineAnswer } from '../guess/wrong-line.js';
import { dashed, type Reworded, takesWord, withDashedLast, wordPositions } from '../parser/argv.js';
import {
  addAction,
  addCommand,
  emptyProgram,
  globalOptions,
  type ParsedInput,
  secondValues,
} from '../parser/parser.js';
import type { Plugin } from '../plugins/find-plugins.js';
import type { Failure } from './report.js';
import type { Judge } from './shown-text.js';

/**
 * Parses a line, runs it, and returns the exit code. Every error ends here.
 * @param aliased the words of the line that an alias gave
 */
export async function runProgram(world: World, aliased: readonly string[] = []): Promise<number> {
  let failure: Partial<Failure> = {};
  try {
    const parsed = await parseLine(world, world.argv, aliased);
    const options = globalOptions(parsed.globals);
    failure = { ...failure, jsonWanted: options.output };
    const { execute } = await import('./execute.js');
    const learn = (facts: Partial<Failure>) => {
      failure = { ...failure, ...facts };
    };
    return await execute(world, options, parsed.job, parsed.command, learn, runProgram, judgeOf(world));
  } catch (error) {
    const { reportFailure } = await import('./report.js');
    return reportFailure(world, error, failure, judgeOf(world));
  }
}

/** Checks a proposed line with the parser that would read it. */
function judgeOf(world: World): Judge {
  return async (line) =>
    (await import('./proposal-fault.js')).proposalFault(line, (words) => parseLine(world, words), world);
}

interface ParsedLine {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly job: Job;
  /** The command as words: `subscriptions cancel`. */
  readonly command: string;
  /** The first word the operation does not take. */
  readonly tooMany?: string | undefined;
  /** What was typed for an operation. */
  readonly input?: OperationInput | undefined;
}

async function parseLine(world: World, typed: readonly string[], aliased: readonly string[] = []): Promise<ParsedLine> {
  const argv = withDescending(withDashedLast(typed));
  const positions = wordPositions(argv);
  const words = positions.map((at) => argv[at] ?? '');
  const [head] = words;
  const program = emptyProgram();
  let job: Job | undefined;
  let tooMany: string | undefined;
  let typedInput: OperationInput | undefined;
  const accept = (made: Job, input?: OperationInput): void => {
    job = made;
    tooMany = input && wordTooMany(input.operation, input.words);
    typedInput = input;
  };
  const line: Line = { program, aliased, argv, positions, words, accept };
  if (head === undefined) {
    await parse({ ...line, words: [] });
    throw usage('A family or a command is missing.', say`Try: ${cops`--help`}`);
  }
  const listed = dashed(head) === 'report' ? (await answered({ failed: 'report', argv })).meant : undefined;
  if (listed) return readAgain(world, listed, aliased);
  const command = (await addCommandOf(line)) ?? (await addFamilyActionOf(line)) ?? (await addOperationOf(line, world));
  if (typeof command !== 'string') return readAgain(world, command, aliased);
  const again = await parse(line);
  if (again) return readAgain(world, again, aliased);
  if (!job) throw usage(`cops ${head}: an action is missing.`, say`Try: ${cops`${head} --help`}`);
  return { globals: program.opts(), job, command, tooMany, input: typedInput };
}

async function readAgain(
  typed: World,
  { argv, note, option }: Reworded,
  aliased: readonly string[],
): Promise<ParsedLine> {
  if (argv.includes('--version')) return versionLine(typed);
  const { job: meant, ...line } = await parseLine(typed, argv, aliased).catch((error: unknown) => {
    const { option: twice, hint } = error instanceof CopsError ? error.facts : {};
    const isOther = option !== undefined && twice?.name === option.means;
    throw isOther ? usage(`${option.typed} is another spelling of ${twice.name}: ${twice.says}`, hint) : error;
  });
  const job: Job = async (context) => {
    context.notes.note(note);
    if (option === undefined) {
      // Lines that are proposed go by what was read, where other words than an option's were changed.
      const world = { value: Object.create(context.world, { argv: { value: argv } }) };
      return meant(Object.create(context, isSameWords(typed.argv, argv) ? {} : { world }));
    }
    return meant(context).catch((error: unknown) => {
      throw asTyped(error, option.typed, option.means);
    });
  };
  return { ...line, job };
}

/** True if every word of a line that is no option stands in another one. */
const isSameWords = (typed: readonly string[], read: readonly string[]): boolean =>
  wordPositions(typed).every((at) => typed[at - 1]?.startsWith('-') || read.includes(typed[at] ?? ''));

function versionLine({ version }: World): ParsedLine {
  const job: Job = () => Promise.resolve({ result: { shape: 'text', text: `${version}\n` } });
  return { globals: {}, job, command: 'version' };
}

/** Joins `--sort -price` into one word: the parser takes `-price` for `-p rice`. */
function withDescending(typed: readonly string[]): string[] {
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  return typed.flatMap((word, at): string[] => {
    const isNames = at < end && /^-[A-Za-z][\w.]/.test(word);
    if (isNames && typed[at - 1] === '--sort') return [];
    const next = typed[at + 1] ?? '';
    return word === '--sort' && at + 1 < end && /^-[A-Za-z][\w.]/.test(next) ? [`--sort=${next}`] : [word];
  });
}

/** A line on its way into the parser. */
interface Line {
  readonly program: Command;
  /** The words that an alias gave. */
  readonly aliased: readonly string[];
  readonly argv: string[];
  /** Positions of the words that are neither an option nor an option's value. */
  readonly positions: readonly number[];
  readonly words: readonly string[];
  /** Receives what the line asks for, once parsed. */
  readonly accept: (job: Job, input?: OperationInput) => void;
}

/** Adds the non-family command that the first word names, and returns the line's command as words. */
async function addCommandOf(line: Line): Promise<string | undefined> {
  const [head = '', second] = line.words;
  if (familyByCommand(head)) return undefined;
  const { commandSpec } = await import('../commands/index.js');
  const spec = commandSpec(dashed(head));
  if (!spec) return undefined;
  if (spec.familyOptions === 'parsed' && second !== undefined) {
    const { family, below } = await (await import('./listed-family.js')).listedFamily(spec.name, second);
    rewrite(line, [spec.name, below.name]);
    addAction(line.program, { ...spec, command: spec.name }, below, (input) =>
      line.accept(jobOf(spec, { ...input, family })),
    );
    return `${spec.name} ${below.name}`;
  }
  rewrite(line, [spec.name]);
  addCommand(line.program, spec, (input) => line.accept(jobOf(spec, input)));
  return second === undefined ? head : `${head} ${second}`;
}

/** Adds the family action that is not an operation of the service, where the words name one. */
async function addFamilyActionOf(line: Line): Promise<string | undefined> {
  const [head = '', second] = line.words;
  const entry = familyByCommand(head);
  // An action of the family itself needs no look at the others.
  if (!entry || second === undefined || entry.actions.some(({ action }) => action.split(' ')[0] === second))
    return undefined;
  const { familyAction } = await import('../actions/index.js');
  const spec = familyAction(entry.name, second);
  if (!spec) return undefined;
  const { withFilters } = await import('../help/command-help.js');
  const whole = await withFilters(entry.name, spec);
  rewrite(line, [entry.command, spec.name]);
  const family = { command: entry.command, about: entry.summary };
  addAction(line.program, family, whole, (input) => line.accept(jobOf(spec, { ...input, family: entry.name })));
  return `${entry.command} ${spec.name}`;
}

async function addOperationOf(line: Line, world: World): Promise<string | Reworded> {
  const found = await operationOf(line, world);
  if ('note' in found) return found;
  if ('file' in found) return addPlugin(line, found);
  const { family, operation, known } = found;
  const command = family.name.replaceAll('_', '-');
  rewrite(line, [command, ...operation.action.split(' ')]);
  addAction(line.program, { command, about: family.summary }, operationSpec(family, operation), (input) => {
    const typed = operationInput(family, operation, input);
    line.accept(async (context) => {
      const { runOperation } = await import('../operation/run-operation.js');
      return runOperation(context, typed, known ? operation.risk : 'unknown');
    }, typed);
  });
  return `${command} ${operation.action}`;
}

/** Adds a program found on the PATH; the words after its name belong to it. */
function addPlugin({ program, argv, positions, accept }: Line, plugin: Plugin): string {
  const { name } = plugin;
  const words = argv.splice((positions[0] ?? 0) + 1);
  addCommand(program, { name, place: 0, about: '', description: '' }, () =>
    accept(async (context) => (await import('../plugins/run-plugin.js')).runPlugin(context, plugin, words)),
  );
  return name;
}

function jobOf(spec: CommandSpec | FamilyActionSpec, input: ParsedInput): Job {
  const { name } = spec;
  return async (context) => {
    const below = input.subcommand || (input.words[0] ?? '');
    if (context.world.confined?.allows(name, below) === false)
      throw usage(`cops ${name} ${below} cannot run in a scenario.`);
    const showsReads = context.options.curl && spec.curl === 'reads';
    if (context.options.curl && spec.noCurl !== undefined) throw noCurl(context.command, spec.noCurl);
    if (context.options.dryRun && !showsReads && dryRunOf(spec, input.subcommand) === undefined)
      throw noDryRun(context.command);
    if (spec.curl !== 'reads' && dryRunOf(spec, input.subcommand) !== 'reads')
      await refuseTypedCard(context, `${name} ${input.subcommand}`.trim(), /\| -\]/.test(spec.usage ?? ''));
    const { RUNS } = await import('./runs.generated.js');
    const load = RUNS[name];
    if (!load) throw new Error(`nothing runs ${name}`);
    const { run } = await load();
    if (!showsReads) return run(context, input);
    const { readsAsCurl } = await import('../../session/read/reads-as-curl.js');
    return readsAsCurl(context, (reading) => run(reading, input));
  };
}

/** Refuses a line with a card number for a command that may keep its words. @throws CopsError usage (2) */
async function refuseTypedCard({ world: { argv } }: Context, command: string, takesInput: boolean): Promise<void> {
  const { hideCards } = await import('../../items/secrets/redact.js');
  const word = argv.find((one) => hideCards(one) !== one);
  if (word === undefined) return;
  throw usage(
    `The line contains a number that is valid as a card number (${hideCards(word)}), and cops ${command} may store it: nothing was sent or stored.`,
    say`Use its last four digits; a card to charge comes from a file, standard input or a masked prompt.${takesInput && say` A number that only looks like one, such as an order number, is taken in the same words on standard input: ${cops`${command} -`}`}`,
  );
}

interface FoundOperation extends FamilyOperation {
  /** False for an operation known only from a pulled description. */
  readonly known: boolean;
}

/** The operation a line names: from the catalogue, else from the description pulled for the profile. */
async function operationOf(
  { argv, positions, words }: Line,
  world: World,
): Promise<FoundOperation | Reworded | Plugin> {
  const found = await operationMeant(words);
  const value = found && valueBehindId(found.operation, argv, positions);
  if (found && value !== undefined) {
    const { meant } = await answered({ failed: 'value', argv, value, operation: found.operation });
    if (meant) return meant;
  }
  if (found) return { family: found.family, operation: await settled(world, found.operation), known: true };
  const entry = familyByCommand(words[0] ?? '');
  const family = entry && (await loadFamily(entry.name));
  const { pulledOperation } = await import('./pulled.js');
  const pulled = await pulledOperation(world, words, family);
  if (pulled) return { ...pulled, known: false };
  const plugin = entry ? undefined : (await import('../plugins/find-plugins.js')).findPlugin(words[0] ?? '', world.env);
  if (plugin) return plugin;
  const option = entry ? optionBefore(argv, positions) : undefined;
  if (entry && option !== undefined) {
    throw usage(
      `cops ${entry.command}: an action is expected before ${option}.`,
      (await answered({ failed: 'action', argv, entry })).hint ??
        say`Name the action first, then ${option}: see ${cops`${entry.command.split(' ')} --help`}`,
    );
  }
  const { meant, refusal } = await answered({ failed: 'words', argv, entry, family });
  if (meant) return meant;
  throw refusal;
}

/** The word after the one id of a write, if it cannot be an id: `50%`, `14.50`, `7d`. */
function valueBehindId(
  { action, method, path }: Operation,
  argv: readonly string[],
  positions: readonly number[],
): string | undefined {
  const [, at = -1, ...more] = positions.slice(1 + action.split(' ').length);
  const value = argv[at] ?? '';
  // Any word after an option is its value.
  const isFree = at > 0 && !takesWord(argv[at - 1] ?? '');
  const isLast = isFree && more.length === 0 && /^[^a-z]?\d/i.test(value) && value.length < 20;
  return isLast && method === 'POST' && path.split('{').length === 2 ? value : undefined;
}

/** The answer to a wrong line; a correct line loads none of this. */
const answered = async (wrong: WrongLine): Promise<WrongLineAnswer> =>
  (await import('../guess/wrong-line.js')).answerWrongLine(wrong);

/** The option between family and action, where only global ones may be. */
function optionBefore(argv: readonly string[], [head = 0, action]: readonly number[]): string | undefined {
  const known = new Set(GLOBAL_OPTIONS.flatMap((option) => option.flags.split(/[ ,]+/)));
  return argv
    .slice(head + 1, action)
    .find((word) => word.startsWith('--') && word !== '--' && !known.has(word.replace(/=.*/, '')));
}

/** A list as the profile's pulled description settles it; where none was pulled, this costs one look for a folder. */
async function settled(world: World, operation: Operation): Promise<Operation> {
  if (!operation.list || !existsSync(join(configFolder({ env: world.env, cwd: world.cwd }), 'openapi')))
    return operation;
  const { settledOperation } = await import('./pulled.js');
  return settledOperation(world, operation);
}

/** Replaces aliases and underscores with the commands' own words. */
function rewrite({ argv, positions }: Line, words: readonly string[]): void {
  for (const [index, word] of words.entries()) {
    const at = positions[index];
    if (at !== undefined) argv[at] = word;
  }
}

/** Parses the line into the program; returns the line in our words where one of its options means one of ours. */
async function parse({ program, argv, words, aliased }: Omit<Line, 'accept'>): Promise<Reworded | undefined> {
  const twice = secondValues(program, aliased);
  try {
    program.parse([...argv], { from: 'user' });
    const [second] = twice;
    if (second === undefined) return undefined;
    const known = [...program.options, ...namedCommand(program, words).command.options];
    throw (await answered({ failed: 'twice', argv, ...second, known })).refusal;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const place = namedCommand(program, words);
    const option = /^error: unknown option '(.*?)'/s.exec(error.message)?.[1];
    if (option === undefined) throw await usageOf(error, place, argv);
    const known = [...program.options, ...place.command.options].flatMap(({ long }) => (long ? [long] : []));
    const of = await operationMeant(words);
    const { meant, hint } = await answered({ ...{ failed: 'option', argv, option, known }, ...of });
    if (meant) return meant;
    const what = option.replace(/=.*/s, '');
    const rest = argv.filter((word) => word !== option);
    const isRight =
      twice.length === 0 && rest.every((word) => !word.startsWith('--') || known.includes(word.replace(/=.*/s, '')));
    throw usage(
      `Unknown option '${what}'.`,
      MODE_OPTION.test(option)
        ? MODE_HINT
        : (belowHint(place, what, argv) ??
            asItIsHint(place, what, argv) ??
            besideHint(place, what, argv) ??
            hint ??
            joinedTexts(
              [isRight ? withoutHint(of?.operation, option, argv) : undefined, `${optionsOf(place)}${noHint(option)}`],
              ' ',
            )),
    );
  }
}

/** The line without an option that nothing knows; a write is tried only, as the option may have narrowed it. */
function withoutHint(operation: Operation | undefined, option: string, argv: readonly string[]): Text | undefined {
  const at = argv.indexOf(option);
  // A word behind it may be its value or the line's own.
  const hasWord = !option.includes('=') && argv[at + 1] !== undefined && !argv[at + 1]?.startsWith('-');
  if (operation === undefined || at < 0 || hasWord) return undefined;
  const name = option.replace(/=.*/s, '');
  return operation.method === 'GET'
    ? say`Without it, the line only reads: ${lineWithout(argv, [name])}.`
    : say`Without it, as a dry run, which sends nothing and names what fits: ${lineWithout(argv, [name, '--dry-run'], '--dry-run')}.`;
}

/** The line with the one subcommand that takes an option its parent does not take. */
function belowHint({ path, command }: Named, option: string, argv: readonly string[]): Text | undefined {
  const [only, ...others] = command.commands.filter(({ options }) => options.some(({ long }) => long === option));
  const at = wordPositions(argv)[path.split(' ').length - 1];
  if (path === '' || only === undefined || others.length > 0 || at === undefined) return undefined;
  return say`Did you mean "${copsLine(argv.toSpliced(at + 1, 0, only.name()))}"?`;
}

/** The commands next to this one that take an option it does not take. */
function besideHint({ path, command: { parent } }: Named, option: string, argv: readonly string[]): Text | undefined {
  const [head = '', second] = path.split(' ');
  const names = parent?.commands.flatMap((one) =>
    one.options.some(({ long }) => long === option) ? [one.name()] : [],
  );
  if (second === undefined || names === undefined || names.length === 0) return undefined;
  // The line already names that command; only the order of its words is wrong.
  if (names.some((name) => argv.includes(name))) return undefined;
  const lines = names.map((name) => cops`${head} ${name}`);
  return say`${joinedTexts(lines, ' and ')} ${lines.length > 1 ? 'take' : 'takes'} ${option}.`;
}

/** A command that reads the mirror as it is takes none of the options that say when to read it anew. */
function asItIsHint({ path, command }: Named, option: string, argv: readonly string[]): Text | undefined {
  if (!/^--(?:no-sync|sync|max-age)$/.test(option) || !command.options.some(({ long }) => long === '--mirror'))
    return undefined;
  return say`cops ${path} reads the mirror as it is: ${lineWithout(argv, [option])}. To bring it up to date first: ${cops`sync`}`;
}

/** Other tools set the mode with one option; here there are two. */
const MODE_OPTION = /^--(?:mode|env|environment)\b/;
const MODE_HINT = 'Set the mode with --live or --test.';

/** The options of a command, if there are few enough to read. */
function optionsOf({ path, command }: Named): string {
  const names = command.options.flatMap(({ long, hidden }) => (long && long !== '--help' && !hidden ? [long] : []));
  return names.length === 0 || names.length > 14 || path === '' ? '' : `cops ${path} takes ${names.join(', ')}. `;
}

function noHint(option: string): string {
  const dash = /^-[^-]/.test(option) ? ' Put a word that begins with a dash after --.' : '';
  return `Add --help to see the options.${dash}`;
}

/** The parser's error as a usage error: without its prefix, with a hint that says what to write instead. */
async function usageOf(error: CommanderError, { path, command }: Named, argv: readonly string[]): Promise<CopsError> {
  if (error.code === 'commander.help') {
    const actions = command.commands.map((candidate) => candidate.name());
    return usage(`cops ${path}: an action is missing.`, `Actions: ${actions.join(', ')}.`);
  }
  const typed = unknownAction(error, command);
  if (typed !== undefined) {
    const { hint } = await answered({ failed: 'subcommand', argv, command: path, typed });
    if (hint !== undefined) return usage(`cops ${path}: there is no "${typed}".`, hint);
    const actions = command.commands.map((candidate) => `${candidate.name()} (${candidate.description()})`);
    const near = didYouMean(
      typed,
      command.commands.map((candidate) => candidate.name()),
    );
    return usage(`cops ${path}: there is no "${typed}".${near}`, `There are: ${actions.join('; ')}`);
  }
  const [message = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n');
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  const hint = suggestion.join(' ').replace(/^\(|\)$/g, '');
  if (error.code === 'commander.excessArguments' && path !== '') {
    const extra = command.args[command.registeredArguments.length];
    if (extra !== undefined)
      return usage(
        `cops ${path}: ${JSON.stringify(extra)} is one argument too many.`,
        (await answered({ failed: 'surplus', argv, command: path })).hint ?? `Usage: cops ${path} ${command.usage()}`,
      );
  }
  const misplaced = ['commander.missingArgument', 'commander.excessArguments'].includes(error.code) && path !== '';
  const told = command.registeredArguments.flatMap((one) =>
    one.description ? [`${one.name()}: ${one.description}`] : [],
  );
  const way = misplaced ? [`Usage: cops ${path} ${command.usage()}`, ...told].join('\n') : noHint('');
  return usage(/[.?!]$/.test(sentence) ? sentence : `${sentence}.`, hint || way);
}

/** The word in the place of an action; a surplus word if the command also works on its own. */
function unknownAction({ code, message }: CommanderError, { commands, args }: Command): string | undefined {
  if (code === 'commander.unknownCommand') return /'(.*?)'/.exec(message)?.[1] ?? '';
  return code === 'commander.excessArguments' && commands.length > 0 ? args[0] : undefined;
}

type Named = ReturnType<typeof namedCommand>;

/** The deepest command the words name, and its path. */
function namedCommand(program: Command, words: readonly string[]) {
  const path: string[] = [];
  let command = program;
  for (const word of words) {
    const below = command.commands.find((candidate) => candidate.name() === dashed(word));
    if (!below) break;
    path.push(below.name());
    command = below;
  }
  return { path: path.join(' '), command };
}
