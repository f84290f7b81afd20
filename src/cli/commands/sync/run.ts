import type { SyncOptions } from '../../../data/export/types.js';
import { syncLists } from '../../../data/mirror/sync-lists.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { tellingAtOnce } from '../../../session/context/run.js';

/** `cops sync [folder | file.sqlite] [families...]`. */
export const run = async (context: Context, { words, options }: CommandInput<SyncOptions>): Promise<Done> =>
  syncLists(context.options.dryRun ? context : tellingAtOnce(context), words, options);
