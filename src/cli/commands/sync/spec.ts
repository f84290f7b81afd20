import { oneOf } from '../../../base/errors/nearest.js';
import { EXPORT_FORMATS, EXPORT_TRAITS } from '../../../data/export/formats.js';
import { type CommandSpec, DEFAULTS } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'sync',
  noCurl: 'the windows it reads depend on the contents of the mirror and on each answer; --dry-run counts them',
  dryRun: 'shows',
  place: 80,
  about: 'keep copies of all lists up to date',
  description:
    "Keep a mirror (one SQLite file, the profile's own by default; or a schema of PostgreSQL) or a folder of all lists up to date.",
  usage: '[folder/ | file.sqlite | postgres://...] [families...]',
  arguments: [
    { name: '[target]', values: 'file' },
    { name: '[families...]', values: 'listed family' },
  ],
  options: [
    { flags: '--from <when>', about: "where to start lists that were never read (default: the account's first day)" },
    { flags: '--first-day <when>', about: 'the first day of the account, remembered for this key' },
    { flags: '--all', about: 'also sync API calls, logs, threads and messages' },
    { flags: '--full', about: 'read everything again, so that nothing in the mirror is older than this run' },
    {
      flags: '--format <format>',
      about: `for a folder: ${oneOf(EXPORT_FORMATS.filter((format) => !EXPORT_TRAITS[format].oneFile))} (default: jsonl)`,
    },
    { flags: '--refresh <span>', about: 'for a folder: read this span again; a mirror sees changes by itself' },
    { flags: '--concurrency <n>', about: `at most this many requests at once (default ${DEFAULTS.exportConcurrency})` },
    { flags: '--gzip', about: 'compress jsonl, csv and tsv' },
    { flags: '--restart', about: 'read everything again from the start' },
  ],
  examples: ['sync', 'sync shop.sqlite sales customers', 'sync copies/ products --format csv'],
};
