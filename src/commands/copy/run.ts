import type { CommandInput, Context, Done } from '../../command/context.js';
import { copyObject } from '../setup/promote.js';
import type { SetupOptions } from '../setup/spec.js';

export function run(context: Context, { family, words, options }: CommandInput<SetupOptions>): Promise<Done> {
  return copyObject(context, family, words, options);
}
