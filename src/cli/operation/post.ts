import { operationWith } from '../../account/safety/as-sent.js';
import type { KnownRisk } from '../../account/safety/decide.js';
import { stopped, usage } from '../../base/errors/errors.js';
import { cops, say, shellWord, type Text, withPlaces } from '../../base/text/command-line.js';
import { bodyFields, typedFields } from '../../catalogue/body-fields.js';
import { pathParameters } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { each, Item, indent, stripEnvelope } from '../../items/json/item-json.js';
import { get, parseLossless, plain, textOf } from '../../items/json/lossless.js';
import { serialise, type TreeObject } from '../../items/json/tree.js';
import type { Narrowing } from '../../items/select/made-filters.js';
import { OUTPUT_FORMATS } from '../../screen/output-formats.js';
import { columnsOfRows } from '../../screen/render.js';
import { hasMoments } from '../../service/body/data-path.js';
import { type BodyIo, type BodySources, gatherBody, readText } from '../../service/body/gather.js';
import { oneStdinReader } from '../../service/body/input-text.js';
import type { Context, Done } from '../../session/context/context.js';
import { jsonText } from '../../session/context/run.js';
import { wholeNumber } from '../../session/context/typed-words.js';
import { Names } from '../../session/names/line-names.js';
import { orderPartIn } from '../../session/names/order-parts.js';
import type { Named } from '../../session/names/resolve-name.js';
import { narrowedBy, type OperationInput, splitWords, takesItem, takesLatest } from '../../session/operation/spec.js';
import { openReader } from '../../session/read/reading.js';
import { clockOf, inputOf, noteReplaced } from '../../session/write/body-input.js';
import { dryRunWrites } from '../../session/write/dry-run.js';
import { asTold, broughtWrites, type PreparedWrite } from '../../session/write/prepared-write.js';
import { endedBefore, guard, postedText, previewItem, refuseReadOnly, sendWrite } from '../../session/write/write.js';

/** Whether the line itself gives any part of a body. */
function saysBody({ typed, options }: OperationInput): boolean {
  return Object.keys(typed).length > 0 || [options.body, options.data].some((one) => one !== undefined);
}

/**
 * `customers add-to-group WHO Regulars`: the word after the id becomes the element of the one list that the action
 * needs.
 */
function withListed({ notes }: Context, input: OperationInput): OperationInput {
  const { operation, options, words } = input;
  const needed = Object.entries(operation.body?.fields ?? {}).filter(([, field]) => field.required === true);
  const [[name, field] = ['', undefined], other] = needed;
  const value = words.at(-1) ?? '';
  if (field?.type !== 'array' || other || saysBody(input) || options.editor === true || words.length < 2) return input;
  if (value === '-' || value.includes('@')) return input;
  const data = [`${name}[0]=${value}`];
  notes.note(`${value} is read as -d ${shellWord(data[0] ?? '')}.`);
  return { ...input, words: words.slice(0, -1), options: { ...options, data } };
}

/** Runs an operation that posts: gathers and checks its body, then sends it once per set of ids. */
export async function runPost(context: Context, typed: OperationInput, risk: KnownRisk): Promise<Done> {
  const input = withListed(context, typed);
  const { operation, options } = input;
  if (options.skeleton === true) {
    const { skeleton, skeletonNotes } = await import('../../service/body/skeleton.js');
    for (const note of skeletonNotes(operation, saysBody(input))) context.notes.note(note);
    return { result: { shape: 'text', text: `${indent(serialise(skeleton(operation)))}\n` } };
  }
  if (options.schema === true) {
    const { bodySchema } = await import('../../sandbox/serve/description.js');
    const $schema = 'http://json-schema.org/draft-07/schema#';
    return { result: jsonText({ $schema, title: context.command, ...bodySchema(operation) }) };
  }
  const words =
    pathParameters(operation).length === 0 ? { others: { [context.command]: input.words[0] } } : { ids: input.words };
  oneStdinReader({ ...words, body: options.body, data: options.data ?? [] });
  if (options.validate !== false && options.data !== undefined) await refuseOtherFields(context, input);
  const { ids: given, rest } = await splitWords(context, input);
  const { ids, narrowed, told } = withItem(input, given);
  const latest = takesLatest(operation) ? options.latest === true : undefined;
  const names = new Names(context, input.family, operation, latest, narrowed, told);
  const idSets = await names.ids(ids);
  if (options.editor !== true) {
    const settled = await withSums(context, input, risk, idSets);
    const body = await bodyFor(context, settled, rest, idSets, names);
    return postBody(context, settled, risk, { idSets, body, named: names.named });
  }
  await refuseReadOnly(context, operation, risk);
  const { editWith } = await import('../../session/write/edit.js');
  return editWith(context, input, idSets, (body, asked) =>
    postBody(context, input, risk, { idSets, body, asked, named: names.named }),
  );
}

/** Looks up a refund's sum that is given as a share; other lines load nothing here. */
export async function withSums(
  context: Context,
  input: OperationInput,
  risk: KnownRisk,
  idSets: readonly (readonly string[])[],
): Promise<OperationInput> {
  const typed = [...Object.values(input.typed), ...(input.options.data ?? [])];
  if (!typed.some((value) => typeof value === 'string' && /(?:%|(?:^|=)\s*half|\d\s*[/\u2044]\s*\d+)\s*$/i.test(value)))
    return input;
  const { settlePercents } = await import('../../session/write/percent.js');
  return settlePercents(context, input, risk, idSets);
}

/** What to post: one body for each set of ids. */
interface Posting {
  readonly idSets: readonly (readonly string[])[];
  readonly body: TreeObject;
  /** The requested values, where the body was computed from them. */
  readonly asked?: TreeObject;
  /** Names given in place of ids. */
  readonly named: readonly Named[];
}

/** Sends a body once per set of ids: as a dry run, a read, one guarded write or a bulk run. */
async function postBody(
  context: Context,
  input: OperationInput,
  declared: KnownRisk,
  { idSets, body, asked, named }: Posting,
): Promise<Done> {
  const { family, options, share } = input;
  const operation = operationWith(input.operation, body);
  const risk = declared === 'unknown' ? declared : operation.risk;
  const told = asTold(options, context.notes);
  const prepared = idSets.map(
    (ids): PreparedWrite => ({ family, operation, risk, ids, body, named, asked, share, ...told }),
  );
  const [only] = prepared;
  if (!only) throw usage(`${context.command}: no ids were given.`);
  // A line that names a journal gets one, even where standard input has only one id.
  const isRun = prepared.length > 1 || options.journal !== undefined;
  if (isRun && (typeof only.key === 'string' || typeof body.idempotency_key === 'string')) {
    throw usage('One idempotency key cannot serve a run over several ids: each is an intention of its own.');
  }
  const expect = wholeNumber(options.expect, '--expect', 0);
  const { length } = prepared;
  // The bulk run counts several ids itself.
  if (expect !== undefined && expect !== length && (!isRun || context.options.dryRun)) {
    throw stopped(
      `--expect ${expect}, but there ${length === 1 ? 'is one id' : `are ${length} rows`}: nothing was sent`,
    );
  }
  if (context.options.dryRun) return dryRunWrites(context, prepared);
  if (options.wait === true && isRun) throw usage('--wait follows a single write: give one id, and no --journal.');
  const wait = options.wait === true ? operation.wait : undefined;
  const limit = wait && (await import('../../session/write/wait.js')).waitLimit(options.waitLimit, wait.limitSeconds);
  if (isRun) {
    const { runManyIds } = await import('../../bulk/several-ids.js');
    return runManyIds(context, prepared, input.options);
  }
  const reader = await openReader(context);
  if (operation.risk === 'read' && risk !== 'unknown') {
    const text = await postedText(reader, only);
    return await postedRead(context, input, text);
  }
  const before = await endedBefore(context, only);
  if (before) return before;
  const toPerson = await isForPerson(context);
  if (operation.action === 'create' && toPerson) {
    const { tellTaken } = await import('../../session/write/taken-name.js');
    await tellTaken(context, family, operation, body, reader);
  }
  const goesOn = operation.leaves && (await import('../../session/write/goes-on.js'));
  const guarded = await guard(context, only, reader, await goesOn?.tellGoesOn(context, only, reader));
  const left = /(^| )edit$/.test(operation.action) ? await import('../../session/write/edited-fields.js') : undefined;
  const seen = guarded ?? (toPerson || left?.mayLeave(only) ? await previewItem(only, reader) : undefined);
  const { text, interrupted } = await sendWrite(context, only, reader);
  if (!interrupted) await left?.tellLeft(context, only, reader, seen);
  if (operation.preview?.refund && !interrupted) {
    const { tellRestOfOrder } = await import('../../session/write/rest-of-order.js');
    await tellRestOfOrder(context, only, reader, seen);
  }
  if (operation.acceptedOnly || (await broughtWrites(only)).some(({ write }) => write.operation.acceptedOnly)) {
    context.notes.note(
      say`Accepted by the service, not yet paid back: ${cops`pending-refunds list`} shows when it is.`,
    );
  }
  const fields = Object.entries(bodyFields(operation)).filter(([name]) => [body[name]].flat().some(Boolean));
  for (const { afterwards } of [operation, ...fields.map(([, field]) => field)])
    if (afterwards) context.notes.note(toldAfterwards(afterwards, only, text));
  if (limit !== undefined && !interrupted) {
    const { waitFor } = await import('../../session/write/wait.js');
    return { ...(await waitFor(context, reader, input, only, text, limit)), wrote: true };
  }
  if (toPerson) {
    const { toldToPerson } = await import('../../session/write/answer-text.js');
    const told = await toldToPerson(only, seen, text, context);
    if (told) return told;
  }
  return { result: { shape: 'one', item: new Item(text), idField: operation.answerId ?? family.idField }, wrote: true };
}

/** The remark to show after a write, with its ids filled in. */
function toldAfterwards(says: Text, { ids: [id], operation, family }: PreparedWrite, answer: string): Text {
  const told = parseLossless(stripEnvelope(answer));
  const made =
    operation.answerId ?? [family.idField, 'payment_method_id', 'customer_card_id'].find((name) => get(told, name));
  return withPlaces(says, { '<id>': id, '<new>': made && plain(get(told, made)) });
}

/** True where a person reads the answer and asked for no format. */
async function isForPerson(context: Context): Promise<boolean> {
  const { format, raw, query, columns } = await context.settings();
  const asked = raw || query !== undefined || columns !== undefined;
  return format === 'table' && context.world.stdout.isTTY === true && !asked;
}

/** A POST that only reads (a query, an estimate): its rows as a list, if it has any. */
async function postedRead(context: Context, input: OperationInput, text: string): Promise<Done> {
  const item = new Item(context.options.raw ? text : stripEnvelope(text));
  const { format, query } = await context.settings();
  const rows = item.field('query_results');
  // For a person or a spreadsheet the rows are the answer; programs get the response as received.
  if (Array.isArray(rows) && !context.options.raw && query === undefined && !OUTPUT_FORMATS[format].wholeItems) {
    const found = get(parseLossless(item.raw), 'query_results');
    const exact = Array.isArray(found) ? found : [];
    const items = exact.map((row) => new Item(textOf(row)));
    const columns = columnsOfRows(exact);
    return {
      result: {
        shape: 'list',
        items: each(items),
        columns,
        idField: columns[0]?.path ?? 'id',
        account: (await context.profile()).account,
      },
      finish: () => {
        if (items.length === 0) context.notes.note('No rows.');
        return undefined;
      },
    };
  }
  return {
    result: { shape: 'one', item, idField: input.family.idField, account: (await context.profile()).account },
  };
}

/** Gathers and checks the body; reports all faults together (command-line.md#bodies). */
async function bodyFor(
  context: Context,
  input: OperationInput,
  rest: readonly string[],
  idSets: readonly (readonly string[])[],
  names: Names,
): Promise<TreeObject> {
  const { operation, options } = input;
  const positional = operation.positionalBody;
  const prompter = idSets.length === 1 && !context.options.dryRun ? await context.prompter() : undefined;
  const io = {
    ...inputOf(context.world),
    clock: hasMoments(operation) ? await clockOf(context) : undefined,
    askSecret: prompter?.canPrompt() ? (path: string) => prompter.secret(`${path} (not shown)`) : undefined,
  };
  const given: TreeObject = {};
  const isPerson = prompter?.canPrompt() === true && context.world.stdout.isTTY === true && !context.options.yes;
  if (positional !== undefined && rest[0] !== undefined) given[positional] = await wordText(rest[0], io);
  const sources = { body: options.body, data: options.data, typed: input.typed, base: given };
  const asked = isPerson && options.validate !== false ? await lacking(context, input, sources, io) : [];
  const hidden = asked.length > 0 ? { ...io, askSecret: insisting(io.askSecret) } : io;
  const raw = await gatherBody(operation, { ...sources, data: [...(options.data ?? []), ...asked] }, hidden);
  // Without validation the body goes out as typed; with it, other faults are reported before any name is looked up.
  const checked = options.validate !== false;
  if (checked) {
    await refuseLacking(input, raw.body);
    await refuseBesideNames(context, input, raw.body, names);
  }
  const gathered = { ...raw, body: checked ? await names.body(raw.body) : raw.body };
  for (const note of gathered.notes) context.notes.note(note);
  noteReplaced(context, operation, gathered.body);
  if (gathered.given) {
    const { refusePlaceholders } = await import('../../session/write/check-body.js');
    refusePlaceholders(input, gathered.body);
  }
  const nothingToCheck =
    !gathered.given &&
    rest.length === 0 &&
    !Object.values(operation.body?.fields ?? {}).some((field) => field.required);
  const edits = operation.action.split(' ').at(-1) === 'edit';
  // The schema library is the slowest part of a start: an empty body that may be empty does not need it.
  if (checked && (!nothingToCheck || edits || operation.checks)) {
    const { checkBody } = await import('../../session/write/check-body.js');
    await checkBody(context, input, gathered.body);
  }
  return gathered.body;
}

/** Asks a person for the fields that the body lacks; a complete body loads none of this. */
async function lacking(
  context: Context,
  input: OperationInput,
  sources: BodySources,
  io: BodyIo,
): Promise<readonly string[]> {
  const { operation } = input;
  const fields = Object.values(operation.body?.fields ?? {});
  if (!fields.some(({ required, asked }) => required || asked) || readsStdin(input)) return [];
  await refuseReadOnly(context, operation, operation.risk);
  const { body } = await gatherBody(operation, sources, { ...io, askSecret: undefined });
  return (await import('../prompts/ask-fields.js')).askFields({ context, input, io }, body);
}

/** True where a part of the body comes from standard input, which then holds no answers. */
function readsStdin({ options: { body = '', data = [] } }: OperationInput): boolean {
  return [body, ...data].some((text) => /^@?-$|=@-$/.test(text));
}

/** Asks for a secret that the write requires. */
function insisting(ask: BodyIo['askSecret']): BodyIo['askSecret'] {
  return (
    ask &&
    (async (path) => {
      const answer = await ask(path);
      if (answer.trim() === '') throw usage(`Nothing was given for ${path}: nothing was sent.`);
      return answer;
    })
  );
}

/** Refuses names of `-d` that mean other fields, with the whole line. */
async function refuseOtherFields({ world, command }: Context, input: OperationInput): Promise<void> {
  const known = typedFields(input.operation);
  const names = (input.options.data ?? []).map((one) => one.replace(/:?=.*/s, ''));
  const isPlain = (name: string): boolean => Object.hasOwn(known, name) && known[name]?.type !== 'object';
  if (names.every((name) => isPlain(name) || /[.[]/.test(name))) return;
  await refuseLacking(input, Object.fromEntries(names.map((name) => [name.replace(/[.[].*/s, ''), null])));
  const { refuseStrange } = await import('../guess/wrong-line.js');
  await refuseStrange({ world, command }, input.operation);
}

/**
 * Refuses a field that the service is known to lack: a body that may have other fields would send it without effect.
 */
async function refuseLacking({ family, operation, words }: OperationInput, body: TreeObject): Promise<void> {
  const known = typedFields(operation);
  if (Object.keys(body).every((name) => name === 'idempotency_key' || Object.hasOwn(known, name))) return;
  const { lackingFields } = await import('../guess/wrong-line.js');
  const [lacking] = await lackingFields({ family, operation }, body, words);
  if (lacking !== undefined)
    throw usage(
      `cops ${family.name.replaceAll('_', '-')} ${operation.action}: ${lacking.path} is not a field: nothing was sent.`,
      say`${lacking.hint} --no-validate sends it anyway.`,
    );
}

/** Checks a body with names in place of ids before they are looked up, and reports all its faults together. */
async function refuseBesideNames(
  context: Context,
  input: OperationInput,
  body: TreeObject,
  names: Names,
): Promise<void> {
  if (!names.standIn(body)) return;
  const { faultsBesideNames } = await import('../../session/write/check-body.js');
  await faultsBesideNames(context, input, body);
}

/**
 * `--item "Ceramic Mug"`, and next to an order number `--product`, says which part is meant: it is added to the order's
 * name.
 */
function withItem(
  input: OperationInput,
  ids: readonly (readonly string[])[],
): { ids: readonly (readonly string[])[]; narrowed: readonly Narrowing[]; told?: Named['told'] } {
  const { family, operation, options } = input;
  const item = takesItem(family, operation) ? (options.item ?? options.product) : undefined;
  const [[order = ''] = [], another] = ids;
  // An address is of a person, of whose items the product tells which one is meant.
  if (typeof item !== 'string' || order.includes('@') || (options.item === undefined && !isOrder(family, order)))
    return { ids, narrowed: narrowedBy({ ...input, options: { ...options, product: item ?? options.product } }) };
  if (another !== undefined || !isOrder(family, order))
    throw usage('--item selects one part of an order.', 'Give the number or the id of the order, then the product.');
  const narrowed = narrowedBy(input).filter(({ option }) => option !== 'product');
  return { ids: [[`${order} ${item}`]], narrowed, told: { word: order, options: ['--item', '--product'] } };
}

const isOrder = (family: Family, word: string): boolean => orderPartIn(family, `${word} <product>`) !== undefined;

async function wordText(word: string, io: ReturnType<typeof inputOf>): Promise<string> {
  if (word === '-') return readText(io, word);
  return word.startsWith('@') ? readText(io, word.slice(1)) : word;
}
