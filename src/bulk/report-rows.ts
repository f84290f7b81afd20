import type { JournalLine, RunLimits } from '../account/journal/journal-lines.js';
import { type JournalState, RESUMABLE, retryable } from '../account/journal/state.js';
import type { JournalPlace } from '../account/journal/types.js';
import { type CommandLine, cops } from '../base/text/command-line.js';
import { Item } from '../items/json/item-json.js';

/** The columns of a report. */
export const REPORT_COLUMNS = [
  { path: 'row' },
  { path: 'line' },
  { path: 'id' },
  { path: 'outcome', as: 'status' },
  { path: 'http_status' },
  { path: 'code' },
  { path: 'error_code' },
  { path: 'message', as: 'prose' },
  { path: 'api_call_id' },
  { path: 'key' },
  { path: 'time' },
] as const;

/** Every row of a journal in input order, with its latest result. */
export async function* reportRows(file: JournalPlace): AsyncIterable<Item> {
  const { state } = await file.scan();
  const { rows } = state.header;
  const recorded = function* (): Iterable<number> {
    for (let row = 1; row <= rows; row++) if (state.offset(row) >= 0) yield state.offset(row);
  };
  const lines = file.lines(recorded())[Symbol.asyncIterator]();
  try {
    for (let row = 1; row <= rows; row++) {
      if (state.offset(row) < 0) {
        yield Item.of({ row, outcome: state.stand(row) });
        continue;
      }
      const step = await lines.next();
      yield Item.of(reported(row, step.done ? undefined : step.value, state));
    }
  } finally {
    await lines.return?.();
  }
}

function reported(row: number, line: JournalLine | undefined, state: JournalState): Record<string, unknown> {
  const stand = state.stand(row);
  const outcome = stand === 'open' ? 'unknown' : stand === 'resolved_done' ? 'done' : stand;
  if (!line || line.type === 'header' || line.type === 'run') return { row, outcome };
  const { type: _type, row: _row, line: at, ids, key, time, ...rest } = line;
  const { skew: _skew, ...facts } = rest as typeof rest & { skew?: unknown };
  const shown = 'outcome' in facts ? facts : 'evidence' in facts ? { message: facts.evidence.join('; ') } : {};
  return { row, line: at, id: ids.join(' '), ...shown, outcome, key, time };
}

/** The facts about a journal, in display order. */
export interface JournalStatus extends Readonly<Record<string, unknown>> {
  /** The commands that may follow. */
  readonly next: readonly CommandLine[];
}

/** The options that give a resumed run the limits of the previous one. */
export function limitWords({ max_failures, stop_on_fraud }: RunLimits): string[] {
  return [
    ...(stop_on_fraud ? ['--stop-on-fraud'] : []),
    ...(max_failures === undefined ? [] : ['--max-failures', String(max_failures)]),
  ];
}

/** A journal in numbers. */
export function statusOf(path: string, state: JournalState): JournalStatus {
  const { header } = state;
  const unknown = state.count('unknown', 'open');
  const left = state.count(...RESUMABLE, 'open');
  const failed = state.count(...retryable()) - state.gone;
  const limits = limitWords(state.limits);
  const next: CommandLine[] = [];
  if (left > 0) next.push(cops`bulk resume ${path} ${limits}`);
  if (unknown > 0) next.push(cops`bulk reconcile ${path}`);
  if (failed > 0) next.push(cops`bulk retry-failed ${path} ${limits}`);
  return {
    journal: path,
    operation: `${header.family} ${header.action}`,
    profile: header.profile,
    mode: header.mode,
    created: header.created,
    rows: header.rows,
    done: state.count('done', 'resolved_done'),
    refused: state.count('refused'),
    payment_failed: state.count('payment_failed', 'held'),
    fraud_detected: state.count('fraud_detected'),
    unknown,
    not_done: state.count('resolved_not_done'),
    not_sent: state.count('not_sent', 'rate_limited'),
    not_started: state.count('not_started'),
    skipped: state.count('skipped'),
    next,
  };
}
