import { CopsError, usage } from '../errors/errors.js';
import { didYouMean } from '../errors/nearest.js';
import { Item } from '../json/item.js';
import { type Lossless, leafPaths, parseLossless, textOf } from '../json/lossless.js';
import { cellText } from '../json/pick.js';
import { compact, indent } from '../json/text.js';
import { accountLine } from './account.js';
import { palette } from './colour.js';
import { columnPaths, learntPaths, unknownColumns } from './column-names.js';
import { FORMATS, type Format, OUTPUT_FORMATS } from './formats.js';
import { sanitiseLines } from './sanitise.js';
import { ClosedPipe, Sink } from './sink.js';
import type { Out, Result, Settings } from './types.js';
import { Columns, idOf, type Writer, writerFor } from './writers.js';

/** How the rendering ended. */
export interface Rendered {
  /** Items, rows or elements that were given out. */
  readonly count: number;
  /** The reader went away: the rest was neither read nor shown, which is no error. */
  readonly closedPipe: boolean;
}

/**
 * The output format that a word names, in any case.
 *
 * @throws CopsError of kind `usage` for a word that is no format
 */
export function formatNamed(word: string): Format {
  const format = FORMATS.find((known) => known === word.toLowerCase());
  if (format !== undefined) return format;
  const file = /^(?:xlsx|excel|parquet|sqlite)$/i.test(word)
    ? ' Such a file is made by: cops export <list> --out <file>.'
    : '';
  throw usage(
    `"${word}" is not an output format.${didYouMean(word, FORMATS)}`,
    `Formats: ${FORMATS.join(', ')}.${file}`,
  );
}

/**
 * Checks what can be checked of the output settings before anything is read or sent, so that a bad `--query`
 * never follows a write.
 *
 * @throws CopsError of kind `usage`
 */
export async function checkSettings(settings: Settings): Promise<void> {
  const { raw, query, columns, format } = settings;
  if (raw && query !== undefined) throw usage('--raw prints answers untouched: leave out --query.');
  if (raw && columns) throw usage('--raw prints answers untouched: leave out --columns.');
  if (raw && !OUTPUT_FORMATS[format].raw) {
    throw usage(
      `--raw prints the service's JSON: it cannot be combined with -o ${format}.`,
      'Use -o json or -o jsonl.',
    );
  }
  if (columns?.some((path) => path.trim() === '') || columns?.length === 0) {
    throw usage('--columns has an empty name.', 'Give dotted paths with commas between: --columns id,customer.email');
  }
  if (columns && format === 'ids') throw usage('-o ids prints ids only: leave out --columns.');
  if (query !== undefined) await (await import('./query.js')).openQuery(query);
}

/**
 * Prints a result in the format of the settings (command line, sections 2 and 4). Resolves when everything was
 * taken by the stream, or when its reader went away; then the items' iterator was closed.
 *
 * @throws CopsError: what the items threw (json and yaml have printed nothing then), `usage` for settings that
 * cannot be met, `local` when standard output or a temporary file fails
 */
export async function render(result: Result, settings: Settings, out: Out): Promise<Rendered> {
  if (result.shape === 'nothing') return { count: 0, closedPipe: false };
  const sink = new Sink(out.stdout);
  const tally = { count: 0 };
  try {
    if (result.shape === 'text') {
      const text = result.text === '' || result.text.endsWith('\n') ? result.text : `${result.text}\n`;
      await sink.write(out.interactive ? (result.painted ? sanitiseUnpainted(text) : sanitiseLines(text)) : text);
      tally.count = 1;
    } else {
      await checkSettings(settings);
      await renderData(result, settings, out, sink, tally);
    }
    await sink.flush();
    return { ...tally, closedPipe: false };
  } catch (error) {
    if (error instanceof ClosedPipe) return { ...tally, closedPipe: true };
    // What was taken before the failure is data that the reader may have: it is not held back.
    await sink.flush().catch(() => undefined);
    throw error;
  }
}

/** Makes a text inert but for the colours that its maker gave it. */
function sanitiseUnpainted(text: string): string {
  return text
    .split(/(\u001b\[[0-9;]*m)/)
    .map((part, at) => (at % 2 === 1 ? part : sanitiseLines(part)))
    .join('');
}

/** Counts what was given out, also of a rendering that ends early. */
interface Tally {
  count: number;
}

type Data = Extract<Result, { shape: 'list' | 'one' }>;

async function renderData(result: Data, settings: Settings, out: Out, sink: Sink, tally: Tally): Promise<void> {
  if (settings.raw) return renderRaw(result, settings, out, sink, tally);
  if (settings.query !== undefined) return renderQuery(result, settings, out, sink, tally);
  const asked = result.shape === 'list' && settings.format === 'table' ? (result.asked ?? []) : [];
  const known = [...(result.columns ?? []), ...asked];
  const named = settings.columns && columnPaths(settings.columns, known, settings.format);
  const paths = [...known.map(({ path }) => path), ...((result.shape === 'list' && result.fields) || [])];
  const { first: begin, items: all } = await begun(result, named !== undefined);
  const chosen = named && begin ? learntPaths(named, paths, begin.raw) : named;
  const columns = new Columns(known, chosen, settings.columns);
  if (result.shape === 'one')
    return renderOne(result, columns, chosen ? { ...settings, columns: chosen } : settings, out, sink, tally);
  const shown = result.live && settings.format === 'json' ? ({ ...settings, format: 'jsonl' } as const) : settings;
  const writer = await writerFor(shown, out, columns, result.idField, {
    sample: result.live ? 1 : undefined,
    account: result.account,
    shares: result.shares,
  });
  let first: Item | undefined;
  const watched = async function* (): AsyncGenerator<Item> {
    for await (const item of all) {
      first ??= item;
      yield item;
    }
    const names = [...known.map(({ path }) => path), ...(result.fields ?? [])];
    const unknown = columns.missing.filter((path) => !names.includes(path));
    if (!first || unknown.length === 0) return;
    throw unknownColumns(unknown, [...new Set([...names, ...leafPaths(parseLossless(first.raw))])]);
  };
  await drain(settings.columns ? watched() : all, writer, sink, tally);
  if (tally.count > 0 && columns.missing.length > 0) {
    out.note?.(`No item has ${columns.missing.map((path) => `"${path}"`).join(', ')} (--columns).`);
  }
}

/** The items of a result, and where names of columns depend on it the first of them, already read. */
async function begun(result: Data, reads: boolean): Promise<{ first?: Item; items: AsyncIterable<Item> }> {
  if (result.shape === 'one') return { first: result.item, items: one(result.item) };
  if (!reads) return { items: result.items };
  const iterator = result.items[Symbol.asyncIterator]();
  const head = await iterator.next();
  const items = async function* (): AsyncGenerator<Item> {
    try {
      if (!head.done) yield head.value;
      for (let next = head.done ? head : await iterator.next(); !next.done; next = await iterator.next())
        yield next.value;
    } finally {
      await iterator.return?.();
    }
  };
  return head.done ? { items: items() } : { first: head.value, items: items() };
}

/** Feeds items to a writer one by one; closes both whatever happens. */
async function drain(items: AsyncIterable<Item>, writer: Writer, sink: Sink, tally: Tally): Promise<void> {
  try {
    for await (const item of items) {
      const wait = writer.item(item, sink);
      if (wait) await wait;
      tally.count++;
    }
    await writer.end(sink);
  } catch (error) {
    // Rows without a column that was asked for and that nothing has are no part of an answer.
    if (!(error instanceof CopsError && error.kind === 'usage')) await writer.abort?.(sink);
    throw error;
  } finally {
    await writer.close?.();
  }
}

type One = Pick<Extract<Result, { shape: 'one' }>, 'item' | 'related' | 'account'> & {
  readonly idField?: string | undefined;
};

async function renderOne(
  { item, idField, related, account }: One,
  columns: Columns,
  settings: Settings,
  out: Out,
  sink: Sink,
  tally: Tally,
): Promise<void> {
  const { format } = settings;
  if (format === 'json' || format === 'jsonl') {
    await sink.write(json(columns.project(item.raw), format, out));
  } else if (format === 'table') {
    const { renderRecord } = await import('./record.js');
    if (account && out.interactive) await sink.write(`${accountLine(account, await palette(out.color))}\n`);
    await sink.write(
      await renderRecord(item.raw, {
        columns: columns.known,
        chosen: settings.columns,
        related: related ?? [],
        tz: settings.tz,
        color: out.color,
        width: out.interactive && !settings.wide ? out.width : undefined,
      }),
    );
  } else if (format === 'yaml') {
    const { openYaml } = await import('./yaml.js');
    const text = (await openYaml())(columns.project(item.raw), false);
    await sink.write(out.interactive ? sanitiseLines(text) : text);
  } else if (format === 'ids') {
    await sink.write(`${idOf(item.raw, idField, out.interactive)}\n`);
  } else {
    const flat = settings.columns ? columns : new Columns([], undefined);
    return drain(one(item), await writerFor(settings, out, flat, idField ?? 'id'), sink, tally);
  }
  tally.count++;
}

/** A document by itself: indented for a person, one line for a program. */
function json(raw: string, format: 'json' | 'jsonl', out: Out): string {
  if (!out.interactive) return `${compact(raw)}\n`;
  return `${sanitiseLines(format === 'json' ? indent(raw) : compact(raw))}\n`;
}

/** `--raw`: envelopes exactly as they came; a list's as the elements of one array, or one a line with jsonl. */
async function renderRaw(result: Data, settings: Settings, out: Out, sink: Sink, tally: Tally): Promise<void> {
  const show = (raw: string): string => (out.interactive ? sanitiseLines(raw) : raw);
  if (result.shape === 'one') {
    await sink.write(`${show(settings.format === 'jsonl' ? compact(result.item.raw) : result.item.raw)}\n`);
    tally.count++;
    return;
  }
  const envelopes = result.envelopes ?? texts(result.items);
  const lines = settings.format === 'jsonl';
  const writer = await writerFor(
    { ...settings, format: lines ? 'jsonl' : 'json' },
    out,
    new Columns([], undefined),
    'id',
    {
      verbatim: !lines,
    },
  );
  return drain(items(envelopes), writer, sink, tally);
}

/** `--query`: over the merged whole, so nothing can be shown before everything is there. */
async function renderQuery(result: Data, settings: Settings, out: Out, sink: Sink, tally: Tally): Promise<void> {
  const { openQuery } = await import('./query.js');
  const query = await openQuery(settings.query ?? '');
  const answer = parseLossless(query.run(await wholeOf(result)));
  const plain: Settings = { ...settings };
  delete (plain as { query?: string }).query;
  const { format } = plain;
  if (!Array.isArray(answer)) {
    const scalar = !(answer instanceof Map);
    if (scalar && format !== 'json' && format !== 'jsonl' && format !== 'yaml') {
      const text = cellText(textOf(answer));
      await sink.write(`${out.interactive ? sanitiseLines(text) : text}\n`);
      tally.count++;
      return;
    }
    const columns = new Columns(result.columns ?? [], plain.columns);
    return renderOne({ item: new Item(textOf(answer)), idField: idFieldOf(result) }, columns, plain, out, sink, tally);
  }
  const most = (result.shape === 'list' ? result.shownAtMost : undefined) ?? answer.length;
  const rows = answer.slice(0, most).map((element) => new Item(textOf(element)));
  const known = new Columns(columnsOfRows(answer), plain.columns);
  const writer = await writerFor(plain, out, known, idFieldOf(result), { loose: true });
  await drain(items(rows), writer, sink, tally);
  if (rows.length < answer.length) {
    const number = new Intl.NumberFormat('en-US');
    out.note?.(`${number.format(rows.length)} of ${number.format(answer.length)}. Use --all for the rest.`);
  }
}

/** The text that a query is asked of: the item, or one array of all items. */
async function wholeOf(result: Data): Promise<string> {
  if (result.shape === 'one') return result.item.raw;
  const raws: string[] = [];
  for await (const item of result.items) raws.push(item.raw);
  return `[${raws.join(',')}]`;
}

function idFieldOf(result: Data): string {
  return result.idField ?? 'id';
}

/** The columns of computed rows: every name of the objects, in the order in which they first come. */
export function columnsOfRows(rows: readonly Lossless[]): { path: string }[] {
  const names = new Set<string>();
  for (const element of rows) {
    if (element instanceof Map) for (const name of element.keys()) names.add(name);
  }
  return [...names].map((path) => ({ path }));
}

async function* one(item: Item): AsyncGenerator<Item> {
  yield item;
}

async function* items(source: AsyncIterable<string> | readonly Item[]): AsyncGenerator<Item> {
  for await (const element of source) yield typeof element === 'string' ? new Item(element) : element;
}

async function* texts(source: AsyncIterable<Item>): AsyncGenerator<string> {
  for await (const item of source) yield item.raw;
}
