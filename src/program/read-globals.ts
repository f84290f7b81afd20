import type { GlobalOptions } from '../command/context.js';
import { usage } from '../errors/errors.js';

/** Raw values of the global options as the parser gives them. */
export type RawGlobals = Readonly<Record<string, unknown>>;

/** Checks the global options of a line; throws one usage error that names all that is wrong. */
export function globalOptions(raw: RawGlobals): GlobalOptions {
  const faults: { path: string; message: string }[] = [];
  const text = (name: string): string | undefined =>
    typeof raw[name] === 'string' ? (raw[name] as string) : undefined;
  const number = (name: string, flag: string, low: number, high: number, whole: boolean): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const value = Number(given);
    const fine = /^\d+(\.\d+)?$/.test(given) && value >= low && value <= high && (!whole || Number.isInteger(value));
    if (!fine) {
      faults.push({ path: flag, message: `"${given}" is not a ${whole ? 'whole ' : ''}number from ${low} to ${high}` });
      return undefined;
    }
    return value;
  };
  if (raw.live === true && raw.test === true)
    faults.push({ path: '--live', message: 'cannot be combined with --test' });
  const timeout = number('timeout', '--timeout', 0.05, 86_400, false) ?? 60;
  const maxWait = number('maxWait', '--max-wait', 0, 86_400, false) ?? 60;
  const maxRetries = number('maxRetries', '--max-retries', 0, 100, true) ?? 4;
  const rate = number('rate', '--rate', 0.01, 100_000, false);
  const columns = text('columns')
    ?.split(',')
    .map((column) => column.trim())
    .filter((column) => column !== '');
  const times = text('times');
  if (times !== undefined && times !== 'iso' && times !== 'unix') {
    faults.push({ path: '--times', message: 'is iso or unix' });
  }
  if (columns?.length === 0) faults.push({ path: '--columns', message: 'names no column' });
  if (faults.length === 1 && faults[0]) throw usage(`${faults[0].path}: ${faults[0].message}.`);
  if (faults.length > 1) throw usage('Several global options are wrong.', undefined, faults);
  const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
    (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
  return {
    ...optional('profile', text('profile')),
    ...optional('mode', raw.live === true ? ('live' as const) : raw.test === true ? ('test' as const) : undefined),
    ...optional('baseUrl', text('baseUrl')),
    ...optional('output', text('output')),
    ...optional('columns', columns),
    ...optional('query', text('query')),
    ...optional('tz', text('tz')),
    ...optional('times', times as 'iso' | 'unix' | undefined),
    ...optional('rate', rate),
    timeout,
    maxRetries,
    maxWait,
    wide: raw.wide === true,
    raw: raw.raw === true,
    csvSafe: raw.csvSafe === true,
    excel: raw.excel === true,
    dryRun: raw.dryRun === true,
    yes: raw.yes === true,
    modeUnproven: raw.modeUnproven === true,
    ...optional('sendKeyTo', text('sendKeyTo')),
    input: raw.input !== false,
    color: raw.color !== false,
    pager: raw.pager !== false,
    quiet: raw.quiet === true,
    verbose: raw.verbose === true,
    debug: raw.debug === true,
  };
}
