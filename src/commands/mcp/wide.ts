import type { Context } from '../../command/context.js';
import { stopped, usage } from '../../errors/errors.js';
import { run as runFind } from '../find/run.js';
import { run as runReport } from '../report/run.js';
import { run as runSql } from '../sql/run.js';
import { gathered } from './reads.js';
import { type Answer, contextOf, type Session } from './session.js';

const LONGEST_QUERY_MS = 60_000;
const MOST_ROWS = '100000';

/** What something is, as `cops find` tells it. */
export async function find(session: Session, what: string): Promise<Answer> {
  const { context, said } = contextOf(session, 'find');
  const done = await runFind(asDocument(context), { subcommand: '', words: [what], options: {}, family: '' });
  return gathered(session, said, done, (raw) => raw);
}

/** A report, as `cops report` tells it: without what writes files. */
export async function report(session: Session, given: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { name, ...options } = given;
  const { context, said } = contextOf(session, 'report');
  const words = name === undefined ? [] : [String(name)];
  const done = await runReport(asDocument(context), { subcommand: '', words, options, family: '' });
  return gathered(session, said, done, (raw) => raw);
}

/** Rows of a query over the profile's own mirror; what takes too long is ended. */
export async function sql(session: Session, query: string): Promise<Answer> {
  // Where a person types it, this word is standard input: here that is the line to the client.
  if (query.trim() === '-') throw usage('That is no query.');
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
    const options = { limit: MOST_ROWS };
    const done = await runSql(within, { subcommand: '', words: [query], options, family: '' });
    return await gathered(session, said, done, (raw) => raw);
  } finally {
    answered.abort();
  }
}

function asDocument(context: Context): Context {
  return {
    ...context,
    settings: async () => ({ ...(await context.settings()), format: 'json', query: undefined, columns: undefined }),
  };
}
