import { checkTarget } from '../../account/given-target.js';
import { CopsError, usage, wrongOption } from '../../base/errors/errors.js';
import { typedPath } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import { rangeArguments } from '../../base/time/range.js';
import { before, parseSpan } from '../../base/time/spans.js';
import { isoTime } from '../../base/time/units.js';
import { pathParameters } from '../../catalogue/index.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { FamilyOperation, Operation } from '../../catalogue/types.js';
import { ClosedPipe } from '../../screen/output-formats.js';
import { excelOf } from '../../screen/spreadsheets.js';
import type { Pacer } from '../../service/http/pacer.js';
import { SETTLED_S } from '../../service/lists/growing-lists.js';
import { buildQuery, planRequest } from '../../service/request/request-plan.js';
import type { Context, Done } from '../../session/context/context.js';
import { lineWithout } from '../../session/context/lines.js';
import { one } from '../../session/context/run.js';
import { settledDates } from '../../session/context/settled-dates.js';
import { DEFAULTS } from '../../session/context/spec.js';
import { wholeNumber, zoneInUse } from '../../session/context/typed-words.js';
import { listRange, wholeWords } from '../../session/read/range-of.js';
import { tellColumns, tellRowsApart } from '../../session/read/told-selection.js';
import { dryRunResult, dryRuns } from '../../session/write/dry-run.js';
import { type ChosenList, chooseList } from './choose-list.js';
import { type ColumnCheck, columnCheck, columnsMeant } from './chosen-columns.js';
import { absoluteTarget, EXPORT_FORMATS, EXPORT_TRAITS, type ExportFormat, formatOf, isFolder } from './formats.js';
import { learntOf } from './learnt.js';
import { canRefresh } from './manifest.js';
import { schemaFrom } from './settle.js';
import type { ExportDeps, ExportInput, ExportOptions, ExportReport, Manifest } from './types.js';

/** `cops export <family>` (command-line.md#exports). */
export async function exportList(context: Context, words: readonly string[], options: ExportOptions): Promise<Done> {
  const { out } = options;
  const { argv } = context.world;
  const note = (text: string): void => context.notes.note(text);
  const chosen = await chooseList(words, { argv, out, range: rangeArguments(options), note });
  const list = { ...chosen, operation: await settledDates(context, chosen.operation) };
  if (out === undefined || out === '') throw usage('--out is missing.', 'Name a file, a folder ending in "/", or "-".');
  const path = absoluteTarget(out, context.world).replace(/(?<=.)[/\\]+$/, '');
  const target = { path, typed: out, option: '--out', isFolder: isFolder(out), own: context };
  if (out !== '-') await checkTarget({ ...target, error: usage });
  const input = await exportInputOf(context, list, out, options);
  if (context.options.dryRun) return dryRun(context, input, list.ids);
  const check = input.columns && (await columnCheck(list, input.columns));
  const report = await performExport(context, input, undefined, check).catch((error) => {
    // `| head`: the end of the reading.
    if (error instanceof ClosedPipe) return undefined;
    throw error;
  });
  if (!report) return { result: { shape: 'nothing' } };
  sayLate(context, out, report);
  if (input.from && input.to)
    tellRowsApart(context, input.family, input.columns, { begins: input.from.unix, ends: input.to.unix + 1 });
  await tellColumns(context, input.family, context.options.columns ?? []);
  tellControl(context, input);
  saySince(context, input, report);
  return {
    result: out === '-' ? { shape: 'nothing' } : { ...one(summary(out, report)), isWhole: true },
    finish: () => unprovenError(out, report.manifest),
  };
}

/** The format of a target and whether it is compressed, by the options or the file extension. */
function targetOf(out: string, options: ExportOptions, list: string): { format: ExportFormat; gzip: boolean } {
  const byName = formatOf(out);
  const format = (options.format as ExportFormat | undefined) ?? byName.format;
  if (format === undefined) {
    const database = say`For a database: ${cops`sync postgres://user@host/name ${list}`}, or csv and its \\copy.`;
    const formats = `Give --format ${EXPORT_FORMATS.join('|')}.`;
    throw usage(`The ending of ${out} names no format.`, /\.sql$/i.test(out) ? database : formats);
  }
  if (!EXPORT_FORMATS.includes(format))
    throw wrongOption('--format', `"${format}" is none of ${EXPORT_FORMATS.join(', ')}.`);
  const { binary, oneFile, packable, endings } = EXPORT_TRAITS[format];
  const gzip = options.gzip === true || byName.gzip;
  if (gzip && binary) {
    throw usage(
      `--gzip cannot be combined with ${format}.`,
      packable ? undefined : 'That format is compressed already.',
    );
  }
  if (out === '-' && binary) throw usage(`${format} cannot go to standard output.`);
  if (isFolder(out) && oneFile) throw usage(oneFile, `Name a file that ends in .${endings[0]}.`);
  return { format, gzip };
}

/** A format that holds whole items: columns are chosen in a text, or when it is read. */
function wholeFormat({ world }: Context, out: string, format: ExportFormat): CopsError {
  const text = out === '-' ? ['--out', '-', '--format', 'csv'] : ['--out', `${out.replace(/(\.\w+)+$|\/+$/, '')}.csv`];
  return usage(
    `--columns cannot be combined with ${format}, which always holds every field.`,
    say`Chosen columns: ${lineWithout(world.argv, ['--out', '--format'], ...text)}. All fields: leave out --columns.`,
  );
}

/** Checks all options together and freezes the resulting settings. */
export async function exportInputOf(
  context: Context,
  list: Omit<ChosenList, 'asList'>,
  out: string,
  options: ExportOptions,
): Promise<ExportInput> {
  const { family, operation } = list;
  const { format, gzip } = targetOf(out, options, list.family.name.replaceAll('_', '-'));
  if (out === '-' && options.sinceLast) throw usage('--since-last needs a target with a manifest.');
  if (options.refresh !== undefined && !options.sinceLast) throw usage('--refresh needs --since-last.');
  if (options.refresh !== undefined && format !== 'sqlite' && !isFolder(out))
    throw usage(`--refresh cannot replace rows inside one ${format} file.`, 'Export to a folder or to SQLite.');
  const shard = shardOf(options.shard);
  if (shard && options.to === undefined && wholePeriod(options) === undefined && operation.list?.style === 'windowed')
    throw usage('--shard needs --to, the same on every machine.', 'For example: --to 2026-01-31');
  if (shard && beginOf(options) === undefined && operation.list?.style === 'windowed' && options.range !== false)
    throw usage('--shard needs --from, the same on every machine.', 'For example: --from 2026-01-01');
  if (shard && options.sinceLast) throw usage('--shard and --since-last cannot be combined.');
  const typed = context.options.columns;
  if (typed && !EXPORT_TRAITS[format].chosenColumns) throw wholeFormat(context, out, format);
  const columns = typed && columnsMeant(list, typed);
  const ranged = operation.list?.style === 'windowed' && options.range !== false;
  if (!ranged && wholeWords(options).length > 0) {
    throw usage(
      options.range === false
        ? '--no-range cannot be combined with a range.'
        : 'This list takes no dates: it is always read completely.',
    );
  }
  const zone = await zoneInUse(context);
  const now = await context.now();
  const concurrency = wholeNumber(options.concurrency, '--concurrency', 1, 256) ?? DEFAULTS.exportConcurrency;
  // The first transport decides the number of connections, and may also ask for the first day.
  if (ranged && !context.options.dryRun) await context.transport(concurrency);
  const range = ranged ? await rangeOf(context, list, options, now) : {};
  const nowUnix = Math.floor(now / 1000);
  return {
    family,
    operation: options.range === false ? withoutDates(operation) : operation,
    params: Object.fromEntries(pathParameters(operation).map((name, i) => [name, list.ids[i] ?? ''])),
    ...range,
    rangeEnds: (await context.profile()).rangeEnds.value,
    out: out === '-' ? out : absoluteTarget(out, context.world),
    format,
    // Filters and ids are checked as for every list.
    filters: planRequest(family, operation, { ids: list.ids, query: buildQuery(operation, list.filters) }).query,
    columns,
    concurrency,
    gzip,
    csvSafe: context.options.csvSafe,
    times: context.options.times ?? 'iso',
    tz: zone.name,
    excel: context.options.excel && EXPORT_TRAITS[format].textCells ? excelOf(context.world.env) : undefined,
    schema: await schemaFrom((options.schema ?? []).map((path) => typedPath(context.world, path))),
    shard,
    restart: options.restart === true,
    sinceLast: options.sinceLast === true,
    refresh:
      options.refresh === undefined
        ? undefined
        : nowUnix - before(nowUnix, parseSpan(options.refresh, '--refresh'), zone),
    pageSize: wholeNumber(options.pageSize, '--page-size', 1, LARGEST_PAGE) ?? LARGEST_PAGE,
  };
}

/** The line that adds up the amounts of a whole export by another way. */
function tellControl({ notes }: Context, { family, from, to, filters, params, shard, sinceLast }: ExportInput): void {
  const isPart = filters.length > 0 || Object.keys(params).length > 0 || shard !== undefined || sinceLast;
  if (!from || !to || isPart || (family.item?.amount ?? family.assumed?.amount) === undefined) return;
  const span = ['--from', isoTime(from.unix), '--to', isoTime(to.unix)];
  notes.note(say`Control totals: ${cops`${family.name.replaceAll('_', '-')} list ${span} --sum amount`}`);
}

function withoutDates(operation: Operation): Operation {
  const { spanDays: _, ...list } = operation.list as NonNullable<Operation['list']>;
  return { ...operation, list: { ...list, style: 'paged' } };
}

async function rangeOf(
  context: Context,
  { family, operation }: FamilyOperation,
  options: ExportOptions,
  now: number,
): Promise<Pick<ExportInput, 'from' | 'to'>> {
  const list = operation.list as NonNullable<Operation['list']>;
  const range = await listRange(context, options, now, { family, list, isExport: true, isOnePage: false });
  if (!options.sinceLast) for (const line of range.said) context.notes.note(line);
  const period = wholePeriod(options);
  return {
    from: { unix: range.from, text: beginOf(options) ?? 'all time' },
    to: { unix: range.to, text: period ?? options.to ?? 'now' },
  };
}

/** The text of the option that says where the range begins. */
function beginOf(options: ExportOptions): string | undefined {
  return wholePeriod(options) ?? options.from ?? options.last;
}

/** The calendar period named on the command line, which sets both ends. */
function wholePeriod({ week, month, quarter, year }: ExportOptions): string | undefined {
  return week ?? month ?? quarter ?? year;
}

function shardOf(text: string | undefined): ExportInput['shard'] {
  if (text === undefined) return undefined;
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index < 1 || index > count)
    throw wrongOption('--shard', `"${text}" is not i/n with i from 1 to n.`, 'For example: --shard 2/8');
  return { index, count };
}

async function dryRun(context: Context, input: ExportInput, ids: readonly string[]): Promise<Done> {
  const { freshPlan } = await import('./prepare.js');
  const { windows } = freshPlan(input, await depsOf(context, input));
  const [window] = windows;
  if (context.options.curl) {
    const { everyPage } = await import('../../session/read/every-page.js');
    const { family, operation, filters, pageSize } = input;
    const ranges = windows.flatMap((one) => (one ? [{ from: one[0], to: one[1] }] : []));
    const { style, lastPage } = operation.list ?? {};
    const plan = {
      windows: ranges.length > 0 ? ranges : undefined,
      paged: style !== 'single',
      pageSize,
      lastPage,
      ahead: 0,
    };
    const base = planRequest(family, operation, { ids, query: filters });
    return dryRuns(context, await everyPage(context, { plan, base, idField: family.idField }));
  }
  const single = input.operation.list?.style === 'single';
  return dryRunResult(
    context,
    planRequest(input.family, input.operation, {
      ids,
      query: [
        ...(window ? [['date_start', String(window[0])] as const, ['date_end', String(window[1])] as const] : []),
        ...(single ? [] : [['limit', String(input.pageSize)] as const, ['page', '1'] as const]),
        ...input.filters,
      ],
    }),
  );
}

/** Runs an export with the profile in use. */
export async function performExport(
  context: Context,
  input: ExportInput,
  pacer?: Pacer,
  checkColumns?: ColumnCheck,
): Promise<ExportReport> {
  const { runExport } = await import('./run-export.js');
  const deps = { ...(await depsOf(context, input, pacer)), checkColumns };
  try {
    return await runExport(input, deps);
  } catch (error) {
    const kind = error instanceof CopsError ? error.kind : undefined;
    if (input.out !== '-' && kind !== 'usage' && kind !== 'stopped')
      context.notes.note('Nothing read is lost: run the same command again to continue.');
    throw error;
  }
}

async function depsOf(context: Context, input: ExportInput, pacer?: Pacer): Promise<ExportDeps> {
  const [{ openProofs }, { fromService, toService }, { keyFilter }, { pacerOf, patience }] = await Promise.all([
    import('../../account/safety/proofs.js'),
    import('../../service/request/wallet.js'),
    import('../../items/secrets/redact.js'),
    import('../../session/read/reading.js'),
  ]);
  const { world, options, notes } = context;
  const profile = await context.profile();
  const rules = patience(context);
  const rate = options.rate ?? profile.rate.value;
  const share = rate === undefined ? undefined : rate / (input.shard?.count ?? 1);
  const proofs = openProofs(context.configDir, { warn: (text) => notes.warn(text), isDry: options.dryRun });
  const word = profile.walletWord.value;
  // Records of calls may show the key they came with; searching every page of other lists would slow the export down.
  const withoutKey = /_calls$|_logs$/.test(input.family.name) ? keyFilter(profile.key.value) : undefined;
  const inSpecWords =
    word === 'wallet' ? undefined : (body: Buffer) => Buffer.from(fromService(body.toString('utf8'), word));
  return {
    ...rules,
    transport: await context.transport(input.concurrency),
    pacer: pacer ?? (await pacerOf(context, share)),
    notes,
    tuneEngine: context.world.tuneEngine,
    frozen: await context.now(),
    learnt: learntOf(context.dataDir, profile.name.value),
    signal: world.interrupted,
    stdout: world.stdout,
    profile: {
      name: profile.name.value,
      baseUrl: profile.baseUrl.value,
      mode: profile.mode.value,
      fingerprint: profile.fingerprint,
    },
    observe: (live) => proofs.observe(live, profile),
    prepare: word === 'wallet' ? undefined : (request) => toService(request, word),
    incoming:
      withoutKey || inSpecWords
        ? (body) => {
            const clean = withoutKey?.(body) ?? body;
            return inSpecWords?.(clean) ?? clean;
          }
        : undefined,
  };
}

/** A summary line of an export. */
export function summary(out: string, { manifest, already, added, requests }: ExportReport): Record<string, unknown> {
  const { family, format, items, range, complete, unproven } = manifest;
  const [from, to] = [range && isoTime(range.from), range && isoTime(range.to)];
  const windows = manifest.windows.length;
  return { out, family, format, items, new: added, windows, from, to, requests, complete, unproven, already };
}

/** `_other` loses nothing, but a person who looks for a field looks for its column. */
function sayLate(context: Context, out: string, { manifest, already }: ExportReport): void {
  const { late = [] } = manifest;
  if (already || late.length === 0) return;
  const named = late.slice(0, 5).map(({ path, items }) => `${path} (${items})`);
  if (late.length > named.length) named.push(`${late.length - named.length} more`);
  const where = out === '-' ? '' : ' The manifest has the command that adds columns for them.';
  context.notes.note(`In _other, because no column holds them: ${named.join(', ')}.${where}`);
}

/** What a run that continues from a manifest did not read again, and the command that reads it. */
function saySince(context: Context, { family, refresh }: ExportInput, { manifest, added, since }: ExportReport): void {
  if (since === undefined) return;
  const name = family.name.replaceAll('_', '-');
  const rows = added < 0 ? `${-added} fewer rows` : `${added} new ${added === 1 ? 'row' : 'rows'}`;
  const again = canRefresh(manifest) ? `${refresh === undefined ? '--refresh <span>' : 'a longer --refresh'}, or ` : '';
  const until =
    manifest.range === null
      ? ''
      : ` up to ${isoTime(manifest.range.to)}, ${SETTLED_S} seconds before the start: newer items come with the next run`;
  context.notes.warn(
    say`${rows}${until}. Later changes to items from before ${isoTime(since)} are missing; to get them: ${again}${cops`sync ${name}`} and then ${cops`changes ${name}`}.`,
  );
}

/** The error of an export not proven complete (exit code 10), or undefined. */
function unprovenError(out: string, manifest: Manifest): CopsError | undefined {
  if (manifest.complete) return undefined;
  const [first = ''] = manifest.unproven;
  const more = manifest.unproven.length - 1;
  return new CopsError(
    'incomplete',
    `The export could not be proven complete: ${first}${more > 0 ? `, and ${more} more` : ''}.`,
    {
      hint: out === '-' ? undefined : 'The manifest names each such window. Use --restart to read everything again.',
      more: { unproven: manifest.unproven },
    },
  );
}
