import { oneOf } from '../../../base/errors/nearest.js';
import { WHOLE_RANGE_OPTIONS } from '../../../base/time/range-options.js';
import { EXPORT_FORMATS } from '../../../data/export/formats.js';
import { argumentRows, type CommandSpec, DEFAULTS, optionRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'export',
  dryRun: 'shows',
  place: 70,
  about: 'export a whole list to files, proven complete and resumable',
  description: 'Read a whole list into files, proven complete and resumable.',
  usage:
    '<family> --from <when> --to <when> --out <file | folder/ | -> [filters]\n       cops export status|verify|merge <out>...',
  familyOptions: 'read',
  arguments: argumentRows({
    '[words...]': {
      values: 'listed family',
      instead: [
        ['status', 'show how far an export is'],
        ['verify', 'check files against their manifests'],
        ['merge', 'merge the parts of several machines'],
      ],
    },
  }),
  options: [
    ...WHOLE_RANGE_OPTIONS,
    ...optionRows({
      '--no-range': 'read the list without a date range',
      '--out <file | folder/ | ->': 'a file, a folder/ (files by month), or standard output',
      '--format <format>': `${oneOf(EXPORT_FORMATS)} (default: by the file's ending)`,
      '--concurrency <n>': `at most this many requests at once (default ${DEFAULTS.exportConcurrency})`,
      '--gzip': 'compress jsonl, csv and tsv',
      '--shard <i/n>': 'read only every n-th window: one machine of n; --rate is divided by n',
      '--restart': 'start again, even if the output exists',
      '--schema <manifest>': {
        about: 'use the columns of another export, so that all shards match; repeat for more',
        many: true,
      },
      '--since-last': 'continue from the manifest of the finished export',
      '--refresh <span>': 'with --since-last: read this span again and replace its rows (SQLite, folders)',
      '--page-size <n>': 'items per request, 1 to 25',
    }),
  ],
  notes: `
The list is read in windows of time, several pages at once, and every window's
unique items are compared with the service's own count. <out>.manifest.json
records windows, counts and checksums. After any stop the same command goes on
where it was. The service does not say which date of an item its range means:
--since-last brings new items, and changes of old ones (a refund of last month's
renewal) only with --refresh <span>, into SQLite or a folder.`,
  examples: [
    'export sales --month last --out sales.csv --excel',
    'export subscription-renewals --from 200d --to now --out renewals.parquet',
    'export verify sales.csv',
  ],
};
