import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { copyObject } from '../../../setup/promote.js';
import type { SetupOptions } from '../../../setup/setup-options.js';

/** `cops products copy <id> --to acme:live`. */
export const run = async (context: Context, input: CommandInput<SetupOptions>): Promise<Done> =>
  copyObject(context, input);
