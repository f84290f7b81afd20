/** One global option as commander and help want it (command line, section 2). */
export interface GlobalOption {
  readonly flags: string;
  readonly description: string;
}

/** The global options, accepted anywhere on the line. */
export const GLOBAL_OPTIONS: readonly GlobalOption[] = [
  { flags: '-p, --profile <name>', description: 'profile to use (default: the current one)' },
  { flags: '--live', description: 'use the live key for this command' },
  { flags: '--test', description: 'use the test key for this command' },
  { flags: '--base-url <url>', description: 'address of the service, version 2 root' },
  { flags: '-o, --output <format>', description: 'table, json, jsonl, csv, tsv, yaml or ids' },
  { flags: '--columns <list>', description: 'columns to show, comma-separated dotted paths (id,customer.email)' },
  { flags: '--query <expression>', description: 'JMESPath expression over the whole result' },
  { flags: '--wide', description: 'do not cut columns to the terminal' },
  { flags: '--raw', description: "print the service's answers untouched" },
  { flags: '--csv-safe', description: 'guard csv and tsv cells against being read as formulas' },
  { flags: '--tz <zone>', description: 'time zone for dates in and out (IANA name)' },
  { flags: '--timeout <seconds>', description: 'longest wait for one answer (default 60)' },
  { flags: '--max-retries <n>', description: 'how often a failed request is sent again (default 4)' },
  { flags: '--rate <n>', description: 'at most this many requests a second' },
  { flags: '--dry-run', description: 'print the request that would be sent and send nothing' },
  { flags: '-y, --yes', description: 'answer yes to every question' },
  { flags: '--no-input', description: 'never ask; fail where a question would be needed' },
  { flags: '--no-color', description: 'no colours' },
  { flags: '-q, --quiet', description: 'no notes on standard error' },
  { flags: '-v, --verbose', description: 'say more on standard error' },
  { flags: '--debug', description: 'trace requests on standard error, secrets masked' },
];

/** Long and short names of global options that take a value. */
export function globalValueFlags(): Set<string> {
  const flags = new Set<string>();
  for (const option of GLOBAL_OPTIONS) {
    if (!option.flags.includes('<')) continue;
    for (const name of option.flags.replace(/<.*/, '').split(',')) flags.add(name.trim());
  }
  return flags;
}
