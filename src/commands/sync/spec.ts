import type { CommandSpec } from '../../command/spec.js';
import type { ExportOptions } from '../export/spec.js';

/** Options of `cops sync`, as they were typed. */
export type SyncOptions = Pick<ExportOptions, 'from' | 'format' | 'concurrency' | 'refresh' | 'restart' | 'gzip'>;

export const spec: CommandSpec = {
  name: 'sync',
  place: 80,
  about: 'keep copies of all lists up to date',
  description: 'Keep copies of all lists (or the named ones) up to date.',
  usage: '<folder | file.sqlite> [families...]',
  arguments: [
    { name: '[target]', values: 'file' },
    { name: '[families...]', values: 'listed family' },
  ],
  options: [
    { flags: '--from <when>', about: 'where a list begins that was never read (default: 1y)' },
    { flags: '--format <format>', about: 'of a folder: jsonl, csv, tsv or parquet (default: jsonl)' },
    { flags: '--refresh <span>', about: 'read this span again: changes of old items are not seen otherwise' },
    { flags: '--concurrency <n>', about: 'at most this many requests at once (default 32)' },
    { flags: '--gzip', about: 'compress jsonl, csv and tsv' },
    { flags: '--restart', about: 'read everything anew' },
  ],
};
