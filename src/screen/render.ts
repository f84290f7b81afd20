import { asTyped, CopsError, usage } from '../base/errors/errors.js';
import { didYouMean } from '../base/errors/nearest.js';
import { cops, say } from '../base/text/command-line.js';
import { compact, each, Item, indent } from '../items/json/item-json.js';
import { type Lossless, leafPaths, parseLossless, textOf } from '../items/json/lossless.js';
import { cellText } from '../items/json/pick-values.js';
import { sanitiseLines, sanitiseUnpainted } from '../items/text/inert.js';
import { group, wrapProse } from '../items/text/width.js';
import { columnPaths, heldBack, learntPaths, MOST_HELD, unknownColumns } from './column-names.js';
import { ClosedPipe, FORMATS, type Format, OUTPUT_FORMATS, OutputSink } from './output-formats.js';
import { accountLine, palette } from './style.js';
import type { Out, Result, ScreenSettings } from './types.js';
import { Columns, type ItemWriter, type ShowOptions, writerFor } from './writers.js';

/** How rendering ended. */
export interface Rendered {
  /** The reader went away: the rest was neither read nor shown. Not an error. */
  readonly closedPipe: boolean;
}

/**
 * The output format named by a word, in any case.
 *
 * @throws CopsError `usage` for an unknown format
 */
export function formatNamed(word: string): Format {
  const format = FORMATS.find((known) => known === word.toLowerCase());
  if (format !== undefined) return format;
  throw usage(`"${word}" is not an output format.${didYouMean(word, FORMATS)}`, `Formats: ${FORMATS.join(', ')}.`);
}

/**
 * Checks the output settings as far as possible before anything is read or sent, so that a bad `--query` never surfaces
 * after a write.
 *
 * @throws CopsError `usage`
 */
export async function checkSettings(settings: ScreenSettings): Promise<void> {
  const { raw, query, columns, format, template } = settings;
  if (template !== undefined) (await import('./template.js')).parseTemplate(template);
  if (raw && query !== undefined) throw usage('--raw prints answers untouched: leave out --query.');
  if (raw && columns) throw usage('--raw prints answers untouched: leave out --columns.');
  if (raw && !OUTPUT_FORMATS[format].raw) {
    throw usage(
      `--raw prints the service's JSON: it cannot be combined with -o ${format}.`,
      say`Use -o json or -o jsonl. As YAML, for example: ${cops`api GET /openapi.json -o yaml`}`,
    );
  }
  if (columns?.some((path) => path.trim() === '') || columns?.length === 0)
    throw usage('--columns has an empty name.', 'Give dotted paths with commas between: --columns id,customer.email');
  if (columns && format === 'ids') throw usage('-o ids prints ids only: leave out --columns.');
  if (query !== undefined) await (await import('./jmespath.js')).openQuery(query);
}

/**
 * Prints a result in the configured format (command-line.md#global-options, command-line.md#lists). Resolves when the
 * stream has taken everything, or when its reader went away, after closing the items' iterator.
 *
 * @throws CopsError whatever the items threw (json and yaml have then printed nothing), `usage` for settings that
 *   cannot be met, `local` when standard output or a temporary file fails
 */
export async function render(result: Result, settings: ScreenSettings, out: Out): Promise<Rendered> {
  if (result.shape === 'nothing') return { closedPipe: false };
  const sink = new OutputSink(out.stdout);
  try {
    if (result.shape === 'text') {
      const text = result.text === '' || result.text.endsWith('\n') ? result.text : `${result.text}\n`;
      const clean = result.painted ? sanitiseUnpainted : sanitiseLines;
      const laid = (one: string) => (result.prose ? wrapProse(one, out.width) : one);
      await sink.write(out.interactive ? laid(clean(text)) : text);
    } else {
      await checkSettings(settings);
      const isOwn = result.shape === 'one' && result.isWhole;
      const shown = { settings: isOwn ? { ...settings, columns: undefined } : settings, out, sink };
      if (settings.template !== undefined) await renderTemplate(result, settings.template, shown);
      else if (settings.raw) await renderRaw(result, shown);
      else if (settings.query !== undefined) await renderQuery(result, settings.query, shown);
      else await renderUsual(result, shown);
    }
    await sink.flush();
    return { closedPipe: false };
  } catch (error) {
    if (error instanceof ClosedPipe) return { closedPipe: true };
    throw await sink.broken(error);
  }
}

type Data = Extract<Result, { shape: 'list' | 'one' }>;

/** Fills the template once per item. As with columns, an unknown name is an error before any row is printed. */
async function renderTemplate(result: Data, text: string, { out, sink }: ShowOptions): Promise<void> {
  const { Filler, parseTemplate } = await import('./template.js');
  const fields = result.shape === 'list' ? (result.fields ?? []) : [];
  const filler = new Filler(parseTemplate(text), [...(result.columns ?? []).map(({ path }) => path), ...fields]);
  const isLive = result.shape === 'list' && result.live === true;
  let isEmpty = true;
  let held: string[] = [];
  for await (const item of result.shape === 'one' ? each([result.item]) : result.items) {
    isEmpty = false;
    const filled = filler.fill(item);
    held.push(out.interactive ? sanitiseLines(filled) : filled);
    if (filler.isOpen && !isLive && held.length < MOST_HELD) continue;
    for (const one of held) await sink.write(one);
    held = [];
  }
  const fault = isEmpty ? undefined : filler.fault(result.shape === 'list' ? result.list : undefined);
  if (fault) throw fault;
}

/** A list with the columns that the profile sets for it; a fault in them names the setting. */
async function renderUsual(result: Data, shown: ShowOptions): Promise<void> {
  const usual = result.shape === 'list' ? result.usual : undefined;
  if (!usual) return renderData(result, shown);
  const settings = { ...shown.settings, columns: usual.names };
  await renderData(result, { ...shown, settings }).catch((error: unknown) => {
    throw asTyped(error, usual.setting, '--columns');
  });
}

async function renderData(result: Data, shown: ShowOptions): Promise<void> {
  const { settings, out } = shown;
  const asked = result.shape === 'list' && settings.format === 'table' ? (result.asked ?? []) : [];
  const known = [...(result.columns ?? []), ...asked];
  const called = result.shape === 'list' ? result.fieldCalled : undefined;
  const typed = settings.columns?.map((name) => called?.(name) ?? name);
  const named = typed && columnPaths(typed, known, settings.format);
  const paths = [...known.map(({ path }) => path), ...((result.shape === 'list' && result.fields) || [])];
  const { first: begin, items: all } = await begun(result, named !== undefined);
  const chosen = named && begin ? learntPaths(named, paths, begin.raw) : named;
  const columns = new Columns(known, chosen, settings.columns);
  if (result.shape === 'one')
    return renderOne(result, columns, { ...shown, settings: chosen ? { ...settings, columns: chosen } : settings });
  const isEndless = result.live && settings.format === 'json';
  const suited: ShowOptions = isEndless ? { ...shown, settings: { ...settings, format: 'jsonl' } } : shown;
  const writer = await writerFor(suited, columns, result.idField, {
    sample: result.live ? 1 : undefined,
    account: result.account,
    shares: result.shares,
  });
  let first: Item | undefined;
  const names = [...known.map(({ path }) => path), ...(result.fields ?? [])];
  const doubted = result.live ? [] : (chosen ?? []).filter((path) => !names.includes(path));
  const watched = async function* (): AsyncGenerator<Item> {
    for await (const item of doubted.length > 0 ? heldBack(all, doubted, names, result) : all) {
      first ??= item;
      yield item;
    }
    const unknown = columns.missing.filter((path) => !names.includes(path));
    if (first && unknown.length > 0) {
      const has = [...new Set([...names, ...leafPaths(parseLossless(first.raw))])];
      throw await unknownColumns(unknown, has, result);
    }
    // A nightly command must survive its first empty day: without items, nobody can say whether they have the name.
    const doubtful = first ? [] : unknown.filter((path) => result.mayHave?.(path) === false);
    if (doubtful.length > 0)
      out.note?.(`There is no item that could show ${doubtful.map((path) => `"${path}"`).join(', ')} (--columns).`);
  };
  const count = await drain(settings.columns ? watched() : all, writer);
  if (count > 0 && columns.missing.length > 0)
    out.note?.(`No item has ${columns.missing.map((path) => `"${path}"`).join(', ')} (--columns).`);
}

/** The items of a result; where column names depend on it, the first item is already read. */
async function begun(result: Data, reads: boolean): Promise<{ first?: Item; items: AsyncIterable<Item> }> {
  if (result.shape === 'one') return { first: result.item, items: each([result.item]) };
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

/** Feeds items to a writer one by one and counts them; always closes both. */
async function drain(items: AsyncIterable<Item>, writer: ItemWriter): Promise<number> {
  let count = 0;
  try {
    for await (const item of items) {
      const wait = writer.item(item);
      if (wait) await wait;
      count++;
    }
    await writer.end();
    return count;
  } catch (error) {
    // If a requested column exists nowhere, the rows without it are not an answer.
    if (!(error instanceof CopsError && error.kind === 'usage')) await writer.abort?.();
    throw error;
  } finally {
    await writer.close?.();
  }
}

type One = Pick<Extract<Result, { shape: 'one' }>, 'item' | 'related' | 'account' | 'idField'>;

async function renderOne(
  { item, idField, related, account }: One,
  columns: Columns,
  shown: ShowOptions,
): Promise<void> {
  const { settings, out, sink } = shown;
  if (settings.format === 'json') {
    const raw = columns.project(item.raw);
    await sink.write(`${out.interactive ? sanitiseLines(indent(raw)) : compact(raw)}\n`);
  } else if (settings.format === 'table') {
    const { renderRecord } = await import('./record-layout.js');
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
  } else if (settings.format === 'yaml') {
    const { openYaml } = await import('./yaml.js');
    const text = (await openYaml())(columns.project(item.raw), false);
    await sink.write(out.interactive ? sanitiseLines(text) : text);
  } else {
    const flat = settings.columns ? columns : new Columns([], undefined);
    await drain(each([item]), await writerFor(shown, flat, idField ?? 'id'));
  }
}

/** `--raw`: envelopes exactly as received; for a list as elements of one array, or one per line with jsonl. */
async function renderRaw(result: Data, shown: ShowOptions): Promise<void> {
  const { settings, out, sink } = shown;
  const lines = settings.format === 'jsonl';
  if (result.shape === 'one') {
    const raw = lines ? compact(result.item.raw) : result.item.raw;
    await sink.write(`${out.interactive ? sanitiseLines(raw) : raw}\n`);
    return;
  }
  const plain: ShowOptions = { ...shown, settings: { ...settings, format: lines ? 'jsonl' : 'json' } };
  const writer = await writerFor(plain, new Columns([], undefined), 'id', { verbatim: !lines });
  await drain(result.envelopes ? items(result.envelopes) : result.items, writer);
}

/** `--query`: runs over the merged result, so nothing can be shown before everything is there. */
async function renderQuery(result: Data, expression: string, { settings, out, sink }: ShowOptions): Promise<void> {
  const { openQuery } = await import('./jmespath.js');
  const query = await openQuery(expression);
  const answer = parseLossless(query.run(await wholeOf(result)));
  const { query: _, ...plain } = settings;
  const shown: ShowOptions = { settings: plain, out, sink };
  if (!Array.isArray(answer)) {
    const scalar = !(answer instanceof Map);
    if (scalar && !['json', 'jsonl', 'yaml'].includes(plain.format)) {
      const text = cellText(textOf(answer));
      await sink.write(`${out.interactive ? sanitiseLines(text) : text}\n`);
      return;
    }
    const columns = new Columns(result.columns ?? [], plain.columns);
    return renderOne({ item: new Item(textOf(answer)), idField: result.idField }, columns, shown);
  }
  const most = (result.shape === 'list' ? result.shownAtMost : undefined) ?? answer.length;
  const rows = answer.slice(0, most).map((element) => new Item(textOf(element)));
  const known = new Columns(columnsOfRows(answer), plain.columns);
  await drain(each(rows), await writerFor(shown, known, result.idField ?? 'id', { loose: true }));
  if (rows.length < answer.length)
    out.warn?.(`${group(rows.length)} of ${group(answer.length)}. Use --all for the rest.`);
}

/** The JSON text that a query runs over: the item, or one array of all items. */
async function wholeOf(result: Data): Promise<string> {
  if (result.shape === 'one') return result.item.raw;
  const raws: string[] = [];
  for await (const item of result.items) raws.push(item.raw);
  return `[${raws.join(',')}]`;
}

/** The columns of computed rows: every member name, in order of first appearance. */
export function columnsOfRows(rows: readonly Lossless[]): { path: string }[] {
  const names = new Set<string>();
  for (const element of rows) if (element instanceof Map) for (const name of element.keys()) names.add(name);
  return [...names].map((path) => ({ path }));
}

async function* items(texts: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const text of texts) yield new Item(text);
}
