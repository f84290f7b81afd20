import { operationWith } from '../../../account/safety/as-sent.js';
import { CopsError, usage, wrongOption } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import type { Reply } from '../../../base/transport.js';
import type { Family, Operation } from '../../../catalogue/types.js';
import { Item, indent } from '../../../items/json/item-json.js';
import { holdsCard } from '../../../items/secrets/redact.js';
import { isSecretName } from '../../../items/secrets/secret-fields.js';
import { hasMoments } from '../../../service/body/data-path.js';
import { gatherBody } from '../../../service/body/gather.js';
import { newReport, readList } from '../../../service/lists/read-list.js';
import { pager } from '../../../service/request/pager.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import type { OptionsOf } from '../../../session/context/spec.js';
import { openReader } from '../../../session/read/reading.js';
import { DESCRIPTION_REQUEST, readDescription } from '../../../session/read/service-description.js';
import { clockOf, inputOf } from '../../../session/write/body-input.js';
import { dryRunResult, dryRunWrites } from '../../../session/write/dry-run.js';
import { asTold, type PreparedWrite } from '../../../session/write/prepared-write.js';
import { endedBefore, guard, postedText, sendWrite } from '../../../session/write/write.js';
import { type KnownPath, knownOperation, plainPath, refuseSplit } from './path.js';
import type { spec } from './spec.js';

type ApiOptions = OptionsOf<typeof spec>;

/** Sends any request to the service, with the guards, bodies and output of every other command. */
export async function run(context: Context, input: CommandInput<ApiOptions>): Promise<Done> {
  const { include = false, header = [], paginate } = input.options;
  if (!include && header.length === 0) return send(context, input);
  if (include && paginate) throw usage('-i shows the headers of one answer, but --paginate reads many.');
  let last: Reply | undefined;
  const { typedHeaders, withHeaders, headText } = await import('../../../session/read/typed-headers.js');
  const headed = withHeaders(context, typedHeaders(header), (reply) => {
    last = reply;
  });
  const { key } = await context.profile();
  try {
    const done = await send(headed, input);
    if (!include || last === undefined || done.result.shape !== 'one') return done;
    return {
      ...done,
      result: { shape: 'text', text: `${headText(last, key.value)}${indent(done.result.item.raw)}\n` },
    };
  } catch (error) {
    if (include && last !== undefined) context.notes.warn(headText(last, key.value).trimEnd());
    throw error;
  }
}

async function send(
  context: Context,
  { words: [method = '', path = ''], options }: CommandInput<ApiOptions>,
): Promise<Done> {
  const verb = method.toUpperCase();
  if (verb !== 'GET' && verb !== 'POST')
    throw usage(`The service has no method "${method}": it takes only GET and POST.`);
  const typed = targetOf(path, options.param ?? []);
  const target = { ...typed, path: await inOurWords(context, typed.path) };
  if (verb === 'GET') {
    if (options.body !== undefined || options.data !== undefined)
      throw usage('A GET has no body.', 'Give query parameters with --param name=value or in the path.');
    return get(context, { ...target, query: await dated(context, target.query) }, options.paginate === true);
  }
  if (options.paginate) throw usage('--paginate is for lists, and lists are read with GET.');
  await refuseSplit('POST', (await context.profile()).baseUrl.value, target.path);
  const known = await knownOperation('POST', target.path);
  const named = known?.operation ?? unknownOperation(target.path);
  const gathered = await gatherBody(
    named,
    { body: options.body, data: options.data },
    { ...inputOf(context.world), ...(hasMoments(named) ? { clock: await clockOf(context) } : {}) },
  );
  for (const note of gathered.notes) context.notes.note(note);
  const operation = operationWith(named, gathered.body);
  const prepared: PreparedWrite = {
    family: known?.family ?? unknownFamily(operation),
    operation,
    query: target.query,
    // No write operation takes query parameters, so nothing says what they do.
    risk: known && target.query.length === 0 ? operation.risk : 'unknown',
    ids: known?.ids ?? [],
    body: gathered.body,
    ...asTold(options, context.notes),
  };
  if (context.options.dryRun) return dryRunWrites(context, [prepared]);
  const reader = await openReader(context);
  if (prepared.risk === 'read') return { result: { shape: 'one', item: new Item(await postedText(reader, prepared)) } };
  const before = await endedBefore(context, prepared);
  if (before) return before;
  await guard(context, prepared, reader);
  const { text } = await sendWrite(context, prepared, reader);
  return { result: { shape: 'one', item: new Item(text) }, wrote: true };
}

/** The path in the catalogue's words, if it uses the service's own (profile setting `wallet_word`). */
async function inOurWords(context: Context, path: string): Promise<string> {
  if (!/^\/[^/]+_(accounts|transactions|disputes)(\/|$)/.test(path)) return path;
  const { pathFromService } = await import('../../../service/request/wallet.js');
  return pathFromService(path, (await context.profile()).walletWord.value);
}

/** Turns the ends of a range as people write them into the unix seconds the service expects. */
async function dated(context: Context, query: Target['query']): Promise<Target['query']> {
  const edges: Readonly<Record<string, 'start' | 'end'>> = { date_start: 'start', date_end: 'end' };
  const isSpoken = ([name, value]: readonly [string, string]): boolean =>
    Object.hasOwn(edges, name) && value !== '' && !/^\d+$/.test(value);
  if (!query.some(isSpoken)) return query;
  const { parseWhen } = await import('../../../base/time/when.js');
  const clock = await clockOf(context);
  return query.map((pair) => {
    const [name, value] = pair;
    if (!isSpoken(pair)) return pair;
    return [name, String(parseWhen(value, { ...clock, edge: edges[name] ?? 'start', option: name }))] as const;
  });
}

async function get(context: Context, target: Target, paginate: boolean): Promise<Done> {
  const request = { method: 'GET', path: target.path, query: target.query } as const;
  if (context.options.dryRun) return dryRunResult(context, request);
  if (target.path === DESCRIPTION_REQUEST.path && target.query.length === 0) {
    context.notes.note(say`${cops`openapi pull`} stores it: lists and operations then follow it.`);
    return { result: { shape: 'one', item: new Item((await readDescription(context)).text) } };
  }
  const reader = await openReader(context);
  const known = await knownOperation('GET', target.path);
  const idField = known?.family.idField ?? 'id';
  if (!paginate) {
    const text = await reader.answer(request).catch(async (error: unknown) => {
      const range = await rangeOf(context, target, known);
      const page = FIRST_PAGE.filter(([name]) => !target.query.some(([given]) => given === name));
      if (!needsPage(error, known) || range.length + page.length === 0) throw error;
      const query = [...target.query, ...range, ...page];
      const said = cops`api GET ${`${target.path}?${query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`}`;
      const whole =
        known.family.nature === 'event'
          ? ''
          : say` All of them: ${cops`${known.family.name.replaceAll('_', '-')} list`}`;
      context.notes.note(
        say`The service returns this list in pages${range.length > 0 ? ' of a range' : ''}: it was read with ${said}; --paginate reads all pages.${whole}`,
      );
      return reader.answer({ ...request, query });
    });
    return { result: { shape: 'one', item: new Item(text), idField, account: reader.profile.account } };
  }
  const query = target.query.filter(([name]) => name !== 'page' && name !== 'limit');
  const limit = Number(target.query.find(([name]) => name === 'limit')?.[1] ?? 25);
  const report = newReport();
  const pages = readList(
    { windows: undefined, paged: true, pageSize: limit, lastPage: known?.operation.list?.lastPage, ahead: 4 },
    pager(reader, { ...request, query }, idField),
    report,
  );
  const items = async function* (): AsyncGenerator<Item> {
    for await (const page of pages) for (const item of page.items) yield new Item(item.raw);
  };
  const { incompleteError } = await import('../../../session/read/list.js');
  return {
    result: {
      shape: 'list',
      items: items(),
      columns: known?.family.columns ?? [{ path: idField }],
      idField,
      account: reader.profile.account,
    },
    finish: () => incompleteError(report),
  };
}

/** The parameters that the service requires for a paged list (service.md#lists). */
const FIRST_PAGE = [
  ['limit', '25'],
  ['page', '1'],
] as const;

/** The range for a list without one: the last 30 days of events, else the longest range of one window. */
async function rangeOf(context: Context, { query }: Target, known: KnownPath | undefined): Promise<Target['query']> {
  const asks = query.some(([name]) => name === 'date_start' || name === 'date_end');
  if (known?.operation.list?.style !== 'windowed' || asks) return [];
  const end = Math.floor((await context.now()) / 1000);
  const longest = known.operation.list.spanDays ?? 90;
  const days = known.family.nature === 'event' ? Math.min(30, longest) : longest;
  return [
    ['date_start', String(end - days * 86_400)],
    ['date_end', String(end)],
  ];
}

/** True for a refused list that lacked its page or range. */
function needsPage(error: unknown, known: KnownPath | undefined): known is KnownPath {
  const isPaged = ['paged', 'windowed'].includes(known?.operation.list?.style ?? '');
  return error instanceof CopsError && error.kind === 'refused' && isPaged;
}

interface Target {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
}

function targetOf(given: string, params: readonly string[]): Target {
  const mark = given.indexOf('?');
  const [path, search] = mark < 0 ? [given, ''] : [given.slice(0, mark), given.slice(mark + 1)];
  if (given.includes('#')) throw usage(`"${given}" is not a plain path below the base URL: it contains #.`);
  const extra = params.map((param): [string, string] => {
    const at = param.indexOf('=');
    if (at < 1) throw wrongOption('--param', `"${param}" is not name=value.`);
    return [param.slice(0, at), param.slice(at + 1)];
  });
  const query = [...new URLSearchParams(search), ...extra];
  const secret = query.find(([name, value]) => isSecretName(name) || holdsCard(value));
  if (secret) {
    throw usage(
      `${secret[0]}: a secret is never taken from the command line, and never belongs in an address.`,
      'Addresses end up in logs. The service takes secrets only in bodies: --body @file or standard input.',
    );
  }
  return { path: plainPath(path), query };
}

const unknownOperation = (path: string): Operation => ({
  action: path,
  method: 'POST',
  path,
  operationId: `POST ${path}`,
  summary: 'an operation unknown to cops',
  risk: 'irreversible',
  body: { closed: false, complete: false, fields: {} },
  rules: [],
  example: `api POST ${path}`,
  evidence: 'convention',
});

const unknownFamily = (operation: Operation): Family => ({
  name: 'api',
  summary: '',
  columns: [{ path: 'id' }],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations: [operation],
});
