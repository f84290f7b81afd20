import { CopsError, type ErrorKind, orElse } from '../../../base/errors/errors.js';
import type { ProgramEnd } from '../../../base/world.js';
import type { ScenarioEnd } from '../../../data/scenarios/run-scenario.js';
import { Meter } from '../../../screen/meter.js';
import type { Context } from '../../../session/context/context.js';

/** The scenarios of a line, for processes that each run a part of them. */
export interface JobsLine {
  /** The words and options that choose scenarios and how to run them, without `--shard` and `--jobs`. */
  readonly words: readonly string[];
  readonly shard: readonly [part: number, of: number];
  /** Total number of scenarios to run. */
  readonly count: number;
  readonly jobs: number;
}

/**
 * Runs scenarios in several processes of this program: each job is a shard, and results keep the order of the
 * scenarios. The first job that fails to run stops all the others.
 * @throws CopsError the error that the failed job reported
 */
export async function playInJobs({ world, notes }: Context, line: JobsLine): Promise<ScenarioEnd[]> {
  const { words, shard, count, jobs } = line;
  const [part, of] = shard;
  const given = new AbortController();
  const signal = AbortSignal.any([world.interrupted, given.signal]);
  const meter = new Meter(notes, () => world.now(), { unit: 'scenarios' });
  const inProcesses = [`in ${jobs} processes`];
  let played = 0;
  const parts = Array.from({ length: jobs }, async (_, job) => {
    const own = ['--shard', `${job * of + part}/${jobs * of}`, '--jobs', '1', '-q', '-o', 'json'];
    const ended = await world.runAgain?.(['test', ...words, ...own], signal);
    const ends = endsOf(ended as ProgramEnd);
    played += ends.length;
    meter.show(played, count, inProcesses);
    return ends;
  });
  try {
    const ends = await Promise.all(parts);
    return Array.from({ length: count }, (_, at) => ends[at % jobs]?.[Math.floor(at / jobs)] as ScenarioEnd);
  } catch (error) {
    world.interrupted.throwIfAborted();
    given.abort();
    await Promise.allSettled(parts);
    throw error;
  } finally {
    notes.progressDone();
  }
}

function endsOf({ code, stdout, stderr }: ProgramEnd): ScenarioEnd[] {
  if (code === 0 || code === 13) return JSON.parse(stdout) as ScenarioEnd[];
  const { kind, message, hint } = failureOf(stderr);
  throw new CopsError(kind, message, hint === undefined ? {} : { hint });
}

interface Failure {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
}

/** The failure a process reported: its last line is the error object. */
function failureOf(stderr: string): Failure {
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  const message = `A process that runs scenarios ended early: ${last}`;
  return orElse(() => (JSON.parse(last) as { error: Failure }).error, { kind: 'internal', message });
}
