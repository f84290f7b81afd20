import { CopsError, stopped, usage } from '../../base/errors/errors.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { askOwnMirror, type Restriction } from '../../data/mirror/ask-mirror.js';
import { familiesOf, MIRROR_VIEWS } from '../../data/mirror/views.js';
import { answerReport, familiesOfReport } from '../../data/report/answer-report.js';
import type { Item } from '../../items/json/item-json.js';
import type { Context } from '../../session/context/context.js';
import { MOST_REQUESTS } from '../../session/lookup/ask.js';
import { findAnything } from '../../session/lookup/find-anything.js';
import { shownColumn } from './mask.js';
import { gathered } from './reads.js';
import { contextOf, type Session, shownItem, type ToolAnswer } from './session.js';

const LONGEST_QUERY_MS = 60_000;
const MOST_ROWS = '100000';

/** What something is, as `cops find` answers, within the families of this server. */
export async function find(session: Session, what: string): Promise<ToolAnswer> {
  // Whether an address is found would reveal whose it is.
  if (session.mask && !looksLikeId(what)) throw usage('Personal data is masked here: find takes an id.');
  const { context, said } = contextOf(session, 'find');
  const given = session.families && [...session.families];
  const looked = given?.slice(0, MOST_REQUESTS);
  if (given && given.length > MOST_REQUESTS) {
    const text = `Only ${MOST_REQUESTS} families are searched: ${looked?.join(', ')}.`;
    context.notes.warn(text, {});
  }
  const options = { in: looked?.join(',') };
  const done = await findAnything(asDocument(context), what, options);
  return gathered(session, said, done, (raw) => shownItem(session, raw, ''));
}

/** A report, as `cops report` answers, without the options that write files. */
export async function report(session: Session, given: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
  const { name, ...options } = given;
  const hidden = name === undefined ? [] : familiesOfReport(String(name)).filter((one) => !isGiven(session, one));
  if (hidden.length > 0) throw stopped(`That report reads ${hidden.join(', ')}, which this server does not offer.`);
  const { context, said } = contextOf(session, 'report');
  const done = await answerReport(asDocument(context), name === undefined ? undefined : String(name), options);
  const { result } = done;
  if (name !== undefined || result.shape !== 'list')
    return gathered(session, said, done, (raw) => shownItem(session, raw, ''));
  const readable = async function* (): AsyncGenerator<Item> {
    let count = 0;
    for await (const item of result.items)
      if (familiesOfReport(String(JSON.parse(item.raw).name)).every((one) => isGiven(session, one))) {
        count++;
        yield item;
      }
    if (count === 0) context.notes.note('Every report reads more families than this server offers.');
  };
  return gathered(session, said, { ...done, result: { ...result, items: readable() } }, (raw) => raw);
}

/** Rows of a query over the profile's own mirror; a query that takes too long is stopped. */
export async function sql(session: Session, query: string): Promise<ToolAnswer> {
  const { context, said } = contextOf(session, 'sql');
  const { world } = context;
  const late = new AbortController();
  const answered = new AbortController();
  world.sleep(LONGEST_QUERY_MS, answered.signal).then(
    () => late.abort(stopped('the query took longer than 60 seconds')),
    () => undefined,
  );
  const interrupted = AbortSignal.any([world.interrupted, session.ended, late.signal]);
  const within: Context = { ...context, world: Object.create(world, { interrupted: { value: interrupted } }) };
  try {
    const done = await askOwnMirror(
      within,
      query,
      { limit: MOST_ROWS, restriction: restrictionOf(session) },
      interrupted,
    );
    return await gathered(session, said, done, (raw) => shownItem(session, raw, ''));
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind !== 'usage') throw error;
    // An agent has no command line: the tables that it may name instead of one that shows them.
    const views = MIRROR_VIEWS.filter(({ name }) => familiesOf([name]).every((one) => isGiven(session, one)));
    const named = views.map(({ name }) => name).join(', ') || [...(session.families ?? [])].join(', ');
    throw usage(error.message, `Tables: ${named}. To see the columns of one: select * from <table> limit 1`);
  } finally {
    answered.abort();
  }
}

const isGiven = ({ families }: Session, family: string): boolean => families === undefined || families.has(family);

function restrictionOf(session: Session): Restriction | undefined {
  if (!session.mask && session.families === undefined) return undefined;
  return {
    allows: (family) => isGiven(session, family),
    shows: (column, families) => (session.mask ? shownColumn(column, families) : 'all'),
  };
}

const asDocument = (context: Context): Context => ({
  ...context,
  settings: async () => ({ ...(await context.settings()), format: 'json', query: undefined, columns: undefined }),
});
