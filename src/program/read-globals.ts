import type { GlobalOptions } from '../command/context.js';
import { DEFAULTS } from '../command/defaults.js';
import { GLOBAL_OPTIONS, type GlobalOption } from '../command/global-options.js';
import { usage } from '../errors/errors.js';

/** Raw values of the global options as the parser gives them. */
export type RawGlobals = Readonly<Record<string, unknown>>;

interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Checks the global options of a line; throws one usage error that names all that is wrong. */
export function globalOptions(raw: RawGlobals): GlobalOptions {
  const faults: Fault[] = [];
  const text = (name: string): string | undefined =>
    typeof raw[name] === 'string' ? (raw[name] as string) : undefined;
  const checked = (name: string, flag: string): string | undefined => {
    const given = text(name);
    const message = given === undefined ? undefined : faultOf(given, optionOf(flag));
    if (message !== undefined) faults.push({ path: flag, message });
    return given;
  };
  const number = (name: string, flag: string): number | undefined => {
    const given = checked(name, flag);
    return given === undefined ? undefined : Number(given);
  };
  if (raw.live === true && raw.test === true)
    faults.push({ path: '--live', message: 'cannot be combined with --test' });
  const options: GlobalOptions = {
    profile: text('profile'),
    mode: raw.live === true ? 'live' : raw.test === true ? 'test' : undefined,
    baseUrl: text('baseUrl'),
    output: text('output'),
    columns: columnsOf(text('columns')),
    query: text('query'),
    tz: text('tz'),
    timeout: number('timeout', '--timeout') ?? DEFAULTS.timeout,
    maxWait: number('maxWait', '--max-wait') ?? DEFAULTS.maxWait,
    maxRetries: number('maxRetries', '--max-retries') ?? DEFAULTS.maxRetries,
    rate: number('rate', '--rate'),
    times: checked('times', '--times') as GlobalOptions['times'],
    wide: raw.wide === true,
    raw: raw.raw === true,
    csvSafe: raw.csvSafe === true,
    excel: raw.excel === true,
    dryRun: raw.dryRun === true,
    yes: raw.yes === true,
    modeUnproven: raw.modeUnproven === true,
    sendKeyTo: text('sendKeyTo'),
    input: raw.input !== false,
    color: raw.color !== false,
    pager: raw.pager !== false,
    quiet: raw.quiet === true,
    verbose: raw.verbose === true,
    debug: raw.debug === true,
  };
  if (options.columns?.length === 0) faults.push({ path: '--columns', message: 'names no column' });
  if (faults.length === 1 && faults[0]) throw usage(`${faults[0].path}: ${faults[0].message}.`);
  if (faults.length > 1) throw usage('Several global options are wrong.', undefined, faults);
  return options;
}

function optionOf(flag: string): GlobalOption | undefined {
  return GLOBAL_OPTIONS.find(({ flags }) => flags.split(/[ ,]+/).includes(flag));
}

function faultOf(given: string, option: GlobalOption | undefined): string | undefined {
  const { number, choices } = option ?? {};
  if (choices && !choices.includes(given)) return `is ${choices.join(' or ')}`;
  if (!number) return undefined;
  const value = Number(given);
  const { low, high, whole } = number;
  const fine = /^\d+(\.\d+)?$/.test(given) && value >= low && value <= high && (!whole || Number.isInteger(value));
  return fine ? undefined : `"${given}" is not a ${whole ? 'whole ' : ''}number from ${low} to ${high}`;
}

function columnsOf(list: string | undefined): string[] | undefined {
  return list
    ?.split(',')
    .map((column) => column.trim())
    .filter((column) => column !== '');
}
