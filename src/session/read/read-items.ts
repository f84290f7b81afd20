import { CopsError, usage } from '../../base/errors/errors.js';
import { joinedTexts } from '../../base/text/command-line.js';
import type { ServiceRequest } from '../../base/transport.js';
import { METADATA_VALUES_RETURNED, MOST_HITS } from '../../catalogue/terms.js';
import { each, Item, stripEnvelope } from '../../items/json/item-json.js';
import { asMeant } from '../../items/text/typed-value.js';
import { shortOf } from '../../service/lists/growing-lists.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context, Done } from '../context/context.js';
import { wholeNumber } from '../context/typed-words.js';
import type { OperationInput } from '../operation/spec.js';
import { openReader, otherItem, type Reader } from './reading.js';

type Related = typeof import('./related.js');

/** What a read of single items needs besides its requests. */
interface Reading {
  readonly context: Context;
  readonly input: OperationInput;
  readonly reader: Reader;
  readonly related: Related | undefined;
  readonly followed: Awaited<ReturnType<Related['followedBy']>>;
}

/** One requested item: its request, and the ids in it. */
interface Asked {
  readonly request: ServiceRequest;
  readonly ids: readonly string[];
}

/** Reads single items: one, or several in the order of their ids; a search returns its results as a list. */
export async function readItems(
  context: Context,
  input: OperationInput,
  idSets: readonly (readonly string[])[],
  query: readonly (readonly [string, string])[],
): Promise<Done> {
  const { family, operation } = input;
  const asked = idSets.map((ids) => ({ ids, request: planRequest(family, operation, { ids, query }) }));
  const [only] = asked;
  if (context.options.dryRun) return (await import('../write/dry-run.js')).dryRuns(context, asked);
  const related = !operation.related || input.options.with === undefined ? undefined : await import('./related.js');
  const followed = related ? await related.followedBy(context, input, idSets[0]?.at(-1) ?? '', input.options.with) : [];
  if (related && asked.length > 1) await related.canShowSeveral(context);
  const reading = { context, input, reader: await openReader(context), related, followed };
  if (operation.list?.style === 'search' && only) return searchItems(reading, only.request);
  return asked.length === 1 && only ? readOne(reading, only) : readSeveral(reading, asked);
}

/** What the service's search left out, searched for by cops. */
async function lookFurther(context: Context, { family, words }: OperationInput, reader: Reader) {
  const { lookedText, lookThrough } = await import('./search-lists.js');
  const term = asMeant(words[0] ?? '');
  // The service itself searches for an address.
  const looked = term.includes('@') ? undefined : await lookThrough(context, family, reader, term);
  return looked && { items: looked.items, says: lookedText(looked), unread: looked.rest?.fault && looked.rest.what };
}

async function searchItems({ context, input, reader }: Reading, request: ServiceRequest): Promise<Done> {
  const { chooses, chosenBy, matchCount, sayChosen, unknownError, viewOf } = await import('./selection.js');
  const { family, operation, options } = input;
  const limit = wholeNumber(options.limit, '--limit', 1);
  if (options.all === true && limit !== undefined) throw usage('--all and --limit cannot be combined.');
  const chosen = chooses(family, operation, options)
    ? await chosenBy(context, family, operation, options, { limit, stops: false })
    : undefined;
  const page = await reader.page(request, family.idField);
  const looked = page.items.length > 0 || context.options.raw ? undefined : await lookFurther(context, input, reader);
  const items = [...page.items.map(({ raw }) => raw), ...(looked?.items ?? [])].map((raw) => new Item(raw));
  const shown = chosen ? items : items.slice(0, limit);
  const view = await viewOf(each(shown), chosen, { context, reader });
  if (page.items.length >= MOST_HITS && (page.totalCount ?? 0) <= items.length)
    context.notes.warn(`A search shows at most ${MOST_HITS} matches: there may be more.`, {});
  const short = shortOf(page, MOST_HITS) ?? looked?.unread;
  const sayLooked = (): CopsError | undefined => {
    if (page.items.length === 0) context.notes.note(joinedTexts([nothingFound(family), looked?.says], ' '));
    return short === undefined ? undefined : new CopsError('incomplete', `Not everything was searched: ${short}.`);
  };
  const finishBare = () => sayLooked() ?? unknownError(view.selected);
  if (chosen?.selection.bare) return { result: await matchCount(view), finish: finishBare };
  return {
    result: {
      shape: 'list',
      columns: view.rows ? [] : (operation.columns ?? family.columns),
      idField: family.idField,
      account: reader.profile.account,
      items: view.items,
      envelopes: context.options.raw ? each([page.envelope()]) : undefined,
    },
    finish: () => {
      const doubt = view.selected && chosen && sayChosen(context.notes, view.selected, chosen);
      const unread = sayLooked();
      if (!view.selected && shown.length < items.length) {
        const rest = { total: items.length };
        context.notes.warn(`${shown.length} of ${items.length}. Use --all or a larger --limit for the rest.`, rest);
      }
      if (unread === undefined && page.totalCount !== undefined && page.totalCount > items.length) {
        context.notes.warn(`${items.length} of ${page.totalCount}: a search shows only the best matches.`, {
          total: page.totalCount,
        });
      }
      return unread ?? doubt;
    },
  };
}

/** Nothing was found in the fields that the service searches, which are not all. */
const nothingFound = ({ name }: OperationInput['family']): string =>
  `The service's search of ${name.replaceAll('_', ' ')} found nothing: it searches for words exactly as spelled, ` +
  'and only in some fields.';

/** The answer to one request, and the item with the items it names. */
async function answerOf(reading: Reading, { request, ids }: Asked, isOnly = false) {
  const { context, input, reader, related, followed } = reading;
  const text = await reader.answer(request, isOnly && followed.length === 0);
  const asked = ids.at(-1);
  const other = input.operation.action === 'get' ? otherItem(text, input.family.idField, asked) : undefined;
  if (other !== undefined) context.notes.warn(`The service answered with ${other}, not with ${asked}.`);
  const own = context.options.raw ? text : stripEnvelope(text);
  const whole = await related?.withRelated(context, reader, followed, own);
  return { text, whole, item: new Item(whole?.text ?? own) };
}

/** Warns of an answer that the service cuts silently: the values of a metadata name (service.md#limits). */
function warnCut(context: Context, item: Item): void {
  const { value } = item;
  if (typeof value !== 'object' || value === null) return;
  const most = METADATA_VALUES_RETURNED;
  if (Object.values(value).some((list) => Array.isArray(list) && list.length >= most))
    context.notes.warn(`The service returns at most ${most} values: there may be more.`);
}

async function readOne(reading: Reading, asked: Asked): Promise<Done> {
  const { context, input, reader, related, followed } = reading;
  const { family, operation } = input;
  const { text, whole, item } = await answerOf(reading, asked, true);
  if (family.name === 'metadata' && operation.action === 'get') warnCut(context, item);
  const sections = related && whole ? { related: related.sectionsOf(followed, whole.unread) } : {};
  return {
    result: {
      shape: 'one',
      item,
      columns: operation.columns ?? family.columns,
      idField: family.idField,
      account: reader.profile.account,
      ...sections,
    },
    finish: async () => {
      if (operation.action === 'get') {
        const { keepIds } = await import('../../account/seen-ids/ids.js');
        keepIds(context, reader.profile, family, [text]);
      }
      return related?.relatedMissing(whole?.failures ?? []);
    },
  };
}

/** Errors that end the reading of several items, because the others would fail as well. */
const ENDS: ReadonlySet<string> = new Set(['stopped', 'interrupted', 'not_authorised', 'network']);

function readSeveral(reading: Reading, asked: readonly Asked[]): Done {
  const { context, input, reader, related } = reading;
  const { family, operation } = input;
  const failures: CopsError[] = [];
  const unrelated: CopsError[] = [];
  const answers = async function* (): AsyncGenerator<Item> {
    for (const one of asked) {
      try {
        const { whole, item } = await answerOf(reading, one);
        unrelated.push(...(whole?.failures ?? []));
        yield item;
      } catch (error) {
        if (!(error instanceof CopsError) || ENDS.has(error.kind)) throw error;
        failures.push(error);
        context.notes.warn(`${one.request.path}: ${error.message}`);
      }
    }
  };
  return {
    result: {
      shape: 'list',
      columns: operation.columns ?? family.columns,
      idField: family.idField,
      account: reader.profile.account,
      items: answers(),
    },
    finish: () => {
      if (failures.length === 0) return related?.relatedMissing(unrelated);
      if (failures.length === asked.length) return failures[0];
      return new CopsError('incomplete', `${failures.length} of ${asked.length} items could not be read.`, {
        more: { failed: failures.length },
      });
    },
  };
}
