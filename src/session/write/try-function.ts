import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { knownEvent } from '../../catalogue/event-types.js';
import type { FunctionResult } from '../../sandbox/automation/function-engine.js';
import { readText } from '../../service/body/gather.js';
import type { Context, Done } from '../context/context.js';
import { withSandbox } from '../context/opened-sandbox.js';
import { one } from '../context/run.js';
import { inputOf } from './body-input.js';

/** The input for trying a function. */
export interface FunctionTry {
  readonly event: string;
  readonly item?: string;
  readonly var?: readonly string[];
  readonly arg?: readonly string[];
}

/**
 * Runs code in the sandbox's own engine; nothing is sent and nothing is kept.
 * @throws CopsError `usage`, `not_found` for the item
 */
export async function tryFunction(context: Context, code: string, options: FunctionTry): Promise<FunctionResult> {
  knownEvent(options.event, '--event: there');
  const env = pairs(options.var ?? [], '--var');
  const given = pairs(options.arg ?? [], '--arg');
  const { FunctionEngine } = await import('../../sandbox/automation/function-engine.js');
  const { event, now } = await eventFor(context, options, given);
  const engine = new FunctionEngine(context.world.functionThread);
  const { interrupted } = context.world;
  try {
    const stop = new Promise<never>((_, reject) => {
      interrupted.addEventListener('abort', () => reject(interrupted.reason), { once: true });
    });
    const result = await Promise.race([engine.run({ code, event, env, now }), stop]);
    const { dropped, logs } = result;
    if (dropped > 0) context.notes.warn(`${dropped} more lines were logged; only the first ${logs.length} are kept.`);
    return result;
  } finally {
    await engine.close();
  }
}

/** What a run returned, for display. */
export function shownRun({ outcome, result, error, logs }: FunctionResult): object {
  return { outcome, result: result === undefined ? null : (JSON.parse(result) as unknown), error, logs };
}

/** A run as the answer of a line; the exit code is 1 if the function failed. */
export async function doneOfRun(context: Context, code: string, options: FunctionTry): Promise<Done> {
  const result = await tryFunction(context, code, options);
  return { result: one(shownRun(result)), finish: () => failureOfRun(result, code) };
}

/** The error of a failed function; undefined if it succeeded. */
export function failureOfRun({ outcome, error }: FunctionResult, code: string): CopsError | undefined {
  if (outcome === 'success') return undefined;
  const ends = 'Its logs are in the output. A function must end with callback(error, result).';
  const hint = /\bfetch\s*\(/.test(code)
    ? say`${ends} It calls fetch, but functions have no network access here: ${cops`explain fetch`}`
    : ends;
  return new CopsError('refused', `The function failed: ${error ?? outcome}`, { hint });
}

/** The code in a file. @throws CopsError `local` for an unreadable one */
export const readFunctionCode = ({ world }: Context, file: string): Promise<string> => readText(inputOf(world), file);

function pairs(given: readonly string[], option: string): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw usage(`${option} takes name=value, not ${JSON.stringify(text)}.`);
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
}

/** The event with an item of the sandbox's test mode: the named one, otherwise the newest of its family. */
async function eventFor(context: Context, options: FunctionTry, given: Record<string, string>) {
  const [{ eventObject, itemTypeOf }, { familyOfItem }] = await Promise.all([
    import('../../sandbox/automation/event-object.js'),
    import('../../sandbox/store/kinds.js'),
  ]);
  const type = itemTypeOf(options.event);
  const family = familyOfItem(type) as string;
  return withSandbox(context, ({ store, now }) => {
    const item = options.item === undefined ? store.newest(family, false) : store.get(family, options.item, false);
    if (!item && options.item !== undefined)
      throw new CopsError('not_found', `The sandbox has no ${type} ${options.item} in test mode.`, {
        hint: say`Leave out --item for the newest, or list them: ${cops`-p sandbox ${family.replaceAll('_', '-')} list`}`,
      });
    if (options.item === undefined)
      context.notes.note(
        item ? `The event is about ${type} ${item.id}, the newest.` : `The sandbox has no ${type}: event.item is null.`,
      );
    const event = eventObject({
      source: 'account_event',
      notation: options.event,
      itemType: type,
      itemId: item?.id,
      item: item?.value,
      live: false,
      now: Math.floor(now() / 1000),
      arguments: given,
    });
    return { event, now: now() };
  });
}
