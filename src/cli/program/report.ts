import { configFolder, dataFolder } from '../../account/profiles/folders.js';
import { CopsError } from '../../base/errors/errors.js';
import type { World } from '../../base/world.js';
import { formatTraits } from '../../screen/formats.js';
import { lineFlags } from '../../session/context/context.js';
import { saidOnLine } from '../parser/argv.js';

/** What the reporter of an error needs to know of a run that may have ended early. */
export interface Failure {
  /** The output format that was asked for, by flag, variable or profile. */
  readonly jsonWanted: string | undefined;
  readonly debug: boolean;
  readonly raw: boolean;
  /** The profile and mode that the line names, for commands that are to be pasted. */
  readonly flags: readonly string[];
  /** Texts that must not appear in an error. */
  readonly secrets?: readonly string[];
}

/** What is known of a failure before anything was parsed. */
function failureOf(world: World): Failure {
  const { argv } = world;
  const mode = (['live', 'test'] as const).find((one) => argv.includes(`--${one}`));
  return {
    jsonWanted: undefined,
    debug: argv.includes('--debug'),
    raw: argv.includes('--raw'),
    flags: lineFlags({ profile: saidOnLine(argv, '--profile'), mode }),
  };
}

/**
 * Shows an error on standard error in the form that was asked for, and tells its exit code.
 * @param learnt what the run has learnt of its line, in place of what the line shows unparsed
 */
export async function reportFailure(world: World, error: unknown, learnt: Partial<Failure>): Promise<number> {
  const failure = { ...failureOf(world), ...learnt };
  const [{ presentError }, { wrapProse }, { colourLevel }] = await Promise.all([
    import('./present-error.js'),
    import('../../items/text/width.js'),
    import('../../screen/colour.js'),
  ]);
  const format = failure.jsonWanted ?? saidOnLine(world.argv, '--output') ?? world.env.COPS_OUTPUT;
  const json = formatTraits(format)?.jsonErrors === true;
  const text = presentError(error, {
    json,
    debug: failure.debug,
    raw: failure.raw,
    color: colourLevel(world.env, world.stderr, !world.argv.includes('--no-color')) > 0,
    secrets: failure.secrets ?? [],
    folders: ownFolders(world),
    flags: failure.flags,
  });
  const wraps = !json && !failure.debug && !failure.raw && world.stderr.isTTY === true;
  const shown = wraps ? wrapProse(text, world.stderr.columns || 80) : text;
  world.stderr.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  return error instanceof CopsError ? error.exitCode : 1;
}

/** The folders of configuration and data; none for a user without a home. */
function ownFolders({ env, cwd }: World): readonly string[] {
  try {
    return [configFolder({ env, cwd }), dataFolder({ env, cwd })];
  } catch {
    return [];
  }
}
