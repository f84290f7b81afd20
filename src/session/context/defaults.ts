/** What holds where nothing is said: the one place of each number, for what reads it and for what tells of it. */
export const DEFAULTS = {
  /** `--timeout`, seconds. */
  timeout: 60,
  /** `--max-wait`, seconds. */
  maxWait: 60,
  maxRetries: 4,
  /** `--limit` of a list on a terminal; elsewhere there is none. */
  terminalItems: 100,
  /** `--limit` of `sql` on a terminal. */
  terminalRows: 100,
  /** `--concurrency`: requests at once. */
  bulkConcurrency: 4,
  exportConcurrency: 32,
  setupConcurrency: 8,
  /** `tail --interval`, seconds. */
  tailInterval: 5,
  /** `report --overdue-days`. */
  overdueDays: 30,
  /** `mcp --max-bytes`. */
  answerBytes: 16_384,
} as const;
