import { EXPORT_OPTIONS, type ExportOptions, SYNC_OPTIONS, type SyncOptions } from '../commands/export-options.js';
import type { Define } from './define.js';

const WINDOW_NOTE = `
The list is read in windows of time, several pages at once, and every window's unique items are compared with the
service's own count. <out>.manifest.json records windows, counts and checksums. After any stop the same command goes
on where it was. The service does not say which date of an item its range means: --since-last brings new items, and
changes of old ones (a refund of last month's renewal) only with --refresh <span>, into SQLite or a folder.`;

export const exportCommand: Define = (program, accept) => {
  const command = program
    .command('export [words...]')
    .description('Read a whole list into files, proven complete and resumable.')
    .usage(
      '<family> --from <when> --to <when> --out <file | folder/ | -> [filters]\n       cops export status|verify|merge <out>...',
    )
    .allowUnknownOption()
    .addHelpText('after', WINDOW_NOTE);
  for (const { flags, description } of EXPORT_OPTIONS) command.option(flags, description);
  command.action((words: string[], options: ExportOptions) => {
    const [first, ...outs] = words;
    accept(async (context) => {
      const offline = () => import('../commands/export-offline.js');
      if (first === 'status') return (await offline()).exportStatus(context, outs);
      if (first === 'verify') return (await offline()).exportVerify(context, outs);
      if (first === 'merge') return (await offline()).exportMerge(context, outs);
      return (await import('../commands/export.js')).exportCommand(context, { words, options });
    });
  });
};

export const sync: Define = (program, accept) => {
  const command = program
    .command('sync [words...]')
    .description('Keep copies of all lists (or the named ones) up to date.')
    .usage('<folder | file.sqlite> [families...]');
  for (const { flags, description } of SYNC_OPTIONS) command.option(flags, description);
  command.action((words: string[], options: SyncOptions) => {
    accept(async (context) => (await import('../commands/sync.js')).syncCommand(context, words, options));
  });
};
