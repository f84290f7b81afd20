import { configFolder, dataFolder } from '../../account/profiles/glance.js';
import { CopsError, local } from '../../base/errors/errors.js';
import { isBelow } from '../../base/files/typed-path.js';
import { say } from '../../base/text/command-line.js';
import { NO_HOME, type World } from '../../base/world.js';
import { formatTraits } from '../../screen/output-formats.js';
import type { Account } from '../../session/context/line-flags.js';
import { saidOnLine } from '../parser/argv.js';
import type { PresentOptions } from './present-error.js';
import type { Judge } from './shown-text.js';

/** What the error reporter needs to know about a run that may have ended early. */
export interface Failure extends Pick<PresentOptions, 'debug' | 'raw' | 'secrets'> {
  /** The requested output format, from flag, variable or profile. */
  readonly jsonWanted: string | undefined;
  /** The profile and mode the line names, for commands to paste. */
  readonly account: Account;
}

/** What is known about a failure before parsing. */
function failureOf(world: World): Failure {
  const { argv } = world;
  const mode = (['live', 'test'] as const).find((one) => argv.includes(`--${one}`));
  return {
    jsonWanted: undefined,
    debug: argv.includes('--debug'),
    raw: argv.includes('--raw'),
    account: { profile: saidOnLine(argv, '--profile'), mode },
  };
}

/**
 * Shows an error on standard error in the requested form and returns its exit code.
 * @param learnt what the run learnt about its line, used instead of the unparsed line
 * @param judge checks the lines the error proposes: one that would not run is not shown
 */
export async function reportFailure(
  world: World,
  thrown: unknown,
  learnt: Partial<Failure>,
  judge?: Judge,
): Promise<number> {
  const failure = { ...failureOf(world), ...learnt };
  const known = ofOwnFolder(world, thrown);
  const error = judge ? await withShownHint(world, known, failure.account, judge) : known;
  const [{ presentError }, { wrapProse }, { colourLevel }, { palette }] = await Promise.all([
    import('./present-error.js'),
    import('../../items/text/width.js'),
    import('../../screen/notes.js'),
    import('../../screen/style.js'),
  ]);
  const format = failure.jsonWanted ?? saidOnLine(world.argv, '--output') ?? world.env.COPS_OUTPUT;
  const isLogged = saidOnLine(world.argv, '--log-format')?.toLowerCase() === 'json';
  const json = isLogged || formatTraits(format)?.jsonErrors === true;
  const text = presentError(error, {
    json,
    debug: failure.debug,
    raw: failure.raw,
    colours: await palette(colourLevel(world.env, world.stderr, !world.argv.includes('--no-color')) > 0),
    // A line that does not parse has no profile yet, but it may still contain the key.
    secrets: [...(failure.secrets ?? []), ...(world.env.COPS_API_KEY ? [world.env.COPS_API_KEY] : [])],
    folders: ownFolders(world),
    account: failure.account,
  });
  const wraps = !json && !failure.debug && !failure.raw && world.stderr.isTTY === true;
  const shown = wraps ? wrapProse(text, world.stderr.columns || 80) : text;
  world.stderr.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  return error instanceof CopsError ? error.exitCode : 1;
}

/** The error with its hint as shown: only lines that would run and that do no more than the user asked for. */
async function withShownHint(world: World, error: unknown, account: Account, judge: Judge): Promise<unknown> {
  if (!(error instanceof CopsError) || error.facts.hint === undefined || typeof error.facts.hint === 'string')
    return error;
  const [{ asTried, isRiskier, typedWords }, { readyText }] = await Promise.all([
    import('./riskier.js'),
    import('./shown-text.js'),
  ]);
  const isSlip = error.kind === 'usage';
  const strict: Judge = async (line) =>
    (await judge(line)) ??
    (isSlip && (await isRiskier(world.argv, typedWords(line))) ? 'it does more than was asked' : undefined);
  const tried = await asTried(world.argv, error.facts.hint);
  const hint = await readyText(tried, account, strict, world.onProposal);
  const left = hint || (isSlip ? 'Add --help to see the options.' : undefined);
  return new CopsError(error.kind, error.message, { ...error.facts, hint: left });
}

/** The data and configuration folders. */
function ownFolders({ env, cwd }: World): readonly [data: string, configuration: string] {
  return [dataFolder({ env, cwd }), configFolder({ env, cwd })];
}

/** System errors for a folder in which no file can be kept. */
const REFUSALS = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'ENOSPC', 'EDQUOT']);

/**
 * A refusal in one of our own folders is a fault of the machine: the error then names the variable that moves the
 * folder, wherever it occurred.
 */
function ofOwnFolder(world: World, error: unknown): unknown {
  const cause = (error instanceof CopsError ? error.cause : error) as NodeJS.ErrnoException | undefined;
  const { code = '', path, syscall } = cause ?? {};
  const isMaking = syscall === 'mkdir';
  if (typeof path !== 'string' || !(isMaking || REFUSALS.has(code))) return error;
  const [data, configuration] = ownFolders(world);
  const isWithin = (folder: string) => isBelow(folder, path) || (isMaking && isBelow(path, folder));
  const variables = [isWithin(data) && 'COPS_DATA_DIR', isWithin(configuration) && 'COPS_CONFIG_DIR'].filter(Boolean);
  if (variables.length === 0) return error;
  const known = error instanceof CopsError ? error : local(`cannot use ${path}: ${cause?.message}`, undefined, cause);
  const hasHome = !isBelow(NO_HOME, path);
  const way = `${hasHome ? 'Name another folder' : 'This user has no home folder: name one'} with ${variables.join(' and ')}.`;
  return new CopsError(known.kind, known.message, {
    ...known.facts,
    hint: say`${known.facts.hint ? say`${known.facts.hint} ` : ''}${way}`,
  });
}
