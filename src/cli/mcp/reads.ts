import { operationWith } from '../../account/safety/as-sent.js';
import { orThrow, stopped, usage } from '../../base/errors/errors.js';
import { zoneOf } from '../../base/time/zones.js';
import { filterOptions, pathParameters } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { describeFields } from '../../items/checks/describe-fault.js';
import { each, Item, stripEnvelope } from '../../items/json/item-json.js';
import { parseJson } from '../../items/json/parse-json.js';
import { isObject, type TreeObject } from '../../items/json/tree.js';
import { comparisons } from '../../items/select/condition.js';
import { columnPaths, heldBack, learntPaths } from '../../screen/column-names.js';
import type { Done } from '../../session/context/context.js';
import type { Road } from '../../session/joins/roads.js';
import { camel, operationInput } from '../../session/operation/spec.js';
import { openReader } from '../../session/read/reading.js';
import { postedText } from '../../session/write/write.js';
import { runOperation } from '../operation/run-operation.js';
import { isPersonal, pick, plainOf } from './mask.js';
import {
  contextOf,
  type KnownTool,
  quotesOf,
  refuseFaults,
  type Said,
  type Session,
  shownItem,
  shownText,
  type ToolAnswer,
  toolOperation,
} from './session.js';

/** Describes one operation from the catalogue. */
export async function describe(session: Session, words: string): Promise<ToolAnswer> {
  const { family, operation, name } = await toolOperation(session, words);
  return {
    structured: {
      operation: name,
      summary: operation.summary,
      risk: operation.risk,
      path: `${operation.method} ${operation.path}`,
      filters: filterOptions(operation).map(({ option, field: { type, enum: values } }) => {
        return { name: option, type, values };
      }),
      fields: operation.body ? describeFields(operation).map((row) => ({ ...row })) : undefined,
      columns: family.columns.map(({ path }) => path),
      rules: operation.rules,
      example: `cops ${operation.example}`,
    },
  };
}

/** The arguments of `read`. */
export interface ReadArguments {
  readonly operation: string;
  readonly ids?: readonly string[];
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly from?: string;
  readonly to?: string;
  readonly last?: string;
  readonly where?: readonly string[];
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  readonly group_by?: readonly string[];
  readonly having?: readonly string[];
  readonly sum?: readonly string[];
  readonly sort?: readonly string[];
  readonly columns?: readonly string[];
  readonly limit?: number;
  /** For an operation that reads through a POST. */
  readonly body?: GivenBody;
}

/** Reads with the command's own engine; reports what is missing and cuts nothing silently. */
export async function runRead(session: Session, given: ReadArguments): Promise<ToolAnswer> {
  const { family, operation, name } = await toolOperation(session, given.operation);
  if (operation.method === 'POST') return posted(session, { family, operation, name }, given);
  if (operation.risk !== 'read') throw usage(`${name} is not a read.`, 'Use prepare.');
  if (given.body !== undefined) throw usage(`${name} takes no body.`, 'See describe.');
  if (given.ids?.includes('-')) throw usage('- is no id.');
  if (session.mask) refuseNames(operation, given);
  const options = optionsOf(session, given, family.name);
  if (session.mask) await refusePersonalPaths(family, operation, given);
  const known = new Set(filterOptions(operation).map(({ option }) => option));
  for (const [filter, value] of Object.entries(given.filters ?? {})) {
    const option = optionOf(filter);
    if (!known.has(option)) throw usage(`${name} has no filter ${filter}.`, 'See describe.');
    if (session.mask && isPersonal(option.replaceAll('-', '_'), family.name))
      throw usage('That filter is masked here.');
    options[camel(option)] = Array.isArray(value)
      ? value.map(String)
      : typeof value === 'boolean'
        ? value
        : String(value);
  }
  const { context, said } = contextOf(session, name);
  const input = operationInput(family, operation, { words: given.ids ?? [], options });
  const done = await runOperation(context, input, operation.risk);
  if (given.columns === undefined) return gathered(session, said, done, (raw) => shownItem(session, raw, family.name));
  const { paths, result } = await withColumns(done.result, given.columns);
  return gathered(session, said, { ...done, result }, (raw) => pick(shownItem(session, raw, family.name), paths));
}

/**
 * The paths that columns mean, as `--columns` takes them, and their result.
 * @throws CopsError usage for a column that no item has and that is no field
 */
async function withColumns(
  result: Done['result'],
  typed: readonly string[],
): Promise<{ readonly paths: readonly string[]; readonly result: Done['result'] }> {
  if (result.shape !== 'list' && result.shape !== 'one') return { paths: typed, result };
  const all: Item[] = [];
  if (result.shape === 'one') all.push(result.item);
  else for await (const item of result.items) all.push(item);
  const { known, called, names } = fieldsOf(result);
  const [first] = all;
  const meant = columnPaths(
    typed.map((name) => called(name) ?? name),
    known,
    'json',
  );
  const paths = first ? learntPaths(meant, names, first.raw) : meant;
  const doubted = paths.filter((path) => !names.includes(path));
  const seen: Item[] = [];
  for await (const item of heldBack(each(all), doubted, names, {})) seen.push(item);
  return { paths, result: result.shape === 'one' ? result : { ...result, items: each(seen) } };
}

function fieldsOf(result: Extract<Done['result'], { readonly shape: 'list' | 'one' }>) {
  const known = result.columns ?? [];
  const isList = result.shape === 'list';
  const called = (name: string): string | undefined => (isList ? result.fieldCalled?.(name) : undefined);
  return { known, called, names: [...known.map(({ path }) => path), ...((isList && result.fields) || [])] };
}

/** A POST that only reads: an estimate, a query. Takes the body as given and looks up no names. */
async function posted(
  session: Session,
  { family, operation: named, name }: KnownTool,
  given: ReadArguments,
): Promise<ToolAnswer> {
  const body = bodyOf(given.body);
  const operation = operationWith(named, body);
  if (operation.risk !== 'read') throw usage(`${name} is not a read.`, 'Use prepare.');
  const more = Object.keys(given).find((one) => !['operation', 'body'].includes(one));
  if (more !== undefined) throw usage(`${name} takes a body, not ${more}.`, 'See describe.');
  if (operation.sqlBody !== undefined && (session.mask || session.families))
    throw stopped("The service's SQL reads everything, but this server shows only a part", 'Use the tool sql.');
  await refuseFaults({ family, operation, name }, body);
  const { context, said } = contextOf(session, name);
  const reader = await openReader(context);
  const write = { family, operation, risk: operation.risk, ids: [], body, key: null, again: false };
  const item = new Item(stripEnvelope(await postedText(reader, write)));
  return gathered(session, said, { result: { shape: 'one', item, idField: family.idField } }, (raw) =>
    shownItem(session, raw, family.name),
  );
}

/** A body as an agent gives it: an object, or JSON text. */
export type GivenBody = string | Readonly<Record<string, unknown>>;

/**
 * The JSON object given. @throws CopsError usage (2) for anything else, and for numbers that have already lost digits
 */
export function bodyOf(given: GivenBody | undefined): TreeObject {
  const text = typeof given === 'object' ? textOfBody(given) : given;
  if (text === undefined || text.trim() === '') return {};
  const { value, duplicates } = orThrow(
    () => parseJson(text),
    () => usage('body is not valid JSON.'),
  );
  if (duplicates.length > 0) throw usage(`body gives ${duplicates.join(', ')} twice.`);
  if (!isObject(value)) throw usage('body must be a JSON object.');
  return value;
}

function textOfBody(body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(body, (name, value: unknown) => {
    // A larger number has already lost digits.
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
      throw usage(`${name} is too large to be a number in an object.`, 'Give the body as JSON text.');
    return value;
  });
}

/** Refuses names: whether one is found would reveal whose it is. */
function refuseNames(operation: Operation, { ids = [], filters = {} }: ReadArguments): void {
  const parameters = pathParameters(operation);
  const isName = (word: unknown): boolean => typeof word === 'string' && !looksLikeId(word);
  const areIds = parameters.length > 0 && parameters.every((one) => (operation.params?.[one] ?? 'id') === 'id');
  const isSearch = operation.list?.style === 'search' && operation.path !== '/documentation/search';
  const refers = filterOptions(operation).filter(({ field }) => field.refers !== undefined && field.format === 'id');
  const named = Object.entries(filters).flatMap(([filter, value]) =>
    refers.some(({ option }) => option === optionOf(filter)) ? [value].flat() : [],
  );
  if (((areIds || isSearch) && ids.some(isName)) || named.some(isName))
    throw usage('Personal data is masked here: give ids, not names.');
}

/** A command's result as an answer; complete only where no note says otherwise. */
export async function gathered(
  session: Session,
  said: Said,
  { result, finish }: Done,
  shown: (raw: string) => string,
): Promise<ToolAnswer> {
  const lines: string[] = [];
  if (result.shape === 'list') for await (const item of result.items) lines.push(shown(item.raw));
  else if (result.shape === 'one') lines.push(shown(result.item.raw));
  else if (result.shape === 'text') throw stopped('that answer cannot be shown to an agent');
  const failure = await finish?.();
  const isComplete = failure === undefined && said.missing.length === 0;
  const told = said.missing.find(({ total }) => total !== undefined)?.total ?? null;
  return answerOf(session, lines, {
    total: isComplete ? lines.length : told,
    complete: isComplete,
    notes: [...said.texts, ...(failure ? [failure.message] : [])].map((text) => shownText(session, text)),
    data: quotesOf(session, said.quotes),
  });
}

/** One item as part of an answer; an item longer than the limit is kept, and the answer says so. */
export function fitting({ maxBytes, results }: Session, raw: string): { item: unknown; kept?: object } {
  if (Buffer.byteLength(raw) <= maxBytes) return { item: plainOf(raw) };
  const parts = results.keep([raw]);
  const says = `it is too long for one answer: it is in ${parts.length} resources, to be joined in order.`;
  return { item: null, kept: { resources: parts, parts: parts.length, says } };
}

/** The members of an answer that hold data of the service. */
const FROM_SERVICE = ['items'];

function answerOf(
  session: Session,
  lines: readonly string[],
  facts: { total: number | null; complete: boolean; notes: readonly string[]; data: object | undefined },
): ToolAnswer {
  const { maxBytes, results } = session;
  let size = JSON.stringify(facts).length + 400;
  let shown = 0;
  while (shown < lines.length && size + Buffer.byteLength(lines[shown] ?? '') < maxBytes) {
    size += Buffer.byteLength(lines[shown] ?? '') + 1;
    shown += 1;
  }
  const items = lines.slice(0, shown).map((line) => plainOf(line));
  if (shown === lines.length) return { structured: { items, from_service: FROM_SERVICE, ...facts, next: null } };
  const parts = results.keep(lines);
  const kept = {
    resources: parts.length > 20 ? [parts[0], parts.at(-1)] : parts,
    parts: parts.length,
    says: `${shown} of ${lines.length} items are shown here; all ${lines.length} are in ${parts.length} resources, numbered from 1, with one JSON item per line. A line longer than a resource continues in the next one.`,
  };
  return {
    structured: { items, from_service: FROM_SERVICE, shown, read: lines.length, ...facts, next: parts[0], kept },
  };
}

/** A field that is personal, or that holds such fields. */
const hidesPerson = (word: string, family: string): boolean =>
  isPersonal(word, family) ||
  /(^|\.)(customer|customer_card|ship_to|bill_to|billing_address|highlights|metadata)$/i.test(word);

/** A hidden field of a related row selects no items either, under any name. */
async function refusePersonalPaths(family: Family, operation: Operation, given: ReadArguments): Promise<void> {
  const { where, sort, group_by: groupBy, sum, without } = given;
  const moment = { now: Date.UTC(2026, 0), zone: zoneOf('UTC') };
  const { lineJoins } = await import('../../session/joins/line-joins.js');
  const asked = { where, sort, groupBy, sum, with: given.with, without };
  const { roads, sides } = await lineJoins(family, operation, asked, moment);
  const ends = [roads, ...sides.map((side) => side.roads)].flatMap((some) => [...some.values()].map(endOf));
  const own = sides.flatMap(({ relation, conditions }) =>
    conditions.flatMap(comparisons).map(({ path }) => ({ path, family: relation.to })),
  );
  if ([...ends, ...own].some((one) => hidesPerson(one.path, one.family)))
    throw usage('Masked fields cannot select items.');
}

/** The field at the end of a road, with its family. */
function endOf({ path, follow }: Road): { readonly path: string; readonly family: string } {
  if (!follow) return { path, family: '' };
  const { then, family } = follow;
  return then.follow ? endOf(then) : { path: then.path, family: family.name };
}

function optionsOf(session: Session, given: ReadArguments, family: string): Record<string, unknown> {
  const chosen = [given.where, given.with, given.without, given.sort, given.group_by, given.having, given.sum].flatMap(
    (texts) => texts ?? [],
  );
  // The items that a condition selects would reveal hidden values.
  if (session.mask && chosen.some((text) => (text.match(/[\w.]+/g) ?? []).some((word) => hidesPerson(word, family))))
    throw usage('Masked fields cannot select items.');
  const { from, to, last, where, without, sort, group_by: groupBy, having, sum, columns, limit } = given;
  const options = {
    ...{ from, to, last, where, with: given.with, without, sort, groupBy, having, sum, picked: columns },
    reaches: session.families,
    limit: limit?.toString(),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const optionOf = (filter: string): string => filter.replace(/_filter$/, '').replaceAll('_', '-');
