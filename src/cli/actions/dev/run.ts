import { CopsError, usage } from '../../../base/errors/errors.js';
import { typedPath } from '../../../base/files/typed-path.js';
import { isoTime } from '../../../base/time/units.js';
import { marksOfFiles } from '../../../data/scenarios/watched-files.js';
import { Item } from '../../../items/json/item-json.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import {
  doneOfRun,
  type FunctionTry,
  readFunctionCode,
  shownRun,
  tryFunction,
} from '../../../session/write/try-function.js';

interface DevOptions extends FunctionTry {
  readonly watch?: boolean;
}

/** How often to check the file, milliseconds. */
const LOOK_MS = 300;

/**
 * `cops functions dev <file> --event <notation>`: runs in the sandbox's own engine; sends and stores nothing. With
 * `--watch` again at each save, until Ctrl-C.
 * @throws CopsError `usage`, `local` for the file, `not_found` for the item, `refused` (1) if the function failed
 */
export async function run(context: Context, { words: [file = ''], options }: CommandInput<DevOptions>): Promise<Done> {
  // A dry run must end.
  if (!options.watch || context.options.dryRun)
    return doneOfRun(context, await readFunctionCode(context, file), options);
  if (file === '-') throw usage('--watch needs a file: standard input is read only once.');
  const { world, notes } = context;
  const path = typedPath(world, file);
  async function* runs(): AsyncGenerator<Item> {
    for (;;) {
      const seen = marksOfFiles([path]);
      try {
        const result = await tryFunction(context, await readFunctionCode(context, file), options);
        yield Item.of({ at: isoTime(Math.floor(world.now() / 1000)), ...shownRun(result) });
      } catch (error) {
        // A file that disappears for a moment is being saved.
        if (!(error instanceof CopsError) || error.kind !== 'local') throw error;
        notes.warn(error.message);
      }
      notes.note('Waiting for changes; Ctrl-C ends.');
      while (marksOfFiles([path]) === seen) await world.sleep(LOOK_MS, world.interrupted);
    }
  }
  const columns = ['at', 'outcome', 'result', 'error'].map((name) => ({ path: name }));
  return { result: { shape: 'list', items: runs(), columns, idField: 'at', live: true } };
}
