/** Long names of the global options (command-line.md#global-options), `--no-…` without its `no`. */
export const GLOBAL_NAMES: readonly string[] =
  `profile live test base-url output columns query template wide raw csv-safe times excel tz timeout max-wait max-retries rate
  dry-run curl yes mode-unproven send-key-to input color pager quiet verbose debug log-format help version`.split(
    /\s+/,
  );

/** List options (section 4). `customer` and `metadata` are themselves filters. */
export const LIST_NAMES: readonly string[] = 'from to last range oldest-first limit all page page-size'.split(' ');

/** Write options (sections 5 and 6). */
export const WRITE_NAMES: readonly string[] =
  'body data validate editor skeleton schema idempotency-key again wait'.split(' ');

/** Options of some commands whose meaning would clash with a typed field of the same name. */
const OTHER_NAMES =
  `wait-limit ids expect journal concurrency max-failures format out gzip shard restart since-last refresh paginate with
  without where sort count group-by having sum latest-per week month quarter year strict-ids reason all-time first-day next latest as-of sync max-age pick`.split(
    /\s+/,
  );

/** Names that no body field gets as its own option. */
export const RESERVED_OPTIONS: ReadonlySet<string> = new Set([
  ...GLOBAL_NAMES,
  ...LIST_NAMES,
  ...WRITE_NAMES,
  ...OTHER_NAMES,
]);
