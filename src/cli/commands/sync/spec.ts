import { oneOf } from '../../../base/errors/nearest.js';
import { EXPORT_FORMATS, EXPORT_TRAITS } from '../../../data/export/formats.js';
import { argumentRows, type CommandSpec, DEFAULTS, optionRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'sync',
  noCurl: 'the windows it reads depend on the contents of the mirror and on each answer; --dry-run counts them',
  dryRun: 'shows',
  place: 80,
  about: 'keep copies of all lists up to date',
  description:
    "Keep a mirror (one SQLite file, the profile's own by default; or a schema of PostgreSQL) or a folder of all lists up to date.",
  usage: '[folder/ | file.sqlite | postgres://...] [families...]',
  arguments: argumentRows({ '[target]': { values: 'file' }, '[families...]': { values: 'listed family' } }),
  options: optionRows({
    '--from <when>': "where to start lists that were never read (default: the account's first day)",
    '--first-day <when>': 'the first day of the account, remembered for this key',
    '--all': 'also sync API calls, logs, threads and messages',
    '--full': 'read everything again, so that nothing in the mirror is older than this run',
    '--format <format>': `for a folder: ${oneOf(EXPORT_FORMATS.filter((format) => !EXPORT_TRAITS[format].oneFile))} (default: jsonl)`,
    '--refresh <span>': 'for a folder: read this span again; a mirror sees changes by itself',
    '--concurrency <n>': `at most this many requests at once (default ${DEFAULTS.exportConcurrency})`,
    '--gzip': 'compress jsonl, csv and tsv',
    '--restart': 'read everything again from the start',
  }),
  examples: ['sync', 'sync shop.sqlite sales customers', 'sync copies/ products --format csv'],
};
