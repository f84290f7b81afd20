import { CopsError, usage, wrongOption } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { lengthSaid } from '../../base/time/spans.js';
import { loadFamily } from '../../catalogue/index.js';
import { Item, stripEnvelope } from '../../items/json/item-json.js';
import { valuesOf } from '../../items/json/lossless.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context, Done } from '../context/context.js';
import type { OperationInput } from '../operation/spec.js';
import type { Reader } from '../read/reading.js';
import type { PreparedWrite } from './prepared-write.js';
import { contradictedAfterDone } from './write.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Follows the job that an operation started (`--wait`); exit code 10 at the limit, because the job continues. */
export async function waitFor(
  context: Context,
  reader: Reader,
  input: OperationInput,
  prepared: PreparedWrite,
  answer: string,
  limitSeconds: number,
): Promise<Done> {
  const { wait } = input.operation;
  if (!wait) throw usage(`${context.command} has nothing to wait for.`);
  const family = await loadFamily(wait.read.family);
  const read = family.operations.find((operation) => operation.action === wait.read.action);
  const id = wait.idFrom === undefined ? prepared.ids.at(-1) : valuesOf(answer)(wait.idFrom);
  if (!read || id === undefined) {
    throw new CopsError('incomplete', `It was started, but the answer does not say what to wait for.`, {
      rawAnswer: answer,
    });
  }
  const { world, notes } = context;
  const look = say`It continues without you. To check it again: ${cops`${family.name.replaceAll('_', '-')} ${read.action.split(' ')} ${id}`}`;
  const began = world.now();
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    const text = await reader.answer(planRequest(family, read, { ids: [id] })).catch((error: unknown) => {
      throw notFollowed(error, look);
    });
    const state = valuesOf(text)(wait.field);
    const known = state?.toLowerCase();
    const result: Done = {
      result: {
        shape: 'one',
        item: new Item(stripEnvelope(text)),
        columns: family.columns,
        idField: family.idField,
        account: reader.profile.account,
      },
    };
    if (known !== undefined && wait.done.includes(known)) return result;
    if (known !== undefined && wait.failed.includes(known)) {
      return {
        ...result,
        finish: () => new CopsError('refused', `It ended as "${state}".`, { hint: 'The item above shows more.' }),
      };
    }
    const spent = (world.now() - began) / 1000;
    if (spent + pause / 1000 > limitSeconds) {
      const still = `After ${lengthSaid(spent)} it is still "${state ?? 'without a state'}".`;
      return { ...result, finish: () => new CopsError('incomplete', still, { hint: look }) };
    }
    notes.progress(`${state ?? 'started'}, ${lengthSaid(spent)}`);
    await world.sleep(pause, world.interrupted).catch((error: unknown) => {
      throw notFollowed(error, look);
    });
    pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5);
  }
}

/** An end of the waiting says nothing about the write before it, which is done. */
function notFollowed(error: unknown, look: Text): unknown {
  if (!(error instanceof CopsError)) return error;
  if (error.kind === 'stopped') return contradictedAfterDone(error);
  if (error.kind === 'interrupted') {
    return new CopsError('interrupted', 'It was started, but the wait for its end was interrupted.', {
      ...error.facts,
      hint: look,
    });
  }
  const { exitCode: _code, hint: _hint, ...facts } = error.facts;
  return new CopsError('incomplete', `It was started, but its progress could not be read: ${error.message}`, {
    ...facts,
    hint: look,
  });
}

/** The time limit of `--wait` in seconds, to be checked before anything starts. Throws a usage error. */
export function waitLimit(given: unknown, standard: number): number {
  if (given === undefined) return standard;
  const value = Number(given);
  if (!(value > 0 && value <= 86_400))
    throw wrongOption('--wait-limit', `"${String(given)}" is not a number of seconds up to 86400.`);
  return value;
}
