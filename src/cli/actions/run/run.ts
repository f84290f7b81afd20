import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { doneOfRun, type FunctionTry, readFunctionCode } from '../../../session/write/try-function.js';

/**
 * `cops functions run <file> --event <notation>`: runs in the sandbox's own engine; sends and stores nothing.
 * @throws CopsError `usage`, `local` for the file, `not_found` for the item, `refused` (1) if the function failed
 */
export async function run(context: Context, { words: [file = ''], options }: CommandInput<FunctionTry>): Promise<Done> {
  return doneOfRun(context, await readFunctionCode(context, file), options);
}
