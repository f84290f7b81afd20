import { type CopsError, usage, type Would } from '../../base/errors/errors.js';
import type { Context, Done } from './context.js';
import { record } from './run.js';
import type { CommandSpec, SubcommandSpec } from './spec.js';

/** How a command meets `--dry-run`, by what its spec declares; undefined where it is refused. */
export function dryRunOf(
  { commands, dryRun }: Pick<CommandSpec, 'commands' | 'dryRun'>,
  subcommand: string,
): SubcommandSpec['dryRun'] {
  if (subcommand === '') return dryRun;
  return commands?.find(({ name }) => name === subcommand)?.dryRun;
}

/** The refusal (2) of a dry run that could only act, or say nothing. */
export function noDryRun(command: string): CopsError {
  return usage(`cops ${command} cannot show what it would do: it has no dry run.`, 'Nothing was done.');
}

/** The refusal (2) of `--curl` where there is no request of the service to be shown. */
export function noCurl(command: string): CopsError {
  return usage(
    `cops ${command} has no request that --curl could show.`,
    'It shows the requests of families, of `api`, exports, tails and bulk runs.',
  );
}

/** A dry run that came to its first effect: what it would do, and nothing of it done. */
export function wouldBeDone({ notes }: Pick<Context, 'notes'>, { what }: Would): Done {
  notes.note('Dry run: nothing was changed.');
  return { result: record({ would: what }) };
}
